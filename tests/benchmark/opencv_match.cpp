// SPDX-License-Identifier: LGPL-2.1-or-later
#include "opencv_match.h"

#include "cltrack/error.h"

#if HAVE_OPENCV_MATCH
#include <opencv2/core/ocl.hpp>
#include <opencv2/imgproc.hpp>
#endif

namespace cltrack::accuracy {

#if HAVE_OPENCV_MATCH

namespace {

// A header only; OpenCV does not write to it.
cv::Mat as_mat(const ImageView& view) {
  return cv::Mat(view.height, view.width, CV_8U, const_cast<std::uint8_t*>(view.data),
                 static_cast<std::size_t>(view.stride));
}

}  // namespace

struct OpenCvMatch::Parts {
  int method;
  bool on_device;
  cv::Mat pattern, map;
  cv::UMat device_pattern, device_frame, device_map;
};

bool OpenCvMatch::is_built() { return true; }

std::string OpenCvMatch::device() {
  if (!cv::ocl::haveOpenCL()) return {};
  const cv::ocl::Device& device = cv::ocl::Device::getDefault();
  return device.available() ? device.name() : std::string();
}

OpenCvMatch::OpenCvMatch(const ImageView& pattern, Similarity similarity, bool on_device)
    : parts_(new Parts{
          .method = similarity == Similarity::ncc ? cv::TM_CCOEFF_NORMED : cv::TM_CCORR_NORMED,
          .on_device = on_device,
          .pattern = as_mat(pattern).clone(),
          .map = {},
          .device_pattern = {},
          .device_frame = {},
          .device_map = {}}) {
  cv::ocl::setUseOpenCL(on_device);
  if (on_device) parts_->pattern.copyTo(parts_->device_pattern);
}

MatchPlace OpenCvMatch::find(const ImageView& frame) {
  double score = 0;
  cv::Point place;
  try {
    cv::ocl::setUseOpenCL(parts_->on_device);
    if (parts_->on_device) {
      as_mat(frame).copyTo(parts_->device_frame);
      cv::matchTemplate(parts_->device_frame, parts_->device_pattern, parts_->device_map,
                        parts_->method);
      cv::minMaxLoc(parts_->device_map, nullptr, &score, nullptr, &place);
    } else {
      cv::matchTemplate(as_mat(frame), parts_->pattern, parts_->map, parts_->method);
      cv::minMaxLoc(parts_->map, nullptr, &score, nullptr, &place);
    }
  } catch (const cv::Exception& error) {
    throw Error(ErrorCode::failed, std::string("OpenCV: ") + error.what());
  }
  return {place.x, place.y, static_cast<float>(score)};
}

#else

struct OpenCvMatch::Parts {};
bool OpenCvMatch::is_built() { return false; }
std::string OpenCvMatch::device() { return {}; }
OpenCvMatch::OpenCvMatch(const ImageView&, Similarity, bool) {
  throw Error(ErrorCode::failed, "built without OpenCV");
}
MatchPlace OpenCvMatch::find(const ImageView&) { return {}; }

#endif

OpenCvMatch::~OpenCvMatch() = default;

}  // namespace cltrack::accuracy
