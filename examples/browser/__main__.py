#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A page with the live picture, on which a box is dragged around what is to be tracked.

Needs python3-gi and gir1.2-gstreamer-1.0, and the plugin: GST_PLUGIN_PATH names its folder if it is not
installed. examples/browser.sh builds it, and starts this.
"""
import argparse
import ipaddress
import signal
import socket
import sys
import threading

import gi

gi.require_version('Gst', '1.0')
from gi.repository import Gst  # noqa: E402

from access import Access  # noqa: E402
from control import Control  # noqa: E402
from events import Events  # noqa: E402
from messages import Messages  # noqa: E402
from pictures import Pictures  # noqa: E402
from pipeline import Pipeline  # noqa: E402
from server import Server  # noqa: E402
from sources import SourceError, open_source  # noqa: E402
from zones import Zones  # noqa: E402


def read_arguments():
    parser = argparse.ArgumentParser(prog='browser', description=__doc__.splitlines()[0])
    parser.add_argument('source', nargs='?', default='test', metavar='SOURCE',
                        help='a video file, a camera (/dev/video0), rtsp://..., or test (default): '
                        'a scene of its own')
    parser.add_argument('--zones', metavar='FILE',
                        help='count over the lines and in the areas of this file, which the page edits; it is made '
                        'if there is none')
    parser.add_argument('--host', default='127.0.0.1',
                        help='the address at which it listens (%(default)s: this machine alone; '
                        '0.0.0.0: all that reach it)')
    parser.add_argument('--port', type=int, default=8080, help='(%(default)s; 0: any that is free)')
    return parser.parse_args()


def own_address():
    """That by which others reach this machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(('192.0.2.1', 9))  # an address of nobody; nothing is sent
            return way.getsockname()[0]
        except OSError:
            return socket.gethostname()


def address(server, host, token):
    """For a browser. One that stands for all addresses is none to go to."""
    if host in ('0.0.0.0', '::'):
        host = own_address()
    elif ':' in host:
        host = f'[{host}]'
    return f'http://{host}:{server.server_port}/{token}/'


def open_zones(path):
    try:
        return Zones(path)
    except OSError as error:
        sys.exit(f'browser: --zones {path}: {error.strerror}')


def is_loopback(host):
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == 'localhost'


def main():
    arguments = read_arguments()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    Gst.init(None)
    pictures, events = Pictures(), Events()
    messages = Messages(events)
    zones = open_zones(arguments.zones) if arguments.zones else None
    pipeline = Pipeline(open_source(arguments.source), pictures, messages, zones and zones.path)
    control = Control(pipeline, messages, events, pictures)
    try:
        server = Server(arguments.host, arguments.port, Access(), pictures, events, control, zones)
    except (OSError, OverflowError) as error:
        sys.exit(f'browser: cannot listen at {arguments.host}, port {arguments.port}: {error}; '
                 '--port 0 takes any that is free')
    threading.Thread(target=server.serve_forever, daemon=True).start()
    if not is_loopback(arguments.host):
        print('Whoever reaches this machine and knows this address sees the pictures. Nothing is encrypted.')
    print(f'to look at alone: {address(server, arguments.host, server.access.look_token)}')
    print(f'open {address(server, arguments.host, server.access.token)}', flush=True)
    pipeline.run()


if __name__ == '__main__':
    try:
        main()
    except SourceError as error:
        sys.exit(f'browser: {error}')
    except KeyboardInterrupt:
        sys.exit(130)
