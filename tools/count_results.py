#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Counts test cases of a `meson test` run: passed, failed, skipped.

Usage: count_results.py BUILD_DIR

Reads what the run left in BUILD_DIR: meson-logs/testlog*.json (one line per test program, with its
output) and the XML reports that GoogleTest programs wrote (one entry per case). Scripts report their
cases as TAP on standard output. A program with neither counts as one case. A program that failed
although no case of its report did (crash, sanitizer report at exit, timeout) counts as one failed
case more: nothing that went wrong is lost in the sum.

Prints three numbers and, to standard error, the names of what failed and why cases were skipped.
"""
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

GOOD = {'OK', 'EXPECTEDFAIL'}


def count_report(program, path):
    """Returns [passed, failed, skipped], notes of a program's report; None if there is none."""
    try:
        root = ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError):
        return None
    passed = failed = skipped = 0
    notes = []
    for case in root.iter('testcase'):
        name = f"{program}: {case.get('classname')}.{case.get('name')}"
        if case.find('failure') is not None:
            failed += 1
            notes.append(f'FAILED  {name}')
        elif case.find('skipped') is not None:
            skipped += 1
            message = case.find('skipped').get('message', '').split()
            notes.append(f"skipped {name}: {' '.join(message[1:])[:160]}")  # [0]: source line
        elif case.get('status') == 'notrun' or case.get('result') == 'suppressed':
            skipped += 1
            notes.append(f'skipped {name}: disabled')
        else:
            passed += 1
    return [passed, failed, skipped], notes


TAP_LINE = re.compile(r'(not )?ok \d+(?: -)? ?([^#]*)(?:# (SKIP|TODO)\S* ?(.*))?$', re.IGNORECASE)


def count_tap(program, output):
    """The same of a program that speaks TAP (its output has a plan, 1..N)."""
    plan = re.search(r'^1\.\.(\d+)(?: # SKIP (.*))?$', output, re.MULTILINE)
    if plan is None:
        return None
    if plan[1] == '0':
        return [0, 0, 1], [f'skipped {program}: {plan[2]}']
    counts = [0, 0, 0]
    notes = []
    for line in output.splitlines():
        case = TAP_LINE.match(line)
        if case is None:
            continue
        if case[3]:
            counts[2] += 1
            notes.append(f'skipped {program}: {case[2].strip()}: {case[4]}')
        elif case[1]:
            counts[1] += 1
            notes.append(f'FAILED  {program}: {case[2].strip()}')
        else:
            counts[0] += 1
    return counts, notes


def last_words(record):
    """What a program said at its end: one that crashed has no report that would tell why."""
    lines = [line for stream in ('stdout', 'stderr')
             for line in (record.get(stream) or '').strip().splitlines()[-3:]]
    return [f'        {line[:160]} ... {line[-120:]}' if len(line) > 300 else f'        {line}'
            for line in lines]


def count_run(build_dir):
    # With --wrapper or --setup, meson puts that into the name.
    log = max((build_dir / 'meson-logs').glob('testlog*.json'), key=lambda path: path.stat().st_mtime,
              default=build_dir / 'meson-logs' / 'testlog.json')
    total = [0, 0, 0]
    notes = []
    with open(log, encoding='utf-8') as lines:
        for line in lines:
            record = json.loads(line)
            name = record['name'].split(' / ')[-1]
            result = record['result']
            report = (count_report(name, build_dir / f'{name}.xml') or
                      count_tap(name, record.get('stdout') or ''))
            if report is None:
                kind = 0 if result in GOOD else 2 if result == 'SKIP' else 1
                total[kind] += 1
                if kind == 2:
                    reason = (record.get('stdout') or '').strip().splitlines()
                    notes.append(f"skipped {name}: {reason[-1] if reason else 'no reason given'}")
                elif kind == 1:
                    notes.append(f'FAILED  {name} ({result.lower()}, exit {record.get("returncode")})')
                    notes += last_words(record)
                continue
            cases, case_notes = report
            total = [sum(pair) for pair in zip(total, cases)]
            notes += case_notes
            if result not in GOOD | {'SKIP'} and cases[1] == 0:
                total[1] += 1
                notes.append(f"FAILED  {name} ({result.lower()}, exit {record.get('returncode')}"
                             ', although no case did)')
    return total, notes


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        total, notes = count_run(pathlib.Path(sys.argv[1]))
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f'count_results.py: no results of a test run in {sys.argv[1]}: {error}')
    for note in notes:
        print(note, file=sys.stderr)
    print(*total)


if __name__ == '__main__':
    main()
