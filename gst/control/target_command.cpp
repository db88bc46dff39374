// SPDX-License-Identifier: LGPL-2.1-or-later
#include "control/target_command.h"

namespace cltrack::gst {

const char* to_string(CommandSource source) {
  switch (source) {
    case CommandSource::signal:
      return "signal";
    case CommandSource::event:
      return "event";
    case CommandSource::property:
      return "property";
    case CommandSource::metadata:
      return "metadata";
    case CommandSource::navigation:
      return "navigation";
  }
  return "";
}

const char* to_string(TargetChange::Action action) {
  switch (action) {
    case TargetChange::Action::added:
      return "added";
    case TargetChange::Action::moved:
      return "moved";
    case TargetChange::Action::removed:
      return "removed";
    case TargetChange::Action::refused:
      return "refused";
    case TargetChange::Action::chosen:
      return "chosen";
  }
  return "";
}

BoundingBox TargetPlace::in_pixels(int width, int height) const {
  if (units == BoxUnits::pixels) return box;
  const auto w = static_cast<float>(width), h = static_cast<float>(height);
  return {box.x * w, box.y * h, box.width * w, box.height * h};
}

}  // namespace cltrack::gst
