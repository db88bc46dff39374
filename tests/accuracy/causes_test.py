#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""causes.py, on boxes of which it is known why they are wrong. TAP.

  causes_test.py SOURCE_FOLDER
"""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(sys.argv[1], 'tests/support')))
from tap import Tap  # noqa: E402

SCRIPT = pathlib.Path(sys.argv[1], 'tests/accuracy/causes.py')
sys.path.insert(0, str(SCRIPT.parent))
import causes  # noqa: E402

HERE, OTHER, NOWHERE = (10, 10, 20, 40), (100, 10, 20, 40), (300, 200, 20, 40)


def shifted(box, by):
    return (box[0] + by, *box[1:])


def counted(boxes, truth, others=()):
    rows = [(frame, box, 'tracking' if box else 'lost') for frame, box in enumerate(boxes)]
    return {cause: count for (_, cause, _), count in causes.causes(rows, truth, others).items()}


def run(folder, *arguments):
    return subprocess.run([sys.executable, SCRIPT, folder / 'boxes', *arguments], capture_output=True, text=True, check=False)


def main():
    tap = Tap()

    def check(name, found, expected):
        tap.check(name, found == expected, f'{found}\nexpected {expected}')

    still = [OTHER] * 9
    check('a box that is right, one in a wrong size, and none',
          counted([HERE, (10, 10, 10, 10), None], [HERE] * 3), {'right': 1, 'part': 1, 'not found': 1})
    check('a jump to another, and what stays there', counted([HERE, OTHER, OTHER], [HERE] * 3, [still]),
          {'right': 1, 'jump to other': 2})
    check('a jump to the background', counted([HERE, None, NOWHERE], [HERE] * 3, [still]),
          {'right': 1, 'not found': 1, 'jump to background': 1})
    check('a drift', counted([shifted(HERE, 10 * i) for i in range(8)], [HERE] * 8),
          {'right': 2, 'drift to background': 6})
    check('a drift to another', counted([shifted(HERE, 10 * i) for i in range(10)], [HERE] * 10, [still + [OTHER]])
          ['drift to other'], 2)
    check('absent: nothing, where it was last, on another', counted([HERE, None, HERE, OTHER], [HERE, None, None, None],
                                                                    [still]),
          {'right': 1, 'silent': 1, 'stay': 1, 'jump to other': 1})

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / 'data/a-b').mkdir(parents=True)
        (folder / 'boxes').mkdir()
        answer = run(folder, folder / 'data')
        tap.check('without boxes it says what to do', answer.returncode == 1 and '--boxes' in answer.stderr, answer.stderr)
        (folder / 'data/a-b/groundtruth_rect.txt').write_text('11,11,20,40\nNaN,NaN,NaN,NaN\n')
        (folder / 'data/a-b/groundtruth_rect.2.txt').write_text('101,11,20,40\n101,11,20,40\n')
        header = 'frame,x,y,width,height,confidence,state\n'
        (folder / 'boxes/tld-a-b-0.csv').write_text(header + '0,10,10,20,40,1,tracking\n1,100,10,20,40,.5,uncertain\n')
        (folder / 'boxes/tld-a-b.2-0-frame1.csv').write_text(header + '1,,,,,0,lost\n')
        answer = run(folder, folder / 'data', '--each')
        for text in ('a-b\n', 'a-b.2\n', '| right | 1 | 0 | 0 | 0 | 0.333 |', '| jump to other | 0 | 0 | 0 | 1 | 0.333 |',
                     '| not found | 0 | 0 | 0 | 0 | 0.333 |'):
            tap.check(f'it prints {text.strip()}', text in answer.stdout, answer.stdout + answer.stderr)
        (folder / 'boxes/tld-c-0.csv').write_text(header)
        answer = run(folder, folder / 'data')
        tap.check('boxes of an unknown sequence are refused', answer.returncode == 1 and 'tld-c-0.csv' in answer.stderr,
                  answer.stderr)
        (folder / 'boxes/tld-c-0.csv').rename(folder / 'boxes/tld-a-b-1.csv')
        (folder / 'boxes/tld-a-b-1.csv').write_text(header + '7,1,1,2,2,1,tracking\n')
        answer = run(folder, folder / 'data')
        tap.check('and those of other frames', answer.returncode == 1 and 'tld-a-b-1.csv' in answer.stderr, answer.stderr)
    tap.done()


main()
