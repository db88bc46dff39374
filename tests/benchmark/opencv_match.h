// SPDX-License-Identifier: LGPL-2.1-or-later
// cv::matchTemplate and cv::minMaxLoc, to compare with; where OpenCV was there when this was built.
#pragma once

#include <memory>
#include <string>

#include "ops/match/best_match.h"

namespace cltrack::accuracy {

class OpenCvMatch {
 public:
  static bool is_built();
  // The OpenCL device that OpenCV has chosen ($OPENCV_OPENCL_DEVICE), or empty.
  static std::string device();

  // With `on_device`, by UMat: frame and template go up, and the result comes down. Throws Error.
  OpenCvMatch(const ImageView& pattern, Similarity similarity, bool on_device);
  ~OpenCvMatch();
  MatchPlace find(const ImageView& frame);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace cltrack::accuracy
