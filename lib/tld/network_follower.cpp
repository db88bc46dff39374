// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/network_follower.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "core/box_sizes.h"

namespace cltrack {
namespace {

// How many times larger one is than the other.
float change(float a, float b) { return std::max(a / b, b / a); }

// The surest place, weighed as NanoTrack does (after SiamRPN): by how much the box would change its
// size and shape, and by a Hann window over the places, as targets rarely go far. The size follows
// the place's slowly.
std::optional<NetworkPlace> next_place(const NetworkFindings& findings, const BoundingBox& from) {
  constexpr float kWindow = 0.4f;  // its share in the weight
  constexpr float kChangePenalty = 0.14f, kSizeRate = 0.35f;
  const auto side =
      static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(findings.places.size()))));
  const auto hann = [&](std::size_t at) {
    const double turn = 2 * std::numbers::pi * static_cast<double>(at);
    return static_cast<float>(0.5 - 0.5 * std::cos(turn / static_cast<double>(side - 1)));
  };
  std::optional<NetworkPlace> best;
  float most = 0;
  for (std::size_t i = 0; i < findings.places.size(); ++i) {
    const NetworkPlace& place = findings.places[i];
    if (place.score <= 0) continue;
    const float changes = change(template_length(place.box), template_length(from)) *
                          change(place.box.width / place.box.height, from.width / from.height);
    const float window = side > 1 ? hann(i % side) * hann(i / side) : 1;
    const float weight =
        (1 - kWindow) * std::exp(kChangePenalty * (1 - changes)) * place.score + kWindow * window;
    if (weight > most) {
      most = weight;
      best = place;
    }
  }
  if (!best) return std::nullopt;
  const float rate = kSizeRate * best->score;
  best->box = with_sides(best->box, std::lerp(from.width, best->box.width, rate),
                         std::lerp(from.height, best->box.height, rate));
  return best;
}

}  // namespace

void NetworkFollower::take(const std::optional<NetworkPlace>& place) {
  constexpr float kSure = 0.5f, kSame = 0.5f;  // score; overlap
  place_.reset();
  if (!place || place->score <= kSure) return;
  if (here_ && overlap(place->box, *here_) > kSame) return;
  place_ = place->box;
}

void NetworkFollower::begin_frame(const std::optional<BoundingBox>& here,
                                  const std::optional<NetworkFindings>& findings) {
  here_ = here;
  if (!findings) {
    place_.reset();
  } else if (!place_ && here) {
    take(next_place(*findings, *here));
  }
}

const std::optional<BoundingBox>& NetworkFollower::follow(const NetworkFindings& findings) {
  if (place_) take(next_place(findings, *place_));
  return place_;
}

}  // namespace cltrack
