#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A slow detector finds people on every tenth picture; the package cltrack keeps them in between, without GStreamer.

Usage: people.py VIDEO [--every N] [--first N] [--detector MODEL.onnx]

The detector is OpenCV's for people, or a model of yours (docs/python.md). Prints a line for each person on each picture:
picture, id, state, box. detect.py does the same with elements of GStreamer. Needs python3-opencv, and python3-cltrack or
PYTHONPATH=build/python.
"""
import argparse
import itertools
import sys

import cltrack.detector
import cltrack.video


def follow(options):
    detect = cltrack.detector.Detector(options.detector) if options.detector else cltrack.detector.people()
    tracker = cltrack.DetectionTracker(types=['person'])
    ids, count = set(), 0
    for count, (picture, time) in enumerate(itertools.islice(cltrack.video.frames(options.video), options.first), 1):
        # Without boxes the detector has not run; with an empty list it has found nobody.
        detections = detect(picture) if count % options.every == 1 % options.every else {}
        for track in tracker.update(picture, time=time, **detections):
            ids.add(track.id)
            if track.box:
                print(count, track.id, track.state, ','.join(f'{value:.0f}' for value in track.box))
    print(f'{len(ids)} ids on {count} pictures')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('video')
    parser.add_argument('--every', type=int, default=10, help='pictures from one detection to the next')
    parser.add_argument('--first', type=int, help='only so many pictures')
    parser.add_argument('--detector', help='an ONNX file whose classes have names, "person" among them')
    try:
        follow(parser.parse_args())
    except (OSError, ValueError) as error:
        sys.exit(f'error: {error}')


if __name__ == '__main__':
    main()
