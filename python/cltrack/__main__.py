# SPDX-License-Identifier: LGPL-2.1-or-later
"""Follows one object through a video and prints a line of JSON for each frame.

  python3 -m cltrack VIDEO X,Y,WIDTH,HEIGHT

The box is that of the object on the first frame, in pixels. Reads the video with OpenCV (cv2) or PyAV (av), whichever is
installed.
"""
import argparse
import json
import signal
import sys

import cltrack


def frames_of_opencv(path):
    """Pictures in BGR, and their times in seconds."""
    import cv2

    video = cv2.VideoCapture(path)
    if not video.isOpened():
        raise OSError(f'{path}: OpenCV cannot read it as a video')
    while True:
        good, frame = video.read()
        if not good:
            return
        yield frame, max(video.get(cv2.CAP_PROP_POS_MSEC), 0) / 1000


def frames_of_pyav(path):
    import av

    with av.open(path) as video:
        for frame in video.decode(video=0):
            yield frame.to_ndarray(format='bgr24'), frame.time


def frames_of(path):
    for module, frames in ('cv2', frames_of_opencv), ('av', frames_of_pyav):
        try:
            __import__(module)
        except ImportError:
            continue
        return frames(path)
    raise OSError('neither OpenCV nor PyAV is installed: pip install opencv-python, or apt install python3-opencv')


def box_of(text):
    try:
        box = [float(number) for number in text.split(',')]
    except ValueError:
        box = []
    if len(box) != 4:
        raise argparse.ArgumentTypeError(f'"{text}" is not X,Y,WIDTH,HEIGHT')
    return box


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
    })


def show(frame, track):
    """False once the window is closed, or a key is pressed."""
    import cv2

    picture = frame.copy()
    if track.box:
        x, y, width, height = (round(value) for value in track.box)
        color = (0, 200, 0) if track.state == 'tracking' else (0, 200, 255)
        cv2.rectangle(picture, (x, y), (x + width, y + height), color, 2)
    cv2.imshow('cltrack', picture)
    return cv2.waitKey(1) < 0


def main():
    parser = argparse.ArgumentParser(prog='python3 -m cltrack', description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('video')
    parser.add_argument('box', type=box_of, help='X,Y,WIDTH,HEIGHT on the first frame')
    parser.add_argument('--algorithm', choices=['tld', 'template', 'color'], default='tld')
    parser.add_argument('--device', default='auto', help='"auto", "host", "gpu", or a device; default: auto')
    parser.add_argument('--label', default='object')
    parser.add_argument('--frames', type=int, help='ends after so many')
    parser.add_argument('--show', action='store_true', help='in a window, too (OpenCV)')
    options = parser.parse_args()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        tracker = cltrack.Tracker(options.algorithm, device=options.device)
        tracker.add(options.box, label=options.label)
        number = -1
        for number, (frame, time) in enumerate(frames_of(options.video)):
            track, = tracker.update(frame, time)
            print(line_of(number, time, track), flush=True)
            for warning in tracker.take_warnings():
                print(warning, file=sys.stderr)
            if options.show and not show(frame, track) or number + 1 == options.frames:
                break
        if number < 0:
            raise OSError(f'{options.video}: it has no frames')
    except (OSError, cltrack.Error) as error:
        sys.exit(f'error: {error}')
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == '__main__':
    main()
