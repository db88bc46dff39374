#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The structure of the sources, as CONTRIBUTING.md has it: who includes whom, what belongs to an op,
comments in public headers, a test for each source, the length of files.

Usage: structure_test.py SOURCE_ROOT

structure/ops.txt is the table of all ops, structure/exceptions.txt what a rule does not hold for.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / 'support'))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / 'structure'))
from public_functions import public_functions  # noqa: E402
from tap import Tap  # noqa: E402
from tree import Exceptions, Tree, lies_in  # noqa: E402

# Layers, lowest first. A folder may include itself and lower layers, but no other folder of its
# own layer.
LAYERS = [
    ['include/cltrack', 'kernels', 'lib/pch'],
    ['lib/core'],
    ['lib/compute'],
    ['lib/ops'],
    ['lib/placement', 'lib/motion'],
    ['lib/tld', 'lib/match', 'lib/color'],
    ['lib/build_programs'],
    ['gst'],
    ['examples'],
    ['tests'],
]
# Folders whose subfolders may include each other, but not in circles.
ROOMS = ['kernels', 'lib/ops', 'gst']
# The headers in kernels/ that the host may include, and the lowest layer that may do so.
SHARED_WITH_KERNELS = (['kernels/kernel_types.h', 'kernels/filter_types.h'], 'lib/compute')
# Headers of other libraries: where they may be included.
FOREIGN = [
    (r'gst/|glib|gio/|gobject', ['gst', 'examples', 'tests']),
    (r'cairo|pango', ['gst/overlay', 'examples/track_video', 'tests']),
    (r'CL/', ['lib/compute/cl.h', 'tests']),
    (r'opencv', ['tests']),
    (r'mosquitto', ['gst/publish', 'tests']),
]
# Headers that are generated.
GENERATED = ['config.h']

MOST_LINES = 300
SHORT = ['include', 'kernels', 'lib', 'gst']

# One name through all files: X_reference.cpp is tested by X_test.cpp, gstX.cpp too.
BODIES = r'_(reference|vector|cl)$'
TESTED = ['lib', 'gst']
TEST_KINDS = ['', '_cl', '_faults']

# The files that show an example of a launch.
LAUNCHES = ['CONTRIBUTING.md', 'lib/compute/launch.h']

OP = re.compile(r'^\w[\w:<>]*\s+(\w+)\(Queue&', re.MULTILINE)
LAUNCHED = re.compile(r'\{"(\w+)", "(\w+)"')


def layer_of(path):
    """Number and folder of the layer; none for what belongs to no layer."""
    for number, folders in enumerate(LAYERS):
        for folder in folders:
            if lies_in(path, folder):
                return number, folder
    return None, None


def quoted_fault(tree, path, name):
    """Why `path` may not include "name"; none if it may."""
    target = tree.resolve(path, name)
    if name in GENERATED:
        return None
    if target is None:
        return 'no such file here: include it as <...> if it is not ours'
    layer, folder = layer_of(path)
    target_layer, target_folder = layer_of(target)
    if target_folder is None:
        return f'{target} lies on no layer: name its folder in LAYERS of tests/structure_test.py'
    if target_folder == folder:
        return None
    shared, first = SHARED_WITH_KERNELS
    if target_folder == 'kernels':
        if target not in shared or layer < layer_of(first)[0]:
            return f'of kernels/, {" and ".join(shared)} alone are for the host, from {first} on'
    elif target_layer >= layer:
        return (f'{folder} lies {"beside" if target_layer == layer else "below"} {target_folder}: '
                'move what is needed down, or hand it in from above')
    return None


def foreign_fault(path, name):
    for pattern, allowed in FOREIGN:
        if re.match(pattern, name) and not any(lies_in(path, folder) for folder in allowed):
            return f'only {", ".join(allowed)} may: hide it behind a header there'
    return None


def check_floors(tree, tap):
    for folder in (folder for layer in LAYERS for folder in layer):
        faults = []
        for path in tree.files([folder], ['.h', '.cpp', '.cl']):
            for number, kind, name in tree.includes(path):
                fault = quoted_fault(tree, path, name) if kind == '"' else foreign_fault(path, name)
                if fault:
                    faults.append(f'{path}:{number}: includes {name}: {fault}')
        tap.check(f'{folder} includes what lies below it', not faults, '\n'.join(faults))
    lost = [path for path in tree.files(['include', 'lib'], ['.h', '.cpp'])
            if layer_of(path)[1] is None]
    tap.check('every folder has its layer', not lost, '\n'.join(
        f'{path}: its folder is in no layer: add it to LAYERS of tests/structure_test.py'
        for path in lost))


