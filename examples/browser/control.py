# SPDX-License-Identifier: LGPL-2.1-or-later
"""Commands from a page: JSON that is checked, and handed to the tracker. Places are in parts of the
picture's width and height, since a page does not know in which size it gets the picture."""
import json
import math
import queue

LONGEST_LABEL = 64
LARGEST_ID = 2**53  # that a number of JavaScript can hold
LONGEST_WAIT = 3  # seconds, for the next picture, on which commands act
BOX = ('x', 'y', 'width', 'height')
FIELDS = {'add': (*BOX, 'label'), 'move': ('id', *BOX), 'remove': ('id',), 'choose': ('id', 'x', 'y'),
          'clear': ()}


class Refused(Exception):
    """Says what was refused, and why."""


def refuse_constant(name):
    raise Refused(f'{name} is no finite number')


def read_command(body):
    """A dictionary with a known command and its fields alone, of bytes of a stranger."""
    try:
        command = json.loads(body, parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        raise Refused('this is not JSON') from error
    if not isinstance(command, dict):
        raise Refused('a command is an object, {"command": ...}')
    name = command.get('command')
    if not isinstance(name, str) or name not in FIELDS:
        raise Refused(f'no such command; there are: {", ".join(FIELDS)}')
    unknown = set(command) - {'command', *FIELDS[name]}
    if unknown:
        raise Refused(f'{name} has no such field; it has: {", ".join(FIELDS[name]) or "none"}')
    return command


def read_number(command, field, least, most):
    value = command.get(field)
    # True is an int, too. A JSON number may be too large for a float.
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or (isinstance(value, float) and not math.isfinite(value)) or not least <= value <= most:
        raise Refused(f'{field} has to be a number from {least} to {most}')
    return value


def read_id(command):
    value = read_number(command, 'id', 1, LARGEST_ID)
    if value != int(value):
        raise Refused('id has to be a whole number')
    return int(value)


def read_box(command):
    box = {side: float(read_number(command, side, 0, 1)) for side in BOX}
    return {**box, 'units': 'fraction'}


def read_label(command):
    label = command.get('label', '')
    if not isinstance(label, str) or len(label) > LONGEST_LABEL or not label.isprintable():
        raise Refused(f'label has to be text of at most {LONGEST_LABEL} characters')
    return label


def point_of(boxes, number):
    """A point where this box is the smallest, which is the one that a click there means; or None."""
    x, y, width, height = boxes[number]
    places = [(x + width * i / 8, y + height * j / 8) for i in range(1, 8) for j in range(1, 8)]
    places.sort(key=lambda place: abs(place[0] - x - width / 2) + abs(place[1] - y - height / 2))
    smaller = [box for box in boxes.values() if box[2] * box[3] < width * height]
    for px, py in places:
        if not any(bx <= px < bx + bw and by <= py < by + bh for bx, by, bw, bh in smaller):
            return px, py
    return None


class Control:
    def __init__(self, pipeline, messages, events, pictures):
        self.pipeline, self.messages = pipeline, messages
        self.events, self.pictures = events, pictures

    def do(self, body):
        """Returns what has been done, or throws Refused."""
        command = read_command(body)
        name = command['command']
        if name == 'choose':
            return self.choose(command)
        if name == 'clear':
            self.pipeline.send({'command': 'clear'})
            return {'action': 'cleared'}
        fields = {'command': name}
        if name in ('move', 'remove'):
            fields['id'] = float(read_id(command))
        if name in ('add', 'move'):
            fields.update(read_box(command))
        if name == 'add':
            fields['label'] = read_label(command)
        return self.ask(fields)

    def ask(self, fields):
        number, answers = self.messages.expect()
        try:
            self.pipeline.send({**fields, 'request': float(number)})
            answer = answers.get(timeout=LONGEST_WAIT)
        except queue.Empty:
            return {'action': 'waiting', 'reason': 'it is done on the next picture, and none has come yet'}
        finally:
            self.messages.give_up(number)
        if answer['action'] == 'refused':
            raise Refused(answer['reason'])
        return answer

    def choose(self, command):
        """At a point, as a click does; or by its id, as the list of targets does. Lost ones have no place."""
        if 'id' not in command:
            picture = self.pictures.latest
            self.pipeline.click(read_number(command, 'x', 0, 1) * picture.width,
                                read_number(command, 'y', 0, 1) * picture.height)
            return {'action': 'clicked'}
        number = read_id(command)
        if not self.events.target(number):
            raise Refused(f'there is no target with the id {number}')
        self.events.choose(number)
        boxes = self.events.boxes()
        point = point_of(boxes, number) if number in boxes else None
        if point:
            self.pipeline.click(*point)
        return {'action': 'chosen', 'id': number}
