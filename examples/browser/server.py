# SPDX-License-Identifier: LGPL-2.1-or-later
"""The HTTP server: the page, the pictures, the events, and the commands. One thread for each connection."""
import http.server
import json
import pathlib
import secrets
import socket
import socketserver
import sys
import threading
import time

from access import client_of, is_own_name, is_own_page
from control import Refused
from zones import LARGEST

PAGE = pathlib.Path(__file__).with_name('page.html')
SCRIPT = pathlib.Path(__file__).with_name('zones.js')
LARGEST_COMMAND = 4096  # bytes
LONGEST_SILENCE = 3  # seconds, of one whose request has not come yet
LONGEST_REQUEST = 10  # seconds, until it has come
LONGEST_WRITE = 10  # seconds, for a picture or an event; whoever takes longer has to come again
MOST_CONNECTIONS = 200
MOST_OF_A_CLIENT = 50  # of these: all streams, and some commands, may come through one proxy
MOST_STREAMS = 40  # of pictures, and of events, together
WRITE_BUFFER = 128 << 10  # bytes: what a slow client gets late
EVENTS_PAUSE = 0.1  # seconds between two lists of targets
QUIET = 5  # seconds after which an empty line tells that the server is still there
BOUNDARY = b'\r\n--cltrack\r\n'
HEADERS = {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
}


