#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tables 3, 5 and 6 of "Efficient Parallel TLD on CPU-GPU Platform for Real-Time Tracking" (Chen et
al. 2020), with our kernels on this machine's devices beside the paper's figures, as Markdown. All of
them are sums over the frames of `car`. Needs Python alone, besides the built programs and the data.

  tests/benchmark/paper_tables.py --build build --data DATA/tld
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

# The paper's stages, and the kernels of ours that do the same.
STAGES = {
    'FFE + FC': ['scan_groups', 'scan_gather', 'scan_rows', 'gather_rows', 'select_best'],
    'NCC': ['patch_similarities', 'nearest_of'],
    'ONSC': ['mark_far', 'place_far'],
    'PSC': ['fern_codes'],
}
# What the paper leaves to the host, or does not count.
OTHERS = {
    'blur, integrals': ['blur_tiles', 'blur_strips', 'integral_rows', 'integral_columns',
                        'integral_totals', 'integral_bands'],
    'patches': ['extract_patches'],
    'LK': ['flow_first', 'flow_next', 'flow_tiles', 'point_flow'],
    'update': ['sample_order', 'update_ferns'],
}
COLUMNS = {**STAGES, **OTHERS}
OPS = {  # by the same names, for what no tracker ran
    'FFE + FC': ['scan', 'select_best'], 'NCC': ['nearest_patches'], 'ONSC': ['far_candidates'],
    'PSC': ['fern_codes'], 'blur, integrals': ['blur', 'integrate'],
    'patches': ['extract_patches'], 'LK': ['flow_pyramid', 'point_flow'],
    'update': ['order_samples', 'update_ferns'],
}
PAPER_3 = {'GTX 960M': [527.24, 78.38, 15.53, 173.01], 'i7-5500U': [4017.19, 400.39, 96.86, 990.07],
           'OpenTLD': [31589.90, 7660.12, 569.38, 17189.30]}
MODULES = {'random_fern': 'Random Fern', 'nearest_neighbour': 'Nearest Neighbour',
           'learning': 'Learning'}
PAPER_5 = {'GTX 960M': [6741.54, 3184.21, 1787.53], 'i7-5500U': [8242.86, 670.25, 1653.49],
           'OpenTLD': [37580.6, 7861.42, 17760.6]}
PAPER_6 = {'OpenTLD': (69953.2, 13.49), 'all on i7-5500U': (18581.5, 50.79),
           'all on GTX 960M': (19842.2, 47.57), 'ferns on GTX 960M, others on i7-5500U': (17841.7, 52.90)}


class CannotRun(Exception):
    pass


def run(command, **variables):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False,
                          env={**os.environ, **variables})
    if done.returncode != 0:
        raise CannotRun(f'{" ".join(map(str, command))}\nended with {done.returncode}:\n'
                        f'{done.stdout[-3000:]}')


def run_benchmarks(options, folder):
    """{name without the settings behind it: entry of Google Benchmark's JSON}."""
    out = folder / 'benchmarks.json'
    run([options.build / 'tests/benchmark/cltrack-benchmark', '--data', options.data,
         '--sequences', options.sequence, '--max-frames', options.max_frames,
         '--benchmark_filter=^(op/.*/kernels|module|placed)/', f'--benchmark_out={out}',
         '--benchmark_out_format=json'])
    found = {}
    for entry in json.loads(out.read_text(encoding='utf-8'))['benchmarks']:
        name = entry['name'].split(f'/{options.sequence}/')[0]
        if entry.get('error_occurred'):
            raise CannotRun(f'{name}: {entry["error_message"]}')
        found[name] = entry
    return found


def kernel_times(options, device, folder):
    """{kernel: milliseconds} of the fastest of some trackers whose stages all run on `device`."""
    best = None
    for attempt in range(options.runs):
        out = folder / f'times-{device}-{attempt}.json'
        run([options.build / 'tests/accuracy/cltrack-evaluate', '--data', options.data,
             '--sequences', options.sequence, '--max-frames', options.max_frames, '--trackers', 'tld',
             '--param', f'device={device}'],
            CLTRACK_OPENCL_LIBRARY=str(options.build.resolve() / 'tests/benchmark/libopencl-times.so'),
            CLTRACK_OPENCL_TIMES=str(out))
        kernels = {name.split(' ', 1)[1]: sums['ms'] for name, sums in
                   json.loads(out.read_text(encoding='utf-8'))['kernels'].items()}
        if best is None or sum(kernels.values()) < sum(best.values()):
            best = kernels
    if not best:
        raise CannotRun(f'no kernel ran on {device}')
    strangers = set(best) - {kernel for kernels in COLUMNS.values() for kernel in kernels}
    if strangers:
        raise CannotRun(f'in no column of table 3: {", ".join(sorted(strangers))}')
    return best


