// SPDX-License-Identifier: LGPL-2.1-or-later
#include "match/template_model.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "cltrack/error.h"
#include "ops/planes/area_resample.h"

namespace cltrack {
namespace {

constexpr int kFractionBits = 16;
constexpr int kSmallestSide = 6;  // of a template at any resolution, pixels
// The standard deviation of grey levels. Less is sensor noise.
constexpr double kLeastContrast = 1.0;

Image reduced_to(const ImageView& picture, const BoundingBox& box, int side) {
  const float by = std::sqrt(box.width * box.height) / static_cast<float>(side);
  const float least = std::min(box.width, box.height) / static_cast<float>(kSmallestSide);
  const float reduction = std::max(1.0f, std::min(by, least));
  const auto pixels = [reduction](float length) {
    return std::max(kSmallestSide, static_cast<int>(std::lround(length / reduction)));
  };
  Image reduced(pixels(box.width), pixels(box.height));
  resample_area(picture, box, reduced);
  return reduced;
}

float ncc_of(const ImageView& picture, const MatchTemplate& pattern) {
  float score = 0;
  vector::match_map(picture, pattern, &score, 1);
  return score;
}

}  // namespace

void check_contrast(const MatchTemplate& pattern, const BoundingBox& box) {
  const auto n = static_cast<double>(pattern.pixels());
  const double mean = static_cast<double>(pattern.sum()) / n;
  const double variance = static_cast<double>(pattern.squares()) / n - mean * mean;
  const double deviation = std::sqrt(std::max(0.0, variance));
  if (deviation >= kLeastContrast) return;
  std::ostringstream message;
  message << "the template x=" << box.x << " y=" << box.y << " width=" << box.width
          << " height=" << box.height << " is flat: its grey levels have a standard deviation of "
          << deviation << ", at least " << kLeastContrast
          << " is needed; choose a box or a picture with more contrast";
  throw Error(ErrorCode::invalid_argument, message.str());
}

TemplateModel::TemplateModel(const ImageView& picture, const BoundingBox& box,
                             const TemplateConfig& config)
    : similarity_(config.similarity),
      coarse_{MatchTemplate(reduced_to(picture, box, config.coarse_side).view(), similarity_), {}},
      fine_{MatchTemplate(reduced_to(picture, box, config.fine_side).view(), similarity_), {}} {
  check_contrast(fine_.first, box);
  if (similarity_ != Similarity::ncc) first_ncc_.emplace(fine_.first.view(), Similarity::ncc);
}

Likeness TemplateModel::compare(const ImageView& picture) const {
  Likeness likeness;
  likeness.first = ncc_of(picture, first_ncc_ ? *first_ncc_ : fine_.first);
  likeness.running = likeness.first;
  if (fine_.running) {
    likeness.running = ncc_of(picture, running_ncc_ ? *running_ncc_ : *fine_.running);
  }
  return likeness;
}

void TemplateModel::learn(const ImageView& picture, float rate) {
  const auto pixels = static_cast<std::size_t>(width() * height());
  if (running_.empty()) {
    running_.resize(pixels);
    for (std::size_t i = 0; i < pixels; ++i) {
      running_[i] = std::uint32_t{fine_.first.view().data[i]} << kFractionBits;
    }
  }
  const auto share = std::lround(rate * (1 << kFractionBits));
  for (int y = 0; y < height(); ++y) {
    std::uint32_t* row = running_.data() + static_cast<std::ptrdiff_t>(y) * width();
    for (int x = 0; x < width(); ++x) {
      const std::int64_t before = row[x];
      const std::int64_t now = std::int64_t{picture.at(x, y)} << kFractionBits;
      row[x] = static_cast<std::uint32_t>(before + ((now - before) * share >> kFractionBits));
    }
  }
  renew_running();
}

void TemplateModel::renew_running() {
  Image fine(width(), height());
  for (std::size_t i = 0; i < running_.size(); ++i) {
    fine.row(0)[i] =
        static_cast<std::uint8_t>((running_[i] + (1u << (kFractionBits - 1))) >> kFractionBits);
  }
  Image coarse(coarse_.width(), coarse_.height());
  resample_area(fine.view(), {0, 0, static_cast<float>(width()), static_cast<float>(height())},
                coarse);
  fine_.running.emplace(fine.view(), similarity_);
  coarse_.running.emplace(coarse.view(), similarity_);
  if (first_ncc_) running_ncc_.emplace(fine.view(), Similarity::ncc);
}

}  // namespace cltrack
