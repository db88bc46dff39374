#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""accuracy_tables.py, on rows that nobody had to measure. TAP.

  accuracy_tables_test.py SOURCE_FOLDER
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(sys.argv[1], 'tests')))
import accuracy_tables as tables  # noqa: E402


def row(sequence, variant, f25, absent=None):
    return {'sequence': sequence, 'variant': variant, 'f25': f25, 'f50': 0.5, 'auc': f25 / 2,
            'absent_fp': absent, 'p25_tracking': 1.0, 'p25_uncertain': None, 'tracking_share': 0.5,
            'calibration_error': 0.01, 'tpr50': 0.5, 'tnr': None}


RUNS = {'otb': [row('Car', 'given', 1.0), row('Car', 'noise', 0.5), row('Ape', 'given', 0.0), row('Ape', 'noise', 0.0)],
        'tld': [row('panda', 'given', 0.75, 0.25)]}


def lines_of_sequences_are_means_over_variants():
    lines = tables.sequence_table(RUNS)
    assert '| Car | .750 | .500 | .375 | .177, .250 |  |' in lines, lines
    assert '| panda | .750 | .500 | .375 | , .375 | .250 |' in lines, lines


def sets_have_the_interval_of_their_targets():
    line = next(line for line in tables.sequence_table(RUNS) if line.startswith('| **otb**'))
    assert line == '| **otb**, 2 targets | .375 | .500 | .188 (.000 to .375) | .088, .125 |  |', line


def what_nobody_measured_is_empty():
    line = tables.state_table(RUNS)[2]
    assert line == '| otb | 1.000 |  | .500 | .010 | .500 |  |', line


def parts_have_a_line_each():
    lines = tables.part_table([('nothing', RUNS), ('all', RUNS)])
    assert lines[2] == '| nothing | .375, .500, .188 | .750, .500, .375 | .250 |', lines


def only_what_is_between_the_marks_is_replaced():
    document = f'before\n{tables.BEGIN}old\n{tables.END}after\n'
    new = tables.replaced(document, ['new'])
    assert new == f'before\n{tables.BEGIN}new\n{tables.END}after\n', new
    try:
        tables.replaced('no marks\n', ['new'])
    except ValueError:
        return
    raise AssertionError('a file without marks was written')


TESTS = [lines_of_sequences_are_means_over_variants, sets_have_the_interval_of_their_targets,
         what_nobody_measured_is_empty, parts_have_a_line_each,
         only_what_is_between_the_marks_is_replaced]
failed = 0
for number, test in enumerate(TESTS, 1):
    try:
        test()
        print(f'ok {number} - {test.__name__}')
    except AssertionError as error:
        failed += 1
        print(f'not ok {number} - {test.__name__}: {error}')
print(f'1..{len(TESTS)}')
sys.exit(failed > 0)
