// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/zones_settings.h"

namespace cltrack::gst {
namespace {

using S = ZonesSettings;
using P = PictureSettings;

template <auto... Members>
constexpr auto at = field_at<S, Members...>;

PropertyTable<S> make_table() {
  PropertyTable<S> table{
      {"zones", at<&S::text>, kAtAnyTime,
       "Lines and areas, as \"door: line 0.2,0.5 0.8,0.5; room: area 0.1,0.5 0.9,0.5 0.5,0.9\", "
       "or as JSON"},
      {"zones-file", at<&S::file>, kUpToReady,
       "File with the zones instead, which may be changed while the element runs"},
      {"state-file", at<&S::state>, kUpToReady,
       "File in which the totals are kept, and from which they go on at the next start"},
      {"messages", at<&S::messages>, kAtAnyTime, "Post a message on the bus for each event"},
      {"picture-folder", at<&S::pictures, &P::folder>, kUpToReady,
       "Folder into which a JPEG picture of the track is written for each of picture-events"},
      {"picture-events", at<&S::pictures, &P::events>, kUpToReady,
       "Which events have a picture: any of cross, enter, leave, dwell, with blanks between"},
      {"picture-margin", at<&S::pictures, &P::margin>, kUpToReady,
       "What of a picture is around the box, in parts of its longer side", Range{0, 10}},
      {"picture-files", at<&S::pictures, &P::limits, &PictureLimits::files>, kUpToReady,
       "How many pictures the folder has at most; the oldest go first (0 = no limit)"},
      {"picture-bytes", at<&S::pictures, &P::limits, &PictureLimits::bytes>, kUpToReady,
       "How many bytes of pictures the folder has at most; the oldest go first (0 = no limit)"},
      {"stats",
       "zone-0, zone-1, ... (structures), of each zone: name (string), inside (int), entered, "
       "left, dwelled, crowded, most, forward, backward (uint64): totals; pictures-written, "
       "pictures-dropped (uint64): pictures of events since the start"},
  };
  append_fields(table, at<&S::config>, zones_fields(), kAtAnyTime);
  return table;
}

}  // namespace

const PropertyTable<ZonesSettings>& zones_properties() {
  static const PropertyTable<S> table = make_table();
  return table;
}

}  // namespace cltrack::gst
