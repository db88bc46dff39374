// SPDX-License-Identifier: LGPL-2.1-or-later
// Counts tracks: who crossed which line, in which direction, and who is in which area, for how
// long. docs/counting.md says how to draw zones, and what counts.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/config_field.h"
#include "cltrack/export.h"
#include "cltrack/frame.h"
#include "cltrack/search_region.h"
#include "cltrack/track.h"

namespace cltrack {

enum class ZoneKind {
  area,  // a polygon; its last corner is joined to the first one
  line,  // a polyline; forward is from its left to its right, as one walks from its first point on
};

struct Zone {
  static constexpr std::size_t kMostCorners = 1000;
  static constexpr std::size_t kMostZones = 256;
  static constexpr std::size_t kLongestName = 64;  // bytes
  static constexpr float kMostPixels = 65536;
  static constexpr int kNoLimit = 0;

  std::string name;
  ZoneKind kind = ZoneKind::area;
  std::vector<RelativePoint> corners = {};  // fractions of the picture, or pixels
  bool in_pixels = false;
  std::vector<std::string> labels = {};  // that count; none: all do
  std::int64_t dwell_time = kNoLimit;    // ns, of an area; kNoLimit: as ZonesConfig has it
  int crowd_limit = kNoLimit;            // tracks, of an area; kNoLimit: as ZonesConfig has it

  friend bool operator==(const Zone&, const Zone&) = default;
};

struct ZonesConfig {
  // Which point of a box is where the track is: 0, 0 is its top left corner, 1, 1 the bottom right
  // one. Feet, and wheels, are at the bottom.
  RelativePoint anchor = {0.5f, 1.0f};
  // How far on the other side of an edge a track has to be to count, in sides of a square with the
  // area of its box.
  float margin = 0.1f;
  // On how many pictures it has to be there with a box that is trusted, and for how long (ns).
  int confirm_frames = 3;
  std::int64_t confirm_time = 0;
  // How long a lost track stays where it was, ns. Then it is forgotten: one that is found again
  // later is a new one.
  std::int64_t lost_time = 3'000'000'000;
  // A new track takes the place of one of its label that was lost at most so long before (ns), at
  // most one side of its box away. 0: none does.
  std::int64_t takeover_time = 1'000'000'000;
  std::int64_t dwell_time = Zone::kNoLimit;  // ns; who stays longer is told of, once
  int crowd_limit = Zone::kNoLimit;          // tracks; more in an area are told of
};

// All fields, in the order of ZonesConfig.
CLTRACK_API std::span<const ConfigField<ZonesConfig>> zones_fields();

// Throws Error{invalid_argument}: the message names the field, its value and what is allowed.
CLTRACK_API void validate(const ZonesConfig& config);

// A picture in whose order tracks are told of.
struct ZonePicture {
  // ns. What is not later than the latest one by at most a second is a repeated or a late picture,
  // which changes nothing; further back, time has begun anew, and goes on from there.
  std::int64_t time = kNoTimestamp;
  int width = 0;  // pixels
  int height = 0;
  bool repeated = false;  // a copy of the picture before: time passes, but nothing was seen
  bool cut = false;       // another place or time than the picture before: nobody walked here
};

struct ZoneEvent {
  enum class Kind {
    enter,    // of an area
    leave,    // of an area; `reason` is "lost", "removed" and so on if it did not walk out
    cross,    // of a line
    dwell,    // in an area for longer than its time, once in a stay
    count,    // how many are in an area has changed
    crowded,  // more than its limit are in an area, where there were not so many
  };

