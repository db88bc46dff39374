# SPDX-License-Identifier: LGPL-2.1-or-later
"""A scene to try it on without a camera: a ball that goes from place to place in front of a
wall, and behind a post on some of its ways. It stays for a while at each place."""
import random

WIDTH, HEIGHT, RATE = 640, 360, 25
RADIUS = 30
POST = (300, 364)  # left and right edge
STAY, GO = 4.0, 2.5  # seconds
PLACES = [(150, 110), (210, 260), (470, 240), (540, 100), (420, 140)]
GRID = 16  # pixels between the random grey values of the wall
BALL_COLOR, WALL_COLOR, POST_COLOR = (90, 190), (134, 122), (118, 138)  # Cb and Cr


def center(seconds):
    """Where the middle of the ball is."""
    leg, since = divmod(seconds, STAY + GO)
    (x, y), (next_x, next_y) = (PLACES[(int(leg) + i) % len(PLACES)] for i in (0, 1))
    way = min(max((since - STAY) / GO, 0), 1)
    way = way * way * (3 - 2 * way)  # starts and stops gently
    return round(x + way * (next_x - x)), round(y + way * (next_y - y))


def time_at_rest(seconds):
    """How long the ball stays where it is; 0 while it goes."""
    return max(STAY - seconds % (STAY + GO), 0)


def wall():
    """Grey values that a tracker finds something in: smooth, and random."""
    numbers = random.Random(1)
    lines = []
    for _ in range(HEIGHT // GRID + 2):
        knots = [numbers.randrange(40, 170) for _ in range(WIDTH // GRID + 2)]
        lines.append([(knots[x // GRID] * (GRID - x % GRID) + knots[x // GRID + 1] * (x % GRID)) // GRID
                      for x in range(WIDTH)])
    rows = []
    for y in range(HEIGHT):
        above, below, part = lines[y // GRID], lines[y // GRID + 1], y % GRID
        rows.append(bytes((a * (GRID - part) + b * part) // GRID for a, b in zip(above, below)))
    return b''.join(rows)


def ball_rows(radius):
    """[(distance from its left edge, grey values)] of each row: light, with dark patches."""
    rows = []
    for y in range(-radius, radius):
        half = int((radius * radius - y * y) ** 0.5)
        rows.append((radius - half, bytes(
            60 if (x // 12 + y // 12) % 2 and x * x + y * y < 0.7 * radius * radius else 200 + y // 2
            for x in range(-half, half))))
    return rows


class Plane:
    """One plane of the picture; `scale`: pixels of the picture for each of its own."""

    def __init__(self, background, ball, post, scale):
        self.scale, self.width = scale, WIDTH // scale
        self.background, self.ball = background, ball
        self.post = slice(POST[0] // scale, POST[1] // scale)
        self.post_row = bytes([post]) * (self.post.stop - self.post.start)
        for y in range(HEIGHT // scale):
            self.draw_post(y, self.background)

    def draw_post(self, y, pixels):
        row = y * self.width
        pixels[row + self.post.start:row + self.post.stop] = self.post_row

    def draw(self, center_x, center_y):
        pixels = bytearray(self.background)
        left, top = (round(c - RADIUS) // self.scale for c in (center_x, center_y))
        for y, (indent, row) in enumerate(self.ball, top):
            at = y * self.width + left + indent
            pixels[at:at + len(row)] = row
            self.draw_post(y, pixels)
        return bytes(pixels)


class Scene:
    def __init__(self):
        small = WIDTH * HEIGHT // 4
        flat = [[(indent, bytes([c]) * len(row)) for indent, row in ball_rows(RADIUS // 2)]
                for c in BALL_COLOR]
        self.planes = [Plane(bytearray(wall()), ball_rows(RADIUS), 90, 1)] + [
            Plane(bytearray([WALL_COLOR[i]]) * small, flat[i], POST_COLOR[i], 2) for i in (0, 1)]

    def picture(self, seconds):
        """I420, without padding."""
        return b''.join(plane.draw(*center(seconds)) for plane in self.planes)
