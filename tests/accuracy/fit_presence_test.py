#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""fit_presence.py, on lines that are right exactly as often as known weights say. TAP.

  fit_presence_test.py SOURCE_FOLDER
"""
import itertools
import math
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(sys.argv[1], 'tests/support')))
from tap import Tap, skip_all  # noqa: E402

sys.path.insert(0, str(pathlib.Path(sys.argv[1], 'tests/accuracy')))
try:
    import numpy as np
    import fit_presence
except ImportError as error:
    skip_all(f'FIT_PRESENCE.PY IS NOT TESTED: {error}')

SCRIPT = pathlib.Path(sys.argv[1], 'tests/accuracy/fit_presence.py')
THREE = math.log(3)
NAMES = ['constant', 'filter', 'support', 'appearance']
TODAY = [0.5, 0.2, -1, 1]  # of which appearance was set by hand
TRUE = [-THREE, 2 * THREE, THREE, 1]
FREE = 1e-7  # a penalty that decides nothing
HEADER = 'sequence,frame,place,x,y,width,height,overlap,constant,filter,support,appearance,presence'


def lines_of(sequence, place='here', weights=TRUE):
    """For each value of the terms, lines of which the share that the weights say is right."""
    for point in itertools.product([1], [0, 0.5, 1], [0, 1], [0, THREE]):
        odds = 3 ** round(sum(weight * value for weight, value in zip(weights, point)) / THREE)
        right, wrong = (int(odds), 1) if odds >= 1 else (1, round(1 / odds))
        for overlap in ['0.25', '0.9'] * (right // 2) + ['0.25'] * (right % 2) + ['0.24', ''] * (wrong // 2) + [''] * (wrong % 2):
            yield f'{sequence},0,{place},1,2,3,4,{overlap},' + ','.join(map(str, point)) + ',0.5'


def write(folder, files):
    folder.mkdir()
    rows = [f'{name},{weight},{source}' for name, weight, source in zip(NAMES, TODAY, ['fit', 'fit', 'fit', 'hand'])]
    (folder / 'weights.csv').write_text('\n'.join(['term,weight,source', *rows]) + '\n')
    for name, lines in files.items():
        (folder / name).write_text('\n'.join([HEADER, *lines]) + '\n')
    return folder


def run(*arguments):
    return subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True, check=False)


def near(found, expected):
    return np.allclose(found, expected, atol=2e-4)


def check_figures(tap):
    names = ['Jogging', 'Jogging.2', 'Venice-2-f0210', 'Venice-2-f0325.4', 'PETS09-S2L1-video', 'Car4']
    tap.check('what is of one video is one scene', [fit_presence.scene_of(name) for name in names] ==
              ['jogging', 'jogging', 'venice-2', 'venice-2', 'pets09-s2l1', 'car4'])
    right = np.array([True, False, True, False])
    tap.check('log loss', near(fit_presence.log_loss(right, np.array([0.5, 0.5, 0.8, 0.2])),
                               (2 * math.log(2) - 2 * math.log(0.8)) / 4))
    tap.check('of a sure mistake, log loss is finite', math.isfinite(fit_presence.log_loss(right, np.array([1., 1., 1., 0.]))))
    tap.check('calibration error', near(fit_presence.calibration_error(right, np.array([0.12, 0.18, 0.9, 1.0])),
                                        (2 * 0.35 + 2 * 0.45) / 4))
    tap.check('area under the ROC curve, with a draw',
              near(fit_presence.area_under_roc(right, np.array([0.9, 0.1, 0.5, 0.5])), 3.5 / 4))


def check_fit(tap, folder):
    names, today, by_hand = fit_presence.read_weights(folder)
    tap.check('the weights of today', names == NAMES and near(today, TODAY) and list(by_hand) == [False] * 3 + [True])
    lines = fit_presence.read_lines([folder], names)
    one = lines.scenes == 'a'
    values, right = lines.values[one], lines.right[one]
    tap.check('the weights that made the lines are found', near(fit_presence.fit(values, right, today, by_hand, FREE), TRUE))
    held = np.array([False, True, False, True])
    found = fit_presence.fit(values, right, today, held, FREE)
    tap.check('what is held stays, and others make up for it', near(found[held], today[held]) and found[2] > 0 and
              abs(found[0] - TRUE[0]) > 0.3, found)
    nothing = np.zeros((len(right), 1))
    found = fit_presence.fit(np.hstack([values, nothing]), right, np.append(today, 7), np.append(by_hand, False), FREE)
    tap.check('a term of which nothing is known stays as it is', near(found, TRUE + [7]), found)
    distances = [np.abs(fit_presence.fit(values, right, today, by_hand, penalty) - today).max() for penalty in (FREE, 0.1, 10)]
    tap.check('a penalty keeps weights near those of today', distances[0] > distances[1] > distances[2] > 0, distances)
    away = today + [0, 0, 0, 2]
    tap.check('what was set by hand is found, too, if it is free', near(
        fit_presence.fit(values, right, away, np.full(4, False), FREE), TRUE))
    _, folds = fit_presence.leave_scenes_out(lines, today, by_hand, FREE, np.ones(len(lines.right)))
    # Scenes in order: a, b, other; "other" was made by other weights.
    tap.check('two targets and spellings of a scene are left out together', list(np.unique(lines.scenes)) == ['a', 'b', 'other'])
    tap.check('the scene that is left out says nothing', near(folds[2], TRUE) and not near(folds[0], TRUE), folds)


def check_program(tap, folder, temporary):
    for name in ('single', 'single-b'):
        write(temporary / name, {'tld-0.csv': lines_of(name)})
    answer = run(folder)
    rows = [[cell.strip() for cell in line.split('|')[1:-1]] for line in answer.stdout.splitlines()]
    tap.check('a line for each term', [row[:3] for row in rows if row and row[0] in NAMES and row[2] == 'held'] ==
              [['appearance', '1.000', 'held']] and sum(row[:1] == [name] for row in rows for name in NAMES) == 4,
              answer.stdout + answer.stderr)
    tap.check('and what weights are worth, of here and elsewhere', [row[:2] for row in rows if len(row) == 5][2:] == [
        [kind, weights] for kind in ('all', 'here', 'elsewhere')
        for weights in ("today's", 'fitted', 'fitted, scenes left out')], answer.stdout)
    freed = run(folder, '--free', 'appearance', '--hold', 'filter', '--penalty', '1e-6').stdout
    tap.check('others are held or fitted on demand', '| filter | 0.200 | held | |' in freed and '| appearance | 1.000 | held' not in freed,
              freed)
    several = run(temporary / 'single', temporary / 'single-b')
    tap.check('several folders are one set of lines', '168 lines of 2 scenes' in several.stdout, several.stdout + several.stderr)
    other = write(temporary / 'other', {})
    (other / 'boxes.csv').write_text('sequence,frame\na,0\n')
    for name, arguments, message in [
            ('a folder without weights', [temporary / 'none'], 'weights.csv is not there'),
            ('a term that is not there', [folder, '--hold', 'shape'], 'no term shape; there are constant, filter'),
            ('no penalty', [folder, '--penalty', '0'], '--penalty 0.0: it must be more than 0'),
            ('a single scene', [temporary / 'single'], 'single scene'),
            ('no line', [write(temporary / 'empty', {'tld-a-0.csv': []})], 'are 0 lines'),
            ('another CSV', [other], "no column 'constant'")]:
        answer = run(*arguments)
        tap.check(f'{name} is refused', answer.returncode == 1 and message in answer.stderr, answer.stderr)


# The lines of other places with a network alone, with weights of their own.
def check_network(tap, folder):
    folder.mkdir()
    rows = [f'{name},{weight},fit,,{other},{weight}' for name, weight, other in zip(NAMES, TODAY, TRUE)]
    (folder / 'weights.csv').write_text('\n'.join(['term,weight,source,reason,other_weight,compared_weight', *rows]) + '\n')
    header = HEADER.replace(',presence', ',network_odds,presence')
    for name, lines, odds in (('a', lines_of('a', 'elsewhere'), 3), ('b', lines_of('b', 'elsewhere'), 3),
                              ('c', lines_of('c', 'elsewhere', [THREE, -2 * THREE, -THREE, 1]), 0),
                              ('d', lines_of('d', 'here', [THREE, -2 * THREE, -THREE, 1]), 3)):
        (folder / f'tld-{name}-0.csv').write_text('\n'.join(
            [header, *(line.rsplit(',', 1)[0] + f',{odds},0.5' for line in lines)]) + '\n')
    answer = run(folder, '--network', 'other')
    tap.check('lines of other places with a network', '2 scenes' in answer.stdout and '0 here' in answer.stdout,
              answer.stdout + answer.stderr)
    tap.check('their weights are those of today, and fit', f'| filter | {TRUE[1]:.3f} | {TRUE[1]:.3f} |' in answer.stdout,
              answer.stdout)
    tap.check('a line counts less where a scene has many', near(
        fit_presence.shares_of_scenes(np.array(['a'] * 4 + ['b'])), np.array([0.5] * 4 + [1]) / 0.6))
    single = run(folder, '--network', 'compared')
    tap.check('and of where motion has led', single.returncode == 1 and 'a single scene' in single.stderr, single.stderr)


def main():
    tap = Tap()
    check_figures(tap)
    with tempfile.TemporaryDirectory() as name:
        temporary = pathlib.Path(name)
        folder = write(temporary / 'terms', {
            'tld-A-0.csv': lines_of('A'), 'tld-a.2-0.csv': lines_of('a.2'), 'tld-b-0.csv': lines_of('b', 'elsewhere'),
            'tld-other-0.csv': lines_of('other', weights=[THREE, -2 * THREE, -THREE, 1])})
        check_fit(tap, folder)
        check_program(tap, folder, temporary)
        check_network(tap, temporary / 'network')
    tap.done()


main()
