// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <string>
#include <utility>

#include "cltrack/error.h"
#include "ops/match/match_device.h"
#include "ops/match/match_host.h"
#include "ops/match/match_template.h"

namespace cltrack {

MatchTemplate::MatchTemplate(const ImageView& image, Similarity similarity)
    : similarity_(similarity) {
  const std::int64_t pixels = image.empty() ? 0 : std::int64_t{image.width} * image.height;
  if (pixels == 0 || pixels > kMostMatchPixels || image.width > kMostMatchSide ||
      image.height > kMostMatchSide) {
    throw Error(ErrorCode::invalid_argument,
                "template of " + std::to_string(image.width) + "x" + std::to_string(image.height) +
                    ": must have 1 to " + std::to_string(kMostMatchPixels) +
                    " pixels and no side over " + std::to_string(kMostMatchSide));
  }
  image_.resize(image.width, image.height);
  for (int y = 0; y < image.height; ++y) {
    std::copy_n(image.row(y), image.width, image_.row(y));
    for (int x = 0; x < image.width; ++x) {
      const std::uint64_t value = image.at(x, y);
      sum_ += value;
      squares_ += value * value;
    }
  }
  pixels_ = static_cast<std::uint64_t>(pixels);
  energy_ = match_energy(similarity, pixels_, sum_, squares_);
}

MatchTemplate::Host& MatchTemplate::host() {
  if (!host_) host_ = std::make_unique<Host>();
  return *host_;
}

MatchTemplate::OnDevice& MatchTemplate::on_device() {
  if (!on_device_) on_device_ = std::make_unique<OnDevice>();
  return *on_device_;
}

MatchScratch::Host& MatchScratch::host() {
  if (!host_) host_ = std::make_unique<Host>();
  return *host_;
}

MatchScratch::OnDevice& MatchScratch::on_device() {
  if (!on_device_) on_device_ = std::make_unique<OnDevice>();
  return *on_device_;
}

MatchTemplate::~MatchTemplate() = default;
MatchTemplate::MatchTemplate(MatchTemplate&&) noexcept = default;
MatchTemplate& MatchTemplate::operator=(MatchTemplate&& other) noexcept {
  on_device_ = std::move(other.on_device_);  // first: it may still read the pixels
  host_ = std::move(other.host_);
  image_ = std::move(other.image_);
  similarity_ = other.similarity_;
  pixels_ = other.pixels_;
  sum_ = other.sum_;
  squares_ = other.squares_;
  energy_ = other.energy_;
  return *this;
}

MatchScratch::MatchScratch() = default;
MatchScratch::~MatchScratch() = default;
MatchScratch::MatchScratch(MatchScratch&&) noexcept = default;
MatchScratch& MatchScratch::operator=(MatchScratch&&) noexcept = default;

}  // namespace cltrack
