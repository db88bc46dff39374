#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""losses.py, on runs of which it is known where their frames go. TAP.

  losses_test.py SOURCE_FOLDER
"""
import math
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(sys.argv[1], 'tests/support')))
from tap import Tap  # noqa: E402

SCRIPT = pathlib.Path(sys.argv[1], 'tests/accuracy/losses.py')
sys.path.insert(0, str(SCRIPT.parent))
import losses  # noqa: E402
from losses import Frame, Looked, Run  # noqa: E402

RIGHT, OFF = Frame(True, 0.9, 'tracking', ''), Frame(True, 0.3, 'uncertain', '')
ABSENT = Frame(False, 0, 'lost', 'filter')
GOOD = {None: -2, 'filter': 3.0, 'appearance': 1.0}


def lost(reason):
    return Frame(True, 0, 'lost', reason)


def looked(place='here', overlap=0.9, presence=0.9, **odds):
    return Looked(place, overlap, presence, {**GOOD, **odds})


def run_of(frames, places=None):
    places = places or {}
    return Run('otb', frames, [places.get(i, []) for i in range(len(frames))])


def check_spells(check):
    def kinds(*frames):
        return [losses.kind_of_spell(run, first, end) for run in [run_of(frames)] for first, end in losses.spells(run)]

    check('a loss of a right box', kinds(RIGHT, *[lost('colors')] * 5, RIGHT), ['lost while right: colors'])
    check('a drift', kinds(RIGHT, *[OFF] * 5, RIGHT), ['drifted, never lost'])
    check('a drift, then a loss', kinds(RIGHT, OFF, *[lost('filter')] * 4), ['drifted, then lost: filter'])
    check('a few frames', kinds(RIGHT, *[lost('filter')] * 4, RIGHT), ['shorter than five frames'])
    check('a target that comes back', kinds(RIGHT, ABSENT, *[lost('filter')] * 5), ['out of sight before'])
    check('frames without the target end a spell', kinds(RIGHT, *[OFF] * 5, ABSENT, OFF), ['drifted, never lost', 'shorter than five frames'])
    counts, frames = losses.spell_counts(run_of([RIGHT, *[OFF] * 5, RIGHT, *[OFF] * 6]))
    check('spells and frames are counted', (counts['drifted, never lost'], frames['drifted, never lost'], frames['right']), (2, 11, 2))


def check_losses(check):
    def found(*places):
        run = run_of([RIGHT, RIGHT, lost('filter')], {0: [looked()], 1: [looked()], 2: list(places)})
        return [dict(loss.found) for loss in losses.losses(run)]

    check('motion at the target, by what has fallen most', found(looked(presence=0.2, filter=0.5, appearance=0.5)), [{('motion', 'filter'): 1}])
    check('the most probable place', found(looked(presence=0.1), looked('elsewhere', presence=0.3, appearance=-4.0)),
          [{('place', 'appearance'): 1}])
    check('presence that was taken away', found(looked(presence=0)), [{('motion', 'owner or switch'): 1}])
    check('presence of nothing that its evidence explains', found(looked(presence=0, filter=-90.0)), [{('motion', 'filter'): 1}])
    check('a place that is probable enough', found(looked('elsewhere', presence=0.8)), [{('place', 'time'): 1}])
    check('a place beside it', found(looked('elsewhere', overlap=0.3)), [{('beside it', ''): 1}])
    check('places elsewhere', found(looked('elsewhere', overlap=0)), [{('only elsewhere', ''): 1}])
    check('no place', found(), [{('nothing', ''): 1}])

    run = run_of([RIGHT] * 3 + [lost('appearance')] * 2 + [ABSENT] + [lost('appearance')] * 20 + [RIGHT],
                 {0: [looked(filter=4.0)], 1: [looked(filter=2.0)], 2: [looked(presence=0.5, filter=0.0)],
                  3: [looked(presence=0, filter=1.0)]})
    loss, = losses.losses(run)
    check('evidence falls from its mean where it was trusted', (loss.fall['filter'], loss.fall['appearance']), (2.0, 0.0))
    check('frames count up to the first without the target', sum(loss.found.values()), 2)
    check('until a box is right again', (loss.again, loss.reason, loss.is_taken_away), (23, 'appearance', True))
    check('a box that was not right is not lost while right', list(losses.losses(run_of([RIGHT, OFF, lost('filter')]))), [])
    run = run_of([RIGHT] + [lost('filter')] * 150)
    loss, = losses.losses(run)
    check('and never again; a hundred frames are looked at', (loss.again, sum(loss.found.values())), (None, 100))
    lines = losses.loss_table([*losses.losses(run), *losses.losses(run_of([RIGHT, lost('filter'), RIGHT], {
        0: [looked()], 1: [looked(presence=0.2, filter=1.0)]}))])
    check('a line for each reason', lines[2], '| filter | 2 | 0 | 1 | 0 | 0 | 1 | 0.00 | 2.00 |')


def write(folder):
    (folder / 'frames').mkdir(parents=True)
    (folder / 'weights.csv').write_text('term,weight,source,reason,other_weight\nconstant,-2,fit,,-1\npsr,2,fit,filter,0\n'
                                        'ratio,1,fit,filter,3\nnetwork_odds,1,fit,network,2\n')
    lines = ['sequence,variant,frame,place,x,y,width,height,overlap,constant,psr,ratio,network_odds,presence']
    lines += ['a,noise,7,here,0,0,9,9,0.9,1,2,1,0,0.95', 'a,noise,8,here,0,0,9,9,0.8,1,0.5,1,0,0.5',
              'a,noise,9,elsewhere,0,0,9,9,,1,0.5,1,0,0.5']
    (folder / 'tld-a-0-noise.csv').write_text('\n'.join(lines) + '\n')
    lines = ['sequence,set,variant,frame,visible,overlap,state,reason', 'a,otb,noise,7,1,0.9,tracking,',
             *[f'a,otb,noise,{i},1,0,lost,filter' for i in range(8, 13)]]
    (folder / 'frames/tld-a-0-noise.csv').write_text('\n'.join(lines) + '\n')
    return folder


def check_program(tap, folder):
    def answer(*arguments):
        return subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True, check=False)

    terms = write(folder / 'terms')
    run, = losses.read_runs(terms)
    one = run.looked[0][0]
    tap.check('terms of one reason add up', one.odds['filter'] == 5 and one.odds[None] == -2, one)
    tap.check('presence is explained by them', math.isclose(1 / (1 + math.exp(-sum(one.odds.values()))), 0.9526, abs_tol=1e-3))
    for place, odds, expected in (('elsewhere', '0', (-2, 3, 0)), ('elsewhere', '5', (-1, 3, 10)), ('here', '5', (-2, 3, 5))):
        row = {'place': place, 'constant': '1', 'psr': '1', 'ratio': '1', 'network_odds': odds}
        found = losses.odds_of(row, losses.read_weights(terms))
        tap.check(f'{place}, network {odds}: the weights that hold there', (found[None], found['filter'], found['network']) ==
                  expected, found)
    found = answer(terms)
    for line in ('1 runs, 6 visible frames.', '| with a right box | | 0.167 |', '| lost while right: filter | 1 | 0.833 |',
                 '| filter | 1 | 0 | 0 | 0 | 0 | 1 | 3.00 |', '| motion | filter | 1 | 0.200 | 0.1667 |', '| only elsewhere |  | 1 |',
                 '| nothing |  | 3 | 0.600 | 0.5000 |'):
        tap.check(f'files are read: {line}', line in found.stdout, found.stdout + found.stderr)
    tap.check('sets have tables of their own', '## otb' in answer(terms, '--each').stdout)
    empty = folder / 'empty'
    empty.mkdir()
    tap.check('a folder without weights is refused', 'weights.csv is not there' in answer(empty).stderr)
    (empty / 'weights.csv').write_text('term,weight,source,reason,other_weight\n')
    tap.check('a folder without frames is refused', 'holds no .csv' in answer(empty).stderr)


def main():
    tap = Tap()

    def check(name, found, expected):
        tap.check(name, found == expected, f'{found}\nexpected {expected}')

    check_spells(check)
    check_losses(check)
    with tempfile.TemporaryDirectory() as folder:
        check_program(tap, pathlib.Path(folder))
    tap.done()


main()
