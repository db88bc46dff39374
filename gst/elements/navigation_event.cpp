// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elements/navigation_event.h"

#include "elements/guard.h"
#include "elements/target_requests.h"
#include "metadata/target_messages.h"

namespace cltrack::gst {
namespace {

const Asker kAsker{.source = CommandSource::navigation};

// Whether there is something to be done.
bool act(GstElement* element, TargetControl& control, LatestTracks& shown,
         const MouseAction& action) {
  const TargetRequests requests(element, control, kAsker);
  switch (action.kind) {
    case MouseAction::Kind::pass:
      return false;
    case MouseAction::Kind::taken:
      return true;
    case MouseAction::Kind::add:
      requests.add({{action.box}}, "");
      return true;
    case MouseAction::Kind::choose:
      if (const auto target = shown.at(action.point)) {
        post_change(element, {TargetChange::Action::chosen, target->id, target->label, kAsker, {}},
                    {});
      }
      return true;  // its press was taken, too
    case MouseAction::Kind::remove:
      break;
  }
  const auto target = shown.at(action.point);
  if (!target) return false;
  if (requests.remove(target->id)) shown.remove(target->id);
  return true;
}

}  // namespace

std::optional<bool> take_navigation_event(GstElement* element, TargetControl& control,
                                          LatestTracks& shown, NavigationInput& input,
                                          GstEvent* event) {
  const bool taken =
      guard(element, false, [&] { return act(element, control, shown, input.see(event)); });
  if (!taken) return std::nullopt;
  gst_event_unref(event);
  return true;
}

}  // namespace cltrack::gst
