# SPDX-License-Identifier: LGPL-2.1-or-later
"""The latest picture, for any number of clients. One that is slow skips pictures; nobody waits for it."""
import collections
import threading

# `number` counts from 1, `time` is the stream time in ns.
Picture = collections.namedtuple('Picture', ['number', 'time', 'width', 'height', 'jpeg'])


class Pictures:
    def __init__(self):
        self.changed = threading.Condition()
        self.latest = Picture(0, 0, 0, 0, b'')

    def put(self, time, width, height, jpeg):
        with self.changed:
            self.latest = Picture(self.latest.number + 1, time, width, height, jpeg)
            self.changed.notify_all()

    def wait(self, number, seconds):
        """The latest one after that of this number; None if none comes within this time."""
        with self.changed:
            if self.changed.wait_for(lambda: self.latest.number > number, seconds):
                return self.latest
            return None
