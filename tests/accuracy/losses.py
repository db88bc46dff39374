#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Where the frames go that show the target and have no right box, and why it is not found again, as tables in Markdown.

  cltrack-evaluate --data DATA --perturb 8 --terms TERMS
  tests/accuracy/losses.py TERMS...

A box is right here if it overlaps the target by at least 0.5. All frames of all runs (sequences, variants, seeds) count alike.

1. Visible frames: those with a right box, and spells without one, by how they began. A spell is frames in a row that show the
   target; shorter ones than five frames have a line of their own.
     lost while right    the frame before had a right box, and the first one is lost: for which reason (Track::reason)
     drifted             the first one has a box that is not right; then lost within the spell: for which reason, or never
     out of sight        the frame before did not show the target
2. Losses while the target was visible and the box right: by reason, how many of them by a presence that was taken away whatever
   its evidence (motion follows another, another target is there); how soon a box was right again; and the mean fall of each
   evidence in the logarithm of the odds, from the mean of the latest hundred frames with a right box of presence 0.65 or more.
3. The lost frames after these, a hundred at most for each loss, as long as it stays lost and visible: what was looked at that
   overlaps the target by 0.5, motion or the most probable place that the detector found, and by which evidence that was refused:
   what has fallen most from that mean. `owner or switch`: its presence was taken away. `time`: 0.6 is enough for a place, on
   two frames in a row or with a gain.
     beside it           the best overlap is 0.25 to 0.5: another size, a part
     only elsewhere      places were looked at, none of them near the target
     nothing             nothing was looked at: the detector has found nothing that is like the target