class Handler(http.server.BaseHTTPRequestHandler):
    timeout = LONGEST_SILENCE
    disable_nagle_algorithm = True  # the end of a picture does not wait for the client's acknowledgement
    server_version, sys_version = 'cltrack', ''

    def do_GET(self):
        pages = {'': self.send_page, 'zones.js': self.send_script, 'pictures': self.send_pictures,
                 'events': self.send_events, 'zones': self.send_zones}
        page = self.check_access()
        if page in pages:
            pages[page]()
        elif page is not None:
            self.answer(404, {'refused': 'no such page'})

    def do_POST(self):
        page = self.check_access()
        if page is None:
            return
        if page not in ('control', 'zones'):
            self.answer(404, {'refused': 'no such page'})
        elif not self.may_command:
            self.answer(403, {'refused': 'this address is to look at alone'})
        elif not is_own_page(self.headers):
            self.answer(403, {'refused': 'this comes from another page'})
        elif self.headers.get('Content-Type', '').split(';')[0].strip() != 'application/json':
            self.answer(415, {'refused': 'Content-Type has to be application/json'})
        elif (body := self.read_body(LARGEST_COMMAND if page == 'control' else LARGEST)) is not None:
            self.obey(self.server.control.do if page == 'control' else self.save_zones, body)

    def check_access(self):
        """The page that is asked for; None if the answer has been given already."""
        page, self.may_command = self.server.access.page_of(self.path)
        if page is None or not is_own_name(self.headers.get('Host', '')):
            self.answer(403, {'refused': 'use the address that the program has printed'})
            return None
        if self.command == 'GET':
            self.server.request_is_there(self.connection)
        return page

    def read_body(self, largest):
        length = self.headers.get('Content-Length', '')
        if not (length.isascii() and length.isdecimal() and len(length) < 10):
            self.answer(411, {'refused': 'Content-Length is missing'})
        elif int(length) > largest:
            self.answer(413, {'refused': f'this has at most {largest} bytes'})
        else:
            body = self.rfile.read(int(length))
            self.server.request_is_there(self.connection)
            return body if len(body) == int(length) else None
        return None

    def obey(self, do, *arguments):
        try:
            self.answer(200, do(*arguments))
        except Refused as refused:
            self.answer(422, {'refused': str(refused)})

    def zones(self):
        if not self.server.zones:
            raise Refused('nothing is counted: start the program with --zones FILE')
        return self.server.zones

    def send_zones(self):
        self.obey(lambda: self.zones().read())

    def save_zones(self, body):
        version = self.zones().save(body)
        self.server.events.tell('zones', reason='saved', version=version)
        return {'action': 'saved', 'version': version}

    def begin(self, status, content_type, **headers):
        self.connection.settimeout(LONGEST_WRITE)
        self.send_response(status)
        for name, value in {'Content-Type': content_type, **HEADERS, **headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def answer(self, status, fields):
        self.begin(status, 'application/json')
        self.wfile.write(json.dumps(fields).encode())

    def send_page(self):
        # What is not of this page, and of this time, is not run.
        nonce = secrets.token_urlsafe(12)
        policy = (f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; "
                  "img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'")
        self.begin(200, 'text/html; charset=utf-8', **{'Content-Security-Policy': policy})
        text = PAGE.read_text(encoding='utf-8').replace('NONCE', nonce)
        self.wfile.write(text.replace('ROLE', 'command' if self.may_command else 'look').encode())

    def send_script(self):
        self.begin(200, 'text/javascript; charset=utf-8')
        self.wfile.write(SCRIPT.read_bytes())

    def send_stream(self, content_type, write):
        """`write` goes on until the client is gone."""
        if not self.server.streams.acquire(blocking=False):
            self.answer(503, {'refused': f'there are {MOST_STREAMS} streams already'})
            return
        try:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, WRITE_BUFFER)
            self.begin(200, content_type)
            write()
        except OSError:
            pass  # it is gone, or too slow
        finally:
            self.server.streams.release()

    def send_pictures(self):
        self.send_stream('multipart/x-mixed-replace; boundary=cltrack', self.write_pictures)

    def write_pictures(self):
        self.wfile.write(BOUNDARY[2:])
        number = 0
        while True:
            picture = self.server.pictures.wait(number, QUIET)
            if picture is None:
                # As good as a picture: whether anybody is there is only known by writing.
                picture = self.server.pictures.latest
                if not picture.number:
                    continue
            number = picture.number
            # A browser shows a picture when it has seen its end: the line after it.
            self.wfile.write(b'Content-Type: image/jpeg\r\nContent-Length: %d\r\nX-Picture: %d\r\n'
                             b'X-Time: %d\r\n\r\n' % (len(picture.jpeg), number, picture.time) +
                             picture.jpeg + BOUNDARY)

    def send_events(self):
        self.send_stream('text/event-stream', self.write_events)

    def write_events(self):
        last = self.headers.get('Last-Event-ID', '')
        logged = int(last) if last.isascii() and last.isdecimal() and len(last) < 10 else 0
        version = -1
        while True:
            entries, targets = self.server.events.wait(logged, version, QUIET)
            text = ''
            for logged, entry in entries:
                text += f'id: {logged}\nevent: log\ndata: {json.dumps(entry)}\n\n'
            if targets:
                version = targets['version']
                picture = self.server.pictures.latest
                targets |= {'width': picture.width, 'height': picture.height}
                text += f'event: targets\ndata: {json.dumps(targets)}\n\n'
            self.wfile.write((text or ':\n\n').encode())
            time.sleep(EVENTS_PAUSE)

    def log_message(self, *_):
        """Addresses have the token, and do not belong into logs."""


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, host, port, access, pictures, events, control, zones=None):
        self.address_family = socket.AF_INET6 if ':' in host else socket.AF_INET
        self.access, self.pictures, self.events, self.control = access, pictures, events, control
        self.zones = zones
        self.streams = threading.BoundedSemaphore(MOST_STREAMS)
        self.lock = threading.Lock()
        self.connections = {}  # whose each one is
        self.coming = {}  # those whose request has not come yet: since when
        super().__init__((host, port), Handler)

    def server_bind(self):
        # Without the parent's question for the name of this address, which may take seconds.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]

    def process_request(self, request, client_address):
        client = client_of(client_address[0])
        with self.lock:
            accepted = (len(self.connections) < MOST_CONNECTIONS and
                        list(self.connections.values()).count(client) < MOST_OF_A_CLIENT)
            if accepted:
                self.connections[request] = client
                self.coming[request] = time.monotonic()
        if accepted:
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def shutdown_request(self, request):
        with self.lock:
            self.connections.pop(request, None)
            self.coming.pop(request, None)
        super().shutdown_request(request)

    def request_is_there(self, request):
        with self.lock:
            self.coming.pop(request, None)

    def service_actions(self):
        """Some send a request byte by byte, and would never end."""
        with self.lock:
            late = [request for request, since in self.coming.items()
                    if time.monotonic() - since > LONGEST_REQUEST]
        for request in late:
            self.request_is_there(request)
            try:
                request.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # it has ended meanwhile

    def handle_error(self, request, client_address):
        """Clients that go away in the middle are no error."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)
