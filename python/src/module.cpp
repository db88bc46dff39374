// SPDX-License-Identifier: LGPL-2.1-or-later
// The module cltrack._cltrack. Each object has a lock for what the library allows on one thread at
// a time; no lock is waited for with the GIL held.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "cltrack/cltrack.h"
#include "documentation.h"
#include "locked.h"
#include "parameters.h"
#include "zones.h"

namespace py = pybind11;

namespace cltrack::python {
namespace {

const char* name_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
      return "invalid-argument";
    case ErrorCode::failed:
      return "failed";
    case ErrorCode::device_missing:
      return "device-missing";
    case ErrorCode::device_failed:
      return "device-failed";
    case ErrorCode::out_of_memory:
      return "out-of-memory";
    case ErrorCode::build_failed:
      return "build-failed";
    case ErrorCode::interrupted:
      return "interrupted";
  }
  return "failed";
}

// Lives as long as the process: it may be raised while the module is being unloaded.
PyObject* error_type = nullptr;

// What is cut off within a character is no reason to raise something else.
py::object text_object(const std::string& text) {
  PyObject* object =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (object == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(object);
}

void raise(const Error& error) {
  const py::object object = py::handle(error_type)(text_object(error.what()));
  object.attr("code") = name_of(error.code());
  object.attr("details") = text_object(error.details());
  PyErr_SetObject(error_type, object.ptr());
}

// One frame, of which the array is kept while it is looked at.
class FrameView {
 public:
  FrameView(const py::object& array, Channels channels, const std::optional<double>& seconds,
            bool discontinuity)
      : picture_(picture_of(array, channels)), array_(array) {
    if (seconds) frame_.pts = nanoseconds_of(*seconds, "time");
    frame_.discontinuity = discontinuity;
    if (!picture_.empty()) frame_.color = picture_;
  }

  // Luma is made in `scratch` where it cannot be borrowed. Needs no GIL.
  const Frame& with_luma(Image& scratch) {
    frame_.luma = luma_of(picture_, scratch);
    return frame_;
  }
  const Frame& in_color() const { return frame_; }

 private:
  ColorPicture picture_;
  Frame frame_;
  py::object array_;
};

// What both kinds of trackers keep.
class Shared : public Locked {
 public:
  explicit Shared(Channels channels) : channels_(channels) {}

 protected:
  const Channels channels_;
  Image luma_;
};

py::dict stats_of(const TrackerStats& stats) {
  py::list stages, targets;
  for (const StageStats& stage : stats.stages) {
    using namespace py::literals;
    stages.append(py::dict(
        "name"_a = stage.name, "device"_a = stage.device, "calls"_a = stage.calls,
        "total_ms"_a = stage.total_ms, "median_ms"_a = stage.median_ms, "p99_ms"_a = stage.p99_ms,
        "bytes_up"_a = stage.bytes_up, "bytes_down"_a = stage.bytes_down, "waits"_a = stage.waits));
  }
  for (const TargetStats& target : stats.targets) {
    using namespace py::literals;
    targets.append(py::dict("id"_a = target.id, "windows"_a = target.windows,
                            "positive_patches"_a = target.positive_patches,
                            "negative_patches"_a = target.negative_patches));
  }
  py::dict all;
  all["frames"] = stats.frames;
  all["stages"] = stages;
  all["targets"] = targets;
  return all;
}

// The trail, which ends with the next frame, is left out.
DetectedTrack copy_of(const Track& track) {
  DetectedTrack copy{track};
  if (copy.extent) copy.extent->trail = {};
  return copy;
}

class PyTracker : public Shared {
 public:
  PyTracker(const std::string& algorithm, const py::object& device, const std::string& channels,
            const py::kwargs& parameters)
      : Shared(channels_of(channels)),
        tracker_(make_tracker(algorithm, device, parameters)),
        uses_color_(algorithm == "color") {}

  std::uint64_t add(const py::object& seed, const std::string& label,
                    const std::optional<std::uint64_t>& id) {
    Image luma;  // add() copies the pixels
    const Seed what = seed_of(seed, luma);
    if (!id) return tracker_->add(what, label);
    tracker_->add(*id, what, label);
    return *id;
  }
  bool move(std::uint64_t id, const py::object& box) { return tracker_->move(id, box_of(box)); }
  bool remove(std::uint64_t id) { return tracker_->remove(id); }
  void clear() { tracker_->clear(); }
  void reset() {
    locked([&] { tracker_->reset(); });
  }
  std::vector<DetectedTrack> update(const py::object& array, const std::optional<double>& time,
                                    bool discontinuity) {
    FrameView view(array, channels_, time, discontinuity);
    return locked([&] {
      std::vector<DetectedTrack> tracks;
      const Frame& frame = uses_color_ ? view.in_color() : view.with_luma(luma_);
      for (const Track& track : tracker_->process(frame)) tracks.push_back(copy_of(track));
      return tracks;
    });
  }
  SavedModel save(std::uint64_t id) {
    return locked([&] { return tracker_->save(id); });
  }
  void set_learning(bool learning) {
    locked([&] { tracker_->set_learning(learning); });
  }
  void set_region(const py::object& within, const py::object& ignored) {
    const SearchRegion region{polygons_of(within, "within"), polygons_of(ignored, "ignored")};
    locked([&] { tracker_->set_search_region(region); });
  }
  py::dict stats() {
    return stats_of(locked([&] { return tracker_->stats(); }));
  }
  std::vector<std::string> take_warnings() {
    return locked([&] { return tracker_->take_warnings(); });
  }

 private:
  Seed seed_of(const py::object& seed, Image& luma) const {
    if (py::isinstance<SavedModel>(seed)) return seed.cast<SavedModel>();
    if (py::isinstance<py::array>(seed) && py::reinterpret_borrow<py::array>(seed).ndim() > 1) {
      return luma_of(picture_of(seed, channels_), luma);
    }
    return box_of(seed);
  }

  const std::unique_ptr<Tracker> tracker_;
  const bool uses_color_;
};

class PyDetectionTracker : public Shared {
 public:
  PyDetectionTracker(const std::string& algorithm, const py::object& device,
                     const std::string& channels, const std::string& use,
                     const std::vector<std::string>& types, float least_confidence, double timeout,
                     int hits, const py::object& region, const py::object& ignored,
                     const py::kwargs& parameters)
      : Shared(channels_of(channels)) {
    DetectionConfig config;
    if (use == "start") {
      config.use = DetectionUse::start;
    } else if (use == "when-lost") {
      config.use = DetectionUse::when_lost;
    } else if (use != "start-and-correct") {
      throw py::value_error("use is \"" + use +
                            "\"; allowed: \"start\", \"start-and-correct\", \"when-lost\"");
    }
    if (algorithm != "tld" && algorithm != "template") {
      throw py::value_error("algorithm is \"" + algorithm + "\"; allowed: \"tld\", \"template\"");
    }
    config.types = types;
    config.least_confidence = least_confidence;
    config.timeout = static_cast<std::uint64_t>(nanoseconds_of(timeout, "timeout"));
    config.hits = hits;
    config.region = {polygons_of(region, "region"), polygons_of(ignored, "ignored")};
    tracker_ = make_detection_tracker(make_tracker(algorithm, device, parameters), config);
  }

  std::vector<DetectedTrack> update(const py::object& array, const py::object& boxes,
                                    const py::object& scores, const py::object& labels,
                                    const std::optional<double>& time, bool discontinuity) {
    FrameView view(array, channels_, time, discontinuity);
    const auto found = detections_of(boxes, scores, labels);
    return locked([&] {
      std::vector<DetectedTrack> tracks;
      for (const DetectedTrack& track : tracker_->update(view.with_luma(luma_), found)) {
        tracks.push_back(copy_of(track));
        tracks.back().detection = track.detection;
      }
      return tracks;
    });
  }
  void reset() {
    locked([&] { tracker_->reset(); });
  }
  py::dict stats() {
    return stats_of(locked([&] { return tracker_->stats(); }));
  }
  std::vector<std::string> take_warnings() {
    return locked([&] { return tracker_->take_warnings(); });
  }

 private:
  std::unique_ptr<DetectionTracker> tracker_;
};

// Of a tracker of somebody else.
DetectedTrack make_track(std::uint64_t id, const py::object& box, const std::string& label,
                         const std::string& state, float confidence) {
  DetectedTrack track;
  track.id = id;
  track.label = label;
  track.state = state == "uncertain" ? TrackState::uncertain : TrackState::tracking;
  if (state != to_string(track.state)) {
    throw py::value_error("state is \"" + state +
                          "\"; allowed: \"tracking\", \"uncertain\"; without a box it is lost");
  }
  track.age = 1;
  if (box.is_none()) {
    track.state = TrackState::lost;
    return track;
  }
  track.box = box_of(box);
  track.confidence = confidence;
  return track;
}

py::object box_of_track(const DetectedTrack& track) {
  if (!track.has_box()) return py::none();
  return py::make_tuple(track.box.x, track.box.y, track.box.width, track.box.height);
}

std::string text_of(const DetectedTrack& track) {
  std::ostringstream text;
  text << "<cltrack.Track " << track.id << " \"" << track.label << "\" " << to_string(track.state);
  if (track.has_box()) {
    text << ' ' << track.confidence << " (" << track.box.x << ", " << track.box.y << ", "
         << track.box.width << ", " << track.box.height << ')';
  } else {
    text << " (" << track.reason << ')';
  }
  text << '>';
  return text.str();
}

void add_values(py::module_& module) {
  py::class_<DetectedTrack>(module, "Track", kTrackText)
      .def(py::init(&make_track), py::arg("id"), py::arg("box") = py::none(), py::arg("label") = "",
           py::arg("state") = "tracking", py::arg("confidence") = 1.0f, kTrackInitText)
      .def_property_readonly(
          "id", [](const DetectedTrack& t) { return t.id; }, "Kept through loss.")
      .def_property_readonly(
          "label", [](const DetectedTrack& t) { return t.label; }, "As it was given.")
      .def_property_readonly(
          "state", [](const DetectedTrack& t) { return to_string(t.state); },
          "\"tracking\": the box is trusted; \"uncertain\"; \"lost\": there is none.")
      .def_property_readonly(
          "confidence", [](const DetectedTrack& t) { return t.confidence; },
          "0 to 1; 0 while it is lost.")
      .def_property_readonly("box", box_of_track,
                             "(x, y, width, height) in pixels, which may reach beyond the frame; "
                             "None while it is lost.")
      .def_property_readonly(
          "reason", [](const DetectedTrack& t) { return t.reason; },
          "Why it is lost, in a word; \"unconfirmed\" of a box that detections "
          "have missed; else empty.")
      .def_property_readonly(
          "age", [](const DetectedTrack& t) { return t.age; },
          "Frames since it was added; 1 on the first one.")
      .def_property_readonly(
          "detection", [](const DetectedTrack& t) { return t.detection; },
          "Of DetectionTracker: the number of the box that has confirmed it on "
          "this frame; else None.")
      .def_property_readonly(
          "area",
          [](const DetectedTrack& t) {
            return t.extent ? std::optional(t.extent->area) : std::nullopt;
          },
          "By colour: its pixels; else None.")
      .def_property_readonly(
          "centroid",
          [](const DetectedTrack& t) -> py::object {
            if (!t.extent) return py::none();
            return py::make_tuple(t.extent->centroid.x, t.extent->centroid.y);
          },
          "By colour: the mean (x, y) of its pixels; else None.")
      .def("__repr__", text_of);

  py::class_<SavedModel>(module, "Model", kModelText)
      .def_static(
          "parse", [](const std::string& text) { return SavedModel::parse(text); }, py::arg("text"),
          "The model that text() has written. Raises Error for all else.")
      .def("text", &SavedModel::text, "As JSON of about 0.5 to 2 MB.");

  py::class_<DeviceInfo>(module, "Device", "A device that trackers can run on; see devices().")
      .def_readonly("spec", &DeviceInfo::spec, "What to pass as `device`: \"host\" or \"0.0\".")
      .def_readonly("name", &DeviceInfo::name, "Of the driver.")
      .def_readonly("platform", &DeviceInfo::platform, "Its driver.")
      .def_property_readonly(
          "type", [](const DeviceInfo& d) { return to_string(d.type); },
          "\"host\", \"cpu\", \"gpu\", \"accelerator\" or \"other\".")
      .def_readonly("memory", &DeviceInfo::memory, "Bytes.")
      .def("__repr__", [](const DeviceInfo& d) {
        return "<cltrack.Device " + d.spec + " \"" + d.name + "\">";
      });
  module.def("devices", &list_devices, py::call_guard<py::gil_scoped_release>(),
             "The host, and the OpenCL devices of this machine.");
}

void add_trackers(py::module_& module) {
  const auto free = py::call_guard<py::gil_scoped_release>();
  py::class_<PyTracker>(module, "Tracker", kTrackerText)
      .def(py::init<const std::string&, const py::object&, const std::string&, const py::kwargs&>(),
           py::arg("algorithm") = "tld", py::kw_only(), py::arg("device") = "auto",
           py::arg("channels") = "bgr", kTrackerInitText)
      .def("add", &PyTracker::add, py::arg("seed"), py::arg("label") = "",
           py::arg("id") = py::none(), kAddText)
      .def("move", &PyTracker::move, py::arg("id"), py::arg("box"), kMoveText)
      .def("remove", &PyTracker::remove, py::arg("id"), free,
           "Removes a target. False if there is none with that id.")
      .def("clear", &PyTracker::clear, free, "Removes all targets.")
      .def("reset", &PyTracker::reset,
           "Restores the initial state: no targets, and ids begin with 1 again.")
      .def("update", &PyTracker::update, py::arg("frame"), py::arg("time") = py::none(),
           py::arg("discontinuity") = false, kUpdateText)
      .def("save", &PyTracker::save, py::arg("id"), kSaveText)
      .def("set_learning", &PyTracker::set_learning, py::arg("learning"),
           "With False models do not change; tracking goes on.")
      .def("set_region", &PyTracker::set_region, py::arg("within") = py::none(),
           py::arg("ignored") = py::none(), kRegionText)
      .def("stats", &PyTracker::stats, kStatsText)
      .def("take_warnings", &PyTracker::take_warnings, kWarningsText);

  py::class_<PyDetectionTracker>(module, "DetectionTracker", kDetectionTrackerText)
      .def(py::init<const std::string&, const py::object&, const std::string&, const std::string&,
                    const std::vector<std::string>&, float, double, int, const py::object&,
                    const py::object&, const py::kwargs&>(),
           py::arg("algorithm") = "tld", py::kw_only(), py::arg("device") = "auto",
           py::arg("channels") = "bgr", py::arg("use") = "start-and-correct",
           py::arg("types") = std::vector<std::string>(), py::arg("least_confidence") = 0.0f,
           py::arg("timeout") = 5.0, py::arg("hits") = 0, py::arg("region") = py::none(),
           py::arg("ignored") = py::none(), kDetectionInitText)
      .def("update", &PyDetectionTracker::update, py::arg("frame"), py::arg("boxes") = py::none(),
           py::arg("scores") = py::none(), py::arg("labels") = py::none(),
           py::arg("time") = py::none(), py::arg("discontinuity") = false, kDetectionUpdateText)
      .def("reset", &PyDetectionTracker::reset,
           "Restores the initial state: no tracks, and ids begin with 1 again.")
      .def("stats", &PyDetectionTracker::stats, kStatsText)
      .def("take_warnings", &PyDetectionTracker::take_warnings, kWarningsText);
}

}  // namespace

PYBIND11_MODULE(_cltrack, module) {
  module.doc() = "libcltrack for Python; import cltrack.";
  // What Python's part of the package raises has these.
  py::dict usual;
  usual["code"] = name_of(ErrorCode::failed);
  usual["details"] = "";
  error_type = PyErr_NewExceptionWithDoc("cltrack.Error", kErrorText, PyExc_Exception, usual.ptr());
  if (error_type == nullptr) throw py::error_already_set();
  module.attr("Error") = py::handle(error_type);
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& error) {
      raise(error);
    }
  });
  add_values(module);
  add_trackers(module);
  add_zones(module);
}

}  // namespace cltrack::python
