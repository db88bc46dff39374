# SPDX-License-Identifier: LGPL-2.1-or-later
"""What happens, for any number of clients: a log, of which each gets all, and the list of targets, of
which each gets the latest."""
import collections
import threading
import time

MOST_LOGGED = 200


class Events:
    def __init__(self):
        self.changed = threading.Condition()
        self.log = collections.deque(maxlen=MOST_LOGGED)  # (number, entry)
        self.logged = 0
        self.targets = {}  # by id
        self.chosen = None
        self.version = 0  # of the list

    def tell(self, action, **fields):
        """Writes to the log: "added", "lost" and so on."""
        with self.changed:
            self.logged += 1
            self.log.append((self.logged, {'action': action, 'clock': time.time(), **fields}))
            self.changed.notify_all()

    def set_target(self, number, target):
        """A dictionary of its label, state, confidence and box."""
        with self.changed:
            self.targets[number] = target
            self.touch()

    def remove_target(self, number):
        with self.changed:
            self.targets.pop(number, None)
            if self.chosen == number:
                self.chosen = None
            self.touch()

    def choose(self, number):
        with self.changed:
            self.chosen = number
            self.touch()

    def forget_targets(self):
        with self.changed:
            self.targets.clear()
            self.chosen = None
            self.touch()

    def touch(self):
        self.version += 1
        self.changed.notify_all()

    def target(self, number):
        """None if there is no such one."""
        with self.changed:
            return self.targets.get(number)

    def boxes(self):
        """{id: (x, y, width, height)} of those that are not lost."""
        with self.changed:
            return {number: tuple(target[side] for side in ('x', 'y', 'width', 'height'))
                    for number, target in self.targets.items() if target['state'] != 'lost'}

    def wait(self, logged, version, seconds):
        """What there is beyond these, or nothing after this time: (log entries, the list or None)."""
        with self.changed:
            self.changed.wait_for(lambda: self.logged > logged or self.version > version, seconds)
            entries = [entry for entry in self.log if entry[0] > logged]
            if self.version <= version:
                return entries, None
            targets = [{'id': number, **target} for number, target in sorted(self.targets.items())]
            return entries, {'version': self.version, 'chosen': self.chosen, 'targets': targets}
