#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Trackers of the Python package on several threads: their boxes, and that all of them are in the library at the same time.

Usage: threads_test.py SOURCE_DIR PACKAGE_DIR

Also runs where the package is built with ThreadSanitizer, whose library is preloaded then. Needs NumPy.
"""
import pathlib
import sys
import threading

SOURCE, PACKAGE = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
sys.path[:0] = [str(SOURCE / 'tests' / 'support'), str(PACKAGE)]
from tap import Tap, skip_all  # noqa: E402

try:
    import numpy  # noqa: F401 pylint: disable=unused-import
except ImportError:
    skip_all('no NumPy')
import cltrack  # noqa: E402
from followed import BOX, FRAMES, follow  # noqa: E402

THREADS = 4
ROUNDS = 2000  # updates of a thread until it gives up


def run(work, count):
    """`work`, with the number of the thread, on so many threads."""
    threads = [threading.Thread(target=work, args=[i]) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def check_boxes(tap):
    wanted = follow(FRAMES[:10], 'tld', BOX)
    results = [None] * THREADS

    def work(i):
        results[i] = follow(FRAMES[:10], 'tld', BOX)

    run(work, THREADS)
    tap.check(f'trackers on {THREADS} threads have the same boxes', results == [wanted] * THREADS)


def check_one_tracker(tap):
    tracker = cltrack.Tracker(device='host')
    tracker.add(BOX)

    def work(i):
        for frame in FRAMES[:10]:
            tracker.update(frame)
            # What any thread may do while another one is in update().
            tracker.remove(tracker.add(BOX, label=str(i)))
            tracker.move(1, BOX)
            tracker.stats()

    run(work, 3)
    tap.check('one tracker on three threads takes one frame at a time', tracker.stats()['frames'] == 30, tracker.stats())


def check_at_a_time(tap):
    """Nobody takes the interpreter away from a thread that does not give it: what is counted is exact."""
    makers = {
        'trackers': lambda: cltrack.Tracker(device='host'),
        'trackers of detections': lambda: cltrack.DetectionTracker(device='host'),
        'trackers by colour': lambda: cltrack.Tracker('color', device='host'),
    }
    for name, make in makers.items():
        trackers = [make() for _ in range(THREADS)]
        for tracker in trackers:
            if isinstance(tracker, cltrack.Tracker):
                tracker.add(BOX)
            else:
                tracker.update(FRAMES[0], [BOX])
        inside, most = 0, 0

        def work(i):
            nonlocal inside, most
            for _ in range(ROUNDS):
                inside += 1
                most = max(most, inside)
                trackers[i].update(FRAMES[0])
                inside -= 1
                if most == THREADS:
                    break

        usual = sys.getswitchinterval()
        sys.setswitchinterval(1e6)
        run(work, THREADS)
        sys.setswitchinterval(usual)
        tap.check(f'{THREADS} {name} are in update() at the same time', most == THREADS, f'at most {most}')


def main():
    tap = Tap()
    check_boxes(tap)
    check_one_tracker(tap)
    check_at_a_time(tap)
    tap.done()


main()
