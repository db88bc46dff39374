// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/overlay_settings.h"

#include "cltrack/error.h"
#include "properties/overlay_text_properties.h"

using cltrack::gst::CompositionMode;
using cltrack::gst::MarkKind;

GType gst_track_overlay_composition_get_type(void) {
  static const GEnumValue values[] = {
      {static_cast<int>(CompositionMode::automatic),
       "Attach if downstream accepts overlay compositions, else draw into the picture", "auto"},
      {static_cast<int>(CompositionMode::blend), "Draw into the picture", "blend"},
      {static_cast<int>(CompositionMode::attach),
       "Attach an overlay composition; downstream must accept it", "attach"},
      {0, nullptr, nullptr}};
  static const GType type = g_enum_register_static("GstTrackOverlayComposition", values);
  return type;
}

GType gst_track_overlay_style_get_type(void) {
  static const GEnumValue values[] = {
      {static_cast<int>(MarkKind::box), "The outline of the box", "box"},
      {static_cast<int>(MarkKind::corners), "The corners of the box", "corners"},
      {static_cast<int>(MarkKind::blur), "What is in the box is blurred beyond recognition",
       "blur"},
      {static_cast<int>(MarkKind::pixelate), "What is in the box is replaced by coarse squares",
       "pixelate"},
      {static_cast<int>(MarkKind::none), "Nothing but tags and trails", "none"},
      {0, nullptr, nullptr}};
  static const GType type = g_enum_register_static("GstTrackOverlayStyle", values);
  return type;
}

