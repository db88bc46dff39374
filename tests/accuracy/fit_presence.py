#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Fits the weights of presence (lib/tld/presence.cpp) to what the tracker has met: a logistic regression.

  cltrack-evaluate --data DATA --terms TERMS
  tests/accuracy/fit_presence.py TERMS...

A line of these folders is right if its box overlaps the target by at least 0.25, and wrong if the target is absent.
Weights that were set by hand are held, unless --free names them; the others are fitted to all lines, and once for each
scene to the lines of all others, by which that scene is then judged. Targets and parts of one video (Jogging, Jogging.2;
David, david; Venice-2-f0210, Venice-2-f0325) are one scene. Prints, as tables in Markdown, today's weights beside the
fitted ones, and what each are worth: log loss, expected calibration error (ten bins of equal width) and the area under the
ROC curve (AUC).

With --network other or compared, the weights that hold where a network was asked are fitted instead: of other places, and
of where motion has led as compared with those, to the lines of these that have a network's odds. There a line of a scene
counts less the more lines that scene has: by the root of their number.

What is logged depends on the weights that it was logged with, and a better fit need not be a better tracker: run it
before you believe it. Needs python3-numpy.
"""
import argparse
import collections
import csv
import pathlib
import re
import sys

import numpy as np

RIGHT = 0.25
# Lines of a scene are much alike, so that there is less to fit to than their number says. Of 1e-6, 1e-4, 1e-3, 3e-3, 0.01,
# 0.03 and 0.1 this has the least log loss of scenes left out: otb and tld, also with every third frame and later starts.
PENALTY = 0.03
PLACES = {'other': 'elsewhere', 'compared': 'here'}  # whose lines --network takes

Lines = collections.namedtuple('Lines', 'values right scenes places')


class BadData(Exception):
    """What is in the folder cannot be fitted to."""


def scene_of(sequence):
    return re.sub(r'(-f\d+|-video)?(\.\d+)?$', '', sequence).casefold()


def read_weights(folder, column='weight'):
    """Names, weights, and whether each was set by hand."""
    path = folder / 'weights.csv'
    if not path.is_file():
        raise BadData(f'{path} is not there: give the folder that cltrack-evaluate --terms has written')
    with open(path, newline='', encoding='utf-8') as file:
        rows = list(csv.DictReader(file))
    return ([row['term'] for row in rows], np.array([float(row[column]) for row in rows]),
            np.array([row['source'] == 'hand' and column == 'weight' for row in rows]))


def read_lines(folders, names, network=None):
    values, right, scenes, places = [], [], [], []
    for path in (path for folder in folders for path in sorted(folder.glob('*.csv')) if path.name != 'weights.csv'):
        with open(path, newline='', encoding='utf-8') as file:
            for row in csv.DictReader(file):
                if network and (row['place'] != PLACES[network] or float(row['network_odds']) == 0):
                    continue
                values.append([float(row[name]) for name in names])
                right.append(bool(row['overlap']) and float(row['overlap']) >= RIGHT)
                scenes.append(scene_of(row['sequence']))
                places.append(row['place'])
    if not values:
        raise BadData('there are 0 lines' + (f' of {PLACES[network]} with a network' if network else '') + ': give more folders')
    lines = Lines(np.array(values), np.array(right, bool), np.array(scenes), np.array(places))
    if lines.right.all() or not lines.right.any():
        raise BadData(f'there are {len(right)} lines, of which {lines.right.sum()} are right: there must be right and wrong ones')
    return lines


def probabilities(values, weights):
    return 1 / (1 + np.exp(-np.clip(values @ weights, -500, 500)))


def shares_of_scenes(scenes):
    """What each line counts, 1 in the mean."""
    _, inverse, counts = np.unique(scenes, return_inverse=True, return_counts=True)
    share = 1 / np.sqrt(counts[inverse])
    return share / share.mean()


def fit(values, right, today, held, penalty, counts=1):
    """The weights of the least log loss, by Newton's method. `penalty` times half the square of how far weights are off
    today's is added to the log loss of a line: what the lines say nothing about stays as it is."""
    weights, free = today.copy(), ~held
    columns = values[:, free]
    penalty = penalty * len(right)
    for _ in range(100):
        share = probabilities(values, weights)
        slope = columns.T @ (counts * (share - right)) + penalty * (weights - today)[free]
        curve = (columns * (counts * share * (1 - share))[:, None]).T @ columns + penalty * np.eye(free.sum())
        step = np.linalg.solve(curve, slope)
        longest = np.abs(step).max(initial=0)
        weights[free] -= step * min(1, 2 / max(longest, 1))  # never far at once
        if longest < 1e-9:
            return weights
    raise BadData('the fit does not settle: some term tells right from wrong without exception; have a larger --penalty')


