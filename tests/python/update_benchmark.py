#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What Tracker.update() of the package takes beside the library's own call, by turns on the same frames of 640x480 in BGR.

Usage: update_benchmark.py BUILD_DIR [--frames N]

The test python-copies builds what it needs. Prints, for each algorithm on the host, the median times of both calls and the median of their
ratios, frame by frame; the boxes are the same. The package may take 5 % more. With CLTRACK_DATA the frames are those of OTB's
David, enlarged, else made up. Exits with 1 if it takes more. Needs NumPy, and OpenCV for CLTRACK_DATA.
"""
import argparse
import os
import pathlib
import statistics
import sys
import time

MOST = 1.05  # times as long
FIRST = 20  # frames that do not count


def made_up_frames(count):
    import numpy

    numbers = numpy.random.default_rng(1)
    background = numbers.integers(60, 120, (120, 160, 3), dtype=numpy.uint8).repeat(4, axis=0).repeat(4, axis=1)
    target = numbers.integers(120, 255, (16, 16, 3), dtype=numpy.uint8).repeat(4, axis=0).repeat(4, axis=1)
    for i in range(count):
        frame, left = background.copy(), 40 + i % 250 * 2 if i % 500 < 250 else 540 - i % 250 * 2
        frame[200:264, left:left + 64] = target
        yield frame


def recorded_frames(count):
    import cv2

    folder = pathlib.Path(os.environ['CLTRACK_DATA'], 'otb', 'David')
    for path in sorted(folder.glob('img/*.jpg'))[:count]:
        yield cv2.resize(cv2.imread(str(path)), (640, 480))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--frames', type=int, default=300)
    options = parser.parse_args()
    sys.path[:0] = [str(options.build / 'python'), str(options.build / 'tests' / 'python')]
    import cltrack
    import direct

    is_recorded = pathlib.Path(os.environ.get('CLTRACK_DATA', '/nonexistent'), 'otb', 'David').is_dir()
    frames = list((recorded_frames if is_recorded else made_up_frames)(options.frames))
    box = (258, 160, 128, 156) if is_recorded else (40, 200, 64, 64)
    worst = 0
    for algorithm in 'tld', 'template':
        package = cltrack.Tracker(algorithm, device='host')
        package.add(box)
        library = direct.Tracker(algorithm, box)
        times = []

        def update(frame):
            start = time.perf_counter()
            track, = package.update(frame)
            return time.perf_counter() - start, list(track.box or (0, 0, 0, 0))

        for i, frame in enumerate(frames):
            calls = [update, library.update]
            results = [call(frame) for call in (calls if i % 2 else calls[::-1])]
            (ours, box_here), (theirs, box_there) = results if i % 2 else results[::-1]
            if box_here != box_there:
                sys.exit(f'frame {i}: {box_here} is not {box_there}')
            times.append((ours, theirs))
        times = times[FIRST:]
        ratio = statistics.median(ours / theirs for ours, theirs in times)
        worst = max(worst, ratio)
        medians = (1000 * statistics.median(column) for column in zip(*times))
        print(f'{algorithm}: {{:.3f}} ms in Python, {{:.3f}} ms in C++, ratio {ratio:.4f} ({len(times)} frames)'.format(*medians))
    sys.exit(worst > MOST)


if __name__ == '__main__':
    main()