namespace cltrack::gst {
namespace {

enum Property : guint {
  kStyle = 1,
  kLostTime,
  kLineWidth,
  kColor,
  kOpacity,
  kShowTrail,
  kTrailLength,
  kComposition,
  kNavigation,
  kChosenId,
  kChosenTracker,
  kFirstTextProperty,
};

constexpr GParamFlags kPlaying = static_cast<GParamFlags>(
    int{G_PARAM_READWRITE} | int{G_PARAM_STATIC_STRINGS} | int{GST_PARAM_MUTABLE_PLAYING});
constexpr GParamFlags kControllable =
    static_cast<GParamFlags>(int{kPlaying} | int{GST_PARAM_CONTROLLABLE});

void install_switch(GObjectClass* klass, guint id, const char* name, const char* nick,
                    const char* blurb, bool initial) {
  g_object_class_install_property(klass, id,
                                  g_param_spec_boolean(name, nick, blurb, initial, kPlaying));
}

void install_line_properties(GObjectClass* klass, const OverlayStyle& defaults) {
  /**
   * GstTrackOverlay:line-width:
   *
   * Width of the outlines in pixels. 0: a 240th of the picture's height, but at least 2 (1 in
   * pictures of less than 120 lines). Lines of 2 pixels and more get a dark contour of 1 pixel.
   */
  g_object_class_install_property(
      klass, kLineWidth,
      g_param_spec_uint("line-width", "Line width",
                        "Width of the outlines in pixels (0 = scaled with the picture's height)", 0,
                        kMaxLineWidth, defaults.line_width, kControllable));
  /**
   * GstTrackOverlay:color:
   *
   * Colour of all boxes but lost ones as 0xAARRGGBB. 0: a colour for each id, the same every time.
   * A colour without alpha (0x00RRGGBB) is taken as opaque.
   */
  g_object_class_install_property(
      klass, kColor,
      g_param_spec_uint("color", "Color",
                        "Colour of the boxes, 0xAARRGGBB (0 = one for each id; no alpha = opaque)",
                        0, G_MAXUINT32, defaults.color, kControllable));
  /**
   * GstTrackOverlay:opacity:
   *
   * Opacity of all that is drawn; 0 draws nothing.
   */
  g_object_class_install_property(
      klass, kOpacity,
      g_param_spec_double("opacity", "Opacity", "Opacity of the drawing (0 = invisible)", 0, 1,
                          defaults.opacity, kControllable));
}

void install_trail_properties(GObjectClass* klass, const OverlaySettings& defaults) {
  /**
   * GstTrackOverlay:show-trail:
   *
   * Draw where a track has been as a line that fades, if that is in the metadata (see
   * #GstClColorTracker:trail) or #GstTrackOverlay:trail-length is not 0.
   */
  install_switch(klass, kShowTrail, "show-trail", "Show trail",
                 "Draw the trail of a track, if the metadata has one or trail-length is not 0",
                 defaults.style.show_trail);
  /**
   * GstTrackOverlay:trail-length:
   *
   * How many places of a region are remembered, one for each picture, and drawn as its trail unless
   * the metadata has one. For tracks, and for regions of other elements with an id above 0. What is
   * not there for 25 pictures is forgotten. 0: only trails of the metadata.
   */
  g_object_class_install_property(
      klass, kTrailLength,
      g_param_spec_uint(
          "trail-length", "Trail length",
          "Pictures for which the place of a region is shown as a trail, for trackers "
          "that write none (0 = only what trackers write)",
          0, kMostTrailPoints, defaults.trail_length, kPlaying));
}

// The look of the regions themselves.
void install_region_properties(GObjectClass* klass, const OverlaySettings& defaults) {
  /**
   * GstTrackOverlay:style:
   *
   * How regions are marked. "blur" and "pixelate" hide what is in them, and a tenth of the longer
   * side around it: all that is left are the means of 6 cells along the longer side, whatever the
   * size, of at least 4 pixels each. They hold for uncertain and for lost tracks (for
   * #GstTrackOverlay:lost-time), for any #GstTrackOverlay:opacity, and change the picture itself
   * whatever #GstTrackOverlay:composition says. Pictures in memory that cannot be drawn on get
   * black rectangles as a composition, and a warning.
   */
  g_object_class_install_property(
      klass, kStyle,
      g_param_spec_enum("style", "Style", "How regions are marked, or hidden",
                        GST_TYPE_TRACK_OVERLAY_STYLE, static_cast<int>(defaults.style.mark),
                        kPlaying));
  /**
   * GstTrackOverlay:lost-time:
   *
   * For how long the last box of a lost track is shown, or hidden, in nanoseconds of stream time.
   * 0: not at all. Buffers without a timestamp count as one frame duration of the caps each;
   * without a frame rate as well, lost tracks are neither shown nor hidden.
   */
  g_object_class_install_property(
      klass, kLostTime,
      g_param_spec_uint64("lost-time", "Lost time",
                          "How long the last box of a lost track is shown, in ns (0 = not at all)",
                          0, G_MAXUINT64, defaults.lost_time, kPlaying));
}

void install_pointer_properties(GObjectClass* klass, const OverlaySettings& defaults) {
  /**
   * GstTrackOverlay:navigation:
   *
   * Show the box that is being dragged in the window of a video sink (white, dashed), and the track
   * that was clicked on last (#GstTrackOverlay:chosen-id). For a tracking element upstream with its
   * own "navigation" on; the events are passed on to it.
   */
  install_switch(klass, kNavigation, "navigation", "Navigation",
                 "Show the box that is dragged with the mouse, and which track was clicked on",
                 defaults.navigation);
  /**
   * GstTrackOverlay:chosen-id:
   *
   * Id of the track that is marked: its line is twice as wide; where boxes have no lines it gets
   * corners. -1: none. A click sets it (#GstTrackOverlay:navigation), with a "notify" on the thread
   * that streams, and it is -1 again when that track is no longer shown; what the application sets
   * stays.
   */
  g_object_class_install_property(
      klass, kChosenId,
      g_param_spec_int64("chosen-id", "Chosen id",
                         "Id of the track that is marked as chosen (-1 = none)", kNoChoice,
                         G_MAXINT64, kNoChoice, kPlaying));
  /**
   * GstTrackOverlay:chosen-tracker:
   *
   * Name of the tracking element whose track #GstTrackOverlay:chosen-id means, since each of
   * several elements numbers its own from 1. Empty: of any; the first track with that id is marked.
   * A click sets it, too.
   */
  g_object_class_install_property(
      klass, kChosenTracker,
      g_param_spec_string("chosen-tracker", "Chosen tracker",
                          "Name of the tracking element that chosen-id is an id of (empty = any)",
                          "", kPlaying));
}

// Of those that have no other home.
bool set_own_property(OverlaySettings& settings, guint id, const GValue* value) {
  OverlayStyle& style = settings.style;
  switch (id) {
    case kStyle:
      style.mark = static_cast<MarkKind>(g_value_get_enum(value));
      return true;
    case kLostTime:
      settings.lost_time = g_value_get_uint64(value);
      return true;
    case kLineWidth:
      style.line_width = g_value_get_uint(value);
      return true;
    case kColor:
      style.color = g_value_get_uint(value);
      return true;
    case kOpacity:
      style.opacity = g_value_get_double(value);
      return true;
    case kShowTrail:
      style.show_trail = g_value_get_boolean(value);
      return true;
    case kTrailLength:
      settings.trail_length = g_value_get_uint(value);
      return true;
    case kComposition:
      settings.composition = static_cast<CompositionMode>(g_value_get_enum(value));
      return true;
    case kNavigation:
      settings.navigation = g_value_get_boolean(value);
      return true;
    case kChosenId:
      settings.chosen->set_id(g_value_get_int64(value));
      return true;
    case kChosenTracker: {
      const char* tracker = g_value_get_string(value);
      settings.chosen->set_tracker(tracker != nullptr ? tracker : "");
      return true;
    }
    default:
      return false;
  }
}

}  // namespace

void install_overlay_properties(GObjectClass* klass) {
  const OverlaySettings defaults;
  install_region_properties(klass, defaults);
  install_line_properties(klass, defaults.style);
  install_overlay_text_properties(klass, kFirstTextProperty);
  install_trail_properties(klass, defaults);
  /**
   * GstTrackOverlay:composition:
   *
   * Whether to draw into the picture or to attach a #GstVideoOverlayCompositionMeta that a sink
   * draws later. "auto" attaches where downstream accepts the caps feature and asks for the meta in
   * its answer to the ALLOCATION query. If a composition comes from upstream, ours is added to it
   * whatever is set here. A change leads to a new negotiation.
   */
  g_object_class_install_property(
      klass, kComposition,
      g_param_spec_enum(
          "composition", "Composition", "Draw into the picture, or attach an overlay composition",
          GST_TYPE_TRACK_OVERLAY_COMPOSITION, static_cast<int>(defaults.composition), kPlaying));
  install_pointer_properties(klass, defaults);
}

bool set_overlay_property(OverlaySettings& settings, guint id, const GValue* value) {
  try {
    return set_own_property(settings, id, value) ||
           set_overlay_text_property(settings.style, id, kFirstTextProperty, value);
  } catch (const Error& error) {
    settings.refusal = {error.what(), settings.refusal.number + 1};
    return true;
  }
}

bool get_overlay_property(const OverlaySettings& settings, guint id, GValue* value) {
  const OverlayStyle& style = settings.style;
  switch (id) {
    case kStyle:
      g_value_set_enum(value, static_cast<int>(style.mark));
      return true;
    case kLostTime:
      g_value_set_uint64(value, settings.lost_time);
      return true;
    case kLineWidth:
      g_value_set_uint(value, style.line_width);
      return true;
    case kColor:
      g_value_set_uint(value, style.color);
      return true;
    case kOpacity:
      g_value_set_double(value, style.opacity);
      return true;
    case kShowTrail:
      g_value_set_boolean(value, style.show_trail);
      return true;
    case kTrailLength:
      g_value_set_uint(value, settings.trail_length);
      return true;
    case kComposition:
      g_value_set_enum(value, static_cast<int>(settings.composition));
      return true;
    case kNavigation:
      g_value_set_boolean(value, settings.navigation);
      return true;
    case kChosenId:
      g_value_set_int64(value, settings.chosen->get().id);
      return true;
    case kChosenTracker:
      g_value_set_string(value, settings.chosen->get().tracker.c_str());
      return true;
    default:
      return get_overlay_text_property(style, id, kFirstTextProperty, value);
  }
}

bool changes_negotiation(guint id) { return id == kComposition; }

}  // namespace cltrack::gst
