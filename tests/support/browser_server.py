# SPDX-License-Identifier: LGPL-2.1-or-later
"""Starts examples/browser, and talks to it as a browser would."""
import http.client
import itertools
import json
import signal
import socket
import subprocess
import time
import urllib.parse

from shell_commands import PYTHON

LONGEST = 60  # seconds; what is waited for comes within a few, on a machine with nothing else to do


def wait_for(ready, seconds=LONGEST):
    """Returns what `ready` returns, once that is something."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        result = ready()
        if result:
            return result
        time.sleep(0.05)
    return None


def has(entry, **fields):
    return all(entry.get(name) == value for name, value in fields.items())


def find(now, number, fields):
    """In a list of targets."""
    return next((target for target in now['targets'] if has(target, id=number, **fields)), None)


class Browser:
    def __init__(self, source_dir, env, *arguments):
        self.log = ''
        self.begin = time.monotonic()
        self.process = subprocess.Popen(
            [PYTHON, source_dir / 'examples' / 'browser', '--port', '0', *arguments], env=env,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.address = self.look_address = ''
        for line in self.process.stdout:
            self.log += line
            if line.startswith('to look at alone: '):
                self.look_address = line.split()[-1]
            if line.startswith('open '):
                self.address = line.split()[1]
                break
        self.url = urllib.parse.urlsplit(self.address)

    def connect(self):
        return http.client.HTTPConnection(self.url.hostname, self.url.port, timeout=LONGEST)

    def socket(self):
        return socket.create_connection((self.url.hostname, self.url.port), LONGEST)

    def ask(self, method, page, body=None, path=None, **headers):
        """(status, text) of a request; `path` is all of it, without the token."""
        connection = self.connect()
        if body is not None:
            headers = {'Content-Type': 'application/json', **headers}
        try:
            connection.request(method, self.url.path + page if path is None else path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def command(self, **fields):
        """(status, answer)"""
        status, text = self.ask('POST', 'control', json.dumps(fields))
        return status, json.loads(text)

    def zones(self, zones=None, version=None):
        """(status, answer), of new ones or of the question which there are."""
        body = None if zones is None else json.dumps({'zones': zones, 'version': version})
        status, text = self.ask('GET' if zones is None else 'POST', 'zones', body)
        return status, json.loads(text)

    def stream(self, page):
        """An answer that does not end, to be closed."""
        connection = self.connect()
        connection.request('GET', self.url.path + page)
        return connection.getresponse()

    def pictures(self):
        """(number, stream time in seconds, JPEG) of each that comes."""
        with self.stream('pictures') as stream:
            while line := stream.readline():
                if line != b'--cltrack\r\n':
                    raise ValueError(f'no boundary: {line}')
                head = http.client.parse_headers(stream)
                jpeg = stream.read(int(head['Content-Length']))
                yield int(head['X-Picture']), int(head['X-Time']) / 1e9, jpeg
                stream.readline()

    def some_pictures(self, count):
        return list(itertools.islice(self.pictures(), count))

    def events(self):
        """(kind, fields) of each that comes."""
        with self.stream('events') as stream:
            kind = ''
            while line := stream.readline().decode():
                if line.startswith(':'):
                    yield 'quiet', {}
                elif line.startswith('event: '):
                    kind = line.split()[1]
                elif line.startswith('data: '):
                    yield kind, json.loads(line.removeprefix('data: '))

    def wait_for_event(self, kind, ready):
        """The fields of the first one, old ones of the log among them, for which `ready` is true;
        None if it does not come."""
        until = time.monotonic() + LONGEST
        for name, fields in self.events():
            if name == kind and ready(fields):
                return fields
            if time.monotonic() > until:
                return None
        return None

    def logged(self, action, **fields):
        """The first entry of the log with these."""
        return self.wait_for_event('log', lambda entry: has(entry, action=action, **fields))

    def listed(self, number, **fields):
        """The target of this id, once it has these in the list."""
        now = self.wait_for_event('targets', lambda now: find(now, number, fields))
        return find(now, number, fields) if now else None

    def unlisted(self, number):
        """Whether it goes away."""
        return self.wait_for_event('targets', lambda now: not find(now, number, {})) is not None

    def wait(self):
        """The exit status, once it has ended by itself."""
        try:
            self.log += self.process.communicate(timeout=LONGEST)[0]
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.log += self.process.communicate()[0]
        return self.process.returncode

    def close(self, how=signal.SIGINT):
        if self.process.returncode is None:
            self.process.send_signal(how)
            self.wait()
        return self.process.returncode

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
