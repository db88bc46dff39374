#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""cltrack.detector: outputs in each layout, models in ONNX files with each runtime, and tracks of what they find.

Usage: detector_test.py SOURCE_DIR PACKAGE_DIR

Needs NumPy; with OpenCV and onnx, models are run, with ONNX Runtime as well where that is installed.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE, PACKAGE = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
sys.path[:0] = [str(SOURCE / 'tests' / 'support'), str(PACKAGE)]
from tap import Tap, skip_all  # noqa: E402

try:
    import numpy
    import cv2
    import onnx
except ImportError as missing:
    skip_all(f'{missing}: install python3-numpy, python3-opencv and python3-onnx')
import cltrack.detector  # noqa: E402
from cltrack import detector_outputs, onnx_file  # noqa: E402
import red_detector  # noqa: E402
from followed import refusal  # noqa: E402

SIZE = 64, 32  # of the inputs of arrays


def rows_of(*rows, count, width):
    """So many rows, of which others than these are zeros."""
    values = numpy.zeros((count, width), 'f4')
    for i, row in enumerate(rows):
        values[7 * i + 3, :len(row)] = row
    return values


# Two boxes of one class on one place, one of another class there, and one that is too weak.
YOLO = [(30, 16, 20, 10, .9, .1), (31, 16, 20, 10, .8, .2), (30, 17, 20, 10, .1, .7), (5, 5, 4, 4, .2, .1)]
FOUND = [[20, 11, 40, 21, .9, 0], [20, 12, 40, 22, .7, 1]]


def layouts():
    """(layout, outputs, what they say)."""
    rows = rows_of(*YOLO, count=126, width=6)
    sure = numpy.where(rows[:, 4:5] > 0, 1, 0)
    yield 'yolov8', {'output0': rows.T[None]}, FOUND
    yield 'yolov5', {'output0': numpy.hstack([rows[:, :4], sure, rows[:, 4:]])[None]}, FOUND
    half = [[*box[:4], box[4] / 2, box[5]] for box in FOUND]
    yield 'yolov5', {'output0': numpy.hstack([rows[:, :4], sure / 2, rows[:, 4:]])[None]}, half
    ends = rows_of(*FOUND, [1, 1, 2, 2, .1, 0], count=30, width=6)
    yield 'end-to-end', {'output0': ends[None]}, FOUND
    parts = numpy.float32([[*numpy.float32(box[:4]) / (SIZE * 2), *box[4:]] for box in FOUND])
    ssd = numpy.float32([[0, part[5], part[4], *part[:4]] for part in parts] + [[-1, 0, 0, 0, 0, 0, 0], [0, 3, .9, 0, 0, 1, 1]])
    yield 'ssd', {'detection_out': ssd[None, None]}, FOUND + [[0, 0, 64, 32, .9, 3]]
    boxes, scores, classes = parts[:, :4], parts[:, 4], parts[:, 5].astype('i8')
    yield 'boxes-labels-scores', {'a': boxes[None], 'b': classes[None], 'c': scores[None]}, FOUND
    yield 'boxes-labels-scores', {'scores': scores, 'labels': classes.astype('f4'), 'boxes': boxes * (SIZE * 2)}, FOUND
    yield 'boxes-labels-scores', {'a': numpy.zeros((0, 4), 'f4'), 'b': numpy.zeros(0, 'i8'), 'c': numpy.zeros(0, 'f4')}, []
    yield 'end-to-end', {'output0': numpy.zeros((1, 0, 6), 'f4')}, []


def check_layouts(tap):
    for layout, outputs, wanted in layouts():
        shapes = ', '.join(str(values.shape) for values in outputs.values())
        found = detector_outputs.layout_of(outputs, SIZE)
        tap.check(f'{shapes} is {layout}', found == layout, found)
        detector_outputs.check(layout, outputs)
        boxes, scores, classes = detector_outputs.decode(layout, outputs, SIZE, .3)
        result = numpy.hstack([boxes, scores[:, None], classes[:, None]])
        tap.check(f'{layout} of {shapes} says what was found', result.shape == (len(wanted), 6) and
                  numpy.allclose(result, numpy.reshape(wanted, (-1, 6)), atol=1e-4), result)
    for name, shape in (('a vector', (5,)), ('a picture', (1, 3, 20, 20)), ('two pictures', (2, 84, 8400)), ('four columns', (1, 300, 4)),
                        ('a grid, as of YOLOX', (1, 42, 7))):
        fault = refusal(lambda: detector_outputs.layout_of({'x': numpy.zeros(shape)}, SIZE), ValueError, str(shape), '[1, N, 5 + classes]',
                        '[1, 1, N, 7]')
        tap.check(f'refused as an output: {name}', not fault, fault)
    masks = {'x': numpy.zeros((1, 116, 8400)), 'y': numpy.zeros((1, 32, 160, 160))}
    fault = refusal(lambda: detector_outputs.layout_of(masks, SIZE), ValueError, '(1, 116, 8400), (1, 32, 160, 160)')
    tap.check('refused as outputs: masks', not fault, fault)
    fault = refusal(lambda: detector_outputs.check('yolov9', masks), ValueError, '"yolov9"', 'yolov8')
    tap.check('refused: a layout that there is not', not fault, fault)
    fault = refusal(lambda: detector_outputs.check('ssd', {'x': numpy.zeros((1, 84, 99))}), ValueError, '(1, 84, 99)', 'not ssd')
    tap.check('refused: a layout of other outputs', not fault, fault)
    large = {'x': numpy.full((1, 6, 99), 300.0)}
    fault = refusal(lambda: detector_outputs.decode('yolov8', large, SIZE, .3), ValueError, 'score of 300', '0 to 1')
    tap.check('refused: scores that are none', not fault, fault)


