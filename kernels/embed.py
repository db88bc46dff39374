#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes the files of kernels/ into a C++ source: embed.py OUTPUT.cpp KERNEL.cl...

A line #include "X" is replaced by the file kernels/X: a driver has no files to include.
#line keeps the compiler's messages true."""

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


def main(output, kernels):
    # "sv" knows the length: clang gives up on counting it, in a constant expression.
    text = ['#include "compute/program_cache.h"', '', 'namespace cltrack {', 'namespace {', '',
            'using namespace std::string_view_literals;', '', 'constexpr KernelSource kSources[] = {']
    for kernel in map(pathlib.Path, kernels):
        body = '\n'.join(expand(kernel, set()))
        text.append(f'    {{"{kernel.stem}", R"kernel({body}\n)kernel"sv}},')
    text += ['};', '', '}  // namespace', '',
             'std::span<const KernelSource> kernel_sources() { return kSources; }', '',
             '}  // namespace cltrack', '']
    pathlib.Path(output).write_text('\n'.join(text), encoding='utf-8')


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2:])
