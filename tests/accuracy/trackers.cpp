// SPDX-License-Identifier: LGPL-2.1-or-later
#include "trackers.h"

#include <algorithm>

#include "core/error.h"
#include "join.h"
#include "tld/tld_tracker.h"

namespace cltrack::accuracy {
namespace {

class TldAdapter : public TrackerAdapter {
 public:
  explicit TldAdapter(const TldConfig& config) : config_(config) {}

  bool needs_bgr() const override { return false; }

  Observation init(const Picture& picture, const BoundingBox& box, std::uint64_t seed) override {
    clip_target(box, picture.frame.luma.width, picture.frame.luma.height);
    config_.seed = seed;
    tracker_ = make_tld_tracker(config_);
    tracker_->add(box);
    return update(picture);
  }

  Observation update(const Picture& picture) override {
    const Track& track = tracker_->process(picture.frame).front();
    Observation observation;
    observation.state = track.state;
    observation.confidence = track.confidence;
    if (track.has_box()) observation.box = track.box;
    return observation;
  }

  TrackerStats stats() const override { return tracker_ ? tracker_->stats() : TrackerStats{}; }

 private:
  TldConfig config_;
  std::unique_ptr<Tracker> tracker_;
};

}  // namespace

std::span<const TrackerKind> tracker_kinds() {
  static const std::vector<TrackerKind> kinds = [] {
    std::vector<TrackerKind> all{{"tld", "TLD of this library", true}};
    std::ranges::move(opencv_tracker_kinds(), std::back_inserter(all));
    return all;
  }();
  return kinds;
}

const TrackerKind& find_tracker(const std::string& name) {
  const auto kinds = tracker_kinds();
  const auto kind = std::ranges::find(kinds, name, &TrackerKind::name);
  if (kind == kinds.end()) {
    const bool opencv = kinds.size() > 1;
    throw Error(ErrorCode::invalid_argument,
                "no tracker \"" + name + "\"; there are: " + join(kinds, &TrackerKind::name) +
                    (opencv ? "" : " (cv-* needs a build with libopencv-contrib-dev)"));
  }
  return *kind;
}

std::unique_ptr<TrackerAdapter> make_tracker(const std::string& name, const TldConfig& config) {
  find_tracker(name);
  if (name == "tld") return std::make_unique<TldAdapter>(config);
  return make_opencv_tracker(name);
}

}  // namespace cltrack::accuracy
