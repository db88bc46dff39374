#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Each public header compiles alone and needs nothing but its neighbours and the standard library;
cltrack.h includes all of them, and all that lie there are installed.

Usage: public_headers_test.py INCLUDE_DIR COMPILER... -- INSTALLED_HEADER...
"""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / 'support'))
from tap import Tap  # noqa: E402

INCLUDE = re.compile(r'^#include ([<"].*[>"])', re.MULTILINE)
ALLOWED = re.compile(r'"cltrack/\w+\.h"|<[a-z_]+>')


def compiles_alone(compiler, include_dir, header):
    command = [*compiler, '-std=c++20', '-Wall', '-Wextra', '-Wpedantic', '-Wshadow', '-Werror',
               '-fsyntax-only', '-I', include_dir, '-include', f'cltrack/{header}',
               '-x', 'c++', '/dev/null']
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stderr


def main():
    include_dir, *compiler = sys.argv[1:sys.argv.index('--')]
    installed = {pathlib.Path(path).name for path in sys.argv[sys.argv.index('--') + 1:]}
    folder = pathlib.Path(include_dir) / 'cltrack'
    tap = Tap()
    present = {path.name for path in folder.glob('*.h')}
    tap.check('what lies there is what is installed', present == installed, present ^ installed)
    for header in sorted(present):
        tap.check(f'{header} compiles alone', *compiles_alone(compiler, include_dir, header))
        includes = INCLUDE.findall((folder / header).read_text(encoding='utf-8'))
        foreign = [name for name in includes if not ALLOWED.fullmatch(name)]
        tap.check(f'{header} includes public and standard headers alone', not foreign, foreign)
        if header == 'cltrack.h':
            expected = {f'"cltrack/{name}"' for name in present - {header}}
            missing = expected - set(includes)
            tap.check('cltrack.h includes all of them', not missing, missing)
    tap.done()


main()
