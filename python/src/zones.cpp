// SPDX-License-Identifier: LGPL-2.1-or-later
#include "zones.h"

#include <pybind11/stl.h>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.h"
#include "cltrack/cltrack.h"
#include "cltrack/zones.h"
#include "documentation.h"
#include "locked.h"
#include "text.h"

namespace py = pybind11;

namespace cltrack::python {
namespace {

double seconds_of(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e9; }

std::vector<Track> tracks_of(const py::iterable& tracks) {
  std::vector<Track> all;
  for (const py::handle& track : tracks) {
    if (!py::isinstance<DetectedTrack>(track)) {
      throw py::type_error("tracks must be cltrack.Track, not " + type_of(track));
    }
    all.push_back(track.cast<const DetectedTrack&>());
  }
  return all;
}

class PyZones : public Locked {
 public:
  PyZones(const std::string& zones, const std::pair<float, float>& anchor, float margin,
          int confirm_frames, double confirm_time, double lost_time, double takeover_time,
          double dwell_time, int crowd_limit)
      : zones_({.anchor = {anchor.first, anchor.second},
                .margin = margin,
                .confirm_frames = confirm_frames,
                .confirm_time = nanoseconds_of(confirm_time, "confirm_time"),
                .lost_time = nanoseconds_of(lost_time, "lost_time"),
                .takeover_time = nanoseconds_of(takeover_time, "takeover_time"),
                .dwell_time = nanoseconds_of(dwell_time, "dwell_time"),
                .crowd_limit = crowd_limit}) {
    set_zones(zones);
  }

  void set_zones(const std::string& text) {
    locked([&] { zones_.set_zones(text.empty() ? std::vector<Zone>() : parse_zones(text)); });
  }
  std::string json() {
    return locked([&] { return zones_json(zones_.zones()); });
  }
  std::vector<ZoneEvent> update(const py::iterable& tracks, double time,
                                const std::vector<int>& size, bool repeated, bool cut) {
    if (size.size() != 2) {
      throw py::value_error("size has " + std::to_string(size.size()) +
                            " entries; allowed: (width, height), as frame.shape[1::-1]");
    }
    const std::vector<Track> seen = tracks_of(tracks);
    const ZonePicture picture = {nanoseconds_of(time, "time"), size[0], size[1], repeated, cut};
    return locked([&] { return zones_.update(seen, picture); });
  }
  std::vector<ZoneEvent> remove(std::uint64_t id, const std::string& reason) {
    return locked([&] { return zones_.remove(id, reason); });
  }
  std::vector<ZoneEvent> end(const std::string& reason) {
    return locked([&] { return zones_.end(reason); });
  }
  py::dict inside() {
    const auto [zones, inside] = locked([&] { return std::pair(zones_.zones(), zones_.inside()); });
    py::dict all;
    for (std::size_t i = 0; i < zones.size(); ++i) {
      if (zones[i].kind == ZoneKind::area) all[py::str(zones[i].name)] = inside[i];
    }
    return all;
  }
  py::dict totals() {
    py::dict all;
    for (const ZoneTotals& total : locked([&] { return zones_.totals(); })) {
      py::dict counts;
      for (const auto& [name, member] : kZoneCounts) counts[name] = total.*member;
      all[py::str(total.name)] = counts;
    }
    return all;
  }
  std::string save() {
    return locked([&] { return totals_json(zones_.totals()); });
  }
  void restore(const std::string& text) {
    locked([&] { zones_.set_totals(parse_totals(text)); });
  }