def room_of(path, folder):
    """A file beside the rooms is one of its own."""
    parts = pathlib.PurePath(path).relative_to(folder).parts
    return parts[0]


def reached(doors, start):
    """All rooms that include leads to from `start`."""
    seen, waiting = set(), [start]
    while waiting:
        for _, room in (door for door in doors if door[0] == waiting[-1]):
            if room not in seen:
                seen.add(room)
                waiting.insert(0, room)
        waiting.pop()
    return seen


def check_rooms(tree, tap):
    for folder in ROOMS:
        doors = {}
        for path in tree.files([folder], ['.h', '.cpp', '.cl']):
            for number, kind, name in tree.includes(path):
                target = tree.resolve(path, name) if kind == '"' else None
                if target and lies_in(target, folder):
                    door = room_of(path, folder), room_of(target, folder)
                    if door[0] != door[1]:
                        doors.setdefault(door, []).append(f'{path}:{number}: includes {name}')
        faults = [f'{place}: {door[1]} leads back to {door[0]}: move what both need '
                  'into a third room, or hand it in'
                  for door, places in doors.items() if door[0] in reached(doors, door[1])
                  for place in places]
        tap.check(f'rooms of {folder} include each other in no circle', not faults,
                  '\n'.join(faults))


class OpRow:
    """A line of ops.txt: OP HEADER REFERENCE KERNELS BENCHMARK [TEST] [# REASON]."""

    def __init__(self, line, number):
        columns, _, self.reason = line.partition('#')
        self.number = number
        if len(columns.split()) not in (5, 6):
            sys.exit(f'ops.txt:{number}: OP HEADER REFERENCE KERNELS BENCHMARK [TEST], "-" for none')
        self.op, name, reference, self.kernels, self.benchmark, *test = columns.split()
        self.room = name.split('/')[0]
        self.header = f'lib/ops/{name}.h'
        self.reference = (reference if ':' in reference or reference == '-'
                          else f'lib/ops/{name}_reference.cpp:{reference}')
        self.test = test[0] if test else f'tests/ops/{name}_cl_test.cpp'

    def holds(self, tree, column, value):
        if column == 'reference':
            path, _, name = value.partition(':')
            return tree.has(path) and name and re.search(rf'\b{name}\(', tree.text(path))
        if column == 'kernels':
            launches = ''.join(tree.text(path)
                               for path in tree.files([f'lib/ops/{self.room}'], ['.cpp']))
            return all(tree.has(f'kernels/{self.room}/{name}.cl') and f'{{"{name}", "' in launches
                       for name in value.split(','))
        path, _, entry = value.partition(':')
        if not tree.has(path) or not re.search(rf'\b{self.op}\(', tree.text(path)):
            return False
        return f'"{entry}' in tree.text(path) if column == 'benchmark' else \
            '"support/devices.h"' in tree.text(path)

    def faults(self, tree, table):
        remedies = {
            'reference': 'no such plain body: name FILE:FUNCTION',
            'kernels': f'not in kernels/{self.room}/, or nothing in lib/ops/{self.room}/ launches it',
            'test': f'does not call {self.op}() on devices (support/devices.h)',
            'benchmark': f'does not call {self.op}(), or has no such entry: name FILE:ENTRY',
        }
        for column, remedy in remedies.items():
            value = getattr(self, column)
            if value == '-':
                if not self.reason.strip():
                    yield f'{table}:{self.number}: {self.op} has no {column}: add it, or say why'
            elif not self.holds(tree, column, value):
                yield f'{table}:{self.number}: {self.op}, {column} {value}: {remedy}'


