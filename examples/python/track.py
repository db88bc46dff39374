#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Says what to track while a video plays, and prints what becomes of it.

Usage: track.py VIDEO [OUTPUT] < COMMANDS

Each line of standard input is a time in seconds and a command, done on the first picture from then on:

  0    add 140 100 40 40 ball     x, y, width, height in pixels, and a label
  0.5  move 1 200 110 40 40       the id that "added" has told, and the new box
  1.2  remove 1
  1.5  clear                      removes all

Writes the video with boxes to OUTPUT (.mp4), if that is named. Needs python3-gi and
gir1.2-gstreamer-1.0, and the plugin: GST_PLUGIN_PATH names its folder if it is not installed.
"""
import pathlib
import sys

import gi

gi.require_version('Gst', '1.0')
from gi.repository import Gst  # noqa: E402


def read_commands(lines):
    """[(nanoseconds, words)] by rising time."""
    commands = []
    for line in lines:
        words = line.split()
        if words:
            commands.append((int(float(words[0]) * Gst.SECOND), words[1:]))
    return sorted(commands, key=lambda command: command[0])


def do(tracker, words):
    """The same signals can be emitted from any thread, at any time."""
    name, *arguments = words
    if name == 'add':
        x, y, width, height = map(float, arguments[:4])
        tracker.emit('add-target', x, y, width, height, ' '.join(arguments[4:]))
    elif name == 'move':
        tracker.emit('move-target', int(arguments[0]), *map(float, arguments[1:5]))
    elif name == 'remove':
        tracker.emit('remove-target', int(arguments[0]))
    elif name == 'clear':
        tracker.emit('clear-targets')
    else:
        sys.exit(f'no such command: {" ".join(words)}')


def print_message(message):
    fields = message.get_structure()
    name = fields.get_name()
    if name not in ('cltracker-target', 'cltracker-state'):
        return
    time = fields.get_value('stream-time')
    when = f'{time / Gst.SECOND:.3f}' if time != Gst.CLOCK_TIME_NONE else '-'
    words = [when, str(fields.get_value('id')), fields.get_value('label')]
    if name == 'cltracker-target':
        words += [fields.get_value('action'), fields.get_value('reason')]
    else:
        words.append(fields.get_value('state'))
        if fields.get_value('state') != 'lost':
            x, y, width, height = (round(fields.get_value(side))
                                   for side in ('x', 'y', 'width', 'height'))
            words.append(f'{x},{y} {width}x{height}, {fields.get_value("confidence"):.2f}')
    print(' '.join(word for word in words if word), flush=True)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    Gst.init(None)
    commands = read_commands(sys.stdin)

    end = 'fakesink'
    if len(sys.argv) == 3:
        end = ('trackoverlay ! videoconvert ! video/x-raw,format=I420 ! x264enc speed-preset=veryfast '
               '! mp4mux faststart=true ! filesink name=output')
    pipeline = Gst.parse_launch('uridecodebin name=source ! videoconvert ! videoflip video-direction=auto '
                                f'! cltracker name=tracker ! {end}')
    pipeline.get_by_name('source').props.uri = pathlib.Path(sys.argv[1]).resolve().as_uri()
    if len(sys.argv) == 3:
        pipeline.get_by_name('output').props.location = sys.argv[2]
    tracker = pipeline.get_by_name('tracker')

    def before_picture(_, info):
        time = info.get_buffer().pts
        while commands and time != Gst.CLOCK_TIME_NONE and commands[0][0] <= time:
            do(tracker, commands.pop(0)[1])
        return Gst.PadProbeReturn.OK

    tracker.get_static_pad('sink').add_probe(Gst.PadProbeType.BUFFER, before_picture)
    pipeline.set_state(Gst.State.PLAYING)
    status = None
    while status is None:
        message = pipeline.get_bus().timed_pop(Gst.CLOCK_TIME_NONE)
        if message.type == Gst.MessageType.ELEMENT:
            print_message(message)
        elif message.type == Gst.MessageType.WARNING:
            print(message.parse_warning()[0].message, file=sys.stderr)
        elif message.type == Gst.MessageType.ERROR:
            print(message.parse_error()[0].message, file=sys.stderr)
            status = 1
        elif message.type == Gst.MessageType.EOS:
            status = 0
    pipeline.set_state(Gst.State.NULL)
    return status


if __name__ == '__main__':
    sys.exit(main())
