#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws what `cltrack-benchmark --benchmark_filter=color/partition --benchmark_out=FILE` measured.

One panel for each device: time of a frame against the pixels that a work-item reads at a time, a
line for each number of rows of a work-group. Needs Python alone.

  tests/benchmark/plot_color_partition.py FILE... > docs/notes/color-partition.svg
"""
import json
import math
import re
import sys
from collections import defaultdict

NAME = re.compile(r'color/partition/(\w+)/n:(\d+)/rows:(\d+)/run:(\d+)/by_group:(\d)')
COLORS = ['#4477aa', '#66ccee', '#228833', '#ccbb44', '#ee6677', '#aa3377']
WIDTH, HEIGHT, LEFT, TOP = 420, 300, 60, 40


def read(paths, objects):
    """{(device, layout): {rows: {run: microseconds}}}"""
    panels = defaultdict(lambda: defaultdict(dict))
    for path in paths:
        with open(path, encoding='utf-8') as file:
            for result in json.load(file)['benchmarks']:
                match = NAME.match(result['name'])
                if not match or int(match[2]) != objects or 'error_message' in result:
                    continue
                layout = 'horizontal' if match[5] == '1' else 'vertical'
                panels[match[1], layout][int(match[3])][int(match[4])] = result['real_time']
    return panels


def text(x, y, words, anchor='middle'):
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{words}</text>'


def draw(title, lines, left):
    """One panel, `left` pixels from the left; both axes are logarithmic."""
    runs = sorted({run for line in lines.values() for run in line})
    times = [time for line in lines.values() for time in line.values()]
    low, high = math.log(min(times) * 0.9), math.log(max(times) * 1.1)

    def place(run, time):
        x = left + LEFT + runs.index(run) * (WIDTH - LEFT - 90) / max(1, len(runs) - 1)
        return x, TOP + (HEIGHT - TOP - 50) * (high - math.log(time)) / (high - low)

    yield text(left + WIDTH / 2, 20, title)
    yield text(left + WIDTH / 2 - 20, HEIGHT - 8, 'pixels of a work-item at a time')
    for run in runs:
        yield text(place(run, min(times))[0], HEIGHT - 28, run)
    for mark in (10, 20, 50, 100, 200, 500, 1000, 2000, 5000):
        if low <= math.log(mark) <= high:
            y = place(runs[0], mark)[1]
            yield text(left + LEFT - 12, y + 4, f'{mark} µs', 'end')
            yield (f'<line x1="{left + LEFT - 6}" x2="{left + WIDTH - 84}" y1="{y:.0f}" '
                   f'y2="{y:.0f}" stroke="#dddddd"/>')
    for color, (rows, line) in zip(COLORS, sorted(lines.items())):
        points = [place(run, line[run]) for run in runs if run in line]
        path = ' '.join(f'{x:.1f},{y:.1f}' for x, y in points)
        yield f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>'
    for i, (color, rows) in enumerate(zip(COLORS, sorted(lines))):
        yield (f'<text x="{left + WIDTH - 76}" y="{TOP + 16 * i + 10}" fill="{color}">'
               f'{rows} row{"s" if rows > 1 else ""}</text>')


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    panels = read(sys.argv[1:], 128)
    if not panels:
        sys.exit('error: no results of color/partition with n:128 in these files')
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH * len(panels)}" '
          f'height="{HEIGHT}" font-family="sans-serif" font-size="12">')
    print('<rect width="100%" height="100%" fill="white"/>')
    for i, ((device, layout), lines) in enumerate(sorted(panels.items())):
        print('\n'.join(draw(f'{device}, {layout}, 1920x1080, 128 objects', lines, i * WIDTH)))
    print('</svg>')


if __name__ == '__main__':
    main()