 private:
  Zones zones_;
};

bool is_of_track(const ZoneEvent& event) {
  return event.kind != ZoneEvent::Kind::count && event.kind != ZoneEvent::Kind::crowded;
}

// What `value` says of the event if it is of a track, else None.
template <typename Value>
auto of_track(Value value) {
  return [value](const ZoneEvent& event) {
    return is_of_track(event) ? std::optional(value(event)) : std::nullopt;
  };
}

std::string text_of(const ZoneEvent& event) {
  std::string text = "<cltrack.ZoneEvent " + event.zone + ' ' + to_string(event.kind);
  if (event.kind == ZoneEvent::Kind::cross) text += event.forward ? " forward" : " backward";
  if (is_of_track(event)) text += " " + std::to_string(event.id) + " \"" + event.label + '"';
  return text + '>';
}

void add_events(py::module_& module) {
  using Kind = ZoneEvent::Kind;
  py::class_<ZoneEvent>(module, "ZoneEvent", kZoneEventText)
      .def_property_readonly(
          "kind", [](const ZoneEvent& e) { return to_string(e.kind); },
          "\"enter\", \"leave\", \"cross\", \"dwell\", \"count\" or \"crowded\".")
      .def_readonly("zone", &ZoneEvent::zone, "Its name.")
      .def_property_readonly(
          "time", [](const ZoneEvent& e) { return seconds_of(e.time); },
          "Of the frame on which it happened, as it was given to update().")
      .def_readonly("inside", &ZoneEvent::inside, "Tracks in the area, after it.")
      .def_property_readonly("id", of_track([](const ZoneEvent& e) { return e.id; }),
                             "Of the track; None of \"count\" and \"crowded\".")
      .def_property_readonly(
          "after",
          [](const ZoneEvent& e) { return e.after ? std::optional(e.after) : std::nullopt; },
          "The id of the lost track whose place it took, or None.")
      .def_property_readonly("label", of_track([](const ZoneEvent& e) { return e.label; }),
                             "Of the track, or None.")
      .def_property_readonly("box", of_track([](const ZoneEvent& e) {
                               return std::tuple(e.box.x, e.box.y, e.box.width, e.box.height);
                             }),
                             "(x, y, width, height) of the track then, or None.")
      .def_property_readonly("confidence",
                             of_track([](const ZoneEvent& e) { return e.confidence; }),
                             "Of the box that made it sure, 0 to 1, or None.")
      .def_property_readonly(
          "direction",
          [](const ZoneEvent& e) -> std::optional<std::string> {
            if (e.kind != Kind::cross) return std::nullopt;
            return e.forward ? "forward" : "backward";
          },
          "Of \"cross\": \"forward\" or \"backward\"; else None.")
      .def_property_readonly(
          "dwell",
          [](const ZoneEvent& e) -> std::optional<double> {
            if (e.kind != Kind::leave && e.kind != Kind::dwell) return std::nullopt;
            return seconds_of(e.dwell);
          },
          "Of \"leave\" and \"dwell\": seconds in the area; else None.")
      .def_readonly("reason", &ZoneEvent::reason,
                    "Of \"leave\": \"lost\", \"removed\" and so on, or empty if it walked out.")
      .def("__repr__", text_of);
}

}  // namespace

void add_zones(py::module_& module) {
  add_events(module);
  const ZonesConfig usual;
  py::class_<PyZones>(module, "Zones", kZonesText)
      .def(py::init<const std::string&, const std::pair<float, float>&, float, int, double, double,
                    double, double, int>(),
           py::arg("zones") = "", py::kw_only(),
           py::arg("anchor") = py::make_tuple(usual.anchor.x, usual.anchor.y),
           py::arg_v("margin", usual.margin, "0.1"),
           py::arg("confirm_frames") = usual.confirm_frames,
           py::arg("confirm_time") = seconds_of(usual.confirm_time),
           py::arg("lost_time") = seconds_of(usual.lost_time),
           py::arg("takeover_time") = seconds_of(usual.takeover_time),
           py::arg("dwell_time") = seconds_of(usual.dwell_time),
           py::arg("crowd_limit") = usual.crowd_limit, kZonesInitText)
      .def("set_zones", &PyZones::set_zones, py::arg("zones"), kSetZonesText)
      .def("json", &PyZones::json, "The zones as JSON, which set_zones() takes.")
      .def("update", &PyZones::update, py::arg("tracks"), py::arg("time"), py::arg("size"),
           py::kw_only(), py::arg("repeated") = false, py::arg("cut") = false, kZonesUpdateText)
      .def("remove", &PyZones::remove, py::arg("id"), py::arg("reason") = "removed",
           "That track will not come again: it leaves where it is. Returns a list of ZoneEvent.")
      .def("end", &PyZones::end, py::arg("reason") = "ended",
           "All tracks leave. Returns a list of ZoneEvent.")
      .def("inside", &PyZones::inside, "A dict: how many tracks are in each area now.")
      .def("totals", &PyZones::totals, kTotalsText)
      .def("save", &PyZones::save, "The totals as JSON, for restore(), also of another process.")
      .def("restore", &PyZones::restore, py::arg("text"),
           "Goes on from totals that save() has returned, in zones of the same names. Raises Error "
           "for "
           "all else.");
}

}  // namespace cltrack::python
