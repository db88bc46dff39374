#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tracks objects in a video, and gets each picture as BGR, as OpenCV wants it, with its tracks.

Usage: appsink_tracks.py VIDEO TARGETS, such as appsink_tracks.py video.mp4 '<<100,80,60,60,ball>>'

Prints a line for each track on each picture. Needs GStreamer 1.20 or newer, python3-gi,
gir1.2-gst-plugins-base-1.0, and the plugin: GST_PLUGIN_PATH names its folder if it is not installed.
"""
import pathlib
import sys

import gi

gi.require_version('Gst', '1.0')
gi.require_version('GstVideo', '1.0')
from gi.repository import Gst, GstVideo  # noqa: E402


def tracks(buffer):
    """The tracks on a buffer: {'tracker': ..., 'id': ..., 'label': ..., 'state': ..., 'x': ...} each."""
    meta = buffer.get_custom_meta('cltrack-tracks')
    if meta is None:
        return []
    carried = meta.get_structure()
    each = [carried.get_value(carried.nth_field_name(i)) for i in range(carried.n_fields())]
    return [{name: one.get_value(name)
             for name in ('tracker', 'id', 'label', 'state', 'confidence', 'age', 'x', 'y', 'width', 'height')}
            for one in each]


def picture(buffer, caps):
    """(bytes, width, height, bytes of a row); numpy.frombuffer() makes an array of them."""
    info = GstVideo.VideoInfo.new_from_caps(caps)
    return buffer.extract_dup(0, buffer.get_size()), info.width, info.height, info.stride[0]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    Gst.init(None)
    pipeline = Gst.parse_launch('uridecodebin name=source ! videoconvert ! videoflip video-direction=auto '
                                '! cltracker name=tracker ! videoconvert ! video/x-raw,format=BGR ! appsink name=sink sync=false max-buffers=4')
    pipeline.get_by_name('source').props.uri = pathlib.Path(sys.argv[1]).resolve().as_uri()
    Gst.util_set_object_arg(pipeline.get_by_name('tracker'), 'targets', sys.argv[2])
    sink = pipeline.get_by_name('sink')
    pipeline.set_state(Gst.State.PLAYING)
    while (sample := sink.emit('pull-sample')) is not None:  # None at the end, and after an error
        buffer = sample.get_buffer()
        _, width, height, _ = picture(buffer, sample.get_caps())
        time = f'{buffer.pts / Gst.SECOND:.3f}' if buffer.pts != Gst.CLOCK_TIME_NONE else '-'
        for one in tracks(buffer):
            print(f"{time} {width}x{height} {one['tracker']} {one['id']} {one['label']} "
                  f"{one['state']} {one['confidence']:.2f} "
                  f"{one['x']:.1f},{one['y']:.1f} {one['width']:.1f}x{one['height']:.1f}")
    message = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    if message is not None:
        error, details = message.parse_error()
        sys.exit(f'{error.message} ({details})')


main()