def squares(width=320, height=240, red=(200, 100), green=(40, 60), side=48):
    frame = numpy.full((height, width, 3), 90, numpy.uint8)
    for (x, y), channel in (red, 2), (green, 1):
        frame[y:y + side, x:x + side] = 0
        frame[y:y + side, x:x + side, channel] = 255
    return frame


def close(found, box, margin):
    return all(abs(a - b) <= margin for a, b in zip(found, box))


def check_models(tap, folder, runtime):
    names = folder / 'names.onnx'
    red_detector.yolov8(names, notes={'names': "{0: 'red', 1: 'green'}", 'task': 'detect'})
    for path, layout, labels in (names, 'yolov8', ['red', 'green']), (red_detector.yolov5(folder / 'v5.onnx'), 'yolov5', ['0', '1']):
        detector = cltrack.detector.Detector(path, least_score=.5, runtime=runtime)
        tap.check(f'{runtime}: {layout} is seen', (detector.layout, detector.size) == (layout, (160, 160)), vars(detector))
        found = detector(squares())
        tap.check(f'{runtime}: {layout} finds both squares, where they are', sorted(found['labels']) == sorted(labels) and all(
            close(box, (200, 100, 48, 48) if label == labels[0] else (40, 60, 48, 48), 9)
            for box, label in zip(found['boxes'], found['labels'])), found)
        tap.check(f'{runtime}: {layout} says how sure it is', all(.6 < score <= 1 for score in found['scores']), found)
        tall = detector(squares(120, 300, (60, 200), (10, 20)))
        tap.check(f'{runtime}: {layout} in an upright frame', all(
            close(box, (60, 200, 48, 48) if label == labels[0] else (10, 20, 48, 48), 9)
            for box, label in zip(tall['boxes'], tall['labels'])) and len(tall['boxes']) == 2, tall)
    gone = detector(numpy.full((240, 320, 3), 90, numpy.uint8))
    tap.check(f'{runtime}: nothing is nothing', {name: len(values) for name, values in gone.items()} ==
              {'boxes': 0, 'scores': 0, 'labels': 0}, gone)
    edge = detector(squares(red=(284, 150)))
    tap.check(f'{runtime}: boxes end at the border', all(box[0] + box[2] <= 320 and box[1] + box[3] <= 240 for box in edge['boxes'])
              and '0' in edge['labels'], edge)

    path = red_detector.colors(folder / 'ssd.onnx')
    frame = numpy.zeros((100, 200, 3), numpy.uint8)
    frame[:] = 51, 102, 204  # blue, green, red
    plain = cltrack.detector.Detector(path, mean=0, scale=1 / 255, runtime=runtime, labels=map(str, range(8, 18)))(frame)
    tap.check(f'{runtime}: a picture that is stretched, in BGR', numpy.allclose(plain['scores'], [.4, .8]) and
              plain['labels'] == ['16', '17'] and numpy.allclose(plain['boxes'], [[100, 0, 100, 50], [0, 0, 200, 100]]), plain)
    first = cltrack.detector.Detector(path, channels='rgb', mean=[0, 0, 255], scale=[1 / 255, .1 / 255, 0], runtime=runtime)(frame)
    tap.check(f'{runtime}: in RGB, with a scale for each channel', numpy.allclose(first['scores'], [.8]) and
              numpy.allclose(first['boxes'], [[0, 25, 100, 50]]), first)
    boxed = cltrack.detector.Detector(path, resize='letterbox', mean=0, scale=1 / 255, least_score=0, runtime=runtime)(frame)
    tap.check(f'{runtime}: letterboxed, boxes are where they are in the frame', numpy.allclose(boxed['boxes'], [
        [0, 0, 100, 100], [100, 0, 100, 50], [0, 0, 200, 100]]), boxed)
    free = red_detector.colors(folder / 'free.onnx', ('batch', 3, 'height', 'width'))
    tap.check(f'{runtime}: a model without a size has 640 by 640, or what is said',
              cltrack.detector.Detector(free, runtime=runtime).size == (640, 640) and
              cltrack.detector.Detector(free, runtime=runtime, size=(96, 64)).size == (96, 64))
    noted = red_detector.colors(folder / 'noted.onnx', ('batch', 3, 'height', 'width'), notes={'imgsz': '[48, 80]'})
    tap.check(f'{runtime}: or what it was trained with', cltrack.detector.Detector(noted, runtime=runtime).size == (80, 48))


