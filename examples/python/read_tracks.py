#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tracks objects in a video, and prints what every picture says of them (GstAnalytics).

Usage: read_tracks.py VIDEO TARGETS, such as read_tracks.py video.mp4 '<<100,80,60,60,ball>>'

Needs GStreamer 1.24 or newer, python3-gi and gir1.2-gst-plugins-bad-1.0, and the plugin, built with
gstreamer-analytics-1.0: GST_PLUGIN_PATH names its folder if it is not installed.
"""
import pathlib
import sys

import gi

gi.require_version('Gst', '1.0')
gi.require_version('GstAnalytics', '1.0')
from gi.repository import GLib, Gst, GstAnalytics  # noqa: E402


def tracks(buffer):
    """(tracking, object) of each track: TrackingMtd.get_info(), and the ODMtd, or None if it is lost."""
    relations = GstAnalytics.buffer_get_analytics_relation_meta(buffer)
    if relations is None:
        return
    metas = range(GstAnalytics.relation_get_length(relations))
    objects = [(i, found) for i in metas for is_one, found in [relations.get_od_mtd(i)] if is_one]
    for i in metas:
        is_tracking, tracking = relations.get_tracking_mtd(i)
        if is_tracking:
            related = GstAnalytics.RelTypes.RELATE_TO
            yield tracking.get_info(), next((found for j, found in objects
                                             if relations.get_relation(j, i) & related), None)


def on_picture(_, info):
    for tracking, found in tracks(info.get_buffer()):
        seen = tracking.tracking_last_seen
        when = f'{seen / Gst.SECOND:.3f}' if seen != Gst.CLOCK_TIME_NONE else '-'
        words = [when, str(tracking.tracking_id)]
        if found is None:
            words.append('lost')
        else:
            box = found.get_location()
            words += [GLib.quark_to_string(found.get_obj_type()),
                      f'{box.x},{box.y} {box.w}x{box.h}, {box.loc_conf_lvl:.2f}']
        print(' '.join(words))
    return Gst.PadProbeReturn.OK


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    Gst.init(None)
    pipeline = Gst.parse_launch('uridecodebin name=source ! videoconvert ! videoflip video-direction=auto '
                                '! cltracker name=tracker ! fakesink')
    pipeline.get_by_name('source').props.uri = pathlib.Path(sys.argv[1]).resolve().as_uri()
    tracker = pipeline.get_by_name('tracker')
    Gst.util_set_object_arg(tracker, 'targets', sys.argv[2])
    tracker.get_static_pad('src').add_probe(Gst.PadProbeType.BUFFER, on_picture)
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(
        Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    if message.type == Gst.MessageType.ERROR:
        sys.exit(message.parse_error()[0].message)


if __name__ == '__main__':
    main()
