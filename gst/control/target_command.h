// SPDX-License-Identifier: LGPL-2.1-or-later
// What an application wants of the targets while the stream runs, and what becomes of it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>

#include "cltrack/bounding_box.h"
#include "cltrack/color_model.h"
#include "cltrack/saved_model.h"

namespace cltrack::gst {

enum class CommandSource { signal, event, property, metadata, navigation };

// "signal" and so on.
const char* to_string(CommandSource source);

// A number that an application chose, to know the answer by.
using RequestNumber = std::variant<std::monostate, std::int64_t, std::uint64_t, double>;

// Who wants it.
struct Asker {
  CommandSource source = CommandSource::signal;
  RequestNumber request = {};
};

enum class BoxUnits { pixels, fraction };

// A box on the picture on which a command acts: in pixels, or in parts of its width and height.
struct TargetPlace {
  BoundingBox box = {};
  BoxUnits units = BoxUnits::pixels;

  BoundingBox in_pixels(int width, int height) const;
};

// By what it is known.
struct TargetLooks {
  TargetPlace place = {};
  std::shared_ptr<const ColorModel> color = {};
  std::shared_ptr<const SavedModel> model = {};  // both null: what is at `place`
};

struct TargetCommand {
  enum class Action { add, move, remove };
  Action action = Action::add;
  std::uint64_t id = 0;    // of add: the one it gets
  TargetLooks looks = {};  // of add and move
  std::string label = {};  // of add
  Asker asker = {};
};

// The answer to a command, and what else happens to the set of targets. `chosen` changes nothing:
// somebody has pointed at it.
struct TargetChange {
  enum class Action { added, moved, removed, refused, chosen };
  Action action = Action::added;
  std::uint64_t id = 0;  // 0: refused before there was one
  std::string label = {};
  Asker asker = {};
  std::string reason = {};  // why it was refused, or removed without being asked for
};

// "added" and so on.
const char* to_string(TargetChange::Action action);

}  // namespace cltrack::gst
