#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What runs of cltrack-evaluate are worth over the variants of each sequence, or how two builds differ: tables in Markdown.

  cltrack-evaluate --data DATA --perturb 8 --json RUNS.json
  tests/accuracy/compare.py RUNS.json [RUNS_OF_ANOTHER_BUILD.json]

Of one file: means over the sequences of each set of the mean, the standard deviation and the worst value of a sequence
over its variants (each variant is the mean of its runs: seeds, starts). Of two: the same of those runs that both have,
and the difference of the second to the first. The intervals hold the mean, or the difference, of other sequences of the
kind in 95 of 100 cases (percentile bootstrap over sequences); a difference whose interval holds 0 may be luck.
"""
import argparse
import collections
import json
import pathlib
import random
import statistics
import sys

FIGURES = {'auc': 'AUC', 'f25': 'F', 'tpr50': 'TPR50', 'p25_tracking': 'P25 trk', 'tracking_share': 'trk share',
           'absent_fp': 'box on absent'}
LESS_IS_BETTER = {'absent_fp'}
SAMPLES = 2000
MOST_CHANGED = 10
RUN = ('tracker', 'set', 'sequence', 'variant', 'seed', 'start', 'first_frame')


def text(value, sign=''):
    return '' if value is None else f'{value:{sign}.3f}'.replace('0.', '.', 1)


def mean(values):
    values = [value for value in values if value is not None]
    return statistics.fmean(values) if values else None


def bootstrap(values):
    """The 95 % interval of the mean; None for less than two values."""
    if len(values) < 2:
        return None
    generator = random.Random(0)
    means = sorted(statistics.fmean(generator.choices(values, k=len(values))) for _ in range(SAMPLES))
    return means[round(0.025 * (SAMPLES - 1))], means[round(0.975 * (SAMPLES - 1))]


def interval_text(interval, sign=''):
    return '' if interval is None else ' to '.join(text(bound, sign) for bound in interval)


def read_runs(path):
    """Each run that has not failed, by what it was of."""
    runs = {}
    for line in path.read_text().splitlines():
        row = json.loads(line)
        if 'error' not in row:
            runs[tuple(row[name] for name in RUN)] = row
    return runs


def by_sequence(runs):
    """The rows of each (set, sequence)."""
    rows = collections.defaultdict(list)
    for row in runs:
        rows[row['set'], row['sequence']].append(row)
    return rows


def over_variants(rows, figure):
    """Mean, standard deviation and worst value of a sequence over its variants, as far as there are any."""
    variants = collections.defaultdict(list)
    for row in rows:
        if row[figure] is not None:
            variants[row['variant']].append(row[figure])
    values = [statistics.fmean(of_variant) for of_variant in variants.values()]
    if not values:
        return None, None, None
    worst = max if figure in LESS_IS_BETTER else min
    return statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else None, worst(values)


def sets_of(sequences):
    """The sequences of each set, and of all sets together where there are several."""
    sets = collections.defaultdict(list)
    for name in sequences:
        sets[name[0]].append(name)
    return {**sets, 'all': list(sequences)} if len(sets) > 1 else dict(sets)


def worth_table(runs):
    sequences = by_sequence(runs)
    lines = ['| set | figure | sequences | mean | 95 % | deviation | worst |', '|' + '---|' * 7]
    for name, members in sets_of(sequences).items():
        for figure, title in FIGURES.items():
            found = [over_variants(sequences[member], figure) for member in members]
            means, deviations, worst = zip(*found)
            means = [value for value in means if value is not None]
            if means:
                lines.append(f'| {name} | {title} | {len(means)} | {text(mean(means))} | {interval_text(bootstrap(means))} | '
                             f'{text(mean(deviations))} | {text(mean(worst))} |')
    return lines


def difference_table(before, after):
    """`before` and `after` are rows of the same runs."""
    lines = ['| set | figure | sequences | before | after | difference | 95 % | deviation | worst |', '|' + '---|' * 9]
    old, new = by_sequence(before), by_sequence(after)
    for name, members in sets_of(old).items():
        for figure, title in FIGURES.items():
            pairs = [(over_variants(old[member], figure), over_variants(new[member], figure)) for member in members]
            pairs = [(a, b) for a, b in pairs if a[0] is not None and b[0] is not None]
            if not pairs:
                continue
            olds, news = (list(zip(*side)) for side in zip(*pairs))
            gains = [b - a for a, b in zip(olds[0], news[0])]
            lines.append(f'| {name} | {title} | {len(gains)} | {text(mean(olds[0]))} | {text(mean(news[0]))} | '
                         f'{text(mean(gains), "+")} | {interval_text(bootstrap(gains), "+")} | '
                         f'{text(mean(olds[1]))}, {text(mean(news[1]))} | {text(mean(olds[2]))}, {text(mean(news[2]))} |')
    return lines


def change_table(before, after):
    """The sequences that have changed most, by AUC."""
    old, new = by_sequence(before), by_sequence(after)
    changes = []
    for name, rows in old.items():
        gains = [b['auc'] - a['auc'] for a, b in zip(rows, new[name]) if a['auc'] is not None and b['auc'] is not None]
        if any(gains):
            changes.append((statistics.fmean(gains), name, gains))
    lines = ['| sequence | AUC: difference | runs that are better, worse |', '|' + '---|' * 3]
    for change, name, gains in sorted(changes, key=lambda one: -abs(one[0]))[:MOST_CHANGED]:
        lines.append(f'| {"/".join(name)} | {text(change, "+")} | {sum(gain > 0 for gain in gains)}, {sum(gain < 0 for gain in gains)} |')
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('runs', type=pathlib.Path, help='what cltrack-evaluate --json has written')
    parser.add_argument('others', type=pathlib.Path, nargs='?', help='the same of another build or other parameters')
    parser.add_argument('--tracker', default='tld', help='whose runs (default: %(default)s)')
    options = parser.parse_args()
    try:
        files = [read_runs(path) for path in (options.runs, options.others) if path]
    except (OSError, KeyError, ValueError) as error:
        sys.exit(f'compare.py: not what cltrack-evaluate --json writes: {error!r}')
    files = [{run: row for run, row in runs.items() if row['tracker'] == options.tracker} for runs in files]
    common = [run for run in files[0] if run in files[-1]]
    if not common:
        sys.exit(f'compare.py: no run of {options.tracker}' + (' that both files have' if options.others else ''))
    rows = [[runs[run] for run in common] for runs in files]
    if not options.others:
        print('\n'.join(worth_table(rows[0])))
        return
    alone = ', '.join(str(len(runs) - len(common)) for runs in files)
    print(f'{len(common)} runs that both files have; runs that one alone has: {alone}.\n')
    print('\n'.join(difference_table(*rows)), '\n'.join(change_table(*rows)), sep='\n\n')


if __name__ == '__main__':
    main()
