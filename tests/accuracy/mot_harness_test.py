#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""mot_harness.py and mot_scores.py on a video that is made here, of two squares with a pattern. TAP.

  mot_harness_test.py SOURCE_FOLDER BUILD_FOLDER

What needs the packages of mot_requirements.txt is tested if CLTRACK_MOT_PYTHON names a python that has them.
"""
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(sys.argv[1], 'tests/support')))
from tap import Tap, skip_all  # noqa: E402

sys.path.insert(0, str(pathlib.Path(sys.argv[1], 'tests/accuracy')))
import mot_scores  # noqa: E402

try:
    import mot_harness
    from mot_harness import Gst
except (ImportError, ValueError) as error:
    skip_all(f'MOT_HARNESS.PY IS NOT TESTED: {error}')

if os.environ.get('CLTRACK_SANITIZE', 'none') != 'none':
    skip_all('python cannot load a plugin that is built with a sanitizer')

HARNESS = pathlib.Path(sys.argv[1], 'tests/accuracy/mot_harness.py')
BUILD = pathlib.Path(sys.argv[2])
WIDTH, HEIGHT, SIDE, FRAMES, RATE = 160, 120, 32, 24, 10
PYTHON = os.environ.get('CLTRACK_MOT_PYTHON')


def squares(frame):
    return [[10 + 2 * frame, 20], [110 - 2 * frame, 70]]


def write_pictures(folder):
    """Noise in front of dimmer noise."""
    rng = random.Random(1)
    background = [bytes(rng.randrange(90, 130) for _ in range(WIDTH)) for _ in range(HEIGHT)]
    patterns = [[bytes(rng.randrange(256) for _ in range(SIDE // 4)) for _ in range(SIDE // 4)] for _ in range(2)]
    pipeline = Gst.parse_launch(
        f'appsrc name=source format=time caps=video/x-raw,format=GRAY8,width={WIDTH},height={HEIGHT},framerate={RATE}/1 '
        f'! videoconvert ! jpegenc quality=95 ! multifilesink index=1 location="{folder}/%06d.jpg"')
    pipeline.set_state(Gst.State.PLAYING)
    for frame in range(FRAMES):
        rows = [bytearray(row) for row in background]
        for (left, top), pattern in zip(squares(frame), patterns):
            for y in range(SIDE):
                rows[top + y][left:left + SIDE] = bytes(value for value in pattern[y // 4] for _ in range(4))
        buffer = Gst.Buffer.new_wrapped(b''.join(rows))
        buffer.pts, buffer.duration = frame * Gst.SECOND // RATE, Gst.SECOND // RATE
        pipeline.get_by_name('source').emit('push-buffer', buffer)
    pipeline.get_by_name('source').emit('end-of-stream')
    pipeline.get_bus().timed_pop_filtered(Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)


def write_sequence(folder, swap=FRAMES):
    """`swap`: the frame from which on each square has the id of the other in the ground truth."""
    for name in ('img1', 'gt', 'det'):
        (folder / name).mkdir(parents=True)
    write_pictures(folder / 'img1')
    truth, detections = [], []
    for frame in range(FRAMES):
        for i, (left, top) in enumerate(squares(frame), 1):
            truth.append(f'{frame + 1},{i if frame < swap else 3 - i},{left},{top},{SIDE},{SIDE},1,1,1')
            detections.append(f'{frame + 1},-1,{left + .4},{top - .4},{SIDE},{SIDE},0.9,-1,-1,-1')
    (folder / 'gt' / 'gt.txt').write_text('\n'.join(truth) + '\n', encoding='utf-8')
    (folder / 'det' / 'det.txt').write_text('\n'.join(detections) + '\n', encoding='utf-8')
    (folder / 'seqinfo.ini').write_text(
        f'[Sequence]\nname=squares\nimDir=img1\nframeRate={RATE}\nseqLength={FRAMES}\nimWidth={WIDTH}\n'
        f'imHeight={HEIGHT}\nimExt=.jpg\n', encoding='utf-8')


def run(*arguments):
    """(status, output); without what the environment says of data and packages."""
    env = {name: value for name, value in os.environ.items() if name not in ('CLTRACK_DATA', 'CLTRACK_MOT_PYTHON')}
    done = subprocess.run([sys.executable, HARNESS, '--build', BUILD, '--jobs', '1', *arguments], env=env,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def check_shares(tap):
    shares = mot_scores.Shares()
    shares.see([[0, 0, 10, 10]], [[0, 0, 10, 10], [0, 0, 10, 9], [50, 0, 10, 10], [0, 0, 10, 4]])
    tap.check('a box is on nobody if it overlaps none by half', shares.on_nobody == 2, vars(shares))
    tap.check('two boxes on one place are doubles', shares.doubles == 2, vars(shares))
    shares.see([], [[0, 0, 10, 10]])
    tap.check('shares are of the boxes of all frames', shares.share(shares.on_nobody) == 3 / 5, vars(shares))
    tap.check('no boxes have no share', mot_scores.Shares().share(0) == 0)
    tap.check('boxes that touch do not overlap', mot_scores.overlap([0, 0, 10, 10], [10, 0, 10, 10]) == 0)


def check_reading(tap, folder):
    (folder / 'boxes').write_text('4,-1,1,2,30,40,0.5,-1,-1,-1\n9,-1,1,2,30,40,1\n3,-1,1,2,30,40,1\n', encoding='utf-8')
    read = mot_harness.read_boxes(folder / 'boxes', 4, 3)
    tap.check('boxes are counted from the first frame, and others are left out',
              read == [[[-1, 0.5, [1, 2, 30, 40]]], [], []], read)
    tiles = [bytes([i]) * 24 for i in range(4)]
    whole = mot_harness.side_by_side(tiles, 4, 4)
    rows = b''.join(bytes([a]) * 4 + bytes([b]) * 4 for a, b in [(0, 1)] * 4 + [(2, 3)] * 4)
    chroma = b''.join(bytes([a]) * 2 + bytes([b]) * 2 for a, b in [(0, 1)] * 2 + [(2, 3)] * 2)
    tap.check('four pictures are put side by side in each plane', whole == rows + chroma * 2, whole)


def check_switches(tap, folder):
    box, beside = [0, 0, 10, 20], [2, 0, 10, 20]
    result = [[[1, box]], [[1, box]], [], [[2, beside]], [[1, box], [2, beside]], [[1, box]]]
    try:
        found = mot_scores.switches([[[7, box]]] * 6, result)
    except ImportError as error:
        tap.skip('switches', f'NOT TESTED: {error}')
    else:
        tap.check('a switch is one from the latest id, and an id stays with its object while it overlaps that', found == [
            {'frame': 3, 'object': 7, 'before': 1, 'last': 1, 'after': 2},
            {'frame': 5, 'object': 7, 'before': 2, 'last': 4, 'after': 1}], found)
    try:
        import cv2
        import mot_switches
        import numpy
    except ImportError as error:
        tap.skip('sheets of switches', f'NOT TESTED: {error}')
        return
    switch = {'frame': 9, 'object': 7, 'before': 1, 'last': 2, 'after': 2}
    frames = mot_switches.frames_of(switch, 5, 12)
    tap.check('a row has the frames around both ends of a switch that there are', frames == [0, 2, 3, 5, 8, 9, 11], frames)
    sequence = mot_harness.Sequence('grey', RATE, 12, '', [[[0.5, [40, 40, 10, 20]]]] * 12, [[[7, [20, 20, 10, 20]]]] * 12)
    boxes = [[[1, [25, 20, 10, 20], 'tracking'], [2, [13, 20, 10, 20], 'uncertain']]] * 12
    pictures = [numpy.full((100, 100, 3), 77, numpy.uint8)] * 12
    names = mot_switches.write_sheets(folder / 'grey', sequence, 5, boxes, [switch] * (mot_switches.ROWS + 1), pictures)
    sheets = [cv2.imread(str(name)) for name in names]
    row = mot_switches.BAR + mot_switches.TILE
    tap.check('sheets have some rows each', [sheet.shape for sheet in sheets] == [
        (rows * row, mot_switches.COLUMNS * mot_switches.TILE, 3) for rows in (mot_switches.ROWS, 1)], names)
    middle = sheets[1][mot_switches.BAR + mot_switches.TILE // 2, :mot_switches.TILE]  # across a tile's boxes
    half = mot_switches.TILE / mot_switches.AROUND / 20 * 5  # of a width
    colors = [tuple(map(int, middle[round(mot_switches.TILE / 2 + half * at)])) for at in (-2.4, -1, 0, 1, 2)]
    tap.check('boxes have the colours of their ids, and lie around the object', colors == [
        tuple(value // 2 for value in mot_switches.RED), mot_switches.GREEN, mot_switches.ORANGE, mot_switches.GREEN,
        mot_switches.ORANGE], colors)
    names = mot_switches.write_sheets(folder / 'none', sequence, 5, boxes, [], pictures)
    tap.check('without a switch there is no sheet', names == [] and not list(folder.glob('none*')))


def check_element(tap, data):
    sequence, = mot_harness.read_sequences(data, 100)
    tap.check('a sequence of MOTChallenge is read',
              (sequence.name, sequence.rate, sequence.frames) == ('squares', RATE, FRAMES), sequence)
    result = mot_harness.tracking(mot_harness.run_element(BUILD, sequence, 4, []))
    late = result[8:]  # two rounds start a track
    tap.check('cltracker follows both squares from the second round on', all(len(boxes) == 2 for boxes in late), result)
    good = all(max(mot_scores.overlap([left, top, SIDE, SIDE], box) for _, box in boxes) > 0.7
               for frame, boxes in enumerate(late, 8) for left, top in squares(frame))
    tap.check('also between detections', good, result)
    tap.check('under one id each', len({name for boxes in result for name, _ in boxes}) == 2, result)
    if mot_harness.use_package(BUILD) is None:
        tap.skip('DetectionTracker in Python has the boxes of the element', 'no package cltrack for this Python')
        return
    for every in 1, 4:
        element = mot_harness.tracking(mot_harness.run_element(BUILD, sequence, every, [], 'BGR'))
        package = mot_harness.run_package(BUILD, sequence, every)
        tap.check(f'DetectionTracker in Python has the boxes of the element, with one of {every} detections',
                  package == element and sum(map(len, element)) > FRAMES, f'{package}\n{element}')


def check_program_switches(tap, swapped, empty):
    sheets = empty / 'new' / 'sheets'
    status, output = run('--data', swapped, '--python', PYTHON, '--intervals', '1', '--switches', sheets)
    try:
        import cv2  # noqa: F401
    except ImportError:
        tap.check('without OpenCV there are no sheets', status == mot_harness.SKIPPED and 'python3-opencv' in output, output)
        return
    tap.check('where the ground truth swaps two ids there are two switches, and a sheet of them',
              status == 0 and '2 id switches' in output and [file.name for file in sheets.iterdir()] == ['squares-every-1-1.png'],
              output)


def check_program(tap, data, swapped, empty):
    status, output = run()
    tap.check('without data it is skipped', status == mot_harness.SKIPPED and '--data' in output, output)
    status, output = run('--data', empty)
    tap.check('and with a folder that has none', status == mot_harness.SKIPPED and str(empty) in output, output)
    for python in ('/nonexistent/python', '/bin/false'):
        status, output = run('--data', data, '--python', python)
        tap.check(f'without packages it is skipped: {python}',
                  status == mot_harness.SKIPPED and 'mot_requirements.txt' in output, output)
    status, output = run('--data', data, '--cost', '--intervals', '2')
    tap.check('it measures the cost', status == 0 and 'ms of CPU time a frame' in output, output)
    (empty / 'file').write_text('')
    for arguments, why in ((['--cost', '--switches', empty], 'leave --cost out'),
                           (['--switches', empty / 'file' / 'sheets'], 'cannot be made (Not a directory)')):
        status, output = run('--data', data, *arguments)
        tap.check(f'what it cannot do with --switches is said: {why}', status == 2 and why in output, output)
    if PYTHON is None:
        tap.skip('the table', 'NOT TESTED: CLTRACK_MOT_PYTHON names no python with the packages of mot_requirements.txt')
        return
    ours = ['cltracker'] + ['DetectionTracker in Python'] * (mot_harness.use_package(BUILD) is not None)
    status, output = run('--data', data, '--python', PYTHON, '--intervals', '1', '4', '--format', 'BGR')
    cells = [[cell.strip() for cell in line.split('|')[1:-1]] for line in output.splitlines()]
    tap.check('the table has a line for each tracker and interval', status == 0 and [row[:2] for row in cells[2:]] == [
        [interval, name] for interval in '14' for name in (*ours, 'ByteTrack', 'SORT', 'OC-SORT')], output)
    check_program_switches(tap, swapped, empty)
    for row in cells[2:2 + len(ours)]:
        tap.check(f'of squares that are easy to follow: {row[1]}', float(row[2]) > 80 and float(row[4]) > 90 and
                  row[2:] == cells[2][2:] and row[5:] == ['0', '0.00', '0.000'], output)


tap = Tap()
mot_harness.use_build(BUILD)
with tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(temporary)
    write_sequence(folder / 'data' / 'squares')
    write_sequence(folder / 'swapped' / 'squares', FRAMES // 2)
    (folder / 'empty').mkdir()
    check_shares(tap)
    check_reading(tap, folder)
    check_switches(tap, folder)
    check_element(tap, folder / 'data')
    check_program(tap, folder / 'data', folder / 'swapped', folder / 'empty')
tap.done()
