#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs what the documentation tells readers to run.

Usage: docs_test.py SOURCE_DIR BUILD_DIR

Every fenced block of shell commands, C++ or Python in README.md, CONTRIBUTING.md and docs/ says what is to
be done with it: ```sh run```, ```cpp run``` and ```python run``` blocks must work as they stand (but for the stand-ins
of shell_commands.py), ```sh show``` blocks and the like are only to be read. A block without
either fails, so that none escapes. ```sh run ELEMENT``` needs an element that not every release has,
```sh run mqtt``` a broker, which stands in for broker.example, ```cpp run opencv``` OpenCV, and ```python run cltrack``` the
package for Python, and OpenCV; ```python run detector``` a model of an ONNX file, model.onnx, as well. Python is run a second time with a
video in which there is nothing to track. A ```text output``` block is what the block before it prints; numbers
may be off by one.

Pipelines with max-latency have a queue behind the tracker; what README says of the sample is what demo.sh does; messages that
start.md explains are those of gst-launch-1.0.
"""
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
import mqtt_broker  # noqa: E402
import shell_commands  # noqa: E402

FENCE = re.compile(r'^```(\w+)[ ]*(\w*)[ ]*(\w*)\n(.*?)^```$', re.MULTILINE | re.DOTALL)
LANGUAGES = {'sh', 'bash', 'console', 'cpp', 'python'}
# OpenCV's own opencv4.pc names all of its libraries, of which not all need be installed.
OPENCV = pathlib.Path('/usr/include/opencv4')
OPENCV_FLAGS = f'-isystem {OPENCV} -lopencv_core -lopencv_imgproc -lopencv_videoio'


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


def compile_command(source_dir, build_dir, flags):
    """The command of the documentation for a C++ program, here with what is not installed yet."""
    compiler = os.environ.get('CXX', 'g++')
    return (f'{compiler} -std=c++20 -Wall -Wextra -Werror program.cpp -o program -I{source_dir}/include '
            '$(pkg-config --cflags gstreamer-video-1.0 | sed "s/-I/-isystem/g") '
            f'-L{build_dir}/lib -Wl,-rpath,{build_dir}/lib -lcltrack '
            f'$(pkg-config --libs gstreamer-video-1.0) {flags} && ./program')


def missing_for(language, need, work, env):
    """What a block needs that is not here; empty if all is."""
    if language == 'python' and need not in ('cltrack', 'detector') and not shell_commands.run(f'{shell_commands.PYTHON} -c "import gi"', work, env)[0]:
        return 'no python3-gi'
    if need == 'cltrack':
        there = shell_commands.run(f'{shell_commands.PYTHON} -c "import cltrack.opencv, cv2"', work, env)[0]
        return '' if there else 'no package cltrack for this Python (pybind11-dev), or no python3-opencv'
    if need == 'detector':
        maker = pathlib.Path(__file__).resolve().parents[1] / 'python' / 'red_detector.py'
        made = shell_commands.run(f'{shell_commands.PYTHON} -c "import cltrack, cv2" && {shell_commands.PYTHON} {maker} model.onnx', work, env)[0]
        return '' if made else 'no package cltrack for this Python, no python3-opencv or no python3-onnx'
    if need == 'opencv':
        return '' if (OPENCV / 'opencv2' / 'videoio.hpp').exists() else 'no OpenCV'
    if need and not shell_commands.run(f'gst-inspect-1.0 --exists {need}', work, env)[0]:
        return f'no {need}'
    return ''


def make_video_of_nothing(work, env):
    command = shell_commands.SAMPLE.replace('pattern=ball', 'pattern=black').replace('video.mp4', 'nothing.mp4')
    done, output = shell_commands.run(command, work, env)
    if not done:
        raise RuntimeError(f'cannot make a video of nothing: {output}')


def check_queues(tap, source_dir):
    """What the time that downstream takes is not that of the tracker's thread."""
    for place, _, _, _, text in blocks(source_dir):
        for pipeline in text.replace('\\\n', ' ').splitlines():
            elements = [element.split() for element in pipeline.split(' ! ') if element.strip()]
            for i, (name, *settings) in enumerate(elements):
                if any(setting.startswith('max-latency=') for setting in settings):
                    tap.check(f'{place}: a queue is behind {name}', elements[i + 1:i + 2] == [['queue']], pipeline)


def check_messages(tap, source_dir, work, env):
    """What start.md says of a message is of one that there is."""
    start = (source_dir / 'docs' / 'start.md').read_text(encoding='utf-8')
    for message, pipeline in [('could not set property "targets"', 'videotestsrc ! cltracker targets=100,80,60,60 ! fakesink'),
                              ("cltracker0 can't handle caps",
                               'videotestsrc ! video/x-raw,format=I420_10LE ! cltracker ! fakesink')]:
        done, output = shell_commands.run(f'gst-launch-1.0 {pipeline}', work, env)
        tap.check(f'start.md has: {message}', not done and message in output and f'*{message}*' in start, output)


def check_sample(tap, source_dir):
    demo = (source_dir / 'examples' / 'demo.sh').read_text(encoding='utf-8')
    found = re.search(r'sample=(\S+) sample_target=\((\S+),\w+\)', demo)
    readme = (source_dir / 'README.md').read_text(encoding='utf-8')
    tap.check('the box of the sample in README is that of demo.sh',
              found and f'The box of the sample is `{found[2]}`' in readme and f'`build-sample/{found[1]}`' in readme,
              found and found[0])


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
        make_video_of_nothing(work, env)
        run_blocks(tap, source_dir, build_dir, work, env, broker)
        check_queues(tap, source_dir)
        check_sample(tap, source_dir)
        check_messages(tap, source_dir, work, env)
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
        elif missing := missing_for(language, element, work, env):
            tap.skip(place, missing)
            continue
        if language == 'cpp':
            (work / 'program.cpp').write_text(text, encoding='utf-8')
            text = compile_command(source_dir, build_dir, OPENCV_FLAGS if element == 'opencv' else '')
        if language == 'python':
            (work / 'program.py').write_text(text, encoding='utf-8')
            (work / 'nothing.py').write_text(text.replace('video.mp4', 'nothing.mp4'), encoding='utf-8')
            text = f'{shell_commands.PYTHON} program.py && {shell_commands.PYTHON} nothing.py'
        done, output = shell_commands.run(shell_commands.substitute(text), work, env)
        tap.check(place, done, output)
    tap.check('there is something to run', tap.count > 0)


if __name__ == '__main__':
    shell_commands.main(__doc__, cases)