"""
import argparse
import collections
import csv
import math
import pathlib
import sys

RIGHT, BESIDE = 0.5, 0.25
SHORTEST = 5  # frames of a spell
AFTER = 100  # frames after a loss
USUAL = 100  # frames whose mean evidence is usual
TRUSTED = 0.65  # presence from which on the filter learns (TldConfig::update_presence)
ENOUGH = 0.6  # presence of a place that may be taken (TldConfig::redetect_presence)

Frame = collections.namedtuple('Frame', 'visible overlap state reason')
Looked = collections.namedtuple('Looked', 'place overlap presence odds')  # odds: what each reason adds to their logarithm


class BadData(Exception):
    """What is in the folder was not written by --terms."""


class Run:
    def __init__(self, name, frames, looked):
        self.set = name
        self.frames = frames  # in order
        self.looked = looked  # a list for each frame

    def is_right(self, i):
        return self.frames[i].visible and self.frames[i].overlap >= RIGHT

    def is_lost(self, i):
        return self.frames[i].state == 'lost'


def read_weights(folder):
    path = folder / 'weights.csv'
    if not path.exists():
        raise BadData(f'{path} is not there: run cltrack-evaluate with --terms {folder} first')
    with open(path, newline='', encoding='utf-8') as file:
        return [(row['term'], float(row['weight']), float(row['other_weight']), row['reason'] or None)
                for row in csv.DictReader(file)]


def odds_of(row, weights):
    """Other places have weights of their own where a network was asked."""
    is_other = row['place'] == 'elsewhere' and float(row.get('network_odds') or 0) != 0
    odds = collections.defaultdict(float)
    for term, weight, other_weight, reason in weights:
        odds[reason] += (other_weight if is_other else weight) * float(row[term])
    return odds


def read_runs(folder):
    weights = read_weights(folder)
    for path in sorted((folder / 'frames').glob('*.csv')):
        with open(path, newline='', encoding='utf-8') as file:
            rows = list(csv.DictReader(file))
        places = collections.defaultdict(list)
        with open(folder / path.name, newline='', encoding='utf-8') as file:
            for row in csv.DictReader(file):
                places[row['frame']].append(Looked(row['place'], float(row['overlap'] or 0), float(row['presence']),
                                                   odds_of(row, weights)))
        yield Run(rows[0]['set'] if rows else '',
                  [Frame(row['visible'] == '1', float(row['overlap']), row['state'], row['reason']) for row in rows],
                  [places[row['frame']] for row in rows])


def spells(run):
    """Frames from `first` up to `end`, in a row, that show the target and have no right box."""
    first = None
    for i in range(len(run.frames) + 1):
        is_spell = i < len(run.frames) and run.frames[i].visible and not run.is_right(i)
        if is_spell and first is None:
            first = i
        elif not is_spell and first is not None:
            yield first, i
            first = None


def kind_of_spell(run, first, end):
    if end - first < SHORTEST:
        return 'shorter than five frames'
    if first == 0 or not run.frames[first - 1].visible:
        return 'out of sight before'
    lost = next((i for i in range(first, end) if run.is_lost(i)), None)
    if lost is None:
        return 'drifted, never lost'
    how = 'lost while right' if lost == first else 'drifted, then lost'
    return f'{how}: {run.frames[lost].reason}'


def spell_counts(run):
    """Spells, and frames, of each kind."""
    counts, frames = collections.Counter(), collections.Counter()
    for first, end in spells(run):
        kind = kind_of_spell(run, first, end)
        counts[kind] += 1
        frames[kind] += end - first
    frames['right'] = sum(run.is_right(i) for i in range(len(run.frames)))
    return counts, frames


def here(run, i):
    return next((one for one in run.looked[i] if one.place == 'here'), None)


def fall(usual, now):
    """How much less each reason adds to the logarithm of the odds."""
    return {reason: sum(odds[reason] for odds in usual) / len(usual) - now.odds[reason] for reason in now.odds if reason and usual}


def is_taken_away(one):
    return one.presence == 0 and 1 / (1 + math.exp(-sum(one.odds.values()))) > 0.001


def refusal(one, usual):
    if is_taken_away(one):
        return 'owner or switch'
    if one.place != 'here' and one.presence >= ENOUGH:
        return 'time'
    falls = fall(usual, one)
    return max(falls, key=falls.get) if falls else 'unknown'


def found_on(run, i, usual):
    """What was looked at on a lost frame, and why it was refused."""
    if not run.looked[i]:
        return 'nothing', ''
    best = max(run.looked[i], key=lambda one: one.overlap)
    if best.overlap < BESIDE:
        return 'only elsewhere', ''
    if best.overlap < RIGHT:
        return 'beside it', ''
    one = max((one for one in run.looked[i] if one.overlap >= RIGHT), key=lambda one: one.presence)
    return ('motion' if one.place == 'here' else 'place'), refusal(one, usual)


class Loss:
    """One on frame `at`, of a visible target whose box was right on the frame before."""

    def __init__(self, run, at, usual):
        self.reason = run.frames[at].reason
        now = here(run, at)
        self.fall = fall(usual, now) if now else {}
        self.is_taken_away = now is not None and is_taken_away(now)
        self.found = collections.Counter()
        for i in range(at, min(at + AFTER, len(run.frames))):
            if not (run.is_lost(i) and run.frames[i].visible):
                break
            self.found[found_on(run, i, usual)] += 1
        self.again = next((i - at for i in range(at, len(run.frames)) if run.is_right(i)), None)


def losses(run):
    usual = collections.deque(maxlen=USUAL)
    for i in range(len(run.frames)):
        if i > 0 and run.is_lost(i) and run.frames[i].visible and run.is_right(i - 1):
            yield Loss(run, i, usual)
        now = here(run, i)
        if now and run.is_right(i) and now.overlap >= RIGHT and now.presence >= TRUSTED:
            usual.append(now.odds)


def text(value, digits=3):
    return f'{value:.{digits}f}'


def spell_table(counts, frames, visible):
    lines = ['| visible frames | spells | share |', '|---|---|---|', f'| with a right box | | {text(frames["right"] / visible)} |']
    for kind in sorted(counts, key=lambda kind: -frames[kind]):
        lines.append(f'| {kind} | {counts[kind]} | {text(frames[kind] / visible)} |')
    return lines


def loss_table(found):
    reasons = sorted({reason for loss in found for reason in loss.fall})
    lines = ['| lost while right by | losses | taken away | right within 10 frames | within 100 | later | never | ' +
             ' | '.join(f'fall of {reason}' for reason in reasons) + ' |', '|' + '---|' * (7 + len(reasons))]
    for name in sorted({loss.reason for loss in found}, key=lambda name: -sum(loss.reason == name for loss in found)):
        own = [loss for loss in found if loss.reason == name]
        again = [loss.again for loss in own if loss.again is not None]
        known = [loss.fall for loss in own if loss.fall]
        cells = [len(own), sum(loss.is_taken_away for loss in own), sum(n <= 10 for n in again), sum(10 < n <= AFTER for n in again), sum(n > AFTER for n in again),
                 len(own) - len(again)]
        cells += [text(sum(one[reason] for one in known) / len(known), 2) if known else '' for reason in reasons]
        lines.append(f'| {name} | ' + ' | '.join(map(str, cells)) + ' |')
    return lines


def found_table(found, visible):
    total = sum((loss.found for loss in found), collections.Counter())
    lost = max(sum(total.values()), 1)
    lines = ['| at the target | refused by | lost frames | share of them | share of visible frames |', '|' + '---|' * 5]
    for (what, why), count in total.most_common():
        lines.append(f'| {what} | {why} | {count} | {text(count / lost)} | {text(count / visible, 4)} |')
    return lines


def report(runs):
    counts, frames = collections.Counter(), collections.Counter()
    for run in runs:
        for sum_, one in zip((counts, frames), spell_counts(run)):
            sum_.update(one)
    found = [loss for run in runs for loss in losses(run)]
    visible = max(sum(frame.visible for run in runs for frame in run.frames), 1)
    yield f'{len(runs)} runs, {visible} visible frames.\n'
    for lines in (spell_table(counts, frames, visible), loss_table(found), found_table(found, visible)):
        yield from [*lines, '']


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('terms', type=pathlib.Path, nargs='+', help='folders that cltrack-evaluate --terms has written')
    parser.add_argument('--each', action='store_true', help='tables of each set, too')
    options = parser.parse_args()
    try:
        runs = [run for folder in options.terms for run in read_runs(folder)]
    except (BadData, KeyError, OSError, ValueError) as error:
        sys.exit(f'losses.py: not what cltrack-evaluate --terms writes: {error}')
    if not runs:
        sys.exit(f'losses.py: {options.terms[0] / "frames"} holds no .csv files')
    for name in sorted({run.set for run in runs}) if options.each else ():
        print(f'## {name}\n', *report([run for run in runs if run.set == name]), sep='\n')
    print(*report(runs), sep='\n')


if __name__ == '__main__':
    main()