def check_ops(tree, table, tap):
    rows = [OpRow(line, number) for number, line in enumerate(tree.text(table).splitlines(), 1)
            if line.strip() and not line.startswith('#')]
    listed = {(row.header, row.op): row for row in rows}
    declared = {(path, match[1]): tree.text(path).count('\n', 0, match.start()) + 1
                for path in tree.files(['lib/ops'], ['.h']) if path.count('/') == 3
                for match in OP.finditer(tree.text(path))}
    missing = [f'{path}:{number}: {op}() is not in {table}: add its line'
               for (path, op), number in declared.items() if (path, op) not in listed]
    missing += [f'{table}:{row.number}: {row.header} declares no {row.op}(Queue&, ...): remove it'
                for key, row in listed.items() if key not in declared]
    tap.check('all ops are in the table', not missing, '\n'.join(missing))
    for row in rows:
        faults = list(row.faults(tree, table))
        tap.check(f'{row.op} has reference, kernels, test and benchmark', not faults,
                  '\n'.join(faults))
    used = {f'kernels/{row.room}/{name}.cl'
            for row in rows for name in row.kernels.split(',')}
    idle = [f'{path}: no op has this kernel: name it in {table}, or move it to kernels/parts/'
            for path in tree.files(['kernels'], ['.cl'])
            if path not in used and not path.startswith('kernels/parts/')]
    tap.check('all kernels belong to an op', not idle, '\n'.join(idle))


def check_launches(tree, tap):
    programs = {pathlib.PurePath(path).stem: tree.text(path)
                for path in tree.files(['kernels'], ['.cl'])}
    faults = []
    for path in [*LAUNCHES, *tree.files(['lib/ops'], ['.cpp'])]:
        text = tree.text(path)
        for match in LAUNCHED.finditer(text):
            program, kernel = match.groups()
            if not re.search(rf'\bvoid\s+{kernel}\(', programs.get(program, '')):
                faults.append(f'{path}:{text.count(chr(10), 0, match.start()) + 1}: there is no '
                              f'kernel {kernel} in {program}.cl: name one that exists')
    tap.check('kernels that are launched exist', not faults, '\n'.join(faults))


def check_comments(tree, exceptions, tap):
    for path in tree.files(['include/cltrack'], ['.h']):
        faults = [f'{path}:{number}: {name}() has no comment: say above it what it does, in which '
                  'units, and what it throws'
                  for number, name, commented in public_functions(tree.text(path))
                  if not commented and not exceptions.allow('uncommented', f'{path}:{name}')]
        tap.check(f'{path} has a comment on each function', not faults, '\n'.join(faults))


def check_tests(tree, exceptions, tap):
    sources = tree.files(TESTED, ['.cpp'])
    for folder in sorted({pathlib.PurePath(path).parent for path in sources}):
        faults = []
        for path in sources:
            place = pathlib.PurePath(path)
            if place.parent != folder:
                continue
            name = re.sub(BODIES, '', place.stem)
            if place.parent.name == 'elements':
                name = name.removeprefix('gst')
            room = str(folder).removeprefix('lib/')
            tests = [f'tests/{room}/{name}{kind}_test.cpp' for kind in TEST_KINDS]
            if not any(tree.has(test) for test in tests) and not exceptions.allow('untested', path):
                faults.append(f'{path}:1: there is no {tests[0]}: write it, or say in '
                              f'{exceptions.path} what tests this')
        tap.check(f'each source of {folder} has the test of its name', not faults,
                  '\n'.join(faults))
    # By its file, or by the name that one is made of.
    listed = ''.join(tree.text(str(path.relative_to(tree.root)))
                     for path in (tree.root / 'tests').rglob('meson.build'))
    idle = [f'{path}:1: no meson.build has it: list it in the one beside it'
            for path in tree.files(['tests'], ['.cpp', '.py', '.sh'])
            if (name := re.search(r'(\w+)_test\.\w+$', path)) and name[0] not in listed
            and f"'{name[1]}'" not in listed]
    tap.check('each test is run', not idle, '\n'.join(idle))


def check_lengths(tree, exceptions, tap):
    faults = []
    for path in tree.files(SHORT, ['.h', '.cpp', '.cl', '.py']):
        lines = tree.text(path).count('\n')
        if lines > MOST_LINES and not exceptions.allow('long', path):
            faults.append(f'{path}:{lines}: of {MOST_LINES} lines at most: give a part of its job '
                          'a file of its own')
    tap.check(f'no file of more than {MOST_LINES} lines', not faults, '\n'.join(faults))


def main():
    tree = Tree(sys.argv[1])
    exceptions = Exceptions(tree, 'tests/structure/exceptions.txt')
    tap = Tap()
    check_floors(tree, tap)
    check_rooms(tree, tap)
    check_ops(tree, 'tests/structure/ops.txt', tap)
    check_launches(tree, tap)
    check_comments(tree, exceptions, tap)
    check_tests(tree, exceptions, tap)
    check_lengths(tree, exceptions, tap)
    faults = exceptions.all_faults()
    tap.check('exceptions have reasons, and are needed', not faults, '\n'.join(faults))
    tap.done()


main()
