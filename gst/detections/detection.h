// SPDX-License-Identifier: LGPL-2.1-or-later
// What a detector before the element has found on a picture, and what is done with it.
#pragma once

#include <gst/video/gstvideometa.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/search_region.h"

namespace cltrack::gst {

// A region of interest, an ODMtd of GstAnalytics, or both of one object.
struct Detection {
  BoundingBox box;                               // pixels
  std::string label;                             // the region's type, or the ODMtd's
  float confidence = 1;                          // 1 if the detector says nothing of it
  GstVideoRegionOfInterestMeta* meta = nullptr;  // as long as the buffer
  std::optional<unsigned> object = {};           // the id of the ODMtd
};

enum class DetectionUse {
  ignore,
  start,              // a detection that is on no track starts one
  start_and_correct,  // and puts tracks where they are detected
  when_lost,          // and lost tracks alone
};

struct DetectionSettings {
  DetectionUse use = DetectionUse::ignore;
  std::vector<std::string> types;         // labels that count; empty: all
  float least_confidence = 0;             // of those that count
  GstClockTime timeout = 5 * GST_SECOND;  // 0: never
  int hits = 0;              // rounds that a track needs to be reported; 0: as the detector is fast
  int interval = 0;          // frames from one round to the next; 0: learnt
  SearchRegion region = {};  // where detections count, and what they have started is reported

  // Whether what is seen of a box on a frame of width x height pixels is there.
  bool is_in_region(const BoundingBox& box, int width, int height) const;
};

// The rounds of a detector: frames on which it has run. Those with any of its detections are, and
// those that say so; while it finds nothing, it is taken to run as often as it usually does.
class DetectionRounds {
 public:
  // A frame at `now` seconds. `ran`: the detector is known to have run. `every`: frames from one
  // round to the next, if that is known, or 0. Returns whether the frame is a round.
  bool see(double now, bool ran, int every);
  // The usual time between two rounds, seconds; 0: not known yet.
  double interval() const;
  // Whether a round was seen a moment before `now`, seconds.
  bool is_at_work(double now) const;

 private:
  static constexpr std::size_t kGaps = 9, kLeastGaps = 3;

  std::vector<double> gaps_;        // between rounds that were seen, the latest ones
  std::optional<double> observed_;  // the latest round that was seen
  double latest_ = 0;               // round of any kind
  int frames_ = 0;                  // since then
};

// The name of a custom meta (gst_buffer_add_custom_meta()) without fields: the detector has run on
// this buffer, whatever it found. The plugin registers it when it is loaded.
inline constexpr const char* kDetectorRanMeta = "cltrack-detector-ran";
// May be called again.
void register_detector_ran_meta();

// What detectors say of a frame.
struct DetectedFrame {
  std::vector<Detection> detections;  // that count
  std::set<std::string> labels;       // of all that were found, those that do not count included
  std::size_t left_out = 0;           // that would count, but are too many
  bool is_round = false;              // it is said that the detector has run
};

// The detections that are used of a frame: the most confident ones.
inline constexpr std::size_t kMostDetections = 1000;

// The detections of `buffer`, a picture of width x height pixels, that no tracker has written.
DetectedFrame read_detections(GstBuffer* buffer, const DetectionSettings& settings, int width,
                              int height);

}  // namespace cltrack::gst
