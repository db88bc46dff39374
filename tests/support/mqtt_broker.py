# SPDX-License-Identifier: LGPL-2.1-or-later
"""A mosquitto of a test's own, and the consumer of examples/python that listens to it."""
import json
import os
import pathlib
import shutil
import socket
import subprocess
import time

from shell_commands import PYTHON

SURELY = 120  # seconds


def missing():
    """What a test with a broker lacks here; nothing if it lacks nothing."""
    if program() is None:
        return 'no mosquitto'
    if subprocess.run([PYTHON, '-c', 'import paho.mqtt'], stderr=subprocess.DEVNULL,
                      check=False).returncode != 0:
        return 'no python3-paho-mqtt'
    return None


def program():
    """Debian has it where only administrators look."""
    return shutil.which('mosquitto', path=os.environ.get('PATH', '') + ':/usr/sbin')


def free_port():
    with socket.socket() as one:
        one.bind(('127.0.0.1', 0))
        return one.getsockname()[1]


def wait_until(condition, what):
    """Raises if it does not come true in a time in which it surely would."""
    until = time.monotonic() + SURELY
    while not condition():
        if time.monotonic() > until:
            raise RuntimeError(f'waited in vain for {what}')
        time.sleep(0.01)


class Broker:
    """Keeps all that its listeners have not got yet, also while it is restarted."""

    def __init__(self, folder, address='127.0.0.1'):
        self.folder = pathlib.Path(folder)
        self.address = address
        self.port = free_port()
        self.process = None
        self.log = self.folder / 'mosquitto.log'
        user = 'user root\n' if os.geteuid() == 0 else ''
        self.config = self.folder / 'mosquitto.conf'
        self.config.write_text(
            f'listener {self.port} {address}\n{user}allow_anonymous true\npersistence true\n'
            f'persistence_location {self.folder}/\nmax_queued_messages 0\n', encoding='utf-8')

    def is_listening(self):
        if self.process.poll() is not None:
            raise RuntimeError('mosquitto has ended: ' + self.log.read_text(errors='replace'))
        with socket.socket() as one:
            return one.connect_ex((self.address, self.port)) == 0

    def start(self):
        with self.log.open('a', encoding='utf-8') as log:
            self.process = subprocess.Popen([program(), '-c', self.config],
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        wait_until(self.is_listening, 'mosquitto to listen')

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait()
            self.process = None

    def restart(self):
        self.stop()
        self.start()


class LiveTable:
    """examples/python/live_table.py, of which the broker keeps what it misses."""

    def __init__(self, source_dir, broker, count):
        script = pathlib.Path(source_dir) / 'examples' / 'python' / 'live_table.py'
        self.process = subprocess.Popen(
            [PYTHON, script, '--port', str(broker.port), '--client-id', 'live-table',
             '--count', str(count), broker.address],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        line = self.process.stdout.readline()
        if line.strip() != 'listening':
            raise RuntimeError('live_table.py says: ' + line + self.process.stdout.read())

    def finish(self, timeout):
        """The summaries by source, and all that it has printed."""
        try:
            output, _ = self.process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            self.process.terminate()
            output, _ = self.process.communicate()
        lines = [json.loads(line) for line in output.splitlines() if line.startswith('{')]
        return {line['source']: line for line in lines}, output
