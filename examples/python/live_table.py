#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Keeps a live table of all tracks of all sources that trackpublish sends to an MQTT broker.

Usage: live_table.py [--port PORT] [--topic TOPIC] [--count COUNT] [--client-id ID] [--username NAME]
                     [--ca-file FILE] [HOST]

The table is drawn anew twice a second on a terminal, and once at the end elsewhere. It ends with
Ctrl-C, or after COUNT messages (doubles do not count), and prints a line of JSON for each source: what
has come, what was missing and what has come twice. With --client-id the broker keeps messages for it
while it is away, if the broker is configured so. The password is that of the environment variable
MQTT_PASSWORD. Needs python3-paho-mqtt.
"""
import argparse
import json
import os
import signal
import sys
import threading

import paho.mqtt.client as mqtt


class Numbers:
    """Finds doubles and gaps among the messages of one kind of one run, by their sequence numbers."""

    def __init__(self):
        self.next = None
        self.missing = set()
        self.received = self.doubles = self.unmarked_doubles = self.late = 0

    def see(self, number, is_marked):
        """Whether the message is new."""
        if self.next is None:
            self.next = number  # what was before was before our time
        if number >= self.next:
            self.missing.update(range(self.next, number))
            self.next = number + 1
        elif number in self.missing:
            self.missing.remove(number)
            self.late += 1
        else:
            self.doubles += 1
            self.unmarked_doubles += not is_marked
            return False
        self.received += 1
        return True


class Source:
    def __init__(self):
        self.available = '?'
        self.time = ''
        self.runs = {}  # Numbers by run and kind
        self.tracks = {}  # (label, state, box) by the tracker and its id

    @staticmethod
    def key(item):
        return item['cltrack']['tracker'], item['id']

    def set_track(self, item):
        box = f"{item['x']},{item['y']} {item['w']}x{item['h']}"
        self.tracks[self.key(item)] = (item['roi_type'], item['cltrack']['state'], box)

    def see(self, kind, text, is_repeated):
        """Whether the message is new. `is_repeated`: the broker says that it has sent it before."""
        if kind == 'available':
            self.available = text
            return False
        message = json.loads(text)
        own = message['cltrack']
        numbers = self.runs.setdefault((own['run'], kind), Numbers())
        if not numbers.see(own['sequence'], is_repeated or own.get('again', False)):
            return False
        self.time = message['system_timestamp']
        if kind == 'events':
            self.set_track(message['object'])
            if message['type'] == 'end':
                self.tracks.pop(self.key(message['object']), None)
        else:
            items = {self.key(item): item for item in message['objects'] if 'id' in item}
            for key in self.tracks.keys() - items.keys():
                label, _, box = self.tracks[key]
                self.tracks[key] = (label, 'lost', box)
            for item in items.values():
                self.set_track(item)
        return True

    def summary(self):
        numbers = self.runs.values()
        fields = ('received', 'doubles', 'unmarked_doubles', 'late')
        counts = {field: sum(getattr(one, field) for one in numbers) for field in fields}
        return counts | {'missing': sum(len(one.missing) for one in numbers),
                         'runs': len({run for run, _ in self.runs}), 'available': self.available}


class Table:
    """All sources. Used by the thread of the client and the one that draws."""

    def __init__(self, count):
        self.sources = {}
        self.left = count
        self.lock = threading.Lock()
        self.done = threading.Event()

    def see(self, _client, _data, message):
        # TOPIC/SOURCE/KIND
        _, name, kind = message.topic.rsplit('/', 2)
        text = message.payload.decode()
        with self.lock:
            source = self.sources.setdefault(name, Source())
            if source.see(kind, text, message.dup) and self.left is not None:
                self.left -= 1
                if self.left <= 0:
                    self.done.set()

    def text(self):
        lines = [f"{'source':12} {'tracker':12} {'id':>6} {'label':12} {'state':10} box"]
        with self.lock:
            for name, source in sorted(self.sources.items()):
                lines.append(f'{name:12} {source.available:12} {source.time}')
                for (tracker, number), (label, state, box) in sorted(source.tracks.items()):
                    lines.append(f"{'':12} {tracker:12} {number:6} {label:12} {state:10} {box}")
        return '\n'.join(lines)

    def summary(self):
        with self.lock:
            return '\n'.join(json.dumps({'source': name} | source.summary())
                             for name, source in sorted(self.sources.items()))


def make_client(arguments, table):
    version = getattr(mqtt, 'CallbackAPIVersion', None)  # of paho 2; paho 1 has one alone
    options = {'client_id': arguments.client_id, 'clean_session': not arguments.client_id}
    client = mqtt.Client(version.VERSION2, **options) if version else mqtt.Client(**options)
    if arguments.username:
        client.username_pw_set(arguments.username, os.environ.get('MQTT_PASSWORD'))
    if arguments.ca_file:
        client.tls_set(arguments.ca_file)
    client.on_connect = lambda *_: client.subscribe(arguments.topic, qos=1)
    client.on_subscribe = lambda *_: print('listening', file=sys.stderr, flush=True)
    client.on_message = table.see
    client.reconnect_delay_set(1, 5)
    client.connect_async(arguments.host, arguments.port)
    return client


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('host', nargs='?', default='localhost')
    parser.add_argument('--port', type=int, default=1883)
    parser.add_argument('--topic', default='cltrack/#')
    parser.add_argument('--count', type=int)
    parser.add_argument('--client-id', default='')
    parser.add_argument('--username')
    parser.add_argument('--ca-file')
    arguments = parser.parse_args()

    table = Table(arguments.count)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: table.done.set())
    client = make_client(arguments, table)
    client.loop_start()
    while not table.done.wait(0.5):
        if sys.stdout.isatty():
            print('\033[H\033[J' + table.text(), flush=True)
    client.disconnect()
    client.loop_stop()
    if not sys.stdout.isatty():
        print(table.text())
    print(table.summary())


main()
