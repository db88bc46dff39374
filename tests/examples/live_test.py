#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs README's live pipeline behind a source that is faster than the tracker: its leaky queue drops most frames, and marks
those behind as DISCONT. The target has to be tracked all the same.

Usage: live_test.py SOURCE_DIR BUILD_DIR
"""
import pathlib
import os
import random
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
import shell_commands  # noqa: E402
from tap import skip_all  # noqa: E402

WIDTH, HEIGHT, FRAMES, RATE = 320, 240, 200, 100
BURST = 4  # frames that come at once, until the tracker has done one
SIDE, Y = 60, 80
SOURCE = (f'appsrc name=source is-live=true format=time max-buffers=0 '
          f'caps=video/x-raw,format=GRAY8,width={WIDTH},height={HEIGHT},framerate={RATE}/1')
SLOW = 'identity sleep-time=30000'  # us for each frame, in the thread of the tracker


def texture(width, height, cell, low, high, seed):
    """Rows of blocks in random greys."""
    chance = random.Random(seed)
    rows = []
    for _ in range(0, height, cell):
        row = bytearray()
        for _ in range(0, width, cell):
            row += bytes([chance.randint(low, high)]) * cell
        rows += [row[:width]] * cell
    return rows[:height]


def pictures():
    """A target that goes 40 pixels a second to the right."""
    scene, target = texture(WIDTH, HEIGHT, 16, 40, 170, 1), texture(SIDE, SIDE, 6, 0, 255, 2)
    for i in range(FRAMES):
        x = 100 + i * 40 // RATE
        picture = [bytearray(row) for row in scene]
        for row in range(SIDE):
            picture[Y + row][x:x + SIDE] = target[row]
        yield b''.join(picture)


def live_pipeline(source_dir):
    """README's, from the queue on, with one target."""
    readme = (source_dir / 'README.md').read_text(encoding='utf-8')
    block = next(b for b in re.findall(r'```sh run\n(.*?)```', readme, re.S) if 'rtspsrc' in b)
    line = block.replace('\\\n', ' ')
    line = line[line.index('! queue leaky'):]
    line = re.sub(r"targets='.*?'", f'name=tracker targets="<<100,{Y},{SIDE},{SIDE}>>"', line)
    return SOURCE + ' ' + re.sub(r'autovideosink\S*', 'fakesink name=sink',
                                 line.replace('! trackoverlay', f'! {SLOW} ! trackoverlay'))


def run(line):
    """Returns how many frames came through, how many of them with DISCONT, and how many were `tracking`."""
    pipeline = Gst.parse_launch(line)
    count = {'all': 0, 'marked': 0, 'tracking': 0}

    def see(_, info):
        buffer = info.get_buffer()
        count['all'] += 1
        count['marked'] += buffer.has_flags(Gst.BufferFlags.DISCONT)
        meta = buffer.get_custom_meta('cltrack-tracks')
        if meta is not None:
            tracks = meta.get_structure()
            count['tracking'] += tracks.n_fields() == 1 and \
                tracks.get_value(tracks.nth_field_name(0)).get_value('state') == 'tracking'
        return Gst.PadProbeReturn.OK

    pipeline.get_by_name('sink').get_static_pad('sink').add_probe(Gst.PadProbeType.BUFFER, see)
    pipeline.set_state(Gst.State.PLAYING)
    source = pipeline.get_by_name('source')
    all_pictures = list(pictures())
    for first in range(0, FRAMES, BURST):
        before = count['all']
        for i in range(first, first + BURST):
            buffer = Gst.Buffer.new_wrapped(all_pictures[i])
            buffer.pts, buffer.duration = i * Gst.SECOND // RATE, Gst.SECOND // RATE
            source.emit('push-buffer', buffer)
        deadline = time.monotonic() + 10
        while count['all'] == before and time.monotonic() < deadline:
            time.sleep(.001)
    source.emit('end-of-stream')
    message = pipeline.get_bus().timed_pop_filtered(60 * Gst.SECOND,
                                                    Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    return count, message is not None and message.type == Gst.MessageType.EOS


def cases(tap, source_dir, _, __, env):
    os.environ.update(env)
    Gst.init(None)
    line = live_pipeline(source_dir)
    count, has_ended = run(line)
    tap.check('it ends', has_ended, line)
    tap.check('the queue has dropped frames, and marked others', 0 < count['marked'] <= count['all'] < FRAMES, count)
    tap.check('the target is tracked on 95 % of what comes through', count['tracking'] >= .95 * count['all'], count)


if __name__ == '__main__':
    try:
        import gi
        gi.require_version('Gst', '1.0')
        from gi.repository import Gst
    except (ImportError, ValueError) as error:
        if sys.executable != shell_commands.PYTHON:
            os.execv(shell_commands.PYTHON, [shell_commands.PYTHON, *sys.argv])
        skip_all(f'PyGObject is not there: {error}')
    shell_commands.main(__doc__, cases)
