// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/point_flow.h"

#include <cmath>
#include <opencv2/core.hpp>
#include <opencv2/video/tracking.hpp>

namespace cltrack {

struct FlowPyramid::Data {
  std::vector<cv::Mat> levels;
  int top = -1;  // index of the coarsest level; -1: not built
  int largest_window = 0;
};

FlowPyramid::FlowPyramid() : data_(std::make_unique<Data>()) {}
FlowPyramid::~FlowPyramid() = default;
FlowPyramid::FlowPyramid(FlowPyramid&&) noexcept = default;
FlowPyramid& FlowPyramid::operator=(FlowPyramid&&) noexcept = default;

bool FlowPyramid::empty() const { return data_->top < 0; }
int FlowPyramid::largest_window() const { return data_->largest_window; }

ImageView FlowPyramid::picture() const {
  const cv::Mat& first = data_->levels.at(0);
  return {first.data, first.cols, first.rows, static_cast<std::ptrdiff_t>(first.step)};
}

void FlowPyramid::build(const ImageView& image, int levels, int largest_window) {
  // OpenCV has no read-only Mat; it copies the picture into the first level's padded one.
  const cv::Mat picture(image.height, image.width, CV_8UC1, const_cast<std::uint8_t*>(image.data),
                        static_cast<std::size_t>(image.stride));
  data_->largest_window = largest_window;
  data_->top =
      cv::buildOpticalFlowPyramid(picture, data_->levels, cv::Size(largest_window, largest_window),
                                  levels, true, cv::BORDER_REFLECT_101, cv::BORDER_CONSTANT, false);
}

std::vector<FlowPoint> point_flow(const FlowPyramid& from, const FlowPyramid& to,
                                  const std::vector<Point>& points, const FlowSettings& settings) {
  std::vector<cv::Point2f> start;
  start.reserve(points.size());
  for (const Point& point : points) start.emplace_back(point.x, point.y);
  std::vector<FlowPoint> result(points.size());
  if (points.empty()) return result;

  const cv::TermCriteria criteria(cv::TermCriteria::COUNT | cv::TermCriteria::EPS,
                                  settings.iterations, static_cast<double>(settings.epsilon));
  const cv::Size window(settings.window, settings.window);
  const auto track = [&](const FlowPyramid& a, const FlowPyramid& b,
                         const std::vector<cv::Point2f>& in, std::vector<cv::Point2f>& out,
                         std::vector<std::uint8_t>& found) {
    std::vector<float> unused;
    cv::calcOpticalFlowPyrLK(a.data().levels, b.data().levels, in, out, found, unused, window,
                             std::min(a.data().top, b.data().top), criteria, 0, 1e-4);
  };
  std::vector<cv::Point2f> forward, back;
  std::vector<std::uint8_t> found_forward, found_back;
  track(from, to, start, forward, found_forward);
  track(to, from, forward, back, found_back);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const cv::Point2f error = back[i] - start[i];
    result[i].to = {forward[i].x, forward[i].y};
    result[i].forward_backward = std::sqrt(error.x * error.x + error.y * error.y);
    result[i].found = found_forward[i] && found_back[i];
  }
  return result;
}

}  // namespace cltrack
