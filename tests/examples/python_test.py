#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs the programs of examples/python on the sample video.

Usage: python_test.py SOURCE_DIR BUILD_DIR
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
import shell_commands  # noqa: E402
from shell_commands import PYTHON  # noqa: E402

COMMANDS = '''0 add 140 100 40 40 ball
0 add 0 0 2 2 small
0.5 add 10 10 40 40 corner
1 move 2 20 20 40 40
1.5 remove 2
1.8 remove 7
'''


def check_read_tracks(tap, source_dir, work, env):
    script = source_dir / 'examples' / 'python' / 'read_tracks.py'
    here = ('import gi; gi.require_version("GstAnalytics", "1.0"); '
            'from gi.repository import GstAnalytics')
    if not shell_commands.run(f"{PYTHON} -c '{here}'", work, env)[0]:
        reason = 'no gir1.2-gst-plugins-bad-1.0 of GStreamer 1.24 or newer'
        if 'CLTRACK_REQUIRE_ANALYTICS' in env:
            tap.check('read_tracks.py', False, reason)
        else:
            tap.skip('read_tracks.py', reason)
        return
    targets = '<<140,100,40,40,ball>,<10,10,40,40,nothing>>'
    done, output = shell_commands.run(f'{PYTHON} {script} video.mp4 "{targets}"', work, env)
    lines = [line.split() for line in output.splitlines()]
    ball = [line for line in lines if line[1] == '1']
    tap.check('read_tracks.py tells of every picture',
              done and len(ball) == shell_commands.SAMPLE_FRAMES, output)
    tap.check('where a target is', ball and ball[0][2:] == ['ball', '140,100', '40x40,', '1.00'],
              output)
    tap.check('when it was seen', ball and ball[1][0] == '0.033', output)
    shell_commands.make_portrait(work, env)
    done, output = shell_commands.run(
        f'{PYTHON} {script} portrait.mp4 "<<{shell_commands.UPRIGHT_BOX}>>"', work, env)
    tap.check('it takes boxes as a portrait is shown', done, output)
    tap.check('and that it is lost', lines[-1][1:] == ['2', 'lost'], output)


def check_appsink_tracks(tap, source_dir, work, env):
    script = source_dir / 'examples' / 'python' / 'appsink_tracks.py'
    done, output = shell_commands.run(
        f'{PYTHON} {script} video.mp4 "<<140,100,40,40,ball>,<10,10,40,40,nothing>>"', work, env)
    lines = [line.split() for line in output.splitlines()]
    ball = [line for line in lines if line[3] == '1']
    tap.check('appsink_tracks.py has the tracks of every picture',
              done and len(ball) == shell_commands.SAMPLE_FRAMES, output)
    tap.check('with all that is known', ball and ball[0] == [
        '0.000', '320x240', 'tracker', '1', 'ball', 'tracking', '1.00', '140.0,100.0', '40.0x40.0'], output)
    tap.check('a video that is not there ends it with a message',
              not shell_commands.run(f'{PYTHON} {script} absent.mp4 "<<1,1,9,9>>"', work, env)[0])


def check_people(tap, source_dir, work, env):
    """There are no people in the sample: it must look at all of it."""
    people = source_dir / 'examples' / 'python' / 'people.py'
    if not shell_commands.run(f'{PYTHON} -c "import cltrack, cv2"', work, env)[0]:
        tap.skip('people.py', 'no package cltrack for this Python, or no python3-opencv')
        return
    done, output = shell_commands.run(f'{PYTHON} {people} video.mp4 --every 5', work, env)
    tap.check('people.py looks at every picture',
              done and f'ids on {shell_commands.SAMPLE_FRAMES} pictures' in output, output)
    done, output = shell_commands.run(f'{PYTHON} {people} video.mp4 --first 9 --zones "gate: line 0,0.5 1,0.5"', work, env)
    tap.check('and counts', done and 'gate: entered 0 left 0 forward 0 backward 0\n0 ids on 9 pictures' in output, output)
    done, output = shell_commands.run(f'{PYTHON} {people} video.mp4 --zones "gate: line 0,0.5"', work, env)
    tap.check('but not in bad zones', not done and output.startswith('error: ') and 'it has 1 corners' in output, output)
    done, output = shell_commands.run(f'{PYTHON} {people} absent.mp4', work, env)
    tap.check('and says what it cannot read', not done and 'absent.mp4: OpenCV cannot read it' in output, output)


# A model that finds one object in the middle of each picture, as GStreamer 1.24 and 1.26 want to know of it.
MODEL = '''
import numpy, onnx
from onnx import TensorProto, helper, numpy_helper
nodes = [helper.make_node('Cast', ['image_tensor'], ['floats'], to=TensorProto.FLOAT),
         helper.make_node('ReduceMean', ['floats'], ['mean'], keepdims=0),
         helper.make_node('Sub', ['mean', 'mean'], ['zero'])]
outputs = {'Boxes': [[[.4, .4, .6, .6]]], 'Scores': [[.9]], 'Classes': [[1]], 'NumDetections': [1]}
outputs = {name: numpy.array(value, numpy.float32) for name, value in outputs.items()}
for name in outputs:
    nodes.append(helper.make_node('Add', [f'{name}Value', 'zero'], [name]))
graph = helper.make_graph(
    nodes, 'middle', [helper.make_tensor_value_info('image_tensor', TensorProto.UINT8, [1, 'h', 'w', 3])],
    [helper.make_tensor_value_info(name, TensorProto.FLOAT, value.shape) for name, value in outputs.items()],
    [numpy_helper.from_array(value, f'{name}Value') for name, value in outputs.items()])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 13)])
model.ir_version = 8
helper.set_model_props(model, {name: f'Gst.Model.ObjectDetector.{name}' for name in outputs})
onnx.save(model, 'middle.onnx')
'''


