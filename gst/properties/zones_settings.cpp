// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/zones_settings.h"

namespace cltrack::gst {
namespace {

using S = ZonesSettings;
using C = ZonesConfig;
using P = PictureSettings;

template <auto... Members>
constexpr auto at = field_at<S, Members...>;

}  // namespace

const PropertyTable<ZonesSettings>& zones_properties() {
  static const PropertyTable<S> table{
      {"zones", at<&S::text>, kAtAnyTime,
       "Lines and areas, as \"door: line 0.2,0.5 0.8,0.5; room: area 0.1,0.5 0.9,0.5 0.5,0.9\", or "
       "as "
       "JSON"},
      {"zones-file", at<&S::file>, kUpToReady,
       "File with the zones instead, which may be changed while the element runs"},
      {"state-file", at<&S::state>, kUpToReady,
       "File in which the totals are kept, and from which they go on at the next start"},
      {"anchor-x", at<&S::config, &C::anchor, &RelativePoint::x>, kAtAnyTime,
       "Where in its box a track is, across (0 = left, 1 = right)", Range{0, 1}},
      {"anchor-y", at<&S::config, &C::anchor, &RelativePoint::y>, kAtAnyTime,
       "Where in its box a track is, down (0 = top, 1 = bottom)", Range{0, 1}},
      {"margin", at<&S::config, &C::margin>, kAtAnyTime,
       "How far beyond an edge a track has to be, in sides of its box", Range{0, 10}},
      {"confirm-frames", at<&S::config, &C::confirm_frames>, kAtAnyTime,
       "On how many pictures it has to be there", Range{1, 1000}},
      {"confirm-time", at<&S::config, &C::confirm_time>, kAtAnyTime,
       "For how long it has to be there as well, ns", Range{0, 1e15}},
      {"lost-time", at<&S::config, &C::lost_time>, kAtAnyTime,
       "How long a lost track stays where it is, ns", Range{0, 1e15}},
      {"takeover-time", at<&S::config, &C::takeover_time>, kAtAnyTime,
       "How long after a loss a new track may take the place of the lost one, ns (0 = none does)",
       Range{0, 1e15}},
      {"dwell-time", at<&S::config, &C::dwell_time>, kAtAnyTime,
       "A longer stay in an area is told of, ns (0 = none is)", Range{0, 1e15}},
      {"crowd-limit", at<&S::config, &C::crowd_limit>, kAtAnyTime,
       "More tracks in an area are told of (0 = never)"},
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
  return table;
}

}  // namespace cltrack::gst
