#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws what cltrack-evaluate --json has written, as a page for any browser.

  tests/evaluation_page.py runs.jsonl FOLDER

Writes index.html, which has everything in it, without scripts and links, and its pictures as success.svg,
precision.svg, auc.svg and f.svg. Means are over seeds, then over sequences. Needs python3-matplotlib.
"""
import argparse
import html
import io
import json
import math
import pathlib
import re
import sys

import matplotlib

matplotlib.use('svg')
import matplotlib.pyplot as plt  # noqa: E402

# Text stays text, and a $ in a name starts no formula.
plt.rcParams.update({'svg.fonttype': 'none', 'font.family': 'sans-serif', 'text.parse_math': False, 'axes.grid': True, 'grid.color': '#dddddd',
                     'axes.axisbelow': True})

# Nothing is run and nothing is loaded, whatever a name holds.
HEAD = '''<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>cltrack-evaluate</title>
<style>
body { font: 15px/1.5 sans-serif; max-width: 1360px; margin: 24px auto; padding: 0 16px; }
.pictures { display: flex; flex-wrap: wrap; align-items: flex-start; }
svg { flex: 1 1 540px; max-width: 680px; height: auto; }
table { border-collapse: collapse; font-size: 14px; }
th, td { padding: 2px 10px; text-align: left; border-bottom: 1px solid #ddd; }
td + td { font-variant-numeric: tabular-nums; }
.failed { color: #a00; }
</style></head><body>
<h1>cltrack-evaluate</h1>
'''

SECTIONS = [
    ('Figures', 'P, R and F: precision, recall and their harmonic mean; a box is correct if it overlaps the true one by '
     'more than 0.25 (25) or 0.5 (50). AUC: mean of the success plot. P20: share of the frames whose centre is within 20 '
     'pixels. absent: share of the frames without the target that have a box.',
     {'P25': 'p25', 'R25': 'r25', 'F25': 'f25', 'F50': 'f50', 'AUC': 'auc', 'P20': 'p20', 'absent': 'absent_fp'}),
    ('States and confidence', 'P25 tracking, P25 uncertain: share of right boxes among those with this state. tracking: '
     'share of the frames with the target that have this state. calibration: distance between confidence and share of '
     'right boxes. TPR50, TNR, GM50: share of right boxes on frames with the target, of frames without it that have no '
     'box, and their geometric mean.',
     {'P25 tracking': 'p25_tracking', 'P25 uncertain': 'p25_uncertain', 'tracking': 'tracking_share',
      'calibration': 'calibration_error', 'TPR50': 'tpr50', 'TNR': 'tnr', 'GM50': 'gm50'}),
    ('Speed', 'Time in the tracker alone, on the machine that ran this, in frames a second and milliseconds.',
     {'fps, median': 'fps_median', 'fps, mean': 'fps_mean', 'ms, p99': 'ms_p99', 'ms, first frame': 'ms_init'}),
]


def printable(text):
    """XML has no way to write control characters."""
    return re.sub(r'[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]', '\ufffd', str(text))


def escaped(text):
    return html.escape(printable(text))


def mean(values):
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined) if defined else None


def in_order(rows, field):
    """The different values of a field, in the order of the rows."""
    return list(dict.fromkeys(row[field] for row in rows))


def over_seeds(rows, tracker, sequence, field):
    return [row.get(field) for row in rows if (row['tracker'], row['sequence']) == (tracker, sequence)]


def over_sequences(rows, tracker, field):
    of_tracker = [row for row in rows if row['tracker'] == tracker]
    return mean([mean(over_seeds(rows, tracker, name, field)) for name in in_order(of_tracker, 'sequence')])


def curve(rows, tracker, field):
    """The mean of a list of shares, over seeds, then over sequences."""
    of_sequence = []
    for sequence in in_order(rows, 'sequence'):
        curves = [shares for shares in over_seeds(rows, tracker, sequence, field) if shares and None not in shares]
        if curves:
            of_sequence.append([mean(step) for step in zip(*curves)])
    return [mean(step) for step in zip(*of_sequence)], len(of_sequence)


def picture(figure):
    text = io.StringIO()
    figure.savefig(text, format='svg', bbox_inches='tight')
    plt.close(figure)
    return text.getvalue()


def plot(rows, title, label, field, figure, x_max):
    fig, axes = plt.subplots(figsize=(7, 4.5))
    sequences = in_order(rows, 'sequence')
    for i, tracker in enumerate(in_order(rows, 'tracker')):
        shares, count = curve(rows, tracker, field)
        if not shares:
            continue
        legend = f'{number(over_sequences(rows, tracker, figure))} {printable(tracker)}'
        legend += f' ({count} sequences)' if count < len(sequences) else ''
        axes.plot([x_max * k / (len(shares) - 1) for k in range(len(shares))], shares, label=legend,
                  linestyle=['-', '--', ':', '-.'][i // 10 % 4])
    axes.set(title=f'{title}, mean of {len(sequences)} sequences', xlabel=label, xlim=(0, x_max), ylim=(0, 1))
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc='upper left', bbox_to_anchor=(1, 1))
    return picture(fig)


def bars(rows, title, field):
    """A bar for each tracker on each sequence, and the range over seeds as a line."""
    sequences, trackers = in_order(rows, 'sequence'), in_order(rows, 'tracker')
    height = 0.8 / max(len(trackers), 1)
    fig, axes = plt.subplots(figsize=(7, 1.5 + 0.2 * len(sequences) * (len(trackers) + 1)))
    for i, tracker in enumerate(trackers):
        runs = [[value for value in over_seeds(rows, tracker, name, field) if value is not None] for name in sequences]
        means = [mean(values) or 0 for values in runs]
        spread = [[m - min(values, default=m) for m, values in zip(means, runs)],
                  [max(values, default=m) - m for m, values in zip(means, runs)]]
        places = axes.barh([k + i * height for k in range(len(sequences))], means, height,
                           label=printable(tracker), xerr=spread)
        axes.bar_label(places, [f'{m:.3f}' if values else '-' for m, values in zip(means, runs)], padding=3, fontsize=8)
    axes.set(title=title, xlim=(0, 1.1))
    axes.set_yticks([k + 0.4 - height / 2 for k in range(len(sequences))], [printable(name) for name in sequences])
    axes.invert_yaxis()
    if trackers:
        axes.legend(loc='upper left', bbox_to_anchor=(1, 1))
    return picture(fig)


def table(head, lines):
    def line(cells, tag):
        return '<tr>' + ''.join(f'<{tag}>{escaped(cell)}</{tag}>' for cell in cells) + '</tr>\n'
    return '<table>\n' + line(head, 'th') + ''.join(line(cells, 'td') for cells in lines) + '</table>\n'


def number(value):
    return '-' if value is None or not math.isfinite(value) else f'{value:.3f}' if value < 10 else f'{value:.1f}'


def figures(rows, fields):
    lines = []
    for tracker in in_order(rows, 'tracker'):
        for sequence in in_order([row for row in rows if row['tracker'] == tracker], 'sequence'):
            lines.append([tracker, sequence] + [number(mean(over_seeds(rows, tracker, sequence, field)))
                                                for field in fields.values()])
        lines.append([tracker, 'mean'] + [number(over_sequences(rows, tracker, field)) for field in fields.values()])
    return table(['tracker', 'sequence', *fields], lines)


def attributes(rows):
    lines = []
    for name in sorted({name for row in rows for name in row['attributes']}):
        of_name = [row for row in rows if name in row['attributes']]
        lines += [[name, len(in_order(of_name, 'sequence')), tracker, number(over_sequences(of_name, tracker, 'auc'))]
                  for tracker in in_order(of_name, 'tracker')]
    return table(['attribute', 'sequences', 'tracker', 'AUC'], lines) if lines else ''


def shifts(rows):
    moved = [row for row in rows if row['start'] != 'given']
    lines = []
    for tracker in in_order(moved, 'tracker'):
        by_start = [over_sequences([row for row in moved if row['start'] == start], tracker, 'auc')
                    for start in in_order(moved, 'start')]
        given = over_sequences([row for row in rows if row['start'] == 'given'], tracker, 'auc')
        lines.append([tracker, number(given), number(mean(by_start)),
                      number(min((auc for auc in by_start if auc is not None), default=None))])
    return table(['tracker', 'given box', 'mean of the shifted', 'worst shift'], lines) if lines else ''


def section(title, words, body):
    return f'<h2>{escaped(title)}</h2>\n<p>{escaped(words)}</p>\n{body}' if body else ''


def page(all_rows):
    """The page, and its pictures by their names."""
    rows = [row for row in all_rows if 'error' not in row]
    given = [row for row in rows if row['start'] == 'given']
    pictures = {
        'success.svg': plot(given, 'Success (AUC)', 'overlap exceeds', 'success', 'auc', 1),
        'precision.svg': plot(given, 'Precision (at 20 pixels)', 'centre within, pixels', 'near', 'p20', 50),
        'auc.svg': bars(given, 'AUC by sequence', 'auc'),
        'f.svg': bars(given, 'F by sequence (overlap over 0.25)', 'f25'),
    }
    inline = {name: svg[svg.index('<svg'):] for name, svg in pictures.items()}
    text = HEAD + f'<p>{len(rows)} runs, {sum(row["frames"] for row in rows)} frames.</p>\n'
    text += section('Success and precision', 'Left: the share of the frames with the target on which the box overlaps the '
                    'true one by more than the limit. Right: the share on which its centre is that near to the true one.',
                    f'<div class="pictures">{inline["success.svg"]}{inline["precision.svg"]}</div>')
    text += section('Sequences', 'The black line is the range over seeds.',
                    f'<div class="pictures">{inline["auc.svg"]}{inline["f.svg"]}</div>')
    for title, words, fields in SECTIONS:
        text += section(title, words, figures(given, fields))
    text += section('Attributes', 'Sequences by what makes them hard.', attributes(given))
    text += section('Shifted first boxes', 'AUC where the first box is not exact.', shifts(rows))
    text += section('Failed', '', ''.join(
        f'<p class="failed">{escaped(row["tracker"])} on {escaped(row["sequence"])}, seed {row["seed"]}: '
        f'{escaped(row["error"])}</p>\n' for row in all_rows if 'error' in row))
    return text + '</body></html>\n', pictures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('runs', type=pathlib.Path, help='what cltrack-evaluate --json has written')
    parser.add_argument('folder', type=pathlib.Path, help='where the page goes')
    args = parser.parse_args()
    try:
        rows = [json.loads(line) for line in args.runs.read_text(encoding='utf-8').splitlines() if line]
        text, pictures = page(rows)
        args.folder.mkdir(parents=True, exist_ok=True)
        for name, content in {'index.html': text, **pictures}.items():
            (args.folder / name).write_text(content, encoding='utf-8')
    except OSError as error:
        sys.exit(f'evaluation_page.py: {error}')
    except (KeyError, TypeError, ValueError) as error:
        sys.exit(f'evaluation_page.py: {args.runs} is not what cltrack-evaluate --json writes: {error!r}')
    print(f'page: {args.folder / "index.html"}')


if __name__ == '__main__':
    main()
