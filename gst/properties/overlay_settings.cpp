// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/overlay_settings.h"

namespace cltrack::gst {
namespace {

using S = OverlaySettings;

template <auto... Members>
constexpr auto at = field_at<S, Members...>;

constexpr When kControllable{static_cast<GParamFlags>(int{kPlaying} | int{GST_PARAM_CONTROLLABLE})};

}  // namespace

const PropertyTable<OverlaySettings>& overlay_properties() {
  static const PropertyTable<S> table{
      {"style", at<&S::style, &OverlayStyle::mark>,
       Choices{"GstTrackOverlayStyle",
               {{"The outline of the box", "box"},
                {"The corners of the box", "corners"},
                {"What is in the box is blurred beyond recognition", "blur"},
                {"What is in the box is replaced by coarse squares", "pixelate"},
                {"Nothing but tags and trails", "none"}}},
       kWhilePlaying, "How regions are marked, or hidden"},
      {"lost-time", at<&S::lost_time>, kWhilePlaying,
       "How long the last box of a lost track is shown, in ns (0 = not at all)"},
      {"line-width", at<&S::style, &OverlayStyle::line_width>, kControllable,
       "Width of the outlines in pixels (0 = scaled with the picture's height)",
       Range{0, kMaxLineWidth}},
      {"color", at<&S::style, &OverlayStyle::color>, kControllable,
       "Colour of the boxes, 0xAARRGGBB (0 = one for each id; no alpha = opaque)"},
      {"opacity", at<&S::style, &OverlayStyle::opacity>, kControllable,
       "Opacity of the drawing (0 = invisible)", Range{0, 1}},
      {"show-trail", at<&S::style, &OverlayStyle::show_trail>, kWhilePlaying,
       "Draw the trail of a track, if the metadata has one or trail-length is not 0"},
      {"trail-length", at<&S::trail_length>, kWhilePlaying,
       "Pictures for which the place of a region is shown as a trail, for trackers that write none "
       "(0 = only what trackers write)",
       Range{0, 1000}},
      {"show-zones", at<&S::style, &OverlayStyle::show_zones>, kWhilePlaying,
       "Draw lines and areas in which tracks are counted upstream, with their names and counts"},
      {"zone-color", at<&S::style, &OverlayStyle::zone_color>, kControllable,
       "Colour of zones, 0xAARRGGBB (0 = one for each; no alpha = opaque)"},
      {"composition", at<&S::composition>,
       Choices{"GstTrackOverlayComposition",
               {{"Attach if downstream accepts overlay compositions, else draw into the picture",
                 "auto"},
                {"Draw into the picture", "blend"},
                {"Attach an overlay composition; downstream must accept it", "attach"}}},
       kWhilePlaying, "Draw into the picture, or attach an overlay composition"},
      {"navigation", at<&S::navigation>, kWhilePlaying,
       "Show the box that is dragged with the mouse, and which track was clicked on"},
      {"chosen-id", [](S& settings) { return settings.chosen->get().id; },
       [](S& settings, const GValue* value) { settings.chosen->set_id(g_value_get_int64(value)); },
       kWhilePlaying, "Id of the track that is marked as chosen (-1 = none)", Range{kNoChoice}},
      {"chosen-tracker", [](S& settings) { return settings.chosen->get().tracker; },
       [](S& settings, const GValue* value) { settings.chosen->set_tracker(string_of(value)); },
       kWhilePlaying, "Name of the tracking element that chosen-id is an id of (empty = any)"},
      {"font", [](S& settings) { return settings.style.font; },
       [](S& settings, const GValue* value) {
         const bool is_given = g_value_get_string(value) != nullptr;
         settings.style.font = is_given ? utf8_of(value) : OverlayStyle{}.font;
       },
       kWhilePlaying, "Font of the tags (Pango font description, e.g. \"Sans Bold\")"},
      {"font-size", at<&S::style, &OverlayStyle::font_size>, kWhilePlaying,
       "Size of the font in pixels (0 = as in font, or else scaled with the picture's height)",
       Range{0, kMaxFontSize}},
      {"show-label", at<&S::style, &OverlayStyle::show_label>, kWhilePlaying,
       "Show the label in the tag"},
      {"show-id", at<&S::style, &OverlayStyle::show_id>, kWhilePlaying, "Show the id in the tag"},
      {"show-confidence", at<&S::style, &OverlayStyle::show_confidence>, kWhilePlaying,
       "Show the confidence, if there is one, in the tag"},
      {"show-state", at<&S::style, &OverlayStyle::show_state>, kWhilePlaying,
       "Show the state in the tag unless it is \"tracking\""},
      {"label-template", [](S& settings) { return settings.style.label_template.text(); },
       [](S& settings, const GValue* value) {
         settings.style.label_template = LabelTemplate(string_of(value));
       },
       kWhilePlaying,
       "Text of the tags with {label}, {id}, {state}, {confidence}, {age}, {x}, {y}, {width}, "
       "{height}, {tracker}, {algorithm} (empty = as show-label to show-state say)"},
  };
  return table;
}

}  // namespace cltrack::gst
