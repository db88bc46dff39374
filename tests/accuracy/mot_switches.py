# SPDX-License-Identifier: LGPL-2.1-or-later
"""Contact sheets of id switches, for mot_harness.py. Needs python3-opencv.

A row is a switch of an object of the ground truth from one id to another: frames around the last one that showed it under the first
id, and around that on which it had the other. Boxes: of the object green, of the first id orange, of the other red, of other ids
cyan, darker if they are uncertain; detections white, with their confidence.
"""
import pathlib

import cv2
import numpy

TILE, COLUMNS, ROWS, BAR = 200, 7, 8, 18  # pixels; tiles of a row, rows of a sheet; pixels
AROUND = 1.9  # of the object's height, the side of a tile
GREEN, ORANGE, RED, CYAN, WHITE, YELLOW = (0, 220, 0), (0, 140, 255), (0, 0, 255), (255, 200, 0), (255, 255, 255), (0, 255, 255)


def frames_of(switch, every, count):
    """At most COLUMNS of them."""
    frame, last = switch['frame'], switch['last']
    wanted = {last - every, last, last + 1, (last + frame) // 2, frame - 1, frame, frame + 2 * every}
    return sorted({min(max(one, 0), count - 1) for one in wanted})


class Tile:
    """The part of a picture around a box."""

    def __init__(self, picture, box):
        self.scale = TILE / (AROUND * box[3])
        self.left, self.top = (box[i] + box[i + 2] / 2 - TILE / 2 / self.scale for i in (0, 1))
        matrix = numpy.array([[self.scale, 0, -self.scale * self.left], [0, self.scale, -self.scale * self.top]])
        self.pixels = cv2.warpAffine(picture, matrix, (TILE, TILE))

    def place(self, x, y):
        return round((x - self.left) * self.scale), round((y - self.top) * self.scale)

    def draw(self, box, color, thickness=1, text='', below=False):
        x, y, width, height = box
        cv2.rectangle(self.pixels, self.place(x, y), self.place(x + width, y + height), color, thickness)
        at = self.place(x, y + height if below else y)
        cv2.putText(self.pixels, text, (max(at[0], 0), max(at[1] + (11 if below else -2), 9)), cv2.FONT_HERSHEY_SIMPLEX, 0.32,
                    color, 1, cv2.LINE_AA)


def tile_of(picture, switch, frame, sequence, boxes, detections):
    """`boxes`: [id, box, state] of the frame; `detections`: none if the detector has not run."""
    own = [box for name, box in sequence.truth[frame] if name == switch['object']]
    then = [box for name, box in sequence.truth[switch['frame']] if name == switch['object']]
    tile = Tile(picture, (own or then)[0])
    for confidence, box in detections:
        tile.draw(box, WHITE, text=f'{confidence:.2f}', below=True)
    for box in own:
        tile.draw(box, GREEN, 2)
    for name, box, state in boxes:
        color = {switch['before']: ORANGE, switch['after']: RED}.get(name, CYAN)
        is_sure = state == 'tracking'
        tile.draw(box, color if is_sure else tuple(value // 2 for value in color), 2 if is_sure and color != CYAN else 1,
                  str(name) if is_sure else f'{name}?')
    cv2.putText(tile.pixels, str(frame), (2, TILE - 4), cv2.FONT_HERSHEY_SIMPLEX, 0.35, YELLOW, 1, cv2.LINE_AA)
    return tile.pixels


def write_sheets(path, sequence, every, boxes, switches, pictures):
    """Writes path-1.png and so on; returns their names. `boxes`: [id, box, state] for each frame; `pictures`: in BGR, from the
    first frame on."""
    wanted = {}
    for row, switch in enumerate(switches):
        for column, frame in enumerate(frames_of(switch, every, sequence.frames)):
            wanted.setdefault(frame, []).append((row, column))
    rows = [numpy.zeros((BAR + TILE, COLUMNS * TILE, 3), numpy.uint8) for _ in switches]
    for row, switch in zip(rows, switches):
        text = '{name}, frame {frame}: object {object}, id {before} (last on {last}) -> {after}'.format(name=sequence.name, **switch)
        cv2.putText(row, text, (2, BAR - 5), cv2.FONT_HERSHEY_SIMPLEX, 0.4, WHITE, 1, cv2.LINE_AA)
    for frame, picture in enumerate(pictures if wanted else ()):
        for row, column in wanted.get(frame, ()):
            detections = sequence.detections[frame] if frame % every == 0 else []
            rows[row][BAR:, column * TILE:(column + 1) * TILE] = tile_of(picture, switches[row], frame, sequence, boxes[frame],
                                                                        detections)
        if frame == max(wanted):
            break
    names = []
    for first in range(0, len(rows), ROWS):
        names.append(pathlib.Path(f'{path}-{first // ROWS + 1}.png'))
        if not cv2.imwrite(str(names[-1]), numpy.vstack(rows[first:first + ROWS])):
            raise OSError(f'cannot write {names[-1]}')
    return names
