# SPDX-License-Identifier: LGPL-2.1-or-later
"""Chromium without a window, driven by the DevTools protocol through a pair of pipes."""
import base64
import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import time

LONGEST = 60  # seconds
OPTIONS = ['--headless=new', '--remote-debugging-pipe', '--no-first-run', '--disable-gpu',
           '--disable-dev-shm-usage', '--disable-background-networking', '--disable-extensions',
           '--disable-component-update', '--mute-audio', '--force-device-scale-factor=1']
READ_COMMANDS, WRITE_ANSWERS = 3, 4  # the numbers of files that Chromium expects


def find_chromium():
    return shutil.which('chromium')


class Chromium:
    def __init__(self, profile, width, height):
        """`profile` is an empty folder."""
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()
        options = [*OPTIONS, f'--user-data-dir={profile}', f'--window-size={width},{height}']
        if os.geteuid() == 0:
            options.append('--no-sandbox')  # it refuses to start otherwise
        log = pathlib.Path(profile) / 'chromium.log'

        def connect():
            # Either number may be taken by the other one.
            first, second = os.dup(commands), os.dup(answers)
            os.dup2(first, READ_COMMANDS)
            os.dup2(second, WRITE_ANSWERS)
        with open(log, 'wb') as errors:
            self.process = subprocess.Popen(
                [find_chromium(), *options, 'about:blank'], stdin=subprocess.DEVNULL, stdout=errors,
                stderr=errors, close_fds=False, preexec_fn=connect, start_new_session=True)
        os.close(commands)
        os.close(answers)
        self.received, self.last_id = b'', 0
        self.call('Browser.getVersion')  # it is there

    def read(self, until):
        """The next message."""
        while b'\0' not in self.received:
            if not select.select([self.answers], [], [], max(until - time.monotonic(), 0))[0]:
                raise TimeoutError(f'Chromium has not answered within {LONGEST} s')
            part = os.read(self.answers, 1 << 16)
            if not part:
                raise EOFError('Chromium has ended')
            self.received += part
        message, _, self.received = self.received.partition(b'\0')
        return json.loads(message)

    def call(self, method, session=None, **parameters):
        """What the protocol's method returns."""
        self.last_id += 1
        message = {'id': self.last_id, 'method': method, 'params': parameters}
        if session:
            message['sessionId'] = session
        os.write(self.commands, json.dumps(message).encode() + b'\0')
        until = time.monotonic() + LONGEST
        while (answer := self.read(until)).get('id') != self.last_id:
            pass  # an event, which nobody has asked for
        if 'error' in answer:
            raise RuntimeError(f'{method}: {answer["error"]["message"]}')
        return answer['result']

    def open(self, address):
        return Page(self, address)

    def close(self):
        """Its helpers, too."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(LONGEST)
        os.close(self.commands)
        os.close(self.answers)


class Page:
    def __init__(self, chromium, address):
        self.chromium = chromium
        target = chromium.call('Target.createTarget', url='about:blank')['targetId']
        self.session = chromium.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        self.call('Page.navigate', url=address)

    def call(self, method, **parameters):
        return self.chromium.call(method, self.session, **parameters)

    def evaluate(self, expression):
        """What JavaScript has for it, if it is as simple as JSON."""
        result = self.call('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in result:
            raise RuntimeError(f'{expression}: {result["exceptionDetails"]}')
        return result['result'].get('value')

    def mouse(self, kind, x, y, button='none', held=0):
        """`kind`: mousePressed, mouseReleased or mouseMoved; `held`: 1 while the left button is down."""
        self.call('Input.dispatchMouseEvent', type=kind, x=x, y=y, button=button, buttons=held,
                  clickCount=0 if kind == 'mouseMoved' else 1)

    def drag(self, left, top, right, bottom):
        """Leaves the button down."""
        self.mouse('mouseMoved', left, top)
        self.mouse('mousePressed', left, top, 'left', 1)
        self.mouse('mouseMoved', (left + right) / 2, (top + bottom) / 2, 'left', 1)
        self.mouse('mouseMoved', right, bottom, 'left', 1)

    def click(self, x, y, button):
        self.mouse('mousePressed', x, y, button, 1 if button == 'left' else 2)
        self.mouse('mouseReleased', x, y, button)

    def touch(self, kind, *points):
        """`kind`: touchStart, touchMove or touchEnd, which has no points."""
        self.call('Input.dispatchTouchEvent', type=kind, touchPoints=[{'x': x, 'y': y} for x, y in points])

    def key(self, name):
        for kind in ('keyDown', 'keyUp'):
            self.call('Input.dispatchKeyEvent', type=kind, key=name)

    def screenshot(self, path):
        picture = self.call('Page.captureScreenshot', format='png')['data']
        pathlib.Path(path).write_bytes(base64.b64decode(picture))
