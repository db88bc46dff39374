#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Asks examples/browser for what it must not do, and in ways that it must survive.

Usage: browser_hostile_test.py SOURCE_DIR BUILD_DIR
"""
import contextlib
import json
import pathlib
import socket
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
import shell_commands  # noqa: E402
from browser_server import Browser, wait_for  # noqa: E402

CLEAR = '{"command": "clear"}'
BOX = {'x': 0.1, 'y': 0.1, 'width': 0.2, 'height': 0.2}


def add(**changes):
    return json.dumps({'command': 'add', **BOX, **changes})


BAD_COMMANDS = {
    'nothing': ('', 'not JSON'),
    'no JSON': ('{"command": ', 'not JSON'),
    'no UTF-8': (b'{"command": "clear\xff"}', 'not JSON'),
    'brackets without end': ('[' * 4000, 'not JSON'),
    'a number of 4,000 digits': (add(x=1).replace('"x": 1', '"x": ' + '9' * 4000), 'x has to be'),
    'a number of 5,000 digits less two': ('1' * 4094, 'an object'),
    'a list': ('[]', 'an object'),
    'no command': ('{}', 'no such command'),
    'another command': ('{"command": "save-model"}', 'no such command'),
    'a command that is none': ('{"command": ["add"]}', 'no such command'),
    'another field': (add(location='/tmp/model.json'), 'no such field'),
    'fields of another command': ('{"command": "clear", "id": 1}', 'no such field'),
    'no box': ('{"command": "add"}', 'x has to be'),
    'text for a number': (add(x='0.1'), 'x has to be'),
    'true for a number': (add(width=True), 'width has to be'),
    'null for a number': (add(height=None), 'height has to be'),
    'not a number': (add(x=float('nan')), 'NaN'),
    'infinite': (add(x=float('inf')), 'Infinity'),
    'infinite in other words': (add().replace('0.1', '1e999', 1), 'x has to be'),
    'below 0': (add(x=-0.1), 'x has to be'),
    'above 1': (add(width=1.01), 'width has to be'),
    'no area': (add(width=0), 'width'),
    'a label that is too long': (add(label='a' * 65), 'label has to be'),
    'a label of two lines': (add(label='a\nb'), 'label has to be'),
    'a label that is a number': (add(label=1), 'label has to be'),
    'half a character': (add().replace('"x"', '"label": "\\ud800", "x"'), 'label has to be'),
    'a zero in a label': (add(label='a\0b'), 'label has to be'),
    'no id': ('{"command": "remove"}', 'id has to be'),
    'half an id': ('{"command": "remove", "id": 1.5}', 'id has to be'),
    'a negative id': ('{"command": "choose", "id": -1}', 'id has to be'),
    'an id beyond all': ('{"command": "move", "id": 1e300}', 'id has to be'),
    'no point': ('{"command": "choose", "x": 0.1}', 'y has to be'),
}


def check_commands(tap, browser):
    for name, (body, words) in BAD_COMMANDS.items():
        status, answer = browser.ask('POST', 'control', body)
        tap.check(f'{name}: refused, and why', status == 422 and words in answer, f'{status} {answer}')
    found = browser.wait_for_event('targets', lambda now: True)
    tap.check('nothing of that is tracked', found and not found['targets'], found)


def check_access(tap, browser):
    token = browser.url.path
    paths = {'no token': '/', 'another token': f'/{"a" * (len(token) - 2)}/',
             'a part of it': token[:-3] + '/', 'more than it': token[:-1] + 'a/',
             'a token that is no ASCII': '/%C3%A4/', 'a way up': f'/..{token}',
             'a whole address': browser.address, 'brackets': '/[', 'an icon': '/favicon.ico'}
    for name, path in paths.items():
        for page in ('', 'pictures', 'events'):
            status, answer = browser.ask('GET', '', path=path + page)
            tap.check(f'{name}, {page or "the page"}: forbidden', status == 403, f'{status} {answer}')
    tap.check('no command without a token', browser.ask('POST', '', CLEAR, '/control')[0] == 403)
    for page in ('page.html', '../server.py', '%2e%2e/server.py', '/etc/passwd', 'control'):
        tap.check(f'there is no page {page}', browser.ask('GET', page)[0] == 404)
    for method in ('OPTIONS', 'PUT', 'DELETE', 'HEAD', 'TRACE'):
        tap.check(f'no {method}', browser.ask(method, 'control')[0] == 501)

    port = browser.url.port
    hosts = {'evil.example': 403, f'evil.example:{port}': 403, '': 403, '[': 403,
             '127.0.0.1.evil.example': 403, 'localhost': 200, f'localhost:{port}': 200,
             '127.0.0.1:1': 200, '[::1]:80': 200}
    for host, status in hosts.items():
        got = browser.ask('GET', '', Host=host)[0]
        tap.check(f'as "{host}" it {"is found" if status == 200 else "is not"}', got == status, got)
    own = f'http://127.0.0.1:{port}'
    for name, headers, status in [
            ('of another page', {'Origin': 'http://evil.example'}, 403),
            ('of a page of another port', {'Origin': 'http://127.0.0.1:1'}, 403),
            ('of a file', {'Origin': 'null'}, 403),
            ('of another page that hides its name', {'Sec-Fetch-Site': 'cross-site'}, 403),
            ('of a form', {'Content-Type': 'text/plain'}, 415),
            ('of a form with a file', {'Content-Type': 'multipart/form-data; boundary=x'}, 415),
            ('of the page', {'Origin': own, 'Sec-Fetch-Site': 'same-origin'}, 200),
            ('of a program', {'Content-Type': 'application/json; charset=utf-8'}, 200)]:
        got = browser.ask('POST', 'control', CLEAR, **headers)
        tap.check(f'a command {name}: {"done" if status == 200 else "refused"}', got[0] == status, got)


def raw(browser, text):
    """The first line of the answer to these bytes."""
    with browser.socket() as connection:
        connection.sendall(text)
        with connection.makefile('rb') as answer:
            return answer.readline().decode()


def check_sizes(tap, browser):
    head = (f'POST {browser.url.path}control HTTP/1.1\r\nHost: localhost\r\n'
            'Content-Type: application/json\r\n').encode()
    for name, text, status in [
            ('a huge body', head + b'Content-Length: 999999999\r\n\r\n' + b'a' * 100, ' 413 '),
            ('no length', head + b'\r\n' + CLEAR.encode(), ' 411 '),
            ('a negative length', head + b'Content-Length: -1\r\n\r\n', ' 411 '),
            ('a length that is none', head + b'Content-Length: 0x10\r\n\r\n', ' 411 '),
            ('a length without end', head + b'Content-Length: ' + b'1' * 5000 + b'\r\n\r\n', ' 411 '),
            ('a body in parts', head + b'Transfer-Encoding: chunked\r\n\r\n', ' 411 '),
            ('a line without end', b'GET /' + b'a' * 70000 + b' HTTP/1.1\r\n\r\n', ' 414 '),
            ('headers without end', b'GET / HTTP/1.1\r\n' + b'X: 1\r\n' * 200 + b'\r\n', ' 431 '),
            ('what is no request', bytes(range(33, 127)) + b'\r\n\r\n', 'Error response')]:
        got = raw(browser, text)
        tap.check(f'{name}: refused', status in got or (status == 'Error response' and '200' not in got), got)


def connect_silently(browser, request, client):
    """From the address 127.0.0.CLIENT one that never reads, and has no room for much."""
    connection = socket.socket()
    connection.bind((f'127.0.0.{client}', 0))
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect((browser.url.hostname, browser.url.port))
    connection.sendall(request)
    return connection


def is_open(browser, page):
    with browser.stream(page) as answer:
        return answer.status == 200


def check_crowd(tap, browser):
    """Whoever is served is served on, and the crowd goes away."""
    good, stop = [], threading.Event()

    def look():
        for picture in browser.pictures():
            good.append(picture[0])
            if stop.is_set():
                return
    eye = threading.Thread(target=look)
    eye.start()
    wait_for(lambda: good)
    pictures = f'GET {browser.url.path}pictures HTTP/1.1\r\nHost: localhost\r\n\r\n'.encode()
    with contextlib.ExitStack() as crowd:
        silent = [crowd.enter_context(connect_silently(browser, pictures, 2)) for _ in range(50)]
        beginnings = [connection.recv(12) for connection in silent]
        tap.check('there is an end to streams', beginnings.count(b'HTTP/1.0 503') >= 5, beginnings)
        halves = [crowd.enter_context(connect_silently(browser, pictures[:20], 3)) for _ in range(30)]
        seen = len(good)
        tap.check('among 50 clients that never read others get pictures',
                  wait_for(lambda: len(good) > seen + 50))
        tap.check('and command', browser.command(command='clear')[0] == 200)
        tap.check('who never reads is let go', wait_for(lambda: is_open(browser, 'pictures')))
        halves[0].settimeout(60)
        tap.check('who never asks is let go', halves[0].recv(1) == b'')

        for i in range(250):
            # Those that are too many are closed at once, maybe before they have said anything.
            with contextlib.suppress(ConnectionError):
                crowd.enter_context(connect_silently(browser, b'GET', 4 + i % 5))
        seen = len(good)
        tap.check('among 250 that are never done, too', wait_for(lambda: len(good) > seen + 20))
    stop.set()
    eye.join()

    tap.check('then there is room again', wait_for(lambda: answers(browser)))


def answers(browser):
    with contextlib.suppress(OSError):
        return browser.ask('POST', 'control', CLEAR)[0] == 200
    return False


def check_one_address(tap, browser):
    """Who holds as many connections as it gets locks nobody else out, nor itself for long."""
    with contextlib.ExitStack() as crowd:
        for _ in range(250):
            with contextlib.suppress(ConnectionError):
                crowd.enter_context(connect_silently(browser, b'', 2))
        tap.check('250 silent connections of another address lock nobody out', answers(browser))


def is_closed(connection):
    connection.settimeout(0.2)
    try:
        return connection.recv(1) == b''
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def check_silence(tap, browser):
    """Who says nothing has less time than who says something, however slowly."""
    with contextlib.ExitStack() as both:
        slow = both.enter_context(browser.socket())
        for _ in range(10):
            slow.sendall(b'G')
            is_closed(slow)
        silent = both.enter_context(browser.socket())
        while not (first := is_closed(silent)) and not is_closed(slow):
            with contextlib.suppress(ConnectionError):
                slow.sendall(b'G')
        tap.check('who says nothing is let go before one that came earlier and speaks', first)


def check_drip(tap, browser):
    """One that sends a byte from time to time would hold its thread for hours."""
    with browser.socket() as connection:
        connection.settimeout(1)
        closed = False
        for _ in range(40):
            try:
                connection.sendall(b'G')
                closed = connection.recv(1) == b''
            except TimeoutError:
                continue
            except ConnectionError:
                closed = True
            break
        tap.check('a request that comes byte by byte is not waited for', closed)


def cases(tap, source_dir, _, _work, env):
    with Browser(source_dir, env, 'test') as browser:
        browser.some_pictures(1)
        check_commands(tap, browser)
        check_access(tap, browser)
        check_sizes(tap, browser)
        check_one_address(tap, browser)
        check_silence(tap, browser)
        check_drip(tap, browser)
        check_crowd(tap, browser)
        browser.close()
        tap.check('nothing went wrong in it', 'Traceback' not in browser.log, browser.log)


if __name__ == '__main__':
    shell_commands.main(__doc__, cases)
