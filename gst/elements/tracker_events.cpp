// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elements/tracker_events.h"

#include <cmath>
#include <string>
#include <string_view>

#include "cltrack/error.h"
#include "devices/device_context.h"
#include "elements/guard.h"
#include "elements/target_requests.h"
#include "metadata/track_messages.h"
#include "properties/property_text.h"
#include "scoped.h"
#include "stream/effort_policy.h"

namespace cltrack::gst {
namespace {

constexpr const char* kName = "cltrack-control";
constexpr const char* kOwnerQuery = "cltrack-owner";
constexpr double kLargestId = 0x1p53;  // that every number of JSON can hold

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::invalid_argument, std::string(kName) + ": " + what);
}

std::string value_text(const GValue* value) {
  gchar* text = g_strdup_value_contents(value);
  const std::string result = text;
  g_free(text);
  return result;
}

class ControlFields {
 public:
  explicit ControlFields(const GstStructure* structure) : structure_(structure) {}

  // "" for none.
  std::string_view text(const char* name) const {
    const GValue* value = gst_structure_get_value(structure_, name);
    if (value == nullptr) return "";
    if (!G_VALUE_HOLDS_STRING(value)) {
      refuse(std::string(name) + " " + value_text(value) + " is not a string");
    }
    const char* string = g_value_get_string(value);
    return string != nullptr ? string : "";
  }
  double number(const char* name) const {
    const GValue* value = gst_structure_get_value(structure_, name);
    if (value == nullptr) refuse(std::string(name) + " is missing");
    const std::optional<double> number = number_of(value);
    if (!number) refuse(std::string(name) + " " + value_text(value) + " is not a number");
    return *number;
  }
  std::uint64_t id() const {
    const double value = number("id");
    if (!(value >= 1 && value <= kLargestId) || value != std::floor(value)) {
      refuse("id " + value_text(gst_structure_get_value(structure_, "id")) +
             " is not a positive integer");
    }
    return static_cast<std::uint64_t>(value);
  }
  TargetPlace place() const {
    const std::string_view units = text("units");
    if (!units.empty() && units != "pixels" && units != "fraction") {
      refuse("units \"" + std::string(units) + "\" are not known; allowed: pixels, fraction");
    }
    const auto side = [this](const char* name) { return static_cast<float>(number(name)); };
    return {{side("x"), side("y"), side("width"), side("height")},
            units == "fraction" ? BoxUnits::fraction : BoxUnits::pixels};
  }
  bool boolean(const char* name) const {
    gboolean value = FALSE;
    if (!gst_structure_get_boolean(structure_, name, &value)) {
      refuse(std::string(name) + " is missing, or not true or false");
    }
    return value != FALSE;
  }
  RequestNumber request() const {
    const GValue* value = gst_structure_get_value(structure_, "request");
    if (value == nullptr) return std::monostate{};
    const std::optional<double> number = number_of(value);
    if (!number) refuse("request " + value_text(value) + " is not a number");
    switch (G_VALUE_TYPE(value)) {
      case G_TYPE_FLOAT:
      case G_TYPE_DOUBLE:
        return *number;
      case G_TYPE_UINT64:
        return std::uint64_t{g_value_get_uint64(value)};
      case G_TYPE_ULONG:
        return std::uint64_t{g_value_get_ulong(value)};
      case G_TYPE_INT64:
        return std::int64_t{g_value_get_int64(value)};
      default:
        return static_cast<std::int64_t>(*number);
    }
  }

 private:
  const GstStructure* structure_;
};

bool set_learning(GstElement* element, bool learning) {
  if (g_object_class_find_property(G_OBJECT_GET_CLASS(element), "learning") == nullptr) {
    refuse("command \"learning\": this element does not learn");
  }
  g_object_set(element, "learning", learning ? TRUE : FALSE, nullptr);
  return true;
}

