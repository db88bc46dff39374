// SPDX-License-Identifier: LGPL-2.1-or-later
// Targets and polygons in properties: their notations, and when they take effect.
#pragma once

#include <gst/gst.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/search_region.h"

namespace cltrack::gst {

// The property "targets": boxes as an array of arrays, <<x, y, width, height, "label">, ...>.

struct Target {
  BoundingBox box;    // pixels
  std::string label;  // empty: the one of the property "label"
};

// Throws Error{invalid_argument} that names the first part of `value`, which holds a
// GST_TYPE_ARRAY, that is no target: anything but four numbers and at most a label, a number that
// is not finite, a side that is not greater than 0, a label that is not UTF-8.
std::vector<Target> parse_targets(const GValue* value);

// The same in return: `value` holds a GST_TYPE_ARRAY, and gets the targets.
void write_targets(std::span<const Target> targets, GValue* value);

// The property "targets-json": the same as "targets", for those who have strings only:
//   [{"x": 10, "y": 20, "width": 50, "height": 50, "label": "car"}, ...]

// A list of objects, or one of them; "" is an empty list. Throws Error{invalid_argument} that names
// what is no target: text that is no JSON, another field, a number that is missing or not finite, a
// side that is not greater than 0.
std::vector<Target> parse_targets_json(std::string_view text);

// The same in return.
std::string targets_json(std::span<const Target> targets);

// The targets set by properties, passed from the thread that sets them to the streaming thread.
// Threading: not safe; the element holds the object lock.

// The four numbers of object-initial-x, -y, -width, -height.
enum class InitialBox { x, y, width, height };

class TargetSettings {
 public:
  // cvtracker's defaults, for when only some of the four are set.
  static constexpr unsigned kInitialDefault = 50;

  // From here on, targets are at most `most`, `others` that are set elsewhere included. Throws
  // Error{invalid_argument} if they are more already.
  void limit(int most, int others);
  void unlimit() { most_.reset(); }

  void set_initial(InitialBox which, unsigned value);
  unsigned initial(InitialBox which) const { return initial_[static_cast<std::size_t>(which)]; }

  // Throws Error{invalid_argument} if they are too many, and changes nothing.
  void set_targets(std::vector<Target> targets);
  const std::vector<Target>& targets() const { return targets_; }

  // A change counts only from here on, so that several properties can be set as one change. Throws
  // Error{invalid_argument} if there are too many targets now: what was committed before stays.
  void commit();

  // Changes with every commit() that had something to commit.
  std::uint64_t generation() const { return generation_; }

  // The target of object-initial-* first, if any of them was set and not all are 0.
  const std::vector<Target>& committed() const { return committed_; }

 private:
  std::optional<Target> initial_target() const;
  void check_count(std::size_t count) const;

  std::array<unsigned, 4> initial_{kInitialDefault, kInitialDefault, kInitialDefault,
                                   kInitialDefault};
  bool initial_set_ = false;
  std::optional<int> most_;
  int others_ = 0;
  std::vector<Target> targets_;
  bool changed_ = false;
  std::vector<Target> committed_;
  std::uint64_t generation_ = 0;
};

// The values of the properties region and ignore-regions: polygons as strings, which every
// language can set.

// "0.1,0.2 0.9,0.2 0.5,0.8; ..." : points of fractions of the picture's width and height, three at
// least, polygons separated by semicolons. Throws Error{invalid_argument} that names `property`
// and what is wrong.
std::vector<Polygon> parse_polygons(const char* property, std::string_view text);

// The text that parse_polygons() reads.
std::string polygons_text(const std::vector<Polygon>& polygons);

}  // namespace cltrack::gst
