// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/tracker_settings.h"

#include <sstream>
#include <utility>

#include "cltrack/template_tracker.h"
#include "cltrack/tld_tracker.h"
#include "properties/device_settings.h"

namespace cltrack::gst {

TldConfig TrackerSettings::tld_config() const {
  TldConfig config = tld;
  config.placement = placement.of(kTldStages);
  return config;
}

TemplateConfig TrackerSettings::template_config() const {
  TemplateConfig config = match;
  config.threads = tld.threads;
  config.max_targets = tld.max_targets;
  config.learning = tld.learning;
  config.placement = placement.of(kTemplateStages);
  return config;
}

namespace {

std::unique_ptr<Tracker> make_tld(const TrackerSettings& settings, int max_targets,
                                  std::shared_ptr<TrackerDevices> devices) {
  TldConfig config = settings.tld;
  config.max_targets = max_targets;
  return make_tld_tracker(config, std::move(devices));
}

std::unique_ptr<Tracker> make_template(const TrackerSettings& settings, int max_targets,
                                       std::shared_ptr<TrackerDevices> devices) {
  TemplateConfig config = settings.template_config();
  config.max_targets = max_targets;
  if (devices) devices->wait();
  return make_template_tracker(config, std::move(devices));
}

}  // namespace

const AlgorithmKind& kind_of(Algorithm algorithm) {
  static constexpr AlgorithmKind kTldKind = {
      "tld", [](const TrackerSettings& settings) { return open_devices(settings.tld_config()); },
      make_tld};
  static constexpr AlgorithmKind kTemplateKind = {
      "template",
      [](const TrackerSettings& settings) { return open_devices(settings.template_config()); },
      make_template};
  switch (algorithm) {
    case kTld:
      return kTldKind;
    case kTemplate:
      return kTemplateKind;
  }
  g_assert_not_reached();
}

namespace {

using S = TrackerSettings;
using Row = Property<S>;

template <auto... Members>
constexpr auto at = field_at<S, Members...>;

constexpr When kReplacesTargets{
    kPlaying, "; may be changed at any time, replaces all targets on the next buffer"};
constexpr When kOfTemplate{
    kReady, "; of algorithm=template; takes effect when the element starts, or on a new stream"};

Row initial_property(const PropertyName& name, InitialBox which, const When& when,
                     const char* blurb) {
  return {name, [which](S& settings) { return settings.targets.initial(which); },
          [which](S& settings, const GValue* value) {
            settings.targets.set_initial(which, g_value_get_uint(value));
          },
          when, blurb};
}

template <auto... Members>
Row polygons_property(const PropertyName& name, const std::string& blurb) {
  return {name, [](S& settings) { return polygons_text(at<Members...>(settings)); },
          [name = name.name](S& settings, const GValue* value) {
            at<Members...>(settings) = parse_polygons(name, string_of(value));
          },
          kOnNextBuffer, blurb};
}

void set_detection_types(S& settings, const GValue* value) {
  settings.detections.types.clear();
  std::istringstream words(string_of(value));
  for (std::string type; std::getline(words, type, ',');) {
    if (!type.empty()) settings.detections.types.push_back(type);
  }
}

std::string detection_types(S& settings) {
  std::string text;
  for (const std::string& type : settings.detections.types) {
    text += (text.empty() ? "" : ",") + type;
  }
  return text;
}

PropertyTable<S> make_table() {
  const auto placement = at<&S::placement>;
  PropertyTable<S> rows{
      // The text is what gst-launch-1.0 compares besides the nick: cvtracker's line says TLD.
      {"algorithm", at<&S::algorithm>,
       Choices{"GstClTrackerAlgorithm", {{"TLD", "tld"}, {"Template matching", "template"}}},
       kOnStart, "Tracking algorithm"},
      initial_property(PropertyName{"object-initial-x", "Initial x"}, InitialBox::x,
                       kReplacesTargets,
                       "Left edge of the target's box, pixels; no target while none of the four is "
                       "set, or all are 0"),
      initial_property(PropertyName{"object-initial-y", "Initial y"}, InitialBox::y, kWhilePlaying,
                       "Top edge of the target's box, pixels; see object-initial-x"),
      initial_property(PropertyName{"object-initial-width", "Initial width"}, InitialBox::width,
                       kWhilePlaying,
                       "Width of the target's box, pixels, 8 at least; see object-initial-x"),
      initial_property(PropertyName{"object-initial-height", "Initial height"}, InitialBox::height,
                       kWhilePlaying,
                       "Height of the target's box, pixels, 8 at least; see object-initial-x"),
      {"targets",
       [](S& settings, GValue* value) { write_targets(settings.targets.targets(), value); },
       [](S& settings, const GValue* value) { settings.targets.set_targets(parse_targets(value)); },
       kReplacesTargets,
       "Boxes to track, <<x,y,width,height>,<x,y,width,height,\"label\">,...>, in pixels, at least "
       "8x8 of them inside the frame"},
      {PropertyName{"targets-json", "Targets as JSON"},
       [](S& settings) { return targets_json(settings.targets.targets()); },
       [](S& settings, const GValue* value) {
         settings.targets.set_targets(parse_targets_json(string_of(value)));
       },
       kReplacesTargets,
       "The same as targets, as "
       "[{\"x\":10,\"y\":20,\"width\":50,\"height\":50,\"label\":\"car\"},...]"},
      label_property<S>("targets"),
      {"seed", at<&S::tld, &TldConfig::seed>, kOnNewStream,
       "Seed of all random choices, any number"},
      {"learning", at<&S::tld, &TldConfig::learning>, kOnNextBuffer,
       "Update the models of the targets"},
      placement_property<S>(),
      {"template-location", at<&S::template_location>, kOnStart,
       "Path of a picture to search for, in addition to the targets: a regular file, at most "
       "8192x8192 pixels; of algorithm=template"},
      {"network", at<&S::network>, kOnStart,
       "Path of a network, as tools/convert_network.py writes it, that is asked where the targets "
       "are, too; of algorithm=tld with motion=correlation; empty: none"},
      polygons_property<&S::search, &SearchRegion::within>(
          "region",
          "Polygons within which targets are found again and detections count, as 0.1,0.2 0.9,0.2 "
          "0.5,0.8 in parts of the picture's width and height, separated by semicolons; empty: "
          "everywhere"),
      polygons_property<&S::search, &SearchRegion::ignored>(
          PropertyName{"ignore-regions", "Ignored regions"},
          "Polygons within which no target is found again and no detection counts, as in region"),
      {"detections", at<&S::detections, &DetectionSettings::use>,
       Choices{"GstClTrackerDetections",
               {{"Detections are not looked at", "ignore"},
                {"Detections start tracks", "start"},
                {"And put tracks where they are detected", "start-and-correct"},
                {"And put lost tracks where they are detected", "when-lost"}}},
       kOnNextBuffer, "What is done with regions that elements before this one have found"},
      {"detection-types", detection_types, set_detection_types, kAtAnyTime,
       "Types of regions that count, separated by commas, such as person,car; empty: all"},
      {"detection-confidence", at<&S::detections, &DetectionSettings::least_confidence>, kAtAnyTime,
       "Least confidence of a detection that counts", Range{0, 1}},
      {"detection-timeout", at<&S::detections, &DetectionSettings::timeout>, kAtAnyTime,
       "A track that a detection has started ends after so long without a detection while the "
       "detector runs, ns; 0: never"},
      {"detection-hits", at<&S::detections, &DetectionSettings::hits>, kAtAnyTime,
       "Detections that a track needs before it is reported; 0: two, at least 0.15 s apart, or "
       "one if the detector runs less than about once a second",
       Range{0, 1000}},
      {"detection-interval", at<&S::detections, &DetectionSettings::interval>, kAtAnyTime,
       "The detector runs on every so many frames, on those without detections as well; 0: learnt "
       "from the detections",
       Range{0, 1000000}},
      device_property(placement),
      stage_property("motion-device", "motion", placement, kOnStart,
                     "Device of the correlation filter, or of optical flow (not set: as device)"),
      stage_property("fern-device", "ferns", placement, kOnStart,
                     "Device of the ferns (not set: as device)"),
      stage_property(PropertyName{"nn-device", "Nearest neighbour device"}, "nn", placement,
                     kOnStart, "Device of the nearest neighbour classifier (not set: as device)"),
      stage_property(PropertyName{"learn-device", "Learning device"}, "learn", placement, kOnStart,
                     "Device of the learning of the ferns (not set: as device)"),
      stage_property("network-device", "network", placement, kOnStart,
                     "Device of the network (not set: as device)"),
      stage_property("match-device", "match", placement, kOnStart,
                     "Device of algorithm=template's search of whole frames (not set: as device)"),
      {"similarity", at<&S::match, &TemplateConfig::similarity>,
       Choices{"GstClTrackerSimilarity",
               {{"Zero-mean normalised cross-correlation", "ncc"},
                {"Cosine similarity, without subtracting the mean", "cosine"}}},
       kOfTemplate, "Similarity measure that locates the template; loss always depends on ncc"},
      {"search", at<&S::match, &TemplateConfig::search>,
       Choices{"GstClTrackerSearch",
               {{"A window around the target; the whole frame after a loss", "window"},
                {"Every whole frame, with the first template only", "frame"}}},
       kOfTemplate,
       "Where the template is searched for; frame: exact, always a box, without scale, motion and "
       "running template"}};
  append_fields(rows, at<&S::match>, template_fields(), kOfTemplate);
  append_fields(rows, at<&S::tld>, tld_fields(), kOnNewStream);
  return rows;
}

}  // namespace

const PropertyTable<TrackerSettings>& tracker_properties() {
  static const PropertyTable<TrackerSettings> table = make_table();
  return table;
}

}  // namespace cltrack::gst