  Kind kind = Kind::enter;
  std::string zone = {};
  // Of the picture on which it happened, as the caller gave it (ns): who crossed is told of when
  // it is sure, who was lost when nobody waits any longer.
  std::int64_t time = kNoTimestamp;
  int inside = 0;  // tracks in the area, after it
  // Of a track; not of `count` and `crowded`.
  std::uint64_t id = 0;
  std::uint64_t after = 0;  // the track whose place it took, whatever that did; 0: none
  std::string label = {};
  BoundingBox box = {};    // then, pixels
  float confidence = 0;    // of the box that made it sure, 0 to 1
  bool forward = false;    // of `cross`
  std::int64_t dwell = 0;  // ns in the area, of `leave` and `dwell`
  std::string reason = {};
};

// "enter", "leave", "cross", "dwell", "count" or "crowded".
CLTRACK_API const char* to_string(ZoneEvent::Kind kind);

// What happened in a zone so far.
struct ZoneTotals {
  std::string name;
  std::uint64_t entered = 0;   // of an area
  std::uint64_t left = 0;      // the lost among them
  std::uint64_t dwelled = 0;   // events of longer stays
  std::uint64_t crowded = 0;   // events of too many
  std::uint64_t most = 0;      // tracks at a time
  std::uint64_t forward = 0;   // over a line
  std::uint64_t backward = 0;  // over a line

  friend bool operator==(const ZoneTotals&, const ZoneTotals&) = default;
};

// Its counts, by the names that they have in JSON and in structures.
inline constexpr std::pair<const char*, std::uint64_t ZoneTotals::*> kZoneCounts[] = {
    {"entered", &ZoneTotals::entered},  {"left", &ZoneTotals::left},
    {"dwelled", &ZoneTotals::dwelled},  {"crowded", &ZoneTotals::crowded},
    {"most", &ZoneTotals::most},        {"forward", &ZoneTotals::forward},
    {"backward", &ZoneTotals::backward}};

// Threading: one thread.
class CLTRACK_API Zones {
 public:
  // At a time, those that are lost and not yet forgotten included. More are not looked at.
  static constexpr std::size_t kMostTracks = 4096;

  // Throws Error{invalid_argument} as validate().
  explicit Zones(const ZonesConfig& config = {});
  ~Zones();
  Zones(Zones&&) noexcept;
  Zones& operator=(Zones&&) noexcept;

  // Takes the place of the zones so far; what has the name of one of them goes on with its totals,
  // and with the tracks in it, and what has the name of an absent one with those totals. Throws
  // Error{invalid_argument} that names the zone and what is wrong with it; the zones so far then
  // stay.
  void set_zones(std::vector<Zone> zones);
  // As they were set.
  const std::vector<Zone>& zones() const;

  // From the next picture on. Throws Error{invalid_argument} as validate(); the config so far then
  // stays.
  void set_config(const ZonesConfig& config);

  // The tracks of the next picture: of several with one id the first one counts, and those without
  // a box are lost. A track that is `uncertain` counts when it is `tracking` again. Returns what is
  // sure now, in the order of the zones, then of ids. Throws Error{invalid_argument} if the picture
  // has no time or no size.
  std::vector<ZoneEvent> update(std::span<const Track> tracks, const ZonePicture& picture);

  // That track, or all of them, will not come again: they leave where they are.
  std::vector<ZoneEvent> remove(std::uint64_t id, const std::string& reason = "removed");
  // All tracks leave.
  std::vector<ZoneEvent> end(const std::string& reason);

  // Whether it is seen, or lost and not yet forgotten.
  bool knows(std::uint64_t id) const;
  // How many are in each zone, in their order; 0 in lines.
  std::vector<int> inside() const;
  // In the order of the zones.
  const std::vector<ZoneTotals>& totals() const;
  // Of zones that there are no more, or not yet: those that have been taken away, or that
  // set_totals() was given. The latest kMostAbsent of them.
  const std::vector<ZoneTotals>& absent_totals() const;
  static constexpr std::size_t kMostAbsent = 1000;
  // Of zones with these names, to go on from.
  void set_totals(std::span<const ZoneTotals> totals);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Reads zones from text that fits a command line, or from JSON, which begins with "{".
// docs/counting.md has both. Throws Error{invalid_argument} with what is wrong, and where.
CLTRACK_API std::vector<Zone> parse_zones(std::string_view text);
// As JSON, from which parse_zones() makes the same zones.
CLTRACK_API std::string zones_json(std::span<const Zone> zones);
// What Zones::set_zones() throws.
CLTRACK_API void validate(std::span<const Zone> zones);

// Totals as JSON, and back. Throws Error{invalid_argument} with what is wrong.
CLTRACK_API std::string totals_json(std::span<const ZoneTotals> totals);
CLTRACK_API std::vector<ZoneTotals> parse_totals(std::string_view text);

}  // namespace cltrack
