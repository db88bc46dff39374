// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/overlay_settings.h"

#include "scoped.h"

using cltrack::gst::CompositionMode;

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

namespace cltrack::gst {
namespace {

enum Property : guint {
  kLostTime = 1,
  kLineWidth,
  kFont,
  kFontSize,
  kColor,
  kOpacity,
  kShowLabel,
  kShowId,
  kShowConfidence,
  kShowState,
  kShowTrail,
  kComposition,
  kNavigation,
};

constexpr GParamFlags kPlaying = static_cast<GParamFlags>(
    int{G_PARAM_READWRITE} | int{G_PARAM_STATIC_STRINGS} | int{GST_PARAM_MUTABLE_PLAYING});
constexpr GParamFlags kControllable =
    static_cast<GParamFlags>(int{kPlaying} | int{GST_PARAM_CONTROLLABLE});

// What is not UTF-8 could not even be named in a warning.
std::string valid_utf8(const char* text) {
  const Scoped<char, g_free> valid(g_utf8_make_valid(text, -1));
  return valid.get();
}

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

void install_text_properties(GObjectClass* klass, const OverlayStyle& defaults) {
  /**
   * GstTrackOverlay:font:
   *
   * Font of the tags as Pango describes fonts: families, styles, size, as in "Sans Bold" or
   * "DejaVu Sans Mono, 14". Where no such family is installed a warning is posted and the closest
   * one is taken.
   */
  g_object_class_install_property(
      klass, kFont,
      g_param_spec_string("font", "Font",
                          "Font of the tags (Pango font description, e.g. \"Sans Bold\")",
                          defaults.font.c_str(), kPlaying));
  /**
   * GstTrackOverlay:font-size:
   *
   * Size of the font in pixels. 0: the size in #GstTrackOverlay:font, or a 40th of the picture's
   * height, but at least 11, if there is none. Less than 4 counts as 4.
   */
  g_object_class_install_property(
      klass, kFontSize,
      g_param_spec_uint("font-size", "Font size",
                        "Size of the font in pixels (0 = as in font, or else scaled with the "
                        "picture's height)",
                        0, kMaxFontSize, defaults.font_size, kPlaying));
  install_switch(klass, kShowLabel, "show-label", "Show label", "Show the label in the tag",
                 defaults.show_label);
  install_switch(klass, kShowId, "show-id", "Show id", "Show the id in the tag", defaults.show_id);
  install_switch(klass, kShowConfidence, "show-confidence", "Show confidence",
                 "Show the confidence, if there is one, in the tag", defaults.show_confidence);
  /**
   * GstTrackOverlay:show-state:
   *
   * Spell out the state in the tag unless it is "tracking". Whether it is shown or not, lines are
   * solid for "tracking", dashed for "uncertain", dotted and grey for "lost".
   */
  install_switch(klass, kShowState, "show-state", "Show state",
                 "Show the state in the tag unless it is \"tracking\"", defaults.show_state);
  /**
   * GstTrackOverlay:show-trail:
   *
   * Draw where a track has been, if that is in the metadata, as a line that fades; see
   * #GstClColorTracker:trail.
   */
  install_switch(klass, kShowTrail, "show-trail", "Show trail",
                 "Draw the trail of a track, if the metadata has one", defaults.show_trail);
}

}  // namespace

void install_overlay_properties(GObjectClass* klass) {
  const OverlaySettings defaults;
  /**
   * GstTrackOverlay:lost-time:
   *
   * For how long the last box of a lost track is shown, in nanoseconds of stream time. 0: not at
   * all. Buffers without a timestamp count as one frame duration of the caps each; without a frame
   * rate as well, lost tracks are not shown.
   */
  g_object_class_install_property(
      klass, kLostTime,
      g_param_spec_uint64("lost-time", "Lost time",
                          "How long the last box of a lost track is shown, in ns (0 = not at all)",
                          0, G_MAXUINT64, defaults.lost_time, kPlaying));
  install_line_properties(klass, defaults.style);
  install_text_properties(klass, defaults.style);
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
  /**
   * GstTrackOverlay:navigation:
   *
   * Show the box that is being dragged in the window of a video sink (white, dashed), and the track
   * that was clicked on last (twice the line's width). For a tracking element upstream with its own
   * "navigation" on; the events are passed on to it.
   */
  install_switch(klass, kNavigation, "navigation", "Navigation",
                 "Show the box that is dragged with the mouse, and which track was clicked on",
                 defaults.navigation);
}

bool set_overlay_property(OverlaySettings& settings, guint id, const GValue* value) {
  OverlayStyle& style = settings.style;
  switch (id) {
    case kLostTime:
      settings.lost_time = g_value_get_uint64(value);
      return true;
    case kLineWidth:
      style.line_width = g_value_get_uint(value);
      return true;
    case kFont: {
      const char* font = g_value_get_string(value);
      style.font = font != nullptr ? valid_utf8(font) : OverlayStyle{}.font;
      return true;
    }
    case kFontSize:
      style.font_size = g_value_get_uint(value);
      return true;
    case kColor:
      style.color = g_value_get_uint(value);
      return true;
    case kOpacity:
      style.opacity = g_value_get_double(value);
      return true;
    case kShowLabel:
      style.show_label = g_value_get_boolean(value);
      return true;
    case kShowId:
      style.show_id = g_value_get_boolean(value);
      return true;
    case kShowConfidence:
      style.show_confidence = g_value_get_boolean(value);
      return true;
    case kShowState:
      style.show_state = g_value_get_boolean(value);
      return true;
    case kShowTrail:
      style.show_trail = g_value_get_boolean(value);
      return true;
    case kComposition:
      settings.composition = static_cast<CompositionMode>(g_value_get_enum(value));
      return true;
    case kNavigation:
      settings.navigation = g_value_get_boolean(value);
      return true;
    default:
      return false;
  }
}

bool get_overlay_property(const OverlaySettings& settings, guint id, GValue* value) {
  const OverlayStyle& style = settings.style;
  switch (id) {
    case kLostTime:
      g_value_set_uint64(value, settings.lost_time);
      return true;
    case kLineWidth:
      g_value_set_uint(value, style.line_width);
      return true;
    case kFont:
      g_value_set_string(value, style.font.c_str());
      return true;
    case kFontSize:
      g_value_set_uint(value, style.font_size);
      return true;
    case kColor:
      g_value_set_uint(value, style.color);
      return true;
    case kOpacity:
      g_value_set_double(value, style.opacity);
      return true;
    case kShowLabel:
      g_value_set_boolean(value, style.show_label);
      return true;
    case kShowId:
      g_value_set_boolean(value, style.show_id);
      return true;
    case kShowConfidence:
      g_value_set_boolean(value, style.show_confidence);
      return true;
    case kShowState:
      g_value_set_boolean(value, style.show_state);
      return true;
    case kShowTrail:
      g_value_set_boolean(value, style.show_trail);
      return true;
    case kComposition:
      g_value_set_enum(value, static_cast<int>(settings.composition));
      return true;
    case kNavigation:
      g_value_set_boolean(value, settings.navigation);
      return true;
    default:
      return false;
  }
}

bool changes_negotiation(guint id) { return id == kComposition; }

}  // namespace cltrack::gst
