#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Does every placement give the same answer?

Runs cltrack-evaluate on recorded sequences with every stage of TLD on the host, then with stages on
devices: each one alone, all of them, and mixed over two devices. Compares boxes and states of every
frame with the host's, bit by bit. Ends with 1 if anything that has to be equal is not, with 2 if it
could not be run. Needs Python alone, besides the built cltrack-evaluate and the data.

  tests/same_answer.py --evaluate build/tests/accuracy/cltrack-evaluate --data DATA --devices cpu,gpu
"""

import argparse
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / 'accuracy'))
from mot_scores import overlap  # noqa: E402

TLD = ['car', 'david', 'jumping', 'panda', 'pedestrian1', 'pedestrian2', 'pedestrian3']
# Six that differ from those and from each other.
OTB = [
    'Car4',          # a large rigid target; the light changes all at once, its scale all the time
    'Deer',          # 704x400: leaps of the target's own length, motion blur, others that look alike
    'Girl',          # 128x96: the smallest picture; turns away, another face in front of it
    'Jogging',       # out of sight behind a pole: lost and found again
    'MotorRolling',  # turns upside down: lost for good, so the detector runs alone
    'Skiing',        # the target is a few pixels large and deforms: near the smallest window
]
STAGES = ['motion', 'fern', 'nn', 'learn']  # as in --param STAGE_device=


class CannotRun(Exception):
    pass


def label_of(where):
    """{'motion': 'cpu', 'nn': 'cpu'} as "motion, nn on cpu"."""
    devices = list(dict.fromkeys(where.values()))
    return '; '.join(', '.join(stage for stage in where if where[stage] == device) + f' on {device}'
                     for device in devices)


def placements(devices, stages):
    """{stage: device} of all that is compared with the host; stages not named run there."""
    found = []
    for device in devices:
        found += [{stage: device} for stage in stages]
        found.append({stage: device for stage in stages})
    # Two places that take turns: whatever one stage leaves behind, the next one needs elsewhere.
    pairs = [(a, b) for i, a in enumerate(devices) for b in devices[i + 1:]]
    pairs = pairs or [(device, 'host') for device in devices]
    for a, b in pairs:
        for one, other in ((a, b), (b, a)):
            found.append({'motion': other, 'fern': one, 'nn': other, 'learn': one})
            found.append({'motion': 'host', 'fern': one, 'nn': other, 'learn': other})
    unique = []
    for where in found:
        where = {stage: where[stage] for stage in stages if where.get(stage, 'host') != 'host'}
        if where and where not in unique:
            unique.append(where)
    return unique


class Evaluator:
    def __init__(self, options, folders, sequences):
        self.options = options
        self.folders = folders
        self.sequences = sequences

    def command(self, arguments):
        command = [self.options.evaluate]
        for folder in self.folders:
            command += ['--data', str(folder)]
        return command + ['--sequences', ','.join(self.sequences)] + arguments

    def parameters(self):
        """What --param knows; asking for one that cannot be lists them."""
        answer = subprocess.run(self.command(['--param', 'which=0']), stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, check=False)
        names = re.search(r'there are: (.*)', answer.stdout)
        if not names:
            raise CannotRun(f'{self.options.evaluate} does not list its parameters: {answer.stdout}')
        return [name.strip() for name in names[1].split(',')]

    def run(self, where, boxes):
        """Tracks all sequences; returns the seconds it took."""
        arguments = ['--trackers', 'tld', '--seeds', str(self.options.seeds), '--boxes', str(boxes),
                     '--jobs', str(self.options.jobs), '--param', 'device=host',
                     '--max-frames', str(self.options.max_frames)]
        for stage, device in where.items():
            arguments += ['--param', f'{stage}_device={device}']
        begin = time.monotonic()
        done = subprocess.run(self.command(arguments), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            raise CannotRun(f'{" ".join(self.command(arguments))}\nended with {done.returncode}:\n'
                            f'{done.stderr[-2000:]}{done.stdout[-2000:]}')
        return time.monotonic() - begin


def read_track(path):
    """A row for each frame: [x, y, width, height, confidence, state] as written."""
    with open(path, newline='', encoding='utf-8') as file:
        rows = list(csv.reader(file))
    if len(rows) < 3:
        raise CannotRun(f'{path}: no frames')
    return [row[1:] for row in rows[1:]]


def iou(a, b):
    """Of two rows; 1 if neither has a box, 0 if one has."""
    if not a[0] or not b[0]:
        return 1.0 if a[0] == b[0] else 0.0
    return overlap([float(value) for value in a[:4]], [float(value) for value in b[:4]])


class Comparison:
    def __init__(self, a, b):
        self.frames = len(a)
        if len(a) != len(b):
            raise CannotRun(f'{len(a)} frames against {len(b)}')
        different = [i for i, (one, other) in enumerate(zip(a, b)) if one != other]
        self.first_difference = different[0] if different else None
        self.iou = sum(map(iou, a, b)) / len(a)
        self.states = sum(one[5] == other[5] for one, other in zip(a, b)) / len(a)

    @property
    def equal(self):
        return self.first_difference is None

    def __str__(self):
        if self.equal:
            return 'equal'
        return (f'differs from frame {self.first_difference} on: mean IoU {self.iou:.4f}, '
                f'{100 * self.states:.1f} % of the states equal')


def find_data(root, wanted_tld, wanted_otb):
    folders = []
    for name, wanted in (('tld', wanted_tld), ('otb', wanted_otb)):
        if not wanted:
            continue
        for sequence in wanted:
            if not (root / name / sequence).is_dir():
                raise CannotRun(f'{root / name / sequence}: no such sequence; --data names the folder '
                                'that holds tld/ and otb/, --sequences which of them to take')
            folders.append(root / name / sequence)
    return folders


def compare_all(options, host, boxes, names, where, reference):
    """Prints a line for each sequence; returns how many are wrong."""
    wrong = 0
    for name in names:
        for seed in range(options.seeds):
            file = f'tld-{name}-{seed}.csv'
            comparison = Comparison(read_track(host / file), read_track(boxes / file))
            # Motion may be told to differ by a hundredth of a pixel: on devices it is then judged
            # by what comes of it, and must still be the same on all of them.
            close = options.motion == 'close' and 'motion' in where
            good = comparison.equal
            note = str(comparison)
            if close and not good:
                good = comparison.iou >= options.min_iou and comparison.states >= options.min_states
                if reference is not None:
                    same = Comparison(read_track(reference / file), read_track(boxes / file))
                    note += '; as motion alone on a device: ' + ('equal' if same.equal else str(same))
                    good = good and same.equal
            wrong += not good
            label = name + (f' seed {seed}' if options.seeds > 1 else '')
            print(f'  {"ok   " if good else "WRONG"} {label:14} {comparison.frames:5} frames  {note}')
    return wrong


def run(options):
    wanted = options.sequences.split(',') if options.sequences else TLD + OTB
    unknown = [name for name in wanted if name not in TLD + OTB]
    if unknown:
        raise CannotRun(f'--sequences: no {", ".join(unknown)}; there are {", ".join(TLD + OTB)}')
    root = pathlib.Path(options.data)
    folders = find_data(root, [n for n in wanted if n in TLD], [n for n in wanted if n in OTB])
    evaluator = Evaluator(options, folders, wanted)
    known = evaluator.parameters()
    stages = [stage for stage in STAGES if f'{stage}_device' in known]
    for stage in set(STAGES) - set(stages):
        print(f'NOT COMPARED: {stage}: this build cannot place it on a device')
    devices = options.devices.split(',')

    wrong = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        host = folder / 'host'
        print(f'host: {evaluator.run({}, host):.0f} s', flush=True)
        names = sorted({re.fullmatch(r'tld-(.*)-\d+\.csv', path.name)[1] for path in host.iterdir()})
        missing = set(wanted) - set(names)
        if missing:
            raise CannotRun(f'no boxes of {", ".join(sorted(missing))}')
        reference = None
        for number, where in enumerate(placements(devices, stages)):
            boxes = folder / str(number)
            seconds = evaluator.run(where, boxes)
            print(f'{label_of(where)}: {seconds:.0f} s', flush=True)
            if list(where) == ['motion'] and reference is None:
                reference = boxes
            wrong += compare_all(options, host, boxes, names, where, reference)
            sys.stdout.flush()
    print(f'{wrong} wrong' if wrong else 'the same answer everywhere')
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n')[0],
                                     formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument('--evaluate', default='build/tests/accuracy/cltrack-evaluate')
    parser.add_argument('--data', default=os.environ.get('CLTRACK_DATA'),
                        help='folder that holds tld/ and otb/')
    parser.add_argument('--devices', default='cpu', help='device specs, separated by commas')
    parser.add_argument('--sequences', help='only these, by name, separated by commas')
    parser.add_argument('--max-frames', type=int, default=0, help='of each sequence; 0 for all')
    parser.add_argument('--seeds', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=os.cpu_count() or 1, help='runs at the same time')
    parser.add_argument('--motion', '--flow', choices=['equal', 'close'], default='equal',
                        help="whether motion on a device has to give the host's boxes, or similar ones")
    parser.add_argument('--min-iou', type=float, default=0.98, help='with --motion close')
    parser.add_argument('--min-states', type=float, default=1.0, help='with --motion close')
    options = parser.parse_args()
    try:
        if not options.data:
            raise CannotRun('where are the sequences? Give --data DIR, or set CLTRACK_DATA')
        return run(options)
    except (CannotRun, OSError) as error:
        print(f'same_answer: {error}', file=sys.stderr)
        return 2


if __name__ == '__main__':
    sys.exit(main())
