#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Why boxes are wrong: counts the frames of cltrack-evaluate --boxes by cause, as tables in Markdown.

  cltrack-evaluate --data DATA --boxes BOXES
  tests/accuracy/causes.py BOXES DATA...

A box is right if its overlap with the target is at least 0.25. Wrong ones, by where they are:
  part        on the target all the same, in a wrong size or place: the overlap is at least 0.05
  other       on another labelled object of the folder (groundtruth_rect.2.txt, ...), by 0.25
  background  on neither
and by how the box came there since it was right, or on the target:
  jump        from one frame to the next it overlaps itself by less than 0.3, or there was none before
  drift       by small steps
  stay        the target is absent, and the box has not left the place where it was last seen
Frames without a box that show the target are "not found".
"""
import argparse
import collections
import csv
import math
import pathlib
import re
import sys

from mot_scores import overlap

RIGHT, PART, SAME_PLACE = 0.25, 0.05, 0.3
WRONG = ('jump to other', 'jump to background', 'drift to other', 'drift to background', 'stay', 'part')


def common(a, b):
    """The overlap of two boxes x, y, width, height; 0 where there is none."""
    return 0.0 if a is None or b is None else overlap(a, b)


def read_truth(path):
    boxes = []
    for line in path.read_text().splitlines():
        row = [float(field) for field in re.split(r'[,;\s]+', line.strip()) if field]
        is_box = len(row) == 4 and not any(map(math.isnan, row)) and row[2] > 0 and row[3] > 0
        boxes.append((row[0] - 1, row[1] - 1, row[2], row[3]) if is_box else None)
    return boxes


def find_sequences(folders):
    """The truth of each target, and of the others of its folder, by name of the sequence."""
    sequences = {}
    for folder in folders:
        for first in sorted(pathlib.Path(folder).glob('**/groundtruth_rect.txt')):
            files = {'': first}
            for file in first.parent.glob('groundtruth_rect.*.txt'):
                files['.' + file.name.split('.')[1]] = file
            truths = {suffix: read_truth(file) for suffix, file in files.items()}
            for suffix, truth in truths.items():
                others = [boxes for other, boxes in truths.items() if other != suffix]
                sequences[first.parent.name + suffix] = truth, others
    return sequences


def read_boxes(path):
    """Frame, box or None, state of each row."""
    with open(path, newline='', encoding='utf-8') as file:
        for row in csv.DictReader(file):
            box = tuple(float(row[name]) for name in ('x', 'y', 'width', 'height')) if row['x'] else None
            yield int(row['frame']), box, row['state']


def causes(rows, truth, others):
    """Counts frames by (visible or absent, cause, state). Causes are WRONG, 'right', 'silent', 'not found'."""
    counts = collections.Counter()
    before, last_seen, way = None, None, 'jump'
    for frame, box, state in rows:
        target = truth[frame]
        on_target = common(box, target)
        if target is not None:
            last_seen = target
        if box is None:
            cause = 'not found' if target is not None else 'silent'
        elif on_target >= RIGHT:
            cause = 'right'
        elif on_target >= PART:
            cause = 'part'
        else:
            on_other = any(common(box, other[frame]) >= RIGHT for other in others)
            if common(before, box) < SAME_PLACE:
                way = 'jump'
            if target is None and not on_other and common(box, last_seen) >= PART:
                cause = 'stay'
            else:
                cause = f'{way} to {"other" if on_other else "background"}'
        if cause in ('right', 'part', 'stay'):
            way = 'drift'
        before = box
        counts['visible' if target is not None else 'absent', cause, state] += 1
    return counts


def table(counts):
    total = sum(counts.values())
    lines = ['| cause | visible: tracking | uncertain | absent: tracking | uncertain | share of all |', '|---' * 6 + '|']
    for cause in ('right', *WRONG, 'not found', 'silent'):
        row = [counts[seen, cause, state] for seen in ('visible', 'absent') for state in ('tracking', 'uncertain')]
        every = sum(count for (_, name, _), count in counts.items() if name == cause)
        lines.append(f'| {cause} | ' + ' | '.join(map(str, row)) + f' | {every / max(total, 1):.3f} |')
    return '\n'.join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('boxes', type=pathlib.Path, help='folder that cltrack-evaluate --boxes has written')
    parser.add_argument('data', nargs='+', help='folders of sequences')
    parser.add_argument('--each', action='store_true', help='a table for each sequence, too')
    options = parser.parse_args()
    sequences = find_sequences(options.data)
    found = collections.defaultdict(collections.Counter)
    for file in sorted(options.boxes.glob('*.csv')):
        # Names of sequences may have hyphens; the longest one that fits is meant.
        names = [name for name in sequences if re.search(rf'-{re.escape(name)}-\d+(-.+)?$', file.stem)]
        if not names:
            sys.exit(f'{file}: no sequence of this name in {", ".join(options.data)}: name its folder, too')
        name = max(names, key=len)
        try:
            found[name] += causes(read_boxes(file), *sequences[name])
        except (IndexError, KeyError, ValueError) as error:
            sys.exit(f'{file}: not boxes of {name} as cltrack-evaluate writes them ({error!r})')
    if not found:
        sys.exit(f'{options.boxes}: no .csv files: run cltrack-evaluate with --boxes {options.boxes} first')
    for name, counts in found.items() if options.each else ():
        print(f'{name}\n\n{table(counts)}\n')
    print(table(sum(found.values(), collections.Counter())))


if __name__ == '__main__':
    main()
