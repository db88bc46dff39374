#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Random calls of the Python package: each works, or raises an exception that says what is allowed.

Usage: hostile_test.py SOURCE_DIR PACKAGE_DIR [CALLS [SEED]]

Also runs where the package is built with AddressSanitizer, whose library is preloaded then. Needs NumPy.
"""
import collections
import pathlib
import random
import re
import sys
import warnings

SOURCE, PACKAGE = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
CALLS, SEED = [int(argument) for argument in sys.argv[3:]] + [10000, 5][len(sys.argv) - 3:]
sys.path[:0] = [str(SOURCE / 'tests' / 'support'), str(PACKAGE)]
from tap import Tap, skip_all  # noqa: E402

try:
    import numpy
except ImportError:
    skip_all('no NumPy')
import cltrack  # noqa: E402
import cltrack.opencv  # noqa: E402
from followed import BOX, FRAMES, follow  # noqa: E402

NAN, INF = float('nan'), float('inf')
DTYPES = ['u1', 'i1', 'u2', '>i4', 'f2', 'f4', 'f8', 'c8', '?', 'O', 'S3', 'U2', 'M8[s]', [('r', 'u1'), ('g', 'u1')]]
SIDES = [0, 1, 2, 3, 7, 8, 9, 16, 33, 64, 100, 239, 240, 320]
CHANNELS = [0, 1, 2, 3, 3, 3, 4, 4, 5]
# How exceptions say what is allowed, or what there is not.
ALLOWED = re.compile(r'allowed|must be|at least|are supported|need boxes|of \d+ boxes|is (already|in use)|no target|has not been called|'
                     r'not a (saved )?model|learnt|cannot|no colou?r|there is no|is not|it has( no)?|; write|TLD has')


class Values:
    """What callers may pass, good and bad."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.pixels = numpy.random.default_rng(seed).integers(0, 255, (320, 320, 5), dtype=numpy.uint8)

    def one_of(self, *makers):
        return self.random.choice(makers)()

    def shape(self):
        return [self.random.choice(SIDES), self.random.choice(SIDES), self.random.choice(CHANNELS)][:self.random.choice([2, 3, 3, 3])]

    def good_frame(self):
        return self.random.choice(FRAMES)

    def strided_frame(self):
        """A part of something larger: steps of any sign, channels in any order, axes repeated or exchanged."""
        def part(most):
            step = self.random.choice([1, 1, 1, 2, 3, -1, -2])
            ends = sorted(self.random.sample(range(most + 1), 2))
            return slice(ends[0], ends[1], step) if step > 0 else slice(ends[1] - 1, ends[0] - 1 if ends[0] else None, step)

        frame = self.pixels[part(320), part(320), part(5)]
        if self.random.random() < 0.2:
            frame = frame.transpose(self.random.sample(range(3), 3))
        if self.random.random() < 0.2:
            axis = self.random.randrange(3)
            frame = numpy.broadcast_to(frame.take([0] if frame.shape[axis] else [], axis=axis), [
                320 if i == axis and frame.shape[axis] else side for i, side in enumerate(frame.shape)])
        if self.random.random() < 0.2:
            frame = frame[:, :, 0] if frame.shape[2] else frame.reshape(-1)
        frame.flags.writeable = False
        return frame

    def other_frame(self):
        """Of any type and shape."""
        shape = self.shape() if self.random.random() < 0.8 else self.random.choice([(), (5,), (1, 9, 9, 3), (0, 0, 0, 0)])
        return numpy.zeros(shape, self.random.choice(DTYPES))

    def wide_frame(self):
        if self.random.random() < 0.5:
            return numpy.zeros([self.random.choice([1, 8]), 65536, 3], numpy.uint8)
        return numpy.broadcast_to(numpy.zeros(1, numpy.uint8), self.random.choices([1, 8, 32768, 65536], k=2))

    def no_frame(self):
        return self.random.choice([None, 0, 'frame', b'bytes', [[1, 2], [3, 4]], object(), FRAMES[0].tobytes(), memoryview(FRAMES[0])])

    def frame(self):
        return self.one_of(self.good_frame, self.strided_frame, self.strided_frame, self.strided_frame, self.other_frame,
                           self.wide_frame, self.no_frame)

    def number(self):
        return self.random.choice([0, 1, 2, 8, 39.5, 60, 240, 320, -1, -30, 1e9, -1e9, 1e30, 1e39, 2**31, 2**63, 2**70, NAN, INF, -INF, 1e-30])

    def box(self):
        return self.one_of(lambda: BOX, lambda: BOX, lambda: [self.random.randrange(-20, 300) for _ in range(4)],
                           lambda: [self.number() for _ in range(self.random.choice([4, 4, 4, 0, 3, 5]))],
                           lambda: numpy.array([self.number() for _ in range(4)], self.random.choice(['f4', 'f8', 'O'])),
                           lambda: self.random.choice([None, 'box', '1234', [BOX], {}, [None] * 4, ['a'] * 4, 5, BOX * 2]))

    def boxes(self):
        return self.one_of(lambda: [BOX], lambda: [], lambda: None,
                           lambda: [self.box() for _ in range(self.random.randrange(4))],
                           lambda: numpy.array([[self.number() for _ in range(4)] for _ in range(3)], 'f8'),
                           lambda: numpy.zeros(self.shape(), self.random.choice(DTYPES)), self.box)

    def scores(self):
        return self.random.choice([None, None, None, [], [0.9], [0.9, 0.1, 1], [2], [-1], [NAN], [INF], 0.5, 'x', [[1]], numpy.ones(3),
                                   numpy.ones(1, 'c8')])

    def labels(self):
        return self.random.choice([None, None, None, 'ball', '', 'x' * 100000, '\0', '\ud800', ['ball'], ['a', 'b', 'c'], [1], [None], 7, {'a'},
                                   b'x'])

    def time(self):
        return self.random.choice([None, None, 0, 0.04, 1, 1e6, 1e9, -1, 1e10, 1e300, NAN, INF, 10**400, 'now', True])

    def id(self):
        return self.random.choice([None, 0, 1, 2, 3, 7, 2**63, 2**64 - 1, 2**64, -1, 1.5, 'x'])

    def text(self):
        return self.random.choice(['', '{}', '[]', '{"zones": []}', 'door: line 0.2,0.5 0.8,0.5', 'a: area 0,0 1,0 1,1; b: line 0,0 1,1',
                                   'a: area 0,0', 'x' * 70000, '{"totals": []}', '\0', 'ä' * 50, 'a: line ' + 'ä' * 50, '{' * 5000, 'door: line nan,inf 1,1', None, 3])

    def polygons(self):
        return self.random.choice([None, [], [[]], [[(0, 0), (1, 0), (1, 1)]], [[(NAN, 0), (INF, 0), (1, 1)]], [[(0, 0)] * 2000], 'x', [5],
                                   numpy.zeros((2, 3, 2)), [[(0, 0, 0)] * 3], [BOX]])

    def tracks(self):
        return self.one_of(lambda: [], lambda: None, lambda: [1], lambda: 5, lambda: [cltrack.Track(1, BOX), cltrack.Track(1)],
                           lambda: [cltrack.Track(i, (NAN, INF, -1, 1e39)) for i in (0, 1, 2**64 - 1)])

    def parameter(self):
        name = self.random.choice(['threads', 'motion', 'learning', 'seed', 'network', 'max_windows', 'device', 'channels', 'nothing', 'search',
                                   'similarity', 'hits', 'use', 'timeout', 'types', 'least_confidence', 'region'])
        return name, self.random.choice([None, 0, 1, -1, 2**70, 1.5, NAN, '', 'host', 'gpu', b'x', 'bgr', True, [], ['ball'], {}, {'motion': 'host'},
                                         {1: 2}, 'start', object()])