def log_loss(right, share):
    share = np.clip(share, 1e-15, 1 - 1e-15)
    return float(-np.mean(np.where(right, np.log(share), np.log(1 - share))))


def calibration_error(right, share):
    bins = np.minimum((share * 10).astype(int), 9)
    return float(sum(abs(np.sum((right - share)[bins == i])) for i in range(10)) / len(right))


def area_under_roc(right, share):
    """The probability that a right line has a higher share than a wrong one; half if they are equal."""
    _, inverse, counts = np.unique(share, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    good = right.sum()
    if good in (0, len(right)):
        return float('nan')
    return float((ranks[right].sum() - good * (good + 1) / 2) / (good * (len(right) - good)))


def leave_scenes_out(lines, today, held, penalty, counts):
    """The share of each line by weights that were fitted without its scene; and these weights, a row each."""
    share, folds = np.empty(len(lines.right)), []
    for scene in np.unique(lines.scenes):
        out = lines.scenes == scene
        folds.append(fit(lines.values[~out], lines.right[~out], today, held, penalty, counts[~out]))
        share[out] = probabilities(lines.values[out], folds[-1])
    return share, np.array(folds)


def report(names, today, held, lines, penalty, by_scene=False):
    counts = shares_of_scenes(lines.scenes) if by_scene else np.ones(len(lines.right))
    fitted = fit(lines.values, lines.right, today, held, penalty, counts)
    left_out, folds = leave_scenes_out(lines, today, held, penalty, counts)
    kinds = [(kind, lines.places == kind) for kind in ('here', 'elsewhere')]
    yield (f'{len(lines.right)} lines of {len(folds)} scenes, {lines.right.sum()} of them right; ' +
           ', '.join(f'{where.sum()} {kind}, {lines.right[where].sum()} right' for kind, where in kinds) + '.')
    yield '\n| term | today | fitted | with a scene left out |\n|---|---|---|---|'
    for i, name in enumerate(names):
        if held[i]:
            yield f'| {name} | {today[i]:.3f} | held | |'
        else:
            yield f'| {name} | {today[i]:.3f} | {fitted[i]:.3f} | {folds[:, i].min():.3f} to {folds[:, i].max():.3f} |'
    yield '\n| lines | weights | log loss | calibration error | AUC |\n|---|---|---|---|---|'
    shares = [("today's", probabilities(lines.values, today)), ('fitted', probabilities(lines.values, fitted)),
              ('fitted, scenes left out', left_out)]
    for kind, where in [('all', np.full(len(lines.right), True)), *kinds]:
        for weights, share in shares if where.any() else []:
            figures = (figure(lines.right[where], share[where]) for figure in (log_loss, calibration_error, area_under_roc))
            yield f'| {kind} | {weights} | ' + ' | '.join(f'{figure:.4f}' for figure in figures) + ' |'


def held_terms(names, by_hand, free, hold):
    unknown = sorted(set(free + hold) - set(names))
    if unknown:
        raise BadData(f'there is no term {unknown[0]}; there are {", ".join(names)}')
    return np.array([name in hold or (hand and name not in free) for name, hand in zip(names, by_hand)])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('terms', type=pathlib.Path, nargs='+',
                        help="folders that cltrack-evaluate --terms has written; today's weights are those of the first")
    parser.add_argument('--free', action='append', default=[], metavar='TERM', help='fit this one, though it was set by hand')
    parser.add_argument('--hold', action='append', default=[], metavar='TERM', help="hold this one at today's weight, too")
    parser.add_argument('--penalty', type=float, default=PENALTY, help="how much weights are kept near today's: half the "
                        'square of the distance, times this, is added to the log loss (default: %(default)s)')
    parser.add_argument('--network', choices=sorted(PLACES), help='fit the weights of these places, where a network was asked')
    options = parser.parse_args()
    try:
        if not options.penalty > 0:
            raise BadData(f'--penalty {options.penalty}: it must be more than 0; 1e-6 decides only on what no line says')
        names, today, by_hand = read_weights(options.terms[0], f'{options.network}_weight' if options.network else 'weight')
        held = held_terms(names, by_hand, options.free, options.hold)
        lines = read_lines(options.terms, names, options.network)
        if len(np.unique(lines.scenes)) < 2:
            raise BadData('there is a single scene: at least two are needed, so that one can be left out')
        print('\n'.join(report(names, today, held, lines, options.penalty, options.network is not None)))
    except KeyError as error:
        sys.exit(f'fit_presence.py: a file has no column {error}: give folders that hold what cltrack-evaluate --terms has '
                 'written, and nothing else')
    except (BadData, ValueError) as error:
        sys.exit(f'fit_presence.py: {error}')


if __name__ == '__main__':
    main()
