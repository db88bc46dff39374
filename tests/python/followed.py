# SPDX-License-Identifier: LGPL-2.1-or-later
"""Frames with a target that moves, and what the package says of it, for tests."""
import struct

import cltrack
import numpy

BOX = (40, 60, 48, 48)


def scene(count, width=320, height=240):
    """A red target that moves two pixels a frame, in BGR."""
    numbers = numpy.random.default_rng(1)
    background = numbers.integers(60, 120, (height // 4, width // 4, 1), dtype=numpy.uint8)
    background = background.repeat(4, axis=0).repeat(4, axis=1).repeat(3, axis=2)
    target = numpy.zeros((48, 48, 3), dtype=numpy.uint8)
    target[:, :, 2] = numbers.integers(180, 255, (12, 12), dtype=numpy.uint8).repeat(4, axis=0).repeat(4, axis=1)
    for i in range(count):
        frame = background.copy()
        frame[60:108, 40 + 2 * i:88 + 2 * i] = target
        yield frame


FRAMES = list(scene(30))


def bits(value):
    return f'{struct.unpack("<I", struct.pack("<f", value))[0]:08x}'


def line(frame, track):
    numbers = (track.confidence, *(track.box or (0, 0, 0, 0)))
    detection = -1 if track.detection is None else track.detection
    return ' '.join([str(frame), str(track.id), track.state, *(bits(number) for number in numbers), str(detection)])


def event_line(frame, event):
    return ' '.join(str(value) for value in (
        frame, event.zone, event.kind, round(event.time * 1e9), event.id or 0, int(event.direction == 'forward'),
        round((event.dwell or 0) * 1e9), event.inside))


def follow(frames, what, box, every=5, zones=''):
    """The lines that follow.cpp prints, by the package."""
    lines, counter = [], cltrack.Zones(zones)
    if what == 'detections':
        tracker = cltrack.DetectionTracker(device='host')
    else:
        tracker = cltrack.Tracker(what, device='host')
        tracker.add(box, label='object')
    for i, frame in enumerate(frames):
        if what != 'detections':
            tracks = tracker.update(frame, time=i * 0.04)
        elif i % every:
            tracks = tracker.update(frame, time=i * 0.04)
        else:
            tracks = tracker.update(frame, [(box[0] + 2 * i, *box[1:])], [0.75], 'person', time=i * 0.04)
        lines += [line(i, track) for track in tracks]
        lines += [event_line(i, event) for event in counter.update(tracks, i * 0.04, frame.shape[1::-1])]
    return lines


def refusal(call, kind, *parts):
    """Why `call` does not raise an error of that kind with these parts; empty if it does."""
    try:
        call()
    except kind as error:
        return '\n'.join(f'"{part}" is not in: {error}' for part in parts if part not in str(error))
    except Exception as error:  # pylint: disable=broad-except
        return f'{type(error).__name__} instead of {kind.__name__}: {error}'
    return 'nothing was raised'
