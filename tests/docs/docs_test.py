#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs what the documentation tells readers to run.

Usage: docs_test.py SOURCE_DIR BUILD_DIR

Every fenced block of shell commands or C++ in README.md, CONTRIBUTING.md and docs/ says what is to
be done with it: ```sh run``` and ```cpp run``` blocks must work as they stand (but for the stand-ins
of shell_commands.py), ```sh show``` and ```cpp show``` blocks are only to be read. A block without
either fails, so that none escapes. ```sh run ELEMENT``` needs an element that not every release has, and
```sh run mqtt``` a broker, which stands in for broker.example. A ```text output``` block is what the block before it prints; numbers
may be off by one.
"""
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
import mqtt_broker  # noqa: E402
import shell_commands  # noqa: E402

FENCE = re.compile(r'^```(\w+)[ ]*(\w*)[ ]*(\w*)\n(.*?)^```$', re.MULTILINE | re.DOTALL)
LANGUAGES = {'sh', 'bash', 'console', 'cpp'}


def blocks(source_dir):
    files = [source_dir / 'README.md', source_dir / 'CONTRIBUTING.md']
    for path in files + sorted((source_dir / 'docs').rglob('*.md')):
        text = path.read_text(encoding='utf-8')
        for match in FENCE.finditer(text):
            line = text.count('\n', 0, match.start()) + 1
            if match[1] in LANGUAGES or match[2] == 'output':
                yield f'{path.relative_to(source_dir)}:{line}', *match.groups()


NUMBER = re.compile(r'\d+(?:\.\d+)?')


def is_same(output, wanted):
    """But for numbers that are off by one: boxes are those of a tracker."""
    numbers = [[float(number) for number in NUMBER.findall(text)] for text in (output, wanted)]
    return (NUMBER.sub('', output) == NUMBER.sub('', wanted) and
            all(abs(a - b) <= 1 for a, b in zip(*numbers)))


def compile_command(source_dir, build_dir):
    """The command of the documentation for a C++ program, here with what is not installed yet."""
    compiler = os.environ.get('CXX', 'g++')
    return (f'{compiler} -std=c++20 -Wall -Wextra -Werror program.cpp -o program -I{source_dir}/include '
            '$(pkg-config --cflags gstreamer-video-1.0 | sed "s/-I/-isystem/g") '
            f'-L{build_dir}/lib -Wl,-rpath,{build_dir}/lib -lcltrack '
            '$(pkg-config --libs gstreamer-video-1.0) && ./program')


def start_broker(tap, work, env):
    """Nothing where there can be none."""
    reason = mqtt_broker.missing()
    if not reason:
        broker = mqtt_broker.Broker(work)
        broker.start()
        return broker
    if 'CLTRACK_REQUIRE_MQTT' in env:
        tap.check('a broker', False, reason)
    return None


def with_broker(text, broker):
    return (text.replace('address=broker.example', f'address={broker.address} port={broker.port}')
            .replace('-h broker.example', f'-h {broker.address} -p {broker.port}'))


def cases(tap, source_dir, build_dir, work, env):
    broker = start_broker(tap, work, env)
    try:
        run_blocks(tap, source_dir, build_dir, work, env, broker)
    finally:
        if broker:
            broker.stop()


def run_blocks(tap, source_dir, build_dir, work, env, broker):
    output = ''  # of the latest block that was run
    for place, language, mode, element, text in blocks(source_dir):
        if mode == 'show':
            continue
        if mode == 'output':
            tap.check(place, is_same(output, text), f'printed:\n{output}')
            continue
        if mode != 'run':
            tap.check(place, False, f'a {language} block must say run or show')
            continue
        if element == 'mqtt':
            if not broker:
                tap.skip(place, 'no broker')
                continue
            text = with_broker(text, broker)
        elif element and not shell_commands.run(f'gst-inspect-1.0 --exists {element}', work, env)[0]:
            tap.skip(place, f'no {element}')
            continue
        if language == 'cpp':
            (work / 'program.cpp').write_text(text, encoding='utf-8')
            text = compile_command(source_dir, build_dir)
        done, output = shell_commands.run(shell_commands.substitute(text), work, env)
        tap.check(place, done, output)
    tap.check('there is something to run', tap.count > 0)


if __name__ == '__main__':
    shell_commands.main(__doc__, cases)
