#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes the tables of docs/notes/accuracy.md.

Runs cltrack-evaluate on eight variants of recorded sequences with default settings, and once on each
with parts of the tracker switched off. Replaces what stands between the marks of the file by the results. Needs
Python alone, besides the built cltrack-evaluate and the data (DATA/otb and DATA/tld).

  tests/accuracy_tables.py --data DATA --write docs/notes/accuracy.md
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / 'accuracy'))
from compare import bootstrap, mean, over_variants  # noqa: E402

BEGIN = '<!-- accuracy_tables.py begins -->\n'
END = '<!-- accuracy_tables.py ends -->\n'
SETS = 'otb', 'tld'
VARIANTS = 8
WITHOUT = [  # what is switched off, and how
    ('nothing', []),
    ('the correlation filter: median flow', ['motion=median-flow']),
    ('other places that the detector finds', ['redetect_presence=1', 'drift_frames=1000']),
    ('the check for drift alone', ['drift_frames=1000']),
    ('care in teaching: the filter learns on every frame', ['update_presence=0']),
    ('frames on which the detector looks at a part of the grid', ['scan_interval=1']),
]


def text(value, digits=3):
    return '' if value is None else f'{value:.{digits}f}'.replace('0.', '.', 1)


def means(rows, names=('f25', 'f50', 'auc', 'absent_fp')):
    return [mean(row[name] for row in rows) for name in names]


def sequence_table(runs):
    """`runs`: {set: rows of JSON}. A line for each sequence and set."""
    lines = ['| sequence | F | F at 0.5 | AUC | its deviation, worst | box on absent |', '|' + '---|' * 6]
    for name, rows in runs.items():
        spreads = []
        for sequence in sorted({row['sequence'] for row in rows}):
            own = [row for row in rows if row['sequence'] == sequence]
            f25, f50, auc, absent = map(text, means(own))
            spreads.append(over_variants(own, 'auc'))
            deviation, worst = map(text, spreads[-1][1:])
            lines.append(f'| {sequence} | {f25} | {f50} | {auc} | {deviation}, {worst} | {absent} |')
        f25, f50, auc, absent = map(text, means(rows))
        low, high = map(text, bootstrap([spread[0] for spread in spreads]) or (None, None))
        deviation, worst = (text(mean(spread[i] for spread in spreads)) for i in (1, 2))
        lines.append(f'| **{name}**, {len(spreads)} targets | {f25} | {f50} | {auc} ({low} to {high}) | '
                     f'{deviation}, {worst} | {absent} |')
    return lines


def state_table(runs):
    lines = ['| set | P25 trk | P25 unc | trk share | calib err | TPR50 | TNR |', '|' + '---|' * 7]
    for name, rows in runs.items():
        cells = map(text, means(rows, ('p25_tracking', 'p25_uncertain', 'tracking_share',
                                       'calibration_error', 'tpr50', 'tnr')))
        lines.append(f'| {name} | ' + ' | '.join(cells) + ' |')
    return lines


def part_table(parts):
    """`parts`: [(what is missing, {set: rows})]."""
    lines = ['| without | OTB: F, F at 0.5, AUC | TLD: F, F at 0.5, AUC | box on absent |', '|' + '---|' * 4]
    for what, runs in parts:
        otb, tld = means(runs['otb']), means(runs['tld'])
        lines.append(f'| {what} | ' + ', '.join(map(text, otb[:3])) + ' | ' +
                     ', '.join(map(text, tld[:3])) + f' | {text(tld[3])} |')
    return lines


def replaced(document, lines):
    head, _, rest = document.partition(BEGIN)
    _, mark, tail = rest.partition(END)
    if not mark:
        raise ValueError('the file has no marks')
    return head + BEGIN + '\n'.join(lines) + '\n' + END + tail


def evaluate(program, folder, variants, params):
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch, 'runs.json')
        command = [program, '--data', folder, '--perturb', variants, '--jobs', 2, '--json', out]
        for param in ['threads=1', *params]:
            command += ['--param', param]
        subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL)
        return [json.loads(line) for line in out.read_text().splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--evaluate', default='build/tests/accuracy/cltrack-evaluate')
    parser.add_argument('--data', required=True, type=pathlib.Path)
    parser.add_argument('--write', type=pathlib.Path, help='else to standard output')
    args = parser.parse_args()

    def run(variants, params):
        return {name: evaluate(args.evaluate, args.data / name, variants, params) for name in SETS}

    runs = run(VARIANTS, [])
    parts = [(what, run(1, params)) for what, params in WITHOUT]
    lines = ['', *sequence_table(runs), '', 'Means over the runs of each set:', '', *state_table(runs),
             '', 'How much parts matter, one run of each sequence; differences under .02 are noise:', '',
             *part_table(parts), '']
    if args.write:
        args.write.write_text(replaced(args.write.read_text(), lines))
    else:
        print('\n'.join(lines))


if __name__ == '__main__':
    sys.exit(main())
