#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Drags and clicks with a real mouse pointer in the window of a video sink, on a display of its own.

Usage: mouse_test.py SOURCE_DIR BUILD_DIR

MOUSE_TEST_PICTURE names a PNG file to which the window is written while a box is dragged.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
from shell_commands import environment  # noqa: E402
from tap import Tap, skip_all  # noqa: E402

PIPELINE = ('videotestsrc is-live=true pattern=spokes ! video/x-raw,width=320,height=240,framerate=25/1 '
            '! cltracker navigation=true ! trackoverlay navigation=true ! {} videoconvert ! ximagesink')
# Dragged over the picture of 320x240, whose centre, which is white, it has.
BOX = (110, 80, 210, 160)
WHITE = 240
LONGEST = 60  # seconds; what is waited for comes within one, on a machine with nothing else to do


def wait_for(ready):
    """Returns what `ready` returns, once that is something."""
    until = time.monotonic() + LONGEST
    while time.monotonic() < until:
        result = ready()
        if result:
            return result
        time.sleep(0.05)
    return None


class Display:
    """An X server without a screen."""

    def __init__(self):
        reader, writer = os.pipe()
        # Without -noreset it begins anew whenever its last client leaves, and refuses those who come
        # meanwhile.
        self.process = subprocess.Popen(
            ['Xvfb', '-displayfd', str(writer), '-screen', '0', '1024x768x24', '-nolisten', 'tcp',
             '-noreset'],
            pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as numbers:
            self.name = ':' + numbers.readline().strip()

    def close(self):
        self.process.terminate()
        self.process.wait(LONGEST)


class Window:
    """A pipeline that shows its pictures in a window, and a hand on the mouse."""

    def __init__(self, line, env, log):
        self.env, self.log = env, log
        with open(log, 'wb') as output:
            self.process = subprocess.Popen(['gst-launch-1.0', '-m', *line.split()], env=env,
                                            stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        self.id = wait_for(self.find)

    def find(self):
        found = subprocess.run(['xdotool', 'search', '--onlyvisible', '--name', '.'], env=self.env,
                               capture_output=True, text=True, check=False)
        return found.stdout.split()[-1] if found.stdout.split() else None

    def do(self, *words):
        subprocess.run(['xdotool', *map(str, words)], env=self.env, check=True, timeout=LONGEST)

    def move(self, x, y):
        self.do('mousemove', '--window', self.id, round(x), round(y))

    def drag(self, left, top, right, bottom):
        """Leaves the button down."""
        self.move(left, top)
        self.do('mousedown', 1)
        self.move((left + right) / 2, (top + bottom) / 2)
        self.move(right, bottom)

    def output(self):
        return self.log.read_text(encoding='utf-8', errors='replace')

    def said(self, *fields, times=1):
        """Waits for a message cltracker-target with these."""
        def ready():
            lines = [line for line in self.output().splitlines() if 'cltracker-target' in line
                     and all(f'(string){field},' in line for field in fields)]
            return len(lines) >= times
        return wait_for(ready)

    def first_box(self):
        found = re.search(r'previous-state=\(string\)none.*? x=\(double\)([-\d.]+), y=\(double\)([-\d.]+), '
                          r'width=\(double\)([-\d.]+), height=\(double\)([-\d.]+)', self.output())
        return tuple(map(float, found.groups())) if found else None

    def picture(self, file):
        """A row of grey values for each row of the window; the window as PNG in `file`, too."""
        source = f'ximagesrc xid={self.id} num-buffers=1 show-pointer=false use-damage=false'
        raw = self.log.with_suffix('.raw')
        subprocess.run(['gst-launch-1.0', '-q', *f'{source} ! videoconvert ! tee name=t t. ! queue ! '
                        f'pngenc ! filesink location={file} t. ! queue ! videoconvert ! '
                        f'video/x-raw,format=RGB ! filesink location={raw}'.split()], env=self.env,
                       check=True, timeout=LONGEST)
        return raw.read_bytes()

    def close(self):
        self.process.terminate()
        self.process.wait(LONGEST)


def is_white(pixels, width, x, y):
    """In a picture of RGB whose rows have 4 bytes' alignment."""
    at = y * ((3 * width + 3) // 4 * 4) + 3 * x
    return min(pixels[at:at + 3]) > WHITE


def use(tap, name, window, place, size, png):
    """`place` turns a point of the picture into one of the window."""
    corners = place(*BOX[:2]) + place(*BOX[2:])
    if not tap.check(f'{name}: a window opens', window.id, window.output()):
        return
    # Without a window manager nobody else gives it the keyboard.
    window.do('windowfocus', window.id)
    window.do('windowsize', window.id, *size)

    def picture_is_in_the_middle():
        return is_white(window.picture(png), size[0], size[0] // 2, size[1] // 2)
    tap.check(f'{name}: the picture is shown', wait_for(picture_is_in_the_middle))
    window.drag(*corners)

    def band_is_shown():
        # The sink sends the latest move of some time before the buttons of that time: it may have
        # overtaken the press, and hands do not keep still.
        window.move(corners[2] - 1, corners[3])
        window.move(*corners[2:])
        pixels = window.picture(png)
        return is_white(pixels, size[0], round(corners[0]) + 1, round(corners[1]) + 1)
    tap.check(f'{name}: the band is shown while it is dragged', wait_for(band_is_shown))
    window.do('mouseup', 1)
    tap.check(f'{name}: a drag adds a target', window.said('added', 'navigation'), window.output())
    box = wait_for(window.first_box)
    expected = (BOX[0], BOX[1], BOX[2] - BOX[0], BOX[3] - BOX[1])
    tap.check(f'{name}: where it was dragged',
              box and all(abs(a - b) <= 1 for a, b in zip(box, expected)), f'{box} is not {expected}')

    window.move((corners[0] + corners[2]) / 2, (corners[1] + corners[3]) / 2)
    window.do('click', 1)
    tap.check(f'{name}: a click chooses', window.said('chosen', 'navigation'), window.output())

    window.drag(*place(10, 10), *place(60, 60))
    window.do('key', 'Escape')
    window.do('mouseup', 1)
    window.move((corners[0] + corners[2]) / 2, (corners[1] + corners[3]) / 2)
    window.do('click', 3)
    tap.check(f'{name}: a right click removes', window.said('removed', 'navigation'), window.output())
    tap.check(f'{name}: Escape has cancelled a drag', window.output().count('(string)added,') == 1,
              window.output())


def needs():
    """What there is not."""
    missing = [program for program in ('Xvfb', 'xdotool') if not shutil.which(program)]
    for element in ('ximagesink', 'ximagesrc', 'videotestsrc', 'pngenc'):
        if subprocess.run(['gst-inspect-1.0', '--exists', element], check=False).returncode != 0:
            missing.append(element)
    return missing


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    if os.environ.get('CLTRACK_SANITIZE', 'none') != 'none':
        skip_all('gst-launch-1.0 cannot load a plugin that is built with a sanitizer')
    if missing := needs():
        skip_all(f'NO WINDOW TO POINT AT: not installed: {", ".join(missing)}')
    tap = Tap()
    display = Display()
    env = environment(pathlib.Path(sys.argv[2]).resolve()) | {'DISPLAY': display.name}
    cases = {
        'as large as the picture': ('', (320, 240), lambda x, y: (x, y)),
        'twice as large': ('videoscale ! video/x-raw,width=640,height=480 !', (640, 480),
                           lambda x, y: (2 * x, 2 * y)),
        'in a larger window': ('', (600, 480), lambda x, y: (x + 140, y + 120)),
    }
    try:
        with tempfile.TemporaryDirectory() as work:
            png = os.environ.get('MOUSE_TEST_PICTURE', str(pathlib.Path(work) / 'window.png'))
            for number, (name, (scale, size, place)) in enumerate(cases.items()):
                window = Window(PIPELINE.format(scale), env, pathlib.Path(work) / f'{number}.log')
                try:
                    use(tap, name, window, place, size, png)
                finally:
                    window.close()
    finally:
        display.close()
    tap.done()


main()
