#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""compare.py, on rows that nobody had to measure. TAP.

  compare_test.py SOURCE_FOLDER
"""
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(sys.argv[1], 'tests/support')))
from tap import Tap  # noqa: E402

SCRIPT = pathlib.Path(sys.argv[1], 'tests/accuracy/compare.py')
sys.path.insert(0, str(SCRIPT.parent))
import compare  # noqa: E402


def row(sequence, variant, auc, absent=None, seed=0, name='otb', tracker='tld'):
    return {'tracker': tracker, 'set': name, 'sequence': sequence, 'variant': variant, 'seed': seed, 'start': 'given', 'first_frame': 0,
            'auc': auc, 'f25': 1.0, 'tpr50': 0.5, 'p25_tracking': None, 'tracking_share': 0.5, 'absent_fp': absent}


BEFORE = [row('Car', 'given', 0.5, 0.25), row('Car', 'noise', 0.25, 0.5), row('Car', 'noise', 0.75, 0.5, seed=1),
          row('Ape', 'given', 0.0), row('Ape', 'noise', 0.2), row('panda', 'given', 0.6, name='tld')]
AFTER = [row('Car', 'given', 0.6, 0.25), row('Car', 'noise', 0.35, 0.5), row('Car', 'noise', 0.85, 0.5, seed=1),
         row('Ape', 'given', 0.2), row('Ape', 'noise', 0.1), row('panda', 'given', 0.6, name='tld')]


def write(path, rows):
    path.write_text('\n'.join(map(json.dumps, rows)) + '\n')
    return path


def run(*arguments):
    return subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True, check=False)


def check_figures(tap, check):
    check('each variant is the mean of its runs', compare.over_variants(BEFORE[:3], 'auc'), (0.5, 0.0, 0.5))
    check('more boxes on absent frames are worse', compare.over_variants(BEFORE[:3], 'absent_fp')[2], 0.5)
    check('what nobody measured', compare.over_variants(BEFORE[:3], 'p25_tracking'), (None, None, None))
    low, high = compare.bootstrap([0, 1] * 50)
    tap.check('an interval of means', abs(low - 0.4) < 0.02 and abs(high - 0.6) < 0.02, (low, high))
    check('is the same on every run', compare.bootstrap([0, 1] * 50), (low, high))
    check('and none of one value', compare.bootstrap([1]), None)


def check_tables(tap, check):
    lines = compare.worth_table(BEFORE)
    check('one file: means of mean, deviation and worst', lines[2], '| otb | AUC | 2 | .300 | .100 to .500 | .071 | .250 |')
    tap.check('a set without figures of a kind has no line of it', not any('P25' in line for line in lines), lines)
    tap.check('all sets come last', '| all | AUC | 3 | .400 | ' in lines[-5], lines)
    lines = compare.difference_table(BEFORE, AFTER)
    check('two files: the difference of each sequence', lines[2],
          '| otb | AUC | 2 | .300 | .375 | +.075 | +.050 to +.100 | .071, .035 | .250, .350 |')
    check('the sequences that have changed most', compare.change_table(BEFORE, AFTER)[2:],
          ['| otb/Car | +.100 | 3, 0 |', '| otb/Ape | +.050 | 1, 1 |'])


def check_program(tap, folder):
    failed = {'tracker': 'tld', 'sequence': 'Car', 'error': 'no frames'}
    before = write(folder / 'before.json', [*BEFORE, failed, row('Car', 'given', 0.9, tracker='template')])
    after = write(folder / 'after.json', [*AFTER[1:], row('Dog', 'given', 1.0), row('Dog', 'noise', 1.0)])
    answer = run(before)
    tap.check('runs that failed and other trackers do not count', '| otb | AUC | 2 | .300 |' in answer.stdout, answer.stdout + answer.stderr)
    answer = run(before, after)
    tap.check('what one file alone has does not count', '5 runs that both files have; runs that one alone has: 1, 2.' in answer.stdout and
              'Dog' not in answer.stdout, answer.stdout + answer.stderr)
    other = folder / 'other.json'
    other.write_text('{"a": 1}\n')
    for name, arguments, message in [('another JSON', [other], 'not what cltrack-evaluate --json writes'),
                                     ('no file', [folder / 'none'], 'not what'),
                                     ('another tracker', [before, '--tracker', 'cv-csrt'], 'no run of cv-csrt')]:
        answer = run(*arguments)
        tap.check(f'{name} is refused', answer.returncode == 1 and message in answer.stderr, answer.stderr)


def main():
    tap = Tap()

    def check(name, found, expected):
        tap.check(name, found == expected, f'{found}\nexpected {expected}')

    check_figures(tap, check)
    check_tables(tap, check)
    with tempfile.TemporaryDirectory() as folder:
        check_program(tap, pathlib.Path(folder))
    tap.done()


main()
