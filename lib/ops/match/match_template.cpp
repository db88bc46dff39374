// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/match/match_template.h"

#include <algorithm>
#include <string>

#include "cltrack/error.h"
#include "ops/match/best_match_methods.h"

namespace cltrack {

MatchTemplate::MatchTemplate(const ImageView& image, Similarity similarity)
    : similarity_(similarity), kept_(std::make_shared<Kept>()) {
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

}  // namespace cltrack
