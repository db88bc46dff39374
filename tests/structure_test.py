#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The structure of the sources, as CONTRIBUTING.md has it: who includes whom, what belongs to an op,
comments in public headers, names of types, files that comments name, the length of files, tests that are run.

Usage: structure_test.py SOURCE_ROOT
"""
import fnmatch
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / 'support'))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / 'structure'))
from public_functions import public_functions  # noqa: E402
from tap import Tap  # noqa: E402
from tree import Tree, lies_in  # noqa: E402

# Layers, lowest first. A folder may include itself and lower layers, but no other folder of its
# own layer.
LAYERS = [
    ['include/cltrack', 'include/gst-cltrack', 'kernels', 'lib/pch'],
    ['lib/core'],
    ['lib/compute'],
    ['lib/ops'],
    ['lib/placement', 'lib/motion', 'lib/identity', 'lib/network'],
    ['lib/tld', 'lib/match', 'lib/color', 'lib/detections', 'lib/zones'],
    ['lib/build_programs'],
    ['gst', 'python'],
    ['examples'],
    ['tests'],
]
# Folders whose subfolders may include each other, but not in circles.
NO_CIRCLES = ['kernels', 'lib/ops', 'gst']
# The headers in kernels/ that the host may include, and the lowest layer that may do so.
SHARED_WITH_KERNELS = (['kernels/kernel_types.h', 'kernels/filter_types.h', 'kernels/network_types.h'], 'lib/compute')
# Headers of other libraries: where they may be included.
FOREIGN = [
    (r'gst/|glib|gio/|gobject', ['gst', 'include/gst-cltrack', 'examples', 'tests']),
    (r'cairo|pango', ['gst/overlay', 'examples/track_video', 'tests']),
    (r'CL/', ['lib/compute/cl.h', 'examples/opencl_buffer', 'tests']),
    (r'opencv', ['tests']),
    (r'mosquitto', ['gst/publish', 'tests']),
    (r'pybind11|Python.h', ['python', 'tests']),
]
# Headers that are generated.
GENERATED = ['config.h']

MOST_LINES = 600
SHORT = ['include', 'kernels', 'lib', 'gst', 'python']

# Ops whose plain body is no function of namespace reference that is called beside the launch, and where it is.
BODIES = {
    'lib/ops/color/color_sums.cpp': ('lib/ops/color/color_sums.h', 'for_each_run('),
    'lib/ops/match/best_match_device.cpp': ('lib/ops/match/best_match.cpp', 'best_match('),
}

# The files that show an example of a launch.
LAUNCHES = ['CONTRIBUTING.md', 'lib/compute/launch.h']

# Files that comments and notes name; X.h stands for any.
NAMED = re.compile(r'(?<![\w.-])((?:[\w-]+/)*[\w-]+\.(?:h|cpp|cl))\b')
# The same without an ending, or folders; * stands for several, upper case for any.
BARE = re.compile(r'(?<![\w./<:-])((?:[\w-]+/)+[\w*-]*)(?![\w.*/:(-])')

# What opens and ends a namespace, and a type of it, not one within another type or function.
NAMESPACE = re.compile(r'^(?:namespace ([\w:]+) \{|\}  // namespace)')
TYPE = re.compile(r'^(?:enum (?:class |struct )?|class |struct )(?:[A-Z]+_API )?(\w+)(?: final)?(?: :.*)? \{')

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


def check_layers(tree, tap):
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


def reached(edges, start):
    """All folders that includes lead to from `start`."""
    seen, waiting = set(), [start]
    while waiting:
        folder = waiting.pop()
        for target in (edge[1] for edge in edges if edge[0] == folder and edge[1] not in seen):
            seen.add(target)
            waiting.append(target)
    return seen


def check_circles(tree, tap):
    for parent in NO_CIRCLES:
        edges = {}  # what includes what, and where; a file beside the folders is one of its own
        for path in tree.files([parent], ['.h', '.cpp', '.cl']):
            for number, kind, name in tree.includes(path):
                target = tree.resolve(path, name) if kind == '"' else None
                if target and lies_in(target, parent):
                    edge = tuple(pathlib.PurePath(file).relative_to(parent).parts[0] for file in (path, target))
                    if edge[0] != edge[1]:
                        edges.setdefault(edge, []).append(f'{path}:{number}: includes {name}')
        faults = [f'{place}: {edge[1]} leads back to {edge[0]}: move what both need into a third folder, or hand it in'
                  for edge, places in edges.items() if edge[0] in reached(edges, edge[1]) for place in places]
        tap.check(f'folders of {parent} include each other in no circle', not faults, '\n'.join(faults))


def check_ops(tree, tap):
    """An op is what is declared as OP(Queue&, ...) in lib/ops/FOLDER/X.h."""
    texts = {folder: {path: tree.text(path) for path in tree.files([folder], ['.h', '.cpp'])}
             for folder in ('lib/ops', 'tests/ops', 'tests/benchmark')}
    on_devices = ''.join(text for text in texts['tests/ops'].values() if '"support/devices.h"' in text)
    benchmarks = ''.join(texts['tests/benchmark'].values())
    for path, text in texts['lib/ops'].items():
        for match in OP.finditer(text) if path.endswith('.h') and path.count('/') == 3 else ():
            call = re.compile(rf'\b{match[1]}\(')
            faults = [f'{path}: {match[1]}() is {what}' for what, where in
                      {'tested on no device: a test in tests/ops/ has to call it with "support/devices.h"': on_devices,
                       'in no benchmark: call it in tests/benchmark/': benchmarks}.items() if not call.search(where)]
            tap.check(f'{match[1]} has a test on devices and a benchmark', not faults, '\n'.join(faults))
    launching = {path: text for path, text in texts['lib/ops'].items() if LAUNCHED.search(text)}
    faults = [f'{path}: it launches kernels and calls no plain body, reference::X() or vector::X()'
              for path, text in launching.items() if path not in BODIES and not re.search(r'\b(reference|vector)::', text)]
    faults += [f'{path}: {body} has no {name.rstrip("(")}(): correct BODIES in tests/structure_test.py'
               for path, (body, name) in BODIES.items() if path not in launching or name not in tree.text(body)]
    tap.check('what launches kernels has a plain body', not faults, '\n'.join(faults))
    launched = {match[1] for text in launching.values() for match in LAUNCHED.finditer(text)}
    idle = [f'{path}: nothing in lib/ops/ launches it: delete it, or move it to kernels/parts/'
            for path in tree.files(['kernels'], ['.cl'])
            if not path.startswith('kernels/parts/') and pathlib.PurePath(path).stem not in launched]
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


def check_comments(tree, tap):
    for path in tree.files(['include/cltrack'], ['.h']):
        faults = [f'{path}:{number}: {name}() has no comment: say above it what it does, in which '
                  'units, and what it throws'
                  for number, name, commented in public_functions(tree.text(path)) if not commented]
        tap.check(f'{path} has a comment on each function', not faults, '\n'.join(faults))


def check_types(tree, tap):
    """Headers meet in one source sooner or later: two types of a name would be one for the compiler, or none."""
    places = {}
    for path in tree.files(['include/cltrack', 'lib'], ['.h']):
        within = []
        for number, line in enumerate(tree.text(path).splitlines(), 1):
            if match := NAMESPACE.match(line):
                within = [*within, match[1]] if match[1] else within[:-1]
            elif match := TYPE.match(line):
                places.setdefault('::'.join([*within, match[1]]), []).append(f'{path}:{number}')
    faults = [f'{", ".join(where)}: {len(where)} types are called {name}: rename all but one'
              for name, where in sorted(places.items()) if len(where) > 1]
    tap.check('each type of the library has a name of its own', not faults, '\n'.join(faults))


def check_named_files(tree, tap):
    sources = tree.files([*SHORT, 'examples', 'tests'], ['.h', '.cpp', '.cl'])
    notes = ['CONTRIBUTING.md', *tree.files(['docs/notes'], ['.md'])]
    ends = {path[i:] for path in sources for i in range(len(path)) if i == 0 or path[i - 1] == '/'}
    parts = set()
    for path in tree.files([*SHORT, 'docs', 'examples', 'tests', 'tools', 'debian'], None):
        names = [*pathlib.PurePath(path).parent.parts, pathlib.PurePath(path).name.partition('.')[0]]
        parts |= {'/'.join(names[i:j]) for i in range(len(names)) for j in range(i + 1, len(names) + 1)}
    folders = {part for path in sources for part in pathlib.PurePath(path).parent.parts}
    benchmarks = '\n'.join(tree.text(path) for path in tree.files(['tests/benchmark'], ['.cpp', '.h']))

    def is_gone(name):
        """Whether it looks like a file or folder of ours, and is none, nor the name of a benchmark."""
        return (name.partition('/')[0] in folders and not fnmatch.filter(parts, name.rstrip('/'))
                and not re.search(r'/[A-Z]+\b', name) and f'"{name}' not in benchmarks)

    faults = []
    for path in [*sources, *notes]:
        for number, line in enumerate(tree.text(path).splitlines(), 1):
            comment = line if path in notes else line.partition('//')[2]
            faults += [f'{path}:{number}: there is no {name}: say where it is now' for name in NAMED.findall(comment)
                       if name not in ends and name not in GENERATED and not pathlib.PurePath(name).stem.startswith('X')]
            faults += [f'{path}:{number}: there is no {name}: say where it is now' for name in BARE.findall(comment)
                       if is_gone(name)]
    tap.check('comments and notes name files that exist', not faults, '\n'.join(faults))


def check_tests(tree, tap):
    # By its file, or by the name that one is made of.
    listed = ''.join(tree.text(str(path.relative_to(tree.root)))
                     for path in (tree.root / 'tests').rglob('meson.build'))
    idle = [f'{path}:1: no meson.build has it: list it in the one beside it'
            for path in tree.files(['tests'], ['.cpp', '.py', '.sh'])
            if (name := re.search(r'(\w+)_test\.\w+$', path)) and name[0] not in listed
            and f"'{name[1]}'" not in listed]
    tap.check('each test is run', not idle, '\n'.join(idle))


def check_lengths(tree, tap):
    faults = []
    for path in tree.files(SHORT, ['.h', '.cpp', '.cl', '.py']):
        lines = tree.text(path).count('\n')
        if lines > MOST_LINES:
            faults.append(f'{path}:{lines}: of {MOST_LINES} lines at most: it is more than one concept')
    tap.check(f'no file of more than {MOST_LINES} lines', not faults, '\n'.join(faults))


def main():
    tree = Tree(sys.argv[1])
    tap = Tap()
    check_layers(tree, tap)
    check_circles(tree, tap)
    check_ops(tree, tap)
    check_launches(tree, tap)
    check_comments(tree, tap)
    check_types(tree, tap)
    check_named_files(tree, tap)
    check_tests(tree, tap)
    check_lengths(tree, tap)
    tap.done()


main()
