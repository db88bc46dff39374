#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A slow detector finds people on every tenth picture; the package cltrack keeps them in between, without GStreamer.

Usage: people.py VIDEO [--every N] [--first N] [--detector MODEL.onnx] [--zones ZONES]

The detector is OpenCV's for people, or a model of yours (docs/python.md). Prints a line for each person on each picture:
picture, id, state, box. With --zones it counts, too: "door: line 0.2,0.5 0.8,0.5" (docs/counting.md). detect.py does the same
with elements of GStreamer. Needs python3-opencv, and python3-cltrack or PYTHONPATH=build/python.
"""
import argparse
import itertools
import sys

import cltrack.detector
import cltrack.video


def follow(options):
    detect = cltrack.detector.Detector(options.detector) if options.detector else cltrack.detector.people()
    tracker, zones = cltrack.DetectionTracker(types=['person']), cltrack.Zones(options.zones)
    ids, number = set(), -1
    for number, (picture, time) in enumerate(itertools.islice(cltrack.video.frames(options.video), options.first)):
        # Without boxes the detector has not run; with an empty list it has found nobody.
        detections = detect(picture) if number % options.every == 0 else {}
        tracks = tracker.update(picture, time=time, **detections)
        for track in tracks:
            ids.add(track.id)
            if track.box:
                print(number, track.id, track.state, ','.join(f'{value:.0f}' for value in track.box))
        for event in zones.update(tracks, time, picture.shape[1::-1]):
            if event.id is not None:
                print(f'{event.time:.2f} s: id {event.id} {event.kind} {event.zone}', event.direction or '')
    for zone, total in zones.totals().items():
        print(zone + ':', *(f'{name} {total[name]}' for name in ('entered', 'left', 'forward', 'backward')))
    print(f'{len(ids)} ids on {number + 1} pictures')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('video')
    parser.add_argument('--every', type=int, default=10, help='pictures from one detection to the next')
    parser.add_argument('--first', type=int, help='only so many pictures')
    parser.add_argument('--detector', help='an ONNX file whose classes have names, "person" among them')
    parser.add_argument('--zones', default='', help='lines and areas in which people are counted')
    try:
        follow(parser.parse_args())
    except (OSError, ImportError, ValueError, cltrack.Error) as error:
        sys.exit(f'error: {error}')


if __name__ == '__main__':
    main()
