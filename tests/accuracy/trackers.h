// SPDX-License-Identifier: LGPL-2.1-or-later
// One way to run every tracker that is compared: ours, and OpenCV's where they were built in.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cltrack/template_config.h"
#include "cltrack/tld_config.h"
#include "cltrack/tracker.h"
#include "frame_source.h"
#include "tld/hypotheses.h"

namespace cltrack::accuracy {

// Of our trackers. Seeds, similarity and search are theirs who make the trackers.
struct TrackerConfigs {
  TldConfig tld;
  TemplateConfig match;
  bool logs_hypotheses = false;  // of tld, in Observation
};

// What a tracker is shown of one frame.
struct Picture {
  Frame frame;
  const BgrImage* bgr = nullptr;  // only for trackers that ask for it
};

// What it says of it.
struct Observation {
  std::optional<BoundingBox> box;
  float confidence = 0;
  TrackState state = TrackState::lost;
  const char* reason = "";     // why it is lost, see Track::reason
  Hypotheses hypotheses = {};  // what it was decided on, if that was asked for
};

class TrackerAdapter {
 public:
  virtual ~TrackerAdapter() = default;
  virtual bool needs_bgr() const = 0;

  // Starts on the first frame, with a new tracker: an adapter may be started again.
  // Throws Error if the box cannot be tracked.
  virtual Observation init(const Picture& picture, const BoundingBox& box, std::uint64_t seed) = 0;
  virtual Observation update(const Picture& picture) = 0;

  // Where the time went; empty for trackers that do not tell.
  virtual TrackerStats stats() const { return {}; }
};

struct TrackerKind {
  std::string name;
  std::string description;
  bool uses_seed = false;  // otherwise one run says all
};

// The trackers of this build.
std::span<const TrackerKind> tracker_kinds();

// Throws Error{invalid_argument} that lists the trackers of this build if there is none of that
// name. `configs` are for ours.
const TrackerKind& find_tracker(const std::string& name);
std::unique_ptr<TrackerAdapter> make_tracker(const std::string& name,
                                             const TrackerConfigs& configs = {});

// In opencv_trackers.cpp; null, and no kinds, in a build without OpenCV's tracking module.
std::vector<TrackerKind> opencv_tracker_kinds();
std::unique_ptr<TrackerAdapter> make_opencv_tracker(const std::string& name);
// How many threads OpenCV may use; returns how many it was.
int set_opencv_threads(int threads);

}  // namespace cltrack::accuracy