def check_errors(tap, folder):
    good = red_detector.yolov8(folder / 'good.onnx')
    (folder / 'text.onnx').write_text('not a model', encoding='utf-8')
    (folder / 'empty.onnx').write_bytes(b'')
    (folder / 'half.onnx').write_bytes(good.read_bytes()[:2000])
    grey = red_detector.colors(folder / 'grey.onnx', (1, 1, 40, 20))
    masks = red_detector.yolov8(folder / 'masks.onnx', with_map=True)
    pose = red_detector.yolov8(folder / 'pose.onnx', notes={'task': 'pose'})
    new = folder / 'new.onnx'
    model = onnx.load(str(good))
    model.graph.node[1].op_type = 'Unheard'
    onnx.save(model, str(new))
    of = cltrack.detector.Detector
    find = of(good, runtime='opencv')
    for name, call, kind, *parts in (
            ('no file', lambda: of(folder / 'none.onnx'), OSError, 'none.onnx'),
            ('text', lambda: of(folder / 'text.onnx'), ValueError, 'text.onnx', 'no ONNX file'),
            ('an empty file', lambda: of(folder / 'empty.onnx'), ValueError, 'no ONNX file'),
            ('half of a file', lambda: of(folder / 'half.onnx'), ValueError, 'half.onnx', 'no ONNX file'),
            ('grey pictures', lambda: of(grey), ValueError, 'images [1, 1, 40, 20]', '[1, 3, height, width]'),
            ('another task', lambda: of(pose), ValueError, 'pose.onnx', '"pose"; allowed: "detect"'),
            ('masks', lambda: of(masks), ValueError, '(1, 6, 1600)', '(1, 2, 40, 40)', '[1, N, 5 + classes]'),
            ('an operator that there is not', lambda: of(new), ValueError, 'new.onnx', 'cannot run it', 'Unheard'),
            ('too many labels', lambda: of(good, labels=['a', 'b', 'c']), ValueError, '3 labels', '2 classes'),
            ('a score', lambda: of(good, least_score=2), ValueError, 'least_score is 2', '0 to 1'),
            ('a layout', lambda: of(good, layout='ssd'), ValueError, '(1, 6, 1600)', 'not ssd'),
            ('another size', lambda: of(good, size=(320, 320)), ValueError, '(320, 320)', '(160, 160)'),
            ('a size of one', lambda: of(good, size=(320,)), ValueError, '(320,)', 'width and height'),
            ('a way to resize', lambda: of(good, resize='crop'), ValueError, '"crop"', '"letterbox", "stretch"'),
            ('an order', lambda: of(good, channels='yuv'), ValueError, '"yuv"', '"rgb", "bgr"'),
            ('a scale of two', lambda: of(good, scale=[1, 2]), ValueError, 'scale is [1, 2]', 'three channels'),
            ('a mean that is none', lambda: of(good, mean=float('nan')), ValueError, 'mean is nan'),
            ('a runtime', lambda: of(good, runtime='torch'), ValueError, '"torch"', '"onnxruntime", "opencv"'),
            ('floats', lambda: find(numpy.zeros((9, 9, 3))), ValueError, 'float64 (9, 9, 3)', 'uint8'),
            ('grey frames', lambda: find(numpy.zeros((9, 9), numpy.uint8)), ValueError, '(9, 9)', '(height, width, 3)'),
            ('an empty frame', lambda: find(numpy.zeros((0, 9, 3), numpy.uint8)), ValueError, '(0, 9, 3)'),
            ('a list', lambda: find([1]), ValueError, 'list')):
        fault = refusal(call, kind, *parts)
        tap.check(f'refused: {name}', not fault, fault)
    data = good.read_bytes()
    numbers = numpy.random.default_rng(3)
    read = 0
    for _ in range(300):
        broken = bytearray(data)
        for at in numbers.integers(0, len(data), 5):
            broken[at] = numbers.integers(0, 256)
        (folder / 'broken.onnx').write_bytes(broken)
        try:
            onnx_file.read(folder / 'broken.onnx')
            read += 1
        except ValueError as error:
            if 'no ONNX file' not in str(error):
                raise
    tap.check('broken files are read or refused', 0 < read < 300, read)


