#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The Python package: the boxes of the library, arrays of any layout, errors, and what stubs and help() say.

Usage: package_test.py SOURCE_DIR PACKAGE_DIR FOLLOW

FOLLOW is tests/python/follow.cpp. With CLTRACK_DATA a recorded sequence is followed, too. Needs NumPy.
"""
import ast
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import types

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
from tap import Tap, skip_all  # noqa: E402

SOURCE, PACKAGE, FOLLOW = (pathlib.Path(argument) for argument in sys.argv[1:4])
sys.path.insert(0, str(PACKAGE))
try:
    import numpy
except ImportError:
    skip_all('no NumPy')
import cltrack  # noqa: E402
import cltrack.opencv  # noqa: E402
from followed import BOX, FRAMES, follow, line, refusal  # noqa: E402


def follow_in_cpp(frames, what, box, every=5, zones=''):
    height, width = frames[0].shape[:2]
    result = subprocess.run([FOLLOW, what, str(width), str(height), ','.join(str(side) for side in box), str(every),
                             *[zones][:bool(zones)]],
                            input=b''.join(frame.tobytes() for frame in frames), capture_output=True, check=True)
    return result.stdout.decode().splitlines()


def recorded_frames():
    """Of a sequence of CLTRACK_DATA, and the box on the first one; none where there is no such thing."""
    data = os.environ.get('CLTRACK_DATA')
    for truth in sorted(pathlib.Path(data or '/nonexistent').glob('otb/*/groundtruth_rect.txt')):
        pictures = sorted(truth.parent.glob('img/*.jpg'))[:40]
        try:
            from PIL import Image
        except ImportError:
            return None
        if len(pictures) < 40:
            continue
        first = truth.read_text(encoding='utf-8').splitlines()[0].replace(',', ' ').split()
        frames = [numpy.ascontiguousarray(numpy.asarray(Image.open(picture).convert('RGB'))[:, :, ::-1])
                  for picture in pictures]
        return frames, tuple(int(number) for number in first)
    return None


def check_boxes(tap):
    for what in 'tld', 'template', 'color', 'detections':
        python, cpp = follow(FRAMES, what, BOX), follow_in_cpp(FRAMES, what, BOX)
        tap.check(f'{what} has the boxes of the library', python == cpp and len(cpp) == len(FRAMES),
                  '\n'.join([*python, 'in C++:', *cpp]))
        states = [text.split()[2] for text in python]
        tap.check(f'{what} follows the target', states.count('tracking') > 20, states)
    recorded = recorded_frames()
    for what in 'tld', 'template', 'color', 'detections':
        name = f'{what} has the boxes of the library on a recorded sequence'
        if recorded is None:
            tap.skip(name, 'no CLTRACK_DATA with otb/, or no python3-pil')
            continue
        python, cpp = follow(recorded[0], what, recorded[1]), follow_in_cpp(recorded[0], what, recorded[1])
        tap.check(name, python == cpp and len(cpp) > 30, '\n'.join([*python, 'in C++:', *cpp]))


ZONES = 'gate: line 0.28,0.2 0.28,0.8; back: line 0.32,0.8 0.32,0.2; start: area dwell=0.2 0,0 0.25,0 0.25,1 0,1; end: area 0.3,0 1,0 1,1 0.3,1'


def check_zones(tap):
    for what in 'tld', 'detections':
        python, cpp = follow(FRAMES, what, BOX, zones=ZONES), follow_in_cpp(FRAMES, what, BOX, zones=ZONES)
        tap.check(f'zones: {what} has the events of the library', python == cpp, '\n'.join([*python, 'in C++:', *cpp]))
    kinds = [text.split()[1:3] for text in python if text.split()[1] in ('gate', 'back', 'start', 'end')]
    tap.check('zones: all of them', kinds == [['start', 'enter'], ['start', 'count'], ['start', 'dwell'], ['start', 'leave'],
                                              ['start', 'count'], ['gate', 'cross'], ['end', 'enter'], ['end', 'count'],
                                              ['back', 'cross']], kinds)
    zones = cltrack.Zones('door: line 0,0.5 1,0.5; room: area label=person 0,0.5 1,0.5 1,1 0,1', margin=0.2, lost_time=2)
    events = []
    for i in range(30):
        tracks = [cltrack.Track(7, (40, 3 * i, 20, 60), 'person'), cltrack.Track(9, None), cltrack.Track(3, (80, 3 * i, 9, 60), 'dog')]
        events += zones.update(tracks, i / 10, (200, 200))
    tap.check('zones: tracks of others count', [(event.zone, event.kind, event.id) for event in events] == [
        ('door', 'cross', 3), ('door', 'cross', 7), ('room', 'enter', 7), ('room', 'count', None)], events)
    cross, enter, count = events[1:]
    tap.check('zones: an event has all that is known', (cross.direction, cross.label, cross.confidence, cross.after, cross.dwell,
              cross.reason, enter.direction, enter.inside, enter.box, count.label, count.box, count.inside) == (
        'forward', 'person', 1, None, None, '', None, 1, (40, 3 * round(enter.time * 10), 20, 60), None, None, 1), events)
    tap.check('zones: an event says what it is', repr(cross) == '<cltrack.ZoneEvent door cross forward 7 "person">', repr(cross))
    tap.check('zones: inside, and totals', zones.inside() == {'room': 1} and zones.totals()['door']['forward'] == 2 and
              zones.totals()['room']['most'] == 1, zones.totals())
    other = cltrack.Zones(zones.json())
    other.restore(zones.save())
    tap.check('zones: totals go on elsewhere', other.totals() == zones.totals() and other.json() == zones.json(), other.totals())
    left = zones.remove(7, 'sold')
    tap.check('zones: who is removed leaves', [(event.kind, event.reason) for event in left] == [('leave', 'sold'), ('count', '')] and
              0 < left[0].dwell < 2 and zones.inside() == {'room': 0} and zones.remove(7) == [] and zones.end() == [], left)
    zones.set_zones('')
    tap.check('zones: none', zones.totals() == {} and zones.update([], 9, (9, 9)) == [])
    zones = cltrack.Zones(ZONES)
    area = '{"zones": [{"name": "a", "area": [[0, 0], [1, 0]]}]}'
    for name, call, kind, *parts in (
            ('text that is none', lambda: zones.set_zones('door'), cltrack.Error, 'door'),
            ('a line of one corner', lambda: zones.set_zones('door: line 0,0.5'), cltrack.Error, 'door', '1 corners'),
            ('JSON with an area of two', lambda: cltrack.Zones(area), cltrack.Error, '"a"', '2 corners'),
            ('a negative margin', lambda: cltrack.Zones(margin=-1), cltrack.Error, 'margin is -1', '0 to 10'),
            ('a negative time to wait', lambda: cltrack.Zones(lost_time=-1), ValueError, 'lost_time is -1', 'seconds'),
            ('totals that are none', lambda: zones.restore('{}'), cltrack.Error, 'totals'),
            ('a frame shape as a size', lambda: zones.update([], 0, FRAMES[0].shape), ValueError, '3 entries', 'frame.shape[1::-1]'),
            ('no size', lambda: zones.update([], 0, (0, 9)), cltrack.Error, '0'),
            ('a time that is none', lambda: zones.update([], float('nan'), (9, 9)), ValueError, 'time is nan'),
            ('boxes instead of tracks', lambda: zones.update([BOX], 0, (9, 9)), TypeError, 'cltrack.Track, not tuple'),
            ('a state', lambda: cltrack.Track(1, BOX, state='gone'), ValueError, '"gone"', '"tracking", "uncertain"'),
            ('a timeout', lambda: cltrack.DetectionTracker(timeout=-1), ValueError, 'timeout is -1')):
        fault = refusal(call, kind, *parts)
        tap.check(f'zones: refused: {name}', not fault, fault)
    tap.check('zones: those that were stay', len(json.loads(zones.json())['zones']) == 4)


def check_layouts(tap):
    """The same picture in other arrays gives the same boxes."""
    def padded(frame):
        wide = numpy.zeros((frame.shape[0] + 3, frame.shape[1] + 13, 4), dtype=numpy.uint8)
        wide[2:-1, 5:-8, :3] = frame
        return wide[2:-1, 5:-8]

    def planes(frame):
        return numpy.ascontiguousarray(frame.transpose(2, 0, 1)).transpose(1, 2, 0)

    def read_only(frame):
        copy = frame.copy()
        copy.flags.writeable = False
        return copy

    wanted = follow(FRAMES[:8], 'tld', BOX)
    for name, change in ('BGRA within a larger array', padded), ('read-only', read_only), ('by columns', numpy.asfortranarray), ('planes', planes):
        tap.check(f'{name}: the same boxes', follow([change(frame) for frame in FRAMES[:8]], 'tld', BOX) == wanted)
    tracker = cltrack.Tracker(device='host', channels='rgb')
    tracker.add(BOX)
    lines = []
    for i, frame in enumerate(FRAMES[:8]):
        lines += [line(i, track) for track in tracker.update(frame[:, :, ::-1], i * 0.04)]
    tap.check('RGB: the same boxes', lines == wanted)
    grey = [frame[:, :, 2].copy() for frame in FRAMES[:8]]
    tap.check('grey, in two and in three dimensions',
              follow(grey, 'template', BOX) == follow([frame[:, :, None] for frame in grey], 'template', BOX))
    frame = FRAMES[0].copy()
    references = sys.getrefcount(frame)
    tracker = cltrack.Tracker(device='host')
    tracker.add(BOX)
    tracker.update(frame)
    tap.check('a frame is not kept', sys.getrefcount(frame) == references)


def check_errors(tap):
    frame = FRAMES[0]
    tracker = cltrack.Tracker(device='host')
    detections = cltrack.DetectionTracker(device='host')
    apart = numpy.lib.stride_tricks.as_strided
    nan = float('nan')
    for name, call, kind, *parts in (
            ('a list', lambda: tracker.update([1]), TypeError, 'NumPy array of uint8, not list'),
            ('floats', lambda: tracker.update(frame / 255), TypeError, 'float64', 'uint8'),
            ('signed bytes', lambda: tracker.update(frame.view(numpy.int8)), TypeError, 'int8', 'uint8'),
            ('four dimensions', lambda: tracker.update(frame[None]), ValueError, '(1, 240, 320, 3)', 'allowed: (height'),
            ('two channels', lambda: tracker.update(frame[:, :, :2]), ValueError, '(240, 320, 2)', 'allowed'),
            ('no rows', lambda: tracker.update(frame[:0]), ValueError, '(0, 320, 3)', 'from 1 to 32767'),
            ('65,536 columns', lambda: tracker.update(numpy.zeros((8, 65536), numpy.uint8)), ValueError, '(8, 65536)'),
            ('rows upwards', lambda: tracker.update(frame[::-1]), ValueError, '(-960, 3, 1)', 'ascontiguousarray'),
            ('columns backwards', lambda: tracker.update(frame[:, ::-1]), ValueError, '(960, -3, 1)', 'ascontiguousarray'),
            ('a stride of 0', lambda: tracker.update(apart(frame, strides=(0, 3, 1))), ValueError, '(0, 3, 1)'),
            ('channels in one place', lambda: tracker.update(apart(frame, strides=(960, 3, 0))), ValueError, '(960, 3, 0)'),
            ('a time that is none', lambda: tracker.update(frame, time=nan), ValueError, 'time is nan'),
            ('a negative time', lambda: tracker.update(frame, time=-1.0), ValueError, 'allowed: seconds'),
            ('a box of three', lambda: tracker.add((1, 2, 3)), ValueError, '(3,)', 'x, y, width, height'),
            ('a box of letters', lambda: tracker.add('abcd'), TypeError, 'a box must be numbers, not str'),
            ('a box that is not finite', lambda: tracker.add((nan, 0, 40, 40)), cltrack.Error, 'x=nan', 'finite'),
            ('a small box', lambda: tracker.add((0, 0, 4, 4)), cltrack.Error, 'at least 8x8'),
            ('a small move', lambda: tracker.move(1, (0, 0, 4, 4)), cltrack.Error, 'at least 8x8'),
            ('an id of 0', lambda: tracker.add(BOX, id=0), cltrack.Error, '0'),
            ('another algorithm', lambda: cltrack.Tracker('kcf'), ValueError, '"kcf"', '"tld", "template", "color"'),
            ('another parameter', lambda: cltrack.Tracker(thread=1), TypeError, 'no parameter thread', 'threads'),
            ('a network that is none', lambda: cltrack.Tracker(network=b'nothing'), cltrack.Error, 'not a model of a network'),
            ('a network that is no file', lambda: cltrack.Tracker(network='a.network'), TypeError, 'bytes'),
            ('a parameter of another type', lambda: cltrack.Tracker(threads='2'), TypeError, 'a whole number, not str'),
            ('a bool for a number', lambda: cltrack.Tracker(threads=True), TypeError, 'a whole number, not bool'),
            ('a number for a bool', lambda: cltrack.Tracker(learning=1), TypeError, 'True or False, not int'),
            ('a parameter out of its range', lambda: cltrack.Tracker(threads=0), cltrack.Error, 'threads is 0', '1 to 64'),
            ('a parameter out of its type', lambda: cltrack.Tracker(threads=2**40), ValueError, str(2**40), '1 to 64'),
            ('a negative seed', lambda: cltrack.Tracker(seed=-1), ValueError, 'seed is -1', f'0 to {2**64 - 1}'),
            ('another motion', lambda: cltrack.Tracker(motion='none'), ValueError, '"correlation", "median-flow"'),
            ('another device', lambda: cltrack.Tracker(device='nothing'), cltrack.Error, '"nothing"', 'host'),
            ('a device that is no text', lambda: cltrack.Tracker(device=3), TypeError, 'str, or a dict'),
            ('other channels', lambda: cltrack.Tracker(channels='yuv'), ValueError, '"bgr", "rgb"'),
            ('a model of another text', lambda: cltrack.Model.parse('{}'), cltrack.Error, 'not a saved model'),
            ('a model of nobody', lambda: tracker.save(7), cltrack.Error),
            ('a region of two corners', lambda: tracker.set_region([[(0, 0), (1, 1)]]), ValueError, 'N from 3'),
            ('a colour without colours', lambda: cltrack.Tracker('color').update(frame[:, :, 0]), cltrack.Error),
            ('boxes of three', lambda: detections.update(frame, [(1, 2, 3)]), ValueError, '(1, 3)', '(N, 4)'),
            ('a number for boxes', lambda: detections.update(frame, 5), ValueError, 'shape ()', '(N, 4)'),
            ('boxes of letters', lambda: detections.update(frame, 'x'), TypeError, 'not str'),
            ('a box of nothing', lambda: detections.update(frame, [(0, 0, 0, 9)]), cltrack.Error, 'detection 0', 'width=0'),
            ('too many scores', lambda: detections.update(frame, [BOX], [1, 1]), ValueError, '2 scores of 1 boxes'),
            ('too few labels', lambda: detections.update(frame, [BOX], None, []), ValueError, '0 labels of 1 boxes'),
            ('labels of numbers', lambda: detections.update(frame, [BOX], None, [1]), TypeError, 'labels must be str'),
            ('half of a character', lambda: detections.update(frame, [BOX], None, '\ud800'), ValueError, 'a label is "\\ud800"', 'UTF-8'),
            ('half of a device', lambda: cltrack.Tracker(device='\ud800'), ValueError, 'device is "\\ud800"', 'UTF-8'),
            ('a score above 1', lambda: detections.update(frame, [BOX], [2]), cltrack.Error, 'confidence is 2', '0 to 1'),
            ('scores alone', lambda: detections.update(frame, None, [1]), ValueError, 'need boxes'),
            ('another use', lambda: cltrack.DetectionTracker(use='ignore'), ValueError, '"start-and-correct"'),
            ('detections of colours', lambda: cltrack.DetectionTracker('color'), ValueError, '"tld", "template"'),
            ('negative hits', lambda: cltrack.DetectionTracker(hits=-1), cltrack.Error, 'hits is -1', '0 to 1000')):
        fault = refusal(call, kind, *parts)
        tap.check(f'refused: {name}', not fault, fault)
    try:
        cltrack.Tracker(device='nothing')
    except cltrack.Error as error:
        tap.check('errors have a code', error.code == 'device-missing', error.code)
    fault = refusal(lambda: cltrack.Zones('a: line ' + 'ä' * 50), cltrack.Error, 'ä' * 19, 'X,Y')
    tap.check('an error that is cut within a character', not fault, fault)
    fault = refusal(lambda: cltrack.Zones('\0'), cltrack.Error, '"?" has no name')
    tap.check('an error with a zero byte', not fault, fault)
    tap.check('errors of Python have a code, too', (cltrack.Error('x').code, cltrack.Error('x').details) == ('failed', ''))


def check_values(tap):
    tracker = cltrack.Tracker(device={'motion': 'host', 'ferns': 'host', 'nn': 'host', 'learn': 'host'}, threads=1)
    tap.check('ids count from 1, or are given', (tracker.add(BOX), tracker.add(BOX, id=7)) == (1, 7))
    tap.check('targets are removed', tracker.remove(7) and not tracker.remove(7))
    track, = tracker.update(FRAMES[0])
    tap.check('a track has all that is known',
              (track.id, track.label, track.state, track.age, track.reason, track.detection, track.area, track.box)
              == (1, '', 'tracking', 1, '', None, None, BOX) and track.confidence > 0.5, repr(track))
    tap.check('a track says what it is', repr(track).startswith('<cltrack.Track 1 "" tracking '), repr(track))
    model = cltrack.Model.parse(tracker.save(1).text())
    other = cltrack.Tracker(device='host')
    other.add(model, label='again')
    tap.check('a model is used again', other.update(FRAMES[1])[0].label == 'again')
    tap.check('targets move', tracker.move(1, (100, 60, 48, 48)) and tracker.update(FRAMES[0])[0].box == (100, 60, 48, 48))
    tap.check('statistics count frames', tracker.stats()['frames'] == 2, tracker.stats())
    tracker.add((900, 900, 40, 40))
    lost = tracker.update(FRAMES[0])[-1]
    tap.check('what is lost has no box', (lost.state, lost.box, lost.confidence) == ('lost', None, 0), repr(lost))
    told = tracker.take_warnings()
    tap.check('warnings say why, once', len(told) == 1 and 'outside' in told[0] and not tracker.take_warnings(), told)
    tracker.reset()
    tap.check('a reset begins anew', tracker.add(BOX) == 1)
    tap.check('the host is a device', cltrack.devices()[0].spec == 'host')
    by_color = cltrack.Tracker('color', device='host')
    by_color.add(BOX)
    track, = by_color.update(FRAMES[0])
    tap.check('colours have an area', track.area == 48 * 48 and len(track.centroid) == 2, repr(track))
    template = cltrack.Tracker('template', device='host')
    template.add(FRAMES[0][60:108, 40:88])
    track, = template.update(FRAMES[5])
    tap.check('a picture is found', track.box is not None and abs(track.box[0] - 50) < 1 and abs(track.box[1] - 60) < 1, repr(track))
    nothing = cltrack.DetectionTracker(device='host')
    tap.check('no boxes are no tracks', nothing.update(FRAMES[0], []) == [] and
              nothing.update(FRAMES[0], labels='ball') == [])


def check_opencv(tap):
    tracker = cltrack.opencv.Tracker.create(device='host')
    fault = refusal(lambda: tracker.update(FRAMES[0]), cltrack.Error, 'init()')
    tap.check('OpenCV: init() comes first', not fault, fault)
    fault = refusal(lambda: tracker.init(FRAMES[0], (900, 0, 40, 40)), cltrack.Error, 'outside')
    tap.check('OpenCV: a box that cannot be learnt is refused', not fault, fault)
    tracker.init(FRAMES[0], BOX)
    results = [tracker.update(frame) for frame in FRAMES[1:10]]
    ok, box = results[-1]
    tap.check('OpenCV: the target is followed', ok and abs(box[0] - 58) <= 3 and all(type(side) is int for side in box), results)
    for _ in range(30):
        result = tracker.update(numpy.full_like(FRAMES[0], 90))
    tap.check('OpenCV: what is gone is not ok', result == (False, (0, 0, 0, 0)), result)


class Detections:
    """As supervision.Detections; what is used of it."""

    def __init__(self, xyxy, confidence=None, class_id=None, tracker_id=None, data=None):
        self.xyxy, self.confidence, self.class_id, self.tracker_id = xyxy, confidence, class_id, tracker_id
        self.data = data or {}


def check_supervision(tap):
    found = Detections(numpy.array([[40, 60, 88, 108]], dtype=numpy.float32), numpy.array([0.9]), numpy.array([2]),
                       data={'class_name': numpy.array(['person'])})
    keywords = cltrack.from_supervision(found)
    tap.check('supervision: detections become boxes, scores and labels',
              numpy.array_equal(keywords['boxes'], [[40, 60, 48, 48]]) and keywords['labels'] == ['person'], keywords)
    tracks = cltrack.DetectionTracker(device='host').update(FRAMES[0], **keywords)
    try:
        import supervision  # noqa: F401 pylint: disable=unused-import
    except ImportError:
        sys.modules['supervision'] = types.SimpleNamespace(Detections=Detections)
    made = cltrack.to_supervision(tracks, found)
    tap.check('supervision: tracks become detections',
              numpy.array_equal(made.xyxy, [[40, 60, 88, 108]]) and list(made.tracker_id) == [1] and
              list(made.class_id) == [2] and list(made.data['class_name']) == ['person'], vars(made))
    tap.check('supervision: no tracks are no detections', cltrack.to_supervision([]).xyxy.shape == (0, 4))
    del found.data['class_name']
    tap.check('supervision: without names class ids are labels', cltrack.from_supervision(found)['labels'] == ['2'])


def check_command(tap):
    environment = os.environ | {'PYTHONPATH': str(PACKAGE)}

    def run(*arguments):
        return subprocess.run([sys.executable, '-m', 'cltrack', *arguments], env=environment, capture_output=True, text=True,
                              check=False)

    result = run('--help')
    tap.check('python3 -m cltrack has a help', result.returncode == 0 and 'VIDEO X,Y,WIDTH,HEIGHT' in result.stdout)
    result = run('video.mp4', '1,2,3')
    tap.check('python3 -m cltrack names a bad box', result.returncode == 2 and '"1,2,3" is not' in result.stderr, result.stderr)
    try:
        import cv2
    except ImportError:
        tap.skip('python3 -m cltrack prints a line for each frame', 'no OpenCV')
        return
    result = run('/nonexistent.avi', '1,2,30,40')
    tap.check('python3 -m cltrack names a video that it cannot read',
              result.returncode == 1 and 'error: /nonexistent.avi' in result.stderr, result.stderr)
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder) / 'video.avi')
        writer = cv2.VideoWriter(path, cv2.VideoWriter_fourcc(*'MJPG'), 25, (320, 240))
        for frame in FRAMES[:8]:
            writer.write(frame)
        writer.release()
        result = run(path, '40,60,48,48', '--device', 'host', '--label', 'ball', '--frames', '6')
        lines = [json.loads(text) for text in result.stdout.splitlines()]
        tap.check('python3 -m cltrack prints a line for each frame',
                  [one['frame'] for one in lines] == list(range(6)) and lines[0]['box'] == [40, 60, 48, 48] and
                  lines[-1]['state'] == 'tracking' and lines[-1]['label'] == 'ball', result.stdout + result.stderr)


        without = environment | dict.fromkeys(('DISPLAY', 'WAYLAND_DISPLAY', 'QT_QPA_PLATFORM'), '')
        command = [sys.executable, '-m', 'cltrack', path, '40,60,48,48', '--device', 'host', '--frames', '3', '--show']
        result = subprocess.run(command, env=without, capture_output=True, text=True, check=False)
        tap.check('python3 -m cltrack --show needs a display', result.returncode == 1 and 'no display' in result.stderr, result.stderr)
        result = subprocess.run(command, env=without | {'QT_QPA_PLATFORM': 'offscreen'}, capture_output=True, text=True, check=False)
        tap.check('python3 -m cltrack --show shows it, if OpenCV has windows', len(result.stdout.splitlines()) == 3 or
                  'no windows' in result.stderr, result.stdout + result.stderr)


def check_descriptions(tap):
    """Stubs name what there is, and help() describes it."""
    stubs = ast.parse((SOURCE / 'python' / 'cltrack' / '_cltrack.pyi').read_text(encoding='utf-8'))
    module = sys.modules['cltrack._cltrack']
    stubbed, there = set(), set()
    for node in stubs.body:
        if isinstance(node, ast.FunctionDef):
            stubbed.add(node.name)
        if isinstance(node, ast.ClassDef):
            stubbed.add(node.name)
            stubbed |= {f'{node.name}.{inner.name}' for inner in node.body if isinstance(inner, ast.FunctionDef)}
    undescribed = []
    for name, value in vars(module).items():
        if name.startswith('_'):
            continue
        there.add(name)
        if not (value.__doc__ or '').strip():
            undescribed.append(name)
        if not isinstance(value, type) or issubclass(value, Exception):
            continue
        for inner, member in vars(value).items():
            if inner == '__init__' and value in (cltrack.Tracker, cltrack.DetectionTracker, cltrack.Track, cltrack.Zones) or not inner.startswith('_'):
                there.add(f'{name}.{inner}')
                if len((member.__doc__ if not isinstance(member, staticmethod) else member.__func__.__doc__) or '') < 5:
                    undescribed.append(f'{name}.{inner}')
    tap.check('stubs have what the module has', stubbed == there, f'stubs alone: {stubbed - there}, module: {there - stubbed}')
    tap.check('all has a description', not undescribed, undescribed)


def main():
    tap = Tap()
    for check in (check_boxes, check_zones, check_layouts, check_errors, check_values, check_opencv, check_supervision,
                  check_command, check_descriptions):
        check(tap)
    tap.done()


main()