bool execute(GstElement* element, const TargetRequests& requests, const ControlFields& fields) {
  const std::string_view command = fields.text("command");
  if (command == "add") {
    return requests.add({fields.place()}, std::string(fields.text("label"))) != 0;
  }
  if (command == "move") return requests.move(fields.id(), fields.place());
  if (command == "remove") return requests.remove(fields.id());
  if (command == "clear") return requests.clear();
  if (command == "learning") return set_learning(element, fields.boolean("learning"));
  refuse("command \"" + std::string(command) +
         "\" is not known; allowed: add, move, remove, clear, learning");
}

bool is_addressed_to(GstElement* element, std::string_view name) {
  return name.empty() || name == name_of(element);
}

// The names of trackers beyond `onward` that have a target `id`; "" if there are none.
std::string other_owners(GstPad* onward, std::uint64_t id) {
  const Scoped<GstQuery, gst_query_unref> query(gst_query_new_custom(
      GST_QUERY_CUSTOM,
      gst_structure_new(kOwnerQuery, "id", G_TYPE_UINT64, static_cast<guint64>(id), nullptr)));
  gst_pad_peer_query(onward, query.get());  // the last element of all knows no such query
  const char* owners = gst_structure_get_string(gst_query_get_structure(query.get()), "trackers");
  return owners != nullptr ? owners : "";
}

// Whether a command for a target is one for this element. Throws if it may be for several.
bool is_owner(GstElement* element, const TargetControl& control, GstPad* onward, std::uint64_t id) {
  const std::string others = other_owners(onward, id);
  if (others.empty()) return true;  // and if it has none either, it says so
  if (!control.has(id)) return false;
  refuse("several trackers have a target with the id " + std::to_string(id) + ": " +
         name_of(element) + ", " + others + "; name one of them in the field \"element\"");
}

// Empty if another element is meant.
std::optional<bool> answer(GstElement* element, TargetControl& control, GstPad* onward,
                           const GstStructure* structure) {
  const ControlFields fields(structure);
  CommandOrigin origin{.source = CommandSource::event};
  try {
    if (!is_addressed_to(element, fields.text("element"))) return std::nullopt;
    origin.request = fields.request();
    const std::string_view command = fields.text("command");
    const bool is_for_any = onward != nullptr && fields.text("element").empty();
    if (is_for_any && (command == "move" || command == "remove") &&
        !is_owner(element, control, onward, fields.id())) {
      return std::nullopt;
    }
    return execute(element, TargetRequests(element, control, origin), fields);
  } catch (const Error& error) {
    TargetRequests(element, control, origin).refuse(0, error.what());
    return false;
  }
}

// Other elements ask which trackers have a target with some id: adds this one to the answer.
void answer_owner_query(GstElement* element, const TargetControl& control, GstQuery* query) {
  guint64 id = 0;
  GstStructure* structure = gst_query_writable_structure(query);
  if (!gst_structure_has_name(structure, kOwnerQuery) ||
      !gst_structure_get_uint64(structure, "id", &id) || !control.has(id)) {
    return;
  }
  const char* others = gst_structure_get_string(structure, "trackers");
  const std::string owners =
      (others != nullptr ? others + std::string(", ") : "") + name_of(element);
  gst_structure_set(structure, "trackers", G_TYPE_STRING, owners.c_str(), nullptr);
}

// Custom events that say what to track, upstream or downstream: a structure "cltrack-control" with
//   command (string): "add", "move", "remove", "clear" or "learning";
//   x, y, width, height: of add and move; id: of move and remove, a positive integer;
//   units (string): "pixels" (default) or "fraction", of the picture's width and height;
//   label (string): of add; learning (boolean): of learning;
//   element (string): the name of the element that is meant, if there are several. Without it the
//   first one that gets the event takes it; move and remove go to the one that has the id, and are
//   refused if several have it;
//   request: a number that comes back in the answer.
// Numbers are of any type. Names of files are not looked at: events may come from anywhere.
//
// Takes an event that is for this element, and returns whether it can be done; if not, a warning
// and a message have said why. Empty for other events, and for those of other elements, which have
// to be passed on. `onward`: the pad on which it would be; null for an event that the application
// has sent to this very element.
std::optional<bool> take_control_event(GstElement* element, TargetControl& control, GstPad* onward,
                                       GstEvent* event) {
  if (!gst_event_has_name(event, kName)) return std::nullopt;
  const auto done = guard(element, std::optional(false), [&] {
    return answer(element, control, onward, gst_event_get_structure(event));
  });
  if (done) gst_event_unref(event);
  return done;
}