def check_model(tap, detect, work, env):
    """With GStreamer's own inference in front."""
    if not shell_commands.run('gst-inspect-1.0 --exists onnxinference', work, env)[0]:
        tap.skip('detect.py with a model', 'this GStreamer has no onnxinference')
        return
    (work / 'make_model.py').write_text(MODEL, encoding='utf-8')
    (work / 'labels').write_text('none\nthing\n', encoding='utf-8')
    made, said = shell_commands.run(f'{PYTHON} make_model.py', work, env)
    done, output = shell_commands.run(
        f'{PYTHON} {detect} video.mp4 --model middle.onnx --labels labels '
        '--zones "all: area label=thing 0,0 1,0 1,1 0,1; left: area 0,0 0.3,0 0.3,1 0,1"', work, env)
    tap.check('detect.py counts with a model in front',
              made and done and 'all: entered 1' in output and 'left: entered 0' in output, said + output)


def cases(tap, source_dir, _, work, env):
    check_read_tracks(tap, source_dir, work, env)
    check_appsink_tracks(tap, source_dir, work, env)
    script = source_dir / 'examples' / 'python' / 'track.py'
    (work / 'commands').write_text(COMMANDS, encoding='utf-8')
    done, output = shell_commands.run(f'{PYTHON} {script} video.mp4 output.mp4 < commands', work, env)
    lines = [line.split() for line in output.splitlines()]
    tap.check('track.py ends well', done, output)

    def said(*words):
        return list(words) in [line[:len(words)] for line in lines]

    tap.check('a target is added on the first picture', said('0.000', '1', 'ball', 'added'), output)
    tap.check('and tracked there', said('0.000', '1', 'ball', 'tracking'), output)
    tap.check('what is too small is refused', said('-', '0', 'refused'), output)
    tap.check('another is added on the picture of its time',
              said('0.500', '2', 'corner', 'added'), output)
    tap.check('it is moved', said('1.000', '2', 'corner', 'moved'), output)
    tap.check('it is removed', said('1.500', '2', 'corner', 'removed'), output)
    tap.check('an id that there is not is refused', said('-', '7', 'refused'), output)
    written = work / 'output.mp4'
    tap.check('a video is written', written.exists() and written.stat().st_size > 1000)
    shell_commands.make_portrait(work, env)
    box = shell_commands.UPRIGHT_BOX.replace(',', ' ')
    done, output = shell_commands.run(
        f'echo 0 add {box} | {PYTHON} {script} portrait.mp4 upright.mp4', work, env)
    picture = shell_commands.shown_picture('upright.mp4', work, env)
    tap.check('a portrait is tracked and written upright',
              done and ' added' in output and shell_commands.is_upright(picture), f'{output} {picture}')
    _, output = shell_commands.run(
        'gst-launch-1.0 -q videotestsrc num-buffers=10 pattern=ball ! '
        'video/x-raw,width=320,height=240 ! jpegenc ! filesink location=no_times.jpg && '
        f'{PYTHON} {script} no_times.jpg < commands', work, env)
    tap.check('pictures without times are no time at which commands are done',
              'ball added' in output and 'corner' not in output, output)
    tap.check('without a video it says what it needs',
              not shell_commands.run(f'{PYTHON} {script}', work, env)[0])

    check_people(tap, source_dir, work, env)
    detect = source_dir / 'examples' / 'python' / 'detect.py'
    if not shell_commands.run(f'{PYTHON} -c "import cltrack, cv2"', work, env)[0]:
        tap.skip('detect.py', 'no package cltrack for this Python, or no python3-opencv')
        return
    done, output = shell_commands.run(
        f'{PYTHON} {detect} video.mp4 --every 5 --output people.mp4', work, env)
    tap.check('detect.py looks at every picture',
              done and f'on {shell_commands.SAMPLE_FRAMES} pictures' in output, output)
    written = work / 'people.mp4'
    tap.check('and writes a video', written.exists() and written.stat().st_size > 1000)
    done, output = shell_commands.run(
        f'{PYTHON} {detect} video.mp4 --zones "all: area 0,0 1,0 1,1 0,1; gate: line 0,0.5 1,0.5"', work, env)
    tap.check('and counts', done and 'all: entered ' in output and 'gate: entered 0' in output, output)
    done, output = shell_commands.run(f'{PYTHON} {detect} video.mp4 --zones "gate: line 0,0.5"', work, env)
    tap.check('but not in bad zones', not done and 'it has 1 corners' in output, output)
    check_model(tap, detect, work, env)
    done, output = shell_commands.run(f'{PYTHON} {detect} video.mp4 --model none.onnx', work, env)
    tap.check('a model that is not there, or that GStreamer has no element for, is an error',
              not done and ('has no onnxinference' in output or 'none.onnx' in output) and
              'Traceback' not in output, output)
    tap.check('without tracking, too',
              shell_commands.run(f'{PYTHON} {detect} video.mp4 --alone', work, env)[0])


if __name__ == '__main__':
    shell_commands.main(__doc__, cases)
