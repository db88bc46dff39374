# SPDX-License-Identifier: LGPL-2.1-or-later
"""The tracker's messages: what they say goes to the clients, and to those who wait for an answer."""
import itertools
import queue
import threading

SIDES = ('x', 'y', 'width', 'height')


class Messages:
    def __init__(self, events):
        self.events = events
        self.lock = threading.Lock()
        self.waiting = {}  # by the number of the request
        self.numbers = itertools.count(1)

    def expect(self):
        """(a number, a queue): the answer to the request of this number will be put there."""
        answer = queue.SimpleQueue()
        with self.lock:
            number = next(self.numbers)
            self.waiting[number] = answer
        return number, answer

    def give_up(self, number):
        with self.lock:
            self.waiting.pop(number, None)

    def see(self, fields):
        """Of the bus, in their order."""
        if fields.get_name() == 'cltracker-target':
            self.see_change(fields)
        elif fields.get_name() == 'cltracker-state':
            self.see_state(fields)
        elif fields.get_name() == 'trackzones-event' and fields.has_field('id'):
            self.see_zone(fields)

    def see_change(self, fields):
        action, number = fields.get_value('action'), fields.get_value('id')
        change = {'id': number, 'label': fields.get_value('label'),
                  'reason': fields.get_value('reason')}
        if action == 'removed':
            self.events.remove_target(number)
        elif action == 'chosen':
            self.events.choose(number)
        self.events.tell(action, **change)
        if fields.has_field('request'):
            with self.lock:
                answer = self.waiting.pop(fields.get_value('request'), None)
            if answer:
                time = fields.get_value('stream-time')
                answer.put({'action': action, 'time': time, **change})

    def see_state(self, fields):
        number, state = fields.get_value('id'), fields.get_value('state')
        label, confidence = fields.get_value('label'), fields.get_value('confidence')
        target = {'label': label, 'state': state, 'confidence': round(confidence, 3),
                  'time': fields.get_value('stream-time')}
        target.update({side: round(fields.get_value(side), 1) for side in SIDES})
        self.events.set_target(number, target)
        if state == 'lost' and fields.get_value('previous-state') != 'lost':
            self.events.tell('lost', id=number, label=label)
        elif fields.get_value('recovered'):
            self.events.tell('match found', id=number, label=label)

    def see_zone(self, fields):
        details = (fields.get_value('zone'), fields.get_string('direction'))
        self.events.tell(fields.get_value('event'), id=fields.get_value('id'), label=fields.get_value('label'),
                         reason=' '.join(filter(None, details)))

    def see_zones_warning(self, reason):
        self.events.tell('refused', reason=reason)

    def begin_anew(self, reason):
        """The tracker has stopped, and knows no targets any more."""
        self.events.forget_targets()
        self.events.tell('source', reason=reason)
