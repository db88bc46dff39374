// SPDX-License-Identifier: LGPL-2.1-or-later
#include "trackers.h"

#if HAVE_OPENCV_TRACKING

#include <opencv2/core.hpp>
#include <opencv2/tracking.hpp>  // the next one needs it

#include <opencv2/tracking/tracking_legacy.hpp>

#include "cltrack/error.h"

namespace cltrack::accuracy {
namespace {

using Create = cv::Ptr<cv::legacy::Tracker> (*)();

struct OpencvKind {
  const char* name;
  const char* description;
  bool uses_seed;
  Create create;
};

template <typename T>
cv::Ptr<cv::legacy::Tracker> create() {
  return T::create();
}

constexpr OpencvKind kKinds[] = {
    {"cv-tld", "cv::legacy::TrackerTLD", true, create<cv::legacy::TrackerTLD>},
    {"cv-csrt", "cv::legacy::TrackerCSRT", false, create<cv::legacy::TrackerCSRT>},
    {"cv-kcf", "cv::legacy::TrackerKCF", false, create<cv::legacy::TrackerKCF>},
    {"cv-medianflow", "cv::legacy::TrackerMedianFlow", false,
     create<cv::legacy::TrackerMedianFlow>},
};

class OpencvAdapter : public TrackerAdapter {
 public:
  explicit OpencvAdapter(Create make) : make_(make) {}

  bool needs_bgr() const override { return true; }

  Observation init(const Picture& picture, const BoundingBox& box, std::uint64_t seed) override {
    // TLD draws from the thread's generator; the pool's threads are not reached by this.
    cv::setRNGSeed(static_cast<int>(seed));
    tracker_ = make_();
    bool started = false;
    try {
      started = tracker_->init(view(picture), cv::Rect2d(box.x, box.y, box.width, box.height));
    } catch (const cv::Exception&) {
      // What it does with a box that it cannot take is part of what is measured.
    }
    return started ? Observation{box, 1.0f, TrackState::tracking} : Observation{};
  }

  Observation update(const Picture& picture) override {
    cv::Rect2d rect;
    try {
      if (!tracker_->update(view(picture), rect)) return {};
    } catch (const cv::Exception&) {
      return {};
    }
    const BoundingBox box{static_cast<float>(rect.x), static_cast<float>(rect.y),
                          static_cast<float>(rect.width), static_cast<float>(rect.height)};
    return box.is_valid() ? Observation{box, 1.0f, TrackState::tracking} : Observation{};
  }

 private:
  // OpenCV has no view of constant data; its trackers do not write to the picture.
  static cv::Mat view(const Picture& picture) {
    const BgrImage& bgr = *picture.bgr;
    return cv::Mat(bgr.height, bgr.width, CV_8UC3, const_cast<std::uint8_t*>(bgr.pixels.data()));
  }

  Create make_;
  cv::Ptr<cv::legacy::Tracker> tracker_;
};

}  // namespace

std::vector<TrackerKind> opencv_tracker_kinds() {
  std::vector<TrackerKind> kinds;
  for (const OpencvKind& kind : kKinds) {
    kinds.push_back({kind.name, kind.description, kind.uses_seed});
  }
  return kinds;
}

std::unique_ptr<TrackerAdapter> make_opencv_tracker(const std::string& name) {
  for (const OpencvKind& kind : kKinds) {
    if (name == kind.name) return std::make_unique<OpencvAdapter>(kind.create);
  }
  return nullptr;
}

int set_opencv_threads(int threads) {
  const int before = cv::getNumThreads();
  cv::setNumThreads(threads);
  return before;
}

}  // namespace cltrack::accuracy

#else

namespace cltrack::accuracy {

std::vector<TrackerKind> opencv_tracker_kinds() { return {}; }
std::unique_ptr<TrackerAdapter> make_opencv_tracker(const std::string&) { return nullptr; }
int set_opencv_threads(int threads) { return threads; }

}  // namespace cltrack::accuracy

#endif