class Caller:
    """Trackers, zones, and one random call after the other."""

    def __init__(self, values):
        self.values = values
        self.renew()

    def renew(self):
        self.trackers = [cltrack.Tracker(algorithm, device='host') for algorithm in ('tld', 'template', 'color')]
        self.detections, self.zones = cltrack.DetectionTracker(device='host'), cltrack.Zones('a: area 0,0 1,0 1,1')
        self.opencv = cltrack.opencv.Tracker(device='host')

    def call(self):
        values, chance = self.values, self.values.random.random()
        tracker = values.random.choice(self.trackers)
        if chance < 0.3:
            return tracker.update(values.frame(), values.time(), values.random.choice([False, False, True]))
        if chance < 0.5:
            return self.detections.update(values.frame(), values.boxes(), values.scores(), values.labels(), values.time())
        if chance < 0.6:
            self.opencv.init(values.frame(), values.box())
            return self.opencv.update(values.frame())
        return values.random.choice([
            lambda: tracker.add(values.one_of(values.box, values.box, values.frame), values.labels(), values.id()),
            lambda: tracker.move(values.id(), values.box()),
            lambda: tracker.remove(values.id()),
            tracker.clear, tracker.reset, tracker.stats, tracker.take_warnings, self.detections.reset, self.renew,
            lambda: tracker.save(values.id()),
            lambda: tracker.set_learning(values.random.choice([True, False])),
            lambda: tracker.set_region(values.polygons(), values.polygons()),
            lambda: cltrack.Model.parse(values.text()),
            lambda: cltrack.Tracker(values.random.choice(['tld', 'template', 'color', 'kcf']), **{'device': 'host', **dict([values.parameter()])}),
            lambda: cltrack.DetectionTracker(**{'device': 'host', **dict([values.parameter(), values.parameter()])}),
            lambda: cltrack.Track(values.id(), values.box(), values.labels(), values.random.choice(['tracking', 'lost', None]), values.number()),
            lambda: cltrack.Zones(values.text(), margin=values.number(), lost_time=values.number(), confirm_frames=values.number()),
            lambda: self.zones.set_zones(values.text()),
            lambda: self.zones.restore(values.text()),
            lambda: self.zones.update(values.tracks(), values.time(), values.random.choice([(320, 240), (0, 0), (-1, 2**31), None, (1, 2, 3)])),
            lambda: self.zones.remove(values.id(), values.labels()),
        ])()


def main():
    tap = Tap()
    warnings.simplefilter('ignore')  # NumPy's
    caller, kinds, silent = Caller(Values(SEED)), collections.Counter(), collections.Counter()
    for _ in range(CALLS):
        try:
            caller.call()
            kinds['works'] += 1
        except (TypeError, ValueError, cltrack.Error) as error:
            kinds[type(error).__name__] += 1
            if not ALLOWED.search(str(error)):
                silent[str(error)[:200]] += 1
    tap.check(f'{CALLS} calls work, or raise TypeError, ValueError or Error', all(
        kinds[kind] > CALLS // 100 for kind in ('works', 'TypeError', 'ValueError', 'Error')), kinds)
    print(dict(kinds), file=sys.stderr)
    tap.check('each exception says what is allowed', not silent, '\n'.join(f'{number}: {text}' for text, number in silent.most_common(40)))
    lines = follow(FRAMES[:8], 'tld', BOX)
    tap.check('and tracking works as before', [text.split()[2] for text in lines] == ['tracking'] * 8, lines)
    tap.done()


main()
