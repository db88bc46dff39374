#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Errors of the elements in Python programs that import other modules, too, which bring libraries of C++ of their own.

GStreamer's typelib loads libunwind for the whole process, and an exception within the plugin must not be handed from one
unwinder to another (lib/core/unwind_resume.cpp).

Usage: python_imports_test.py SOURCE_DIR BUILD_DIR
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
import shell_commands  # noqa: E402
from shell_commands import PYTHON  # noqa: E402

# Prints what a pipeline ends with: the text of an error, or "end".
PROGRAM = '''
import gi
gi.require_version('Gst', '1.0')
from gi.repository import Gst
{after}
Gst.init(None)
pipeline = Gst.parse_launch('videotestsrc num-buffers={buffers} ! video/x-raw,width=320,height=240 '
                            '! cltracker name=tracker {properties} ! fakesink')
tracker = pipeline.get_by_name('tracker')
{commands}
pipeline.set_state(Gst.State.PLAYING)
end = pipeline.get_bus().timed_pop_filtered(60 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
print(end.parse_error()[0].message if end.type == Gst.MessageType.ERROR else 'end')
pipeline.set_state(Gst.State.NULL)
'''
TARGET = 'targets="<<140,100,40,40>>"'
# Each throws an exception within the library or the plugin: name, properties, what is done first, number of buffers,
# what is printed.
CASES = [
    ('a device that is not there', f'device=9.9 {TARGET}', '', 3, '9.9'),
    ('a flat template', 'device=host algorithm=template template-location=flat.pgm', '', 3, 'flat'),
    ('a region that is none', 'device=host region="0.1"', '', 3, 'not a point'),
    ('a target that is too small', 'device=host targets="<<140,100,2,2>>"', '', 3, 'width=2'),
    ('a damaged model', 'device=host', "assert tracker.emit('load-model', 'model.json', 'x') == 0", 3, 'end'),
    ('device=auto, stopped early', TARGET, '', 60, 'end'),
]
ORDERS = [('without others', '', '')] + [
    (f'{module} {when}', f'import {module}' * (when == 'before'), f'import {module}' * (when == 'after'))
    for module in ('PIL.Image', 'cv2') for when in ('before', 'after')]


def cases(tap, _source_dir, _build_dir, work, env):
    (work / 'flat.pgm').write_bytes(b'P5 32 32 255\n' + bytes(32 * 32))
    (work / 'model.json').write_text('{"a": 1', encoding='utf-8')
    for order, before, after in ORDERS:
        if not shell_commands.run(f'{PYTHON} -c "{before or after}"', work, env)[0]:
            tap.skip(order, 'the module is not installed')
            continue
        for name, properties, commands, buffers, wanted in CASES:
            program = before + PROGRAM.format(after=after, buffers=buffers, properties=properties, commands=commands)
            (work / 'program.py').write_text(program, encoding='utf-8')
            done, output = shell_commands.run(f'{PYTHON} program.py', work, env)
            tap.check(f'{order}: {name}', done and wanted in (output.splitlines() or [''])[-1], output)


if __name__ == '__main__':
    shell_commands.main(__doc__, cases)
