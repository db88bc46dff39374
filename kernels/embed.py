#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes the files of kernels/ into a C++ source: embed.py OUTPUT.cpp KERNEL.cl...

A line #include "X" is replaced by the file kernels/X: a driver has no files to include.
#line keeps the compiler's messages true. Each file is there a second time, with kernels that run for many launches
at a time: parts/fused.cl says how."""

import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')


def expand(path, seen):
    lines = [f'#line 1 "{path.name}"']
    for number, line in enumerate(path.read_text(encoding='utf-8').splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            # A header that is no longer a file of its own would be warned about.
            lines.append('' if line.strip() == '#pragma once' else line)
            continue
        header = FOLDER / match[1]
        if header not in seen:
            seen.add(header)
            lines += expand(header, seen)
        lines.append(f'#line {number + 1} "{path.name}"')
    return lines


KERNEL = re.compile(r'^kernel void (\w+)\(([^)]*)\) \{\n(.*?\n)\}\n', re.MULTILINE | re.DOTALL)
PLACE = re.compile(r'get_(?:group_id|num_groups|global_id|global_size)\b')
# What stands for the places of a work-item among all of its launch.
PLACES = """#define get_group_id(axis) ((size_t)fused_group[axis])
#define get_num_groups(axis) ((size_t)fused->launch.groups[axis])
#define get_global_id(axis) (get_group_id(axis) * get_local_size(axis) + get_local_id(axis))
#define get_global_size(axis) (get_num_groups(axis) * get_local_size(axis))
"""
NO_PLACES = ''.join(f'#undef get_{name}\n' for name in ('group_id', 'num_groups', 'global_id', 'global_size'))


def fuse(kernel):
    """The kernel whose arguments, but for local memory, come from a table. FFT_SPACE is `local` or `global`."""
    name, arguments, body = kernel.groups()
    members, locals_, values = [], [], []
    for argument in (' '.join(each.split()) for each in arguments.split(',')):
        kind, own = re.fullmatch(r'(.*?[ *])(\w+)', argument).groups()
        lists = [(locals_, f', {argument}')]
        if not argument.startswith('local '):
            pointer = '*' in kind
            in_table = [(members, f'{"ulong" if pointer else kind} {own} __attribute__((aligned(8)));'),
                        (values, f'{argument} = {f"({kind})FUSED_POINTER(fused->{own})" if pointer else f"fused->{own}"};')]
            if argument.startswith('FFT_SPACE '):
                lists = [(to, f'#ifndef LONG_TRANSFORMS\n{text}\n#endif') for to, text in lists]
                lists += [(to, f'#ifdef LONG_TRANSFORMS\n{text}\n#endif') for to, text in in_table]
            else:
                lists = in_table
        for to, text in lists:
            to.append(text)
    lines = [f'struct {name}_arguments {{', 'struct FusedLaunch launch;', *members, '};',
             f'kernel void {name}(FUSED_CHUNKS, ulong fused_table, uint fused_count', *locals_, ') {',
             f'global const struct {name}_arguments* fused =',
             f'(global const struct {name}_arguments*)FUSED_POINTER(fused_table);',
             'uint fused_place = get_group_id(0);',
             'if (fused_count > 1) {',
             'fused += fused_launch(&fused->launch.first, sizeof(*fused) / sizeof(uint), fused_count);',
             'fused_place -= fused->launch.first;', '}',
             'const uint fused_rows = fused_place / fused->launch.groups[0];',
             'const uint fused_group[3] = {fused_place - fused_rows * fused->launch.groups[0],',
             'fused_rows % fused->launch.groups[1], fused_rows / fused->launch.groups[1]};', *values]
    return '\n'.join([*lines, PLACES + body + NO_PLACES + '}', ''])


def fused(path):
    head = expand(FOLDER / 'parts' / 'fused.cl', seen := set())
    text = '\n'.join(expand(path, seen)) + '\n'
    for line in KERNEL.sub('', text).splitlines():
        if PLACE.search(line) and not line.startswith('#'):
            sys.exit(f'{path}: "{line.strip()}": a function cannot know its place: let kernels hand it in')
    return '\n'.join([*head, KERNEL.sub(fuse, text)])


def main(output, kernels):
    # "sv" knows the length: clang gives up on counting it, in a constant expression.
    text = ['#include "compute/program_cache.h"', '', 'namespace cltrack {', 'namespace {', '',
            'using namespace std::string_view_literals;', '', 'constexpr KernelSource kSources[] = {']
    for kernel in map(pathlib.Path, kernels):
        body = '\n'.join(expand(kernel, set()))
        text.append(f'    {{"{kernel.stem}", R"kernel({body}\n)kernel"sv,')
        text.append(f'     R"kernel({fused(kernel)})kernel"sv}},')
    text += ['};', '', '}  // namespace', '',
             'std::span<const KernelSource> kernel_sources() { return kSources; }', '',
             '}  // namespace cltrack', '']
    pathlib.Path(output).write_text('\n'.join(text), encoding='utf-8')


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2:])
