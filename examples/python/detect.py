#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A slow detector finds people on every tenth picture; cltracker keeps them in between.

Usage: detect.py VIDEO [--every N] [--first N] [--alone] [--model FILE.onnx [--labels FILE]] [--zones ZONES]
                 [--output FILE.mp4]

The detector is OpenCV's for people (cltrack.detector). Its boxes are put on the pictures as regions of
interest, as a detecting element does. Prints each id and on how many pictures it had a box.
With --model GStreamer's onnxinference (1.24 and newer) is in front instead, on each picture, with an SSD model.
With --zones it counts, too: "door: line 0.2,0.5 0.8,0.5" (docs/counting.md).
With --alone nothing is tracked: a detection gets the id of the one before that it overlaps most.
Needs python3-cltrack, python3-gi, python3-opencv, gir1.2-gst-plugins-base-1.0, and the plugin: PYTHONPATH and
GST_PLUGIN_PATH name the folders of what is not installed. people.py does the same without GStreamer.
"""
import argparse
import collections
import os
import sys

import cltrack.detector
import cv2
import gi

gi.require_version('Gst', '1.0')
gi.require_version('GstVideo', '1.0')
from gi.repository import GLib, Gst, GstVideo  # noqa: E402

SAME = 0.3  # least overlap of two boxes of one person, with --alone


def overlap(a, b):
    """Intersection over union."""
    width = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    height = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0
    return width * height / (a[2] * a[3] + b[2] * b[3] - width * height)


class Alone:
    """Ids from the overlap of detections, greedily."""

    def __init__(self):
        self.before = {}
        self.latest = 0
        self.pictures = collections.Counter()

    def see(self, boxes):
        now = {}
        pairs = sorted(((overlap(old, box), name, i) for name, old in self.before.items()
                        for i, box in enumerate(boxes)), reverse=True)
        taken = set()
        for same, name, i in pairs:
            if same >= SAME and name not in now and i not in taken:
                now[name] = boxes[i]
                taken.add(i)
        for i, box in enumerate(boxes):
            if i not in taken:
                self.latest += 1
                now[self.latest] = box
        self.before = now
        self.pictures.update(now.keys())


def inference(model, labels):
    """The elements that find objects with a model."""
    # The decoder has had two names.
    decoder = next((name for name in ('ssdtensordec', 'ssdobjectdetector') if Gst.ElementFactory.find(name)), None)
    if not decoder or not Gst.ElementFactory.find('onnxinference'):
        sys.exit('this GStreamer has no onnxinference, or no decoder for it (gst-plugins-bad 1.24 and newer, built '
                 "with ONNX Runtime); without --model it is OpenCV's detector that finds people")
    if not os.path.isfile(model):
        sys.exit(f"cannot read the model '{model}'; --model needs the path of an ONNX file")
    label_file = f'label-file="{labels}"' if labels else ''
    return f'! videoconvert ! onnxinference model-file="{model}" ! {decoder} {label_file} ! videoconvert '


class Tracked:
    """Ids from cltracker."""

    def __init__(self, width, height, rate, options):
        end = 'fakesink sync=false'
        if options.output:
            end = ('trackoverlay ! videoconvert ! video/x-raw,format=I420 ! x264enc speed-preset=veryfast '
                   '! mp4mux faststart=true ! filesink name=output')
        description = (
            'appsrc name=source format=time block=true max-buffers=4 '
            f'caps=video/x-raw,format=BGR,width={width},height={height},framerate={rate}/1 '
            f'{inference(options.model, options.labels) if options.model else ""}'
            f'! cltracker detections=start-and-correct messages=every-frame ! trackzones name=zones ! {end}')
        try:
            self.pipeline = Gst.parse_launch(description)
        except GLib.Error as error:  # some versions find out here what a model is
            sys.exit(f'{options.model}: {error.message}' if options.model else error.message)
        if options.output:
            self.pipeline.get_by_name('output').props.location = options.output
        self.zones = self.pipeline.get_by_name('zones')
        self.zones.props.zones = options.zones
        self.source = self.pipeline.get_by_name('source')
        self.duration = Gst.SECOND // rate
        self.time = 0
        self.pictures = collections.Counter()
        if self.pipeline.set_state(Gst.State.PLAYING) == Gst.StateChangeReturn.FAILURE:
            self.read_messages(Gst.SECOND)  # says why

    def see(self, picture, boxes):
        buffer = Gst.Buffer.new_wrapped(picture.tobytes())
        buffer.pts, buffer.duration = self.time, self.duration
        self.time += self.duration
        if boxes is not None:  # the detector has run, whether it found anybody or not
            buffer.add_custom_meta('cltrack-detector-ran')
        for box in boxes or []:
            x, y, width, height = (max(int(side), 0) for side in box)
            GstVideo.buffer_add_video_region_of_interest_meta(buffer, 'person', x, y, width, height)
        self.source.emit('push-buffer', buffer)
        self.read_messages(0)

    def read_messages(self, timeout):
        kinds = Gst.MessageType.ELEMENT | Gst.MessageType.EOS | Gst.MessageType.ERROR
        while message := self.pipeline.get_bus().timed_pop_filtered(timeout, kinds):
            if message.type == Gst.MessageType.ERROR:
                self.pipeline.set_state(Gst.State.NULL)
                sys.exit(message.parse_error()[0].message)
            if message.type == Gst.MessageType.EOS:
                return
            fields = message.get_structure()
            if fields.get_name() == 'cltracker-state' and fields.get_value('state') != 'lost':
                self.pictures[fields.get_value('id')] += 1
            if fields.get_name() == 'trackzones-event' and fields.has_field('id'):
                print(f'{fields.get_value("stream-time") / Gst.SECOND:.2f} s: id {fields.get_value("id")}',
                      fields.get_value('event'), fields.get_value('zone'), fields.get_string('direction') or '')

    def end(self):
        self.source.emit('end-of-stream')
        self.read_messages(Gst.CLOCK_TIME_NONE)
        stats = self.zones.props.stats
        names = [stats.nth_field_name(number) for number in range(stats.n_fields())]
        for zone in (stats.get_value(name) for name in names if name.startswith('zone-')):
            print(zone.get_value('name') + ':', *(f'{name} {zone.get_value(name)}' for name in
                                                  ('entered', 'left', 'forward', 'backward')))
        self.pipeline.set_state(Gst.State.NULL)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('video')
    parser.add_argument('--every', type=int, default=10, help='pictures from one detection to the next')
    parser.add_argument('--first', type=int, default=0, help='only so many pictures')
    parser.add_argument('--alone', action='store_true', help='detections without tracking')
    parser.add_argument('--model', metavar='FILE.onnx', help="an SSD model, as this GStreamer's onnxinference wants it")
    parser.add_argument('--labels', metavar='FILE', help='names of its classes, one a line')
    parser.add_argument('--zones', default='', help='lines and areas in which people are counted')
    parser.add_argument('--output', help='video with boxes')
    options = parser.parse_args()
    if options.alone and options.model:
        parser.error('--alone has no pipeline, in which a model could be')
    Gst.init(None)
    video = cv2.VideoCapture(options.video)
    if not video.isOpened():
        sys.exit(f'cannot read {options.video}')
    size = [int(video.get(side)) for side in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)]
    size[0] -= size[0] % 4  # rows of whole words
    rate = max(1, round(video.get(cv2.CAP_PROP_FPS)))
    detect = None if options.model else cltrack.detector.people()
    alone = Alone()
    tracked = None if options.alone else Tracked(*size, rate, options)
    count = 0
    while options.first == 0 or count < options.first:
        read, picture = video.read()
        if not read:
            break
        boxes = detect(picture)['boxes'] if detect and count % options.every == 0 else None
        if tracked:
            tracked.see(picture[:, :size[0]], boxes)
        elif boxes is not None:
            alone.see(boxes)
        count += 1
    if tracked:
        tracked.end()
    pictures = (tracked or alone).pictures
    for name, number in sorted(pictures.items()):
        print(f'id {name}: {number} pictures')
    print(f'{len(pictures)} ids on {count} pictures, {sum(pictures.values())} boxes')


if __name__ == '__main__':
    main()
