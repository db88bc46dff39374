# SPDX-License-Identifier: LGPL-2.1-or-later
"""Follows objects through a video and prints a line of JSON for each of them on each frame.

  python3 -m cltrack VIDEO X,Y,WIDTH,HEIGHT
  python3 -m cltrack VIDEO --detector MODEL.onnx [--every N]

The box is that of the object on the first frame, in pixels. A detector finds the objects itself, on every N-th frame; they
are followed on those in between. Reads the video with OpenCV (cv2) or PyAV (av), whichever is installed; a detector needs
OpenCV, and takes ONNX Runtime where that is installed.
"""
import argparse
import json
import os
import pathlib
import signal
import sys

import cltrack
from . import video

DISPLAYS = 'DISPLAY', 'WAYLAND_DISPLAY', 'QT_QPA_PLATFORM'


class Given:
    """The object of a box on the first frame."""

    def __init__(self, options):
        self.tracker = cltrack.Tracker(options.algorithm, device=options.device)
        self.tracker.add(options.box, label=options.label)

    def update(self, _, frame, time):
        return self.tracker.update(frame, time)


class Detected:
    """What a detector finds on every n-th frame."""

    def __init__(self, options):
        self.detect, self.every = detector_of(options), options.every
        self.tracker = cltrack.DetectionTracker(options.algorithm, device=options.device, types=options.types or [])

    def update(self, number, frame, time):
        # Without boxes the detector has not run.
        detections = {} if number % self.every else self.detect(frame)
        return self.tracker.update(frame, time=time, **detections)


def detector_of(options):
    from . import detector

    if options.detector == 'people':
        return detector.people()
    labels = None
    if options.labels:
        labels = pathlib.Path(options.labels).read_text(encoding='utf-8').splitlines()
    return detector.Detector(options.detector, labels, options.least_score, **{
        name: getattr(options, name) for name in ('size', 'layout', 'resize', 'channels', 'mean', 'scale')})


def numbers_of(count, names, kind=float):
    """A reader of options that are so many numbers with commas between them."""
    def read(text):
        try:
            numbers = [kind(number) for number in text.split(',')]
        except ValueError:
            numbers = []
        if len(numbers) not in count:
            raise argparse.ArgumentTypeError(f'"{text}" is not {names}')
        return numbers if len(numbers) > 1 else numbers[0]
    return read


def frames_from_one(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f'it is "{text}"; allowed: whole numbers from 1')
    return int(text)


def parse():
    parser = argparse.ArgumentParser(prog='python3 -m cltrack', description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('video')
    parser.add_argument('box', nargs='?', type=numbers_of([4], 'X,Y,WIDTH,HEIGHT'), help='X,Y,WIDTH,HEIGHT on the first frame')
    parser.add_argument('--algorithm', choices=['tld', 'template', 'color'], default='tld')
    parser.add_argument('--device', default='auto', help='"auto", "host", "gpu", or a device; default: auto')
    parser.add_argument('--label', default='object', help='of the object in the box')
    parser.add_argument('--frames', type=frames_from_one, help='ends after so many')
    parser.add_argument('--show', action='store_true', help='in a window, too (OpenCV)')
    found = parser.add_argument_group('detector')
    found.add_argument('--detector', metavar='MODEL.onnx', help='YOLO or SSD; or "people", which OpenCV has itself')
    found.add_argument('--every', type=frames_from_one, default=5, metavar='N', help='it runs on every N-th frame; default: 5')
    found.add_argument('--labels', metavar='FILE', help='a line for each class; default: what the model says, or numbers')
    found.add_argument('--types', type=lambda text: text.split(','), metavar='LABEL,...', help='these alone are followed')
    found.add_argument('--least-score', type=float, default=0.25, metavar='SCORE', help='0 to 1; default: 0.25')
    model = parser.add_argument_group('what the model wants, where it differs from what is usual (docs/python.md)')
    model.add_argument('--size', type=numbers_of([2], 'WIDTH,HEIGHT', int), metavar='WIDTH,HEIGHT', help='of its input')
    model.add_argument('--layout', help='of its outputs: yolov5, yolov8, end-to-end, ssd, boxes-labels-scores')
    model.add_argument('--resize', help='letterbox or stretch')
    model.add_argument('--channels', help='rgb or bgr')
    three = {'type': numbers_of([1, 3], 'a number, or three'), 'metavar': 'NUMBER[,...]'}
    model.add_argument('--mean', help='subtracted from pixels of 0 to 255', **three)
    model.add_argument('--scale', help='by which they are multiplied then', **three)
    options = parser.parse_args()
    if (options.box is None) == (options.detector is None):
        parser.error('give either X,Y,WIDTH,HEIGHT or --detector')
    return options


def line_of(number, time, track):
    return json.dumps({
        'frame': number,
        'time': time,
        'id': track.id,
        'label': track.label,
        'state': track.state,
        'confidence': round(track.confidence, 4),
        'box': track.box and [round(value, 3) for value in track.box],
        'reason': track.reason,
        'detection': track.detection,
    })


def show(frame, tracks):
    """False once the window is closed, or a key is pressed."""
    import cv2

    picture = frame.copy()
    for track in tracks:
        if track.box:
            x, y, width, height = (round(value) for value in track.box)
            color = (0, 200, 0) if track.state == 'tracking' else (0, 200, 255)
            cv2.rectangle(picture, (x, y), (x + width, y + height), color, 2)
            cv2.putText(picture, f'{track.id} {track.label}', (x, y - 4), cv2.FONT_HERSHEY_SIMPLEX, 0.5, color)
    try:
        cv2.imshow('cltrack', picture)
        return cv2.waitKey(1) < 0
    except cv2.error as error:
        raise OSError('--show: this OpenCV has no windows (pip install opencv-python, without "headless")') from error


def main():
    options = parse()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        # Qt, under OpenCV, would end the process.
        if options.show and sys.platform == 'linux' and not any(map(os.environ.get, DISPLAYS)):
            raise OSError(f'--show: there is no display; none of {", ".join(DISPLAYS)} is set')
        source = Given(options) if options.box else Detected(options)
        number = -1
        for number, (frame, time) in enumerate(video.frames(options.video)):
            tracks = source.update(number, frame, time)
            for track in tracks:
                print(line_of(number, time, track), flush=True)
            for warning in source.tracker.take_warnings():
                print(warning, file=sys.stderr)
            if options.show and not show(frame, tracks) or number + 1 == options.frames:
                break
        if number < 0:
            raise OSError(f'{options.video}: it has no frames')
    except (OSError, ImportError, ValueError, cltrack.Error) as error:
        sys.exit(f'error: {error}')
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == '__main__':
    main()