def op_sum(benchmarks, column, device):
    """Milliseconds of the ops over all frames, each by itself."""
    total = 0
    for op in OPS[column]:
        entry = benchmarks[f'op/{op}/{device}/kernels']
        total += entry['real_time'] / 1000 * entry['frames']  # microseconds a frame
    return total


def number(value):
    return f'{value:,.0f}' if value >= 1000 else f'{value:.1f}' if value >= 10 else f'{value:.2f}'


def print_table(head, rows):
    print('| ' + ' | '.join(head) + ' |')
    print('|' + '---|' * len(head))
    for row in rows:
        print('| ' + ' | '.join(row) + ' |')
    print()


def table_3(benchmarks, times, devices, frames):
    rows, estimated = [], False
    for device in devices:
        row = [f'ours, {device}']
        for column, kernels in COLUMNS.items():
            mine = [ms for name, ms in times.get(device, {}).items() if name in kernels]
            estimated |= not mine
            row.append(number(sum(mine)) if mine else number(op_sum(benchmarks, column, device)) + ' *')
        rows.append(row)
    for name, values in PAPER_3.items():
        rows.append([f'paper, {name}', *map(number, values), *['-'] * len(OTHERS)])
    print(f'Table 3: milliseconds that kernels ran, over {frames} frames. No transfers, no launches.\n')
    print_table(['', *COLUMNS], rows)
    if estimated:
        print('`*`: no kernel ran in the tracker: the op by itself, times the number of frames.\n')


def table_5(benchmarks, devices, frames):
    print(f'Table 5: milliseconds of each module with transfers and waits, over {frames} frames.\n')
    rows = []
    for device in devices:
        entries = [benchmarks[f'module/{module}/{device}'] for module in MODULES]
        rows.append([f'ours, {device}',
                     *(number(entry['real_time'] / 1000 * entry['frames']) for entry in entries)])
    rows += [[f'paper, {name}', *map(number, values)] for name, values in PAPER_5.items()]
    print_table(['', *MODULES.values()], rows)


def table_6(benchmarks, frames):
    print(f'Table 6: the whole tracker, {frames} frames.\n')
    rows = [[f'ours, {name.split("/", 1)[1]}', number(entry['total_ms']), number(entry['fps']),
             f'{entry["median_ms"]:.2f}', f'{entry["p99_ms"]:.2f}']
            for name, entry in benchmarks.items() if name.startswith('placed/')]
    rows += [[f'paper, {name}', number(ms), f'{fps:.1f}', '-', '-'] for name, (ms, fps) in PAPER_6.items()]
    print_table(['', 'ms', 'frames/s', 'median ms', 'p99 ms'], rows)


def make_tables(options):
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        benchmarks = run_benchmarks(options, folder)
        devices = sorted({name.split('/')[2] for name in benchmarks if name.startswith('module/')},
                         key=lambda device: (device == 'host', device))
        times = {device: kernel_times(options, device, folder) for device in devices
                 if device != 'host'}
    frames = int(next(iter(benchmarks.values()))['frames'])
    table_3(benchmarks, times, devices, frames)
    table_5(benchmarks, devices, frames)
    table_6(benchmarks, frames)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n', maxsplit=1)[0],
                                     formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, default=pathlib.Path('build'))
    parser.add_argument('--data', help='default: $CLTRACK_DATA/tld')
    parser.add_argument('--sequence', default='car')
    parser.add_argument('--max-frames', type=int, default=0, help='0 for all')
    parser.add_argument('--runs', type=int, default=3, help='for table 3; the fastest counts')
    options = parser.parse_args()
    try:
        if not options.data:
            if 'CLTRACK_DATA' not in os.environ:
                raise CannotRun('where are the sequences? Give --data DIR, or set CLTRACK_DATA')
            options.data = os.path.join(os.environ['CLTRACK_DATA'], 'tld')
        make_tables(options)
    except (CannotRun, OSError) as error:
        print(f'paper_tables: {error}', file=sys.stderr)
        return 2
    return 0


if __name__ == '__main__':
    sys.exit(main())
