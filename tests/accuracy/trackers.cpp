// SPDX-License-Identifier: LGPL-2.1-or-later
#include "trackers.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "cltrack/error.h"
#include "cltrack/template_tracker.h"
#include "cltrack/tld_tracker.h"
#include "join.h"

namespace cltrack::accuracy {
namespace {

// One of ours: `make` gets the seed.
class OwnAdapter : public TrackerAdapter {
 public:
  using Make = std::function<std::unique_ptr<Tracker>(std::uint64_t)>;
  OwnAdapter(Make make, bool logs_hypotheses)
      : make_(std::move(make)), logs_hypotheses_(logs_hypotheses) {}

  bool needs_bgr() const override { return false; }

  Observation init(const Picture& picture, const BoundingBox& box, std::uint64_t seed) override {
    clip_target(box, picture.frame.luma.width, picture.frame.luma.height);
    tracker_ = make_(seed);
    tracker_->add(box);
    return update(picture);
  }

  Observation update(const Picture& picture) override {
    const Track& track = tracker_->process(picture.frame).front();
    Observation observation;
    observation.state = track.state;
    observation.confidence = track.confidence;
    observation.reason = track.reason;
    if (track.has_box()) observation.box = track.box;
    if (logs_hypotheses_) observation.hypotheses = hypotheses_of(*tracker_, track.id);
    return observation;
  }

  TrackerStats stats() const override { return tracker_ ? tracker_->stats() : TrackerStats{}; }

 private:
  Make make_;
  bool logs_hypotheses_;
  std::unique_ptr<Tracker> tracker_;
};

std::unique_ptr<Tracker> make_own(const std::string& name, const TrackerConfigs& configs,
                                  std::uint64_t seed) {
  if (name == "tld") {
    TldConfig config = configs.tld;
    config.seed = seed;
    return make_tld_tracker(config);
  }
  TemplateConfig config = configs.match;
  if (name != "template") config.search = TemplateSearch::frame;
  if (name == "template-cosine") config.similarity = Similarity::cosine;
  return make_template_tracker(config);
}

const std::vector<TrackerKind>& own_kinds() {
  static const std::vector<TrackerKind> kinds = {
      {"tld", "TLD of this library", true},
      {"template", "template matching of this library", false},
      {"template-full", "whole frames searched for the first template, ncc", false},
      {"template-cosine", "the same by cosine similarity", false},
  };
  return kinds;
}

}  // namespace

std::span<const TrackerKind> tracker_kinds() {
  static const std::vector<TrackerKind> kinds = [] {
    std::vector<TrackerKind> all = own_kinds();
    std::ranges::move(opencv_tracker_kinds(), std::back_inserter(all));
    return all;
  }();
  return kinds;
}

const TrackerKind& find_tracker(const std::string& name) {
  const auto kinds = tracker_kinds();
  const auto kind = std::ranges::find(kinds, name, &TrackerKind::name);
  if (kind == kinds.end()) {
    const bool opencv = kinds.size() > own_kinds().size();
    throw Error(ErrorCode::invalid_argument,
                "no tracker \"" + name + "\"; there are: " + join(kinds, &TrackerKind::name) +
                    (opencv ? "" : " (cv-* needs a build with libopencv-contrib-dev)"));
  }
  return *kind;
}

std::unique_ptr<TrackerAdapter> make_tracker(const std::string& name,
                                             const TrackerConfigs& configs) {
  find_tracker(name);
  if (std::ranges::find(own_kinds(), name, &TrackerKind::name) == own_kinds().end()) {
    return make_opencv_tracker(name);
  }
  return std::make_unique<OwnAdapter>(
      [name, configs](std::uint64_t seed) { return make_own(name, configs, seed); },
      configs.logs_hypotheses);
}

}  // namespace cltrack::accuracy