def check_people(tap):
    if not hasattr(cv2, 'HOGDescriptor'):
        fault = refusal(cltrack.detector.people, ImportError, cv2.__version__, 'opencv-python<5')
        tap.check('OpenCV 5 has no detector for people', not fault, fault)
        return
    find = cltrack.detector.people()
    for shape in (127, 200, 3), (200, 63, 3), (1, 1, 3), (128, 64, 3), (300, 200, 3):
        found = find(numpy.zeros(shape, numpy.uint8))
        tap.check(f'nobody is found in a black frame of {shape}', len(found['boxes']) == 0 and found['labels'] == 'person', found)
    fault = refusal(lambda: find(numpy.zeros((200, 200), numpy.uint8)), ValueError, '(200, 200)', '(height, width, 3)')
    tap.check('people are not looked for in grey frames', not fault, fault)


def write_video(path, frames=20):
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*'MJPG'), 25, (320, 240))
    numbers = numpy.random.default_rng(1)
    noise = numbers.integers(0, 60, (12, 12), dtype=numpy.uint8).repeat(4, axis=0).repeat(4, axis=1)
    for i in range(frames):
        frame = squares(red=(150 + 3 * i, 100))
        frame[100:148, 150 + 3 * i:198 + 3 * i, 2] -= noise
        writer.write(frame)
    writer.release()


def check_command(tap, folder):
    write_video(folder / 'video.avi')
    red_detector.yolov8(folder / 'model.onnx')
    (folder / 'labels.txt').write_text('red\ngreen\n', encoding='utf-8')

    def run(*arguments):
        return subprocess.run([sys.executable, '-m', 'cltrack', 'video.avi', *arguments], cwd=folder, capture_output=True, text=True,
                              check=False, env=os.environ | {'PYTHONPATH': os.pathsep.join(sys.path[1:])})

    result = run('--detector', 'model.onnx', '--labels', 'labels.txt', '--types', 'red', '--least-score', '0.5', '--device',
                 'host')
    lines = [json.loads(text) for text in result.stdout.splitlines()]
    tap.check('the command follows what the detector finds', result.returncode == 0 and len({line['id'] for line in lines}) == 1 and
              {line['label'] for line in lines} == {'red'}, result.stdout + result.stderr)
    tap.check('on all frames, where it is', [line['frame'] for line in lines] == list(range(20)) and all(
        close(line['box'], (150 + 3 * line['frame'], 100, 48, 48), 12) for line in lines), result.stdout)
    tap.check('and says on which it was found', [line['frame'] for line in lines if line['detection'] is not None] == [0, 5, 10, 15],
              result.stdout)
    result = run('--detector', 'model.onnx', '--every', '1', '--frames', '8', '--least-score', '0.5', '--device', 'host')
    ids = {(line['id'], line['label']) for line in map(json.loads, result.stdout.splitlines())}
    tap.check('with each frame, both, and classes by number', ids == {(1, '0'), (2, '1')} or ids == {(1, '1'), (2, '0')},
              result.stdout + result.stderr)
    result = run('--detector', 'people', '--frames', '6', '--device', 'host')
    tap.check('OpenCV\'s detector finds no people in squares, or there is none', not result.stdout and (
        result.returncode == 0 if hasattr(cv2, 'HOGDescriptor') else 'error: OpenCV' in result.stderr), result.stdout + result.stderr)
    for arguments, status, part in (
            ([], 2, 'give either'), (['1,2,30,40', '--detector', 'people'], 2, 'give either'),
            (['--detector', 'model.onnx', '--every', '0'], 2, 'it is "0"; allowed: whole numbers from 1'),
            (['--detector', 'model.onnx', '--size', '32'], 2, '"32" is not WIDTH,HEIGHT'),
            (['--detector', 'model.onnx', '--algorithm', 'color'], 1, 'error: algorithm is "color"; allowed: "tld", "template"'),
            (['--detector', 'model.onnx', '--labels', 'none.txt'], 1, 'none.txt'),
            (['--detector', 'none.onnx'], 1, 'none.onnx'),
            (['--detector', 'labels.txt'], 1, 'error: labels.txt: this is no ONNX file'),
            (['--detector', 'model.onnx', '--layout', 'ssd'], 1, '[1, 1, N, 7]')):
        result = run(*arguments)
        tap.check(f'the command refuses {" ".join(arguments) or "nothing to follow"}', result.returncode == status and
                  part in result.stderr and 'Traceback' not in result.stderr, result.stderr)


def main():
    tap = Tap()
    check_layouts(tap)
    check_people(tap)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_models(tap, folder, 'opencv')
        try:
            import onnxruntime  # noqa: F401 pylint: disable=unused-import
        except ImportError:
            tap.skip('onnxruntime', 'no ONNX Runtime')
        else:
            check_models(tap, folder, 'onnxruntime')
        check_errors(tap, folder)
        check_command(tap, folder)
    tap.done()


main()
