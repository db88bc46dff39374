#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Frames are looked at where they are: which bytes the library is shown, and how many blocks as large as a frame update() asks for.

Usage: copies_test.py SOURCE_DIR PACKAGE_DIR DIRECT_DIR

DIRECT_DIR has the module direct (tests/python/direct.cpp); large_allocations.cpp has to be preloaded. Needs NumPy.
"""
import ctypes
import pathlib
import sys

SOURCE, PACKAGE, DIRECT = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
sys.path[:0] = [str(SOURCE / 'tests' / 'support'), str(PACKAGE), str(DIRECT)]
from tap import Tap, skip_all  # noqa: E402

try:
    import numpy
except ImportError:
    skip_all('no NumPy')
import cltrack  # noqa: E402
import direct  # noqa: E402

WIDTH, HEIGHT = 640, 480
BYTES = 3 * WIDTH * HEIGHT


def frames(count):
    background = numpy.random.default_rng(1).integers(0, 255, (HEIGHT // 4, WIDTH // 4, 3), dtype=numpy.uint8)
    background = background.repeat(4, axis=0).repeat(4, axis=1)
    for i in range(count):
        yield numpy.ascontiguousarray(numpy.roll(background, 2 * i, axis=1))


def check_addresses(tap):
    whole = numpy.zeros((HEIGHT, WIDTH, 4), numpy.uint8)
    bgr = next(frames(1))
    planes = numpy.zeros((3, HEIGHT, WIDTH), numpy.uint8).transpose(1, 2, 0)
    for name, array in ('BGR', bgr), ('BGRA', whole), ('a part of BGRA', whole[7:-9, 5:-3, :3]), ('planes', planes), (
            'every second pixel', bgr[::2, ::2]), ('by columns', numpy.asfortranarray(bgr)):
        channels = [array[0, 0, i:].ctypes.data for i in (2, 1, 0)]
        tap.check(f'{name}: the library is shown the array itself', direct.addresses(array) == channels,
                  f'{direct.addresses(array)}, not {channels}')
        tap.check(f'{name}: in RGB as well', direct.addresses(array, 'rgb') == channels[::-1])
    grey = bgr[:, :, 1]
    tap.check('grey: the library is shown the array itself', direct.addresses(grey) == [grey.ctypes.data])


def check_allocations(tap):
    memory = ctypes.CDLL(None)
    try:
        memory.counted.restype = ctypes.c_size_t
        memory.count_from.argtypes = [ctypes.c_size_t]
    except AttributeError:
        tap.skip('allocations', 'nothing is preloaded that counts them')
        return
    several = list(frames(20))

    def count(update):
        for frame in several[:10]:  # what is made once for frames of this size
            update(frame)
        memory.count_from(BYTES)
        for frame in several[10:]:
            update(frame)
        return memory.counted()

    for algorithm in 'tld', 'template', 'color':
        tracker = cltrack.Tracker(algorithm, device='host')
        tracker.add((200, 200, 64, 64))
        number = count(tracker.update)
        tap.check(f'{algorithm}: ten frames, no block as large as one', number == 0, number)
    detections = cltrack.DetectionTracker(device='host')
    number = count(lambda frame: detections.update(frame, [(200, 200, 64, 64)]))
    tap.check('detections: ten frames, no block as large as one', number == 0, number)
    tracker = cltrack.Tracker('template', device='host')
    tracker.add((200, 200, 64, 64))
    number = count(lambda frame: tracker.update(frame.copy()))
    tap.check('ten copies of frames are counted', number == 10, number)


def main():
    tap = Tap()
    check_addresses(tap)
    check_allocations(tap)
    tap.done()


main()