const CommandOrigin kMouse{.source = CommandSource::navigation};

// Whether there is something to be done.
bool act(GstElement* element, TargetControl& control, LatestTracks& shown,
         const MouseAction& action) {
  const TargetRequests requests(element, control, kMouse);
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
        post_change(element, {TargetChange::Action::chosen, target->id, target->label, kMouse, {}},
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

// Does to the targets of an element as the mouse, a finger or a key says: a dragged box is added, a
// target that is clicked on is chosen (a message says so) or removed.
//
// Takes an event that acts and returns true; empty for those that have to be passed on. `shown` is
// what users see and point at.
std::optional<bool> take_navigation_event(GstElement* element, TargetControl& control,
                                          LatestTracks& shown, NavigationInput& input,
                                          GstEvent* event) {
  const bool taken =
      guard(element, false, [&] { return act(element, control, shown, input.read(event)); });
  if (!taken) return std::nullopt;
  gst_event_unref(event);
  return true;
}

}  // namespace

std::optional<bool> TrackerEvents::take(GstElement* element, GstPad* onward, GstEvent* event,
                                        bool navigation) {
  if (GST_EVENT_TYPE(event) != GST_EVENT_NAVIGATION) {
    return take_control_event(element, control_, onward, event);
  }
  if (!navigation) {
    // A drag does not go on when it is switched on again.
    return guard(element, std::optional<bool>(), [&] {
      input_.reset();
      return std::optional<bool>();
    });
  }
  return take_navigation_event(element, control_, stream_.latest(), input_, event);
}

bool TrackerEvents::take_upstream(GstBaseTransform* element, GstEvent* event) {
  if (GST_EVENT_TYPE(event) == GST_EVENT_LATENCY) stream_.time().ask_again();
  if (GST_EVENT_TYPE(event) != GST_EVENT_QOS || !gst_base_transform_is_qos_enabled(element)) {
    return false;
  }
  stream_.time().observe_qos(event);
  gst_pad_push_event(GST_BASE_TRANSFORM_SINK_PAD(element), event);
  return true;
}

void TrackerEvents::observe(GstElement* element, GstEvent* event) {
  guard(element, [&] {
    if (GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_START) stream_.request_stop();
    if (GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_STOP) {
      stream_.allow();
      stream_.time().forget_sink();
    }
    stream_.observe_event(event);
  });
}

gboolean answer_query(GstBaseTransform* element, GstPadDirection direction, GstQuery* query,
                      const TargetControl& control, GstClockTime max_latency,
                      QueryFunction others) {
  if (GST_QUERY_TYPE(query) == GST_QUERY_CONTEXT &&
      answer_context_query(GST_ELEMENT(element), query)) {
    return TRUE;
  }
  if (GST_QUERY_TYPE(query) == GST_QUERY_CUSTOM) {
    answer_owner_query(GST_ELEMENT(element), control, query);
  }
  const gboolean answered = others(element, direction, query);
  if (answered && direction == GST_PAD_SRC && GST_QUERY_TYPE(query) == GST_QUERY_LATENCY) {
    add_latency(query, max_latency);
  }
  return answered;
}

void post_new_latency(GstElement* element) {
  gst_element_post_message(element, gst_message_new_latency(GST_OBJECT(element)));
}

}  // namespace cltrack::gst
