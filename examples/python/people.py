#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A slow detector finds people on every tenth picture; the package cltrack keeps them in between, without GStreamer.

Usage: people.py VIDEO [--every N] [--first N]

The detector is OpenCV's for people. Prints a line for each person on each picture: picture, id, state, box. detect.py does
the same with elements of GStreamer. Needs python3-opencv, and python3-cltrack or PYTHONPATH=build/python.
"""
import argparse
import sys

import cltrack
import cv2

LEAST_SCORE = 0.5


def make_detector():
    hog = cv2.HOGDescriptor()
    hog.setSVMDetector(cv2.HOGDescriptor_getDefaultPeopleDetector())

    def find(picture):
        """Boxes in pixels, without the detector's margin."""
        boxes, scores = hog.detectMultiScale(picture, winStride=(8, 8), scale=1.05)
        return [(x + 0.15 * w, y + 0.05 * h, 0.7 * w, 0.9 * h)
                for (x, y, w, h), score in zip(boxes, scores) if score > LEAST_SCORE]

    return find


def pictures_of(path):
    """Pictures in BGR, and their times in seconds."""
    video = cv2.VideoCapture(path)
    if not video.isOpened():
        sys.exit(f'cannot read {path}')
    while True:
        read, picture = video.read()
        if not read:
            return
        yield picture, max(video.get(cv2.CAP_PROP_POS_MSEC), 0) / 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('video')
    parser.add_argument('--every', type=int, default=10, help='pictures from one detection to the next')
    parser.add_argument('--first', type=int, default=0, help='only so many pictures')
    options = parser.parse_args()
    detect = make_detector()
    tracker = cltrack.DetectionTracker()
    ids, count = set(), 0
    for picture, time in pictures_of(options.video):
        # Without boxes the detector has not run; with an empty list it has found nobody.
        boxes = detect(picture) if count % options.every == 0 else None
        for track in tracker.update(picture, boxes, labels='person', time=time):
            ids.add(track.id)
            if track.box:
                print(count, track.id, track.state, ','.join(f'{value:.0f}' for value in track.box))
        count += 1
        if count == options.first:
            break
    print(f'{len(ids)} ids on {count} pictures')


if __name__ == '__main__':
    main()
