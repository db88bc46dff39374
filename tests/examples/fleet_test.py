#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs examples/fleet/run_camera.py: on files, on a camera that goes and comes, with a broker, with settings that
are wrong or hostile.

Usage: fleet_test.py SOURCE_DIR BUILD_DIR RTSP_SERVER

RTSP_SERVER, which stands in for a camera, is "none" where it is not built.
"""
import json
import os
import pathlib
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
import shell_commands  # noqa: E402
from shell_commands import PYTHON  # noqa: E402
from tap import Tap, skip_all  # noqa: E402

LONGEST = 90  # seconds; what is waited for comes within a few, on a machine with nothing else to do
BALL = [{'x': 140, 'y': 100, 'width': 40, 'height': 40, 'label': 'ball'}]
SPOKES = ('videotestsrc is-live=true pattern=spokes ! video/x-raw,width=320,height=240,framerate=25/1')
SAVE_MODEL = '''
import gi
gi.require_version("Gst", "1.0")
from gi.repository import Gst
Gst.init(None)
pipeline = Gst.parse_launch("filesrc location=video.mp4 ! decodebin ! cltracker name=t ! fakesink")
tracker = pipeline.get_by_name("t")
number = tracker.emit("add-target", 140., 100., 40., 40., "ball")
pipeline.set_state(Gst.State.PLAYING)
pipeline.get_bus().timed_pop_filtered(Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
assert tracker.emit("save-model", number, "ball.json")
pipeline.set_state(Gst.State.NULL)
'''


def wait_for(ready):
    """Returns what `ready` returns, once that is something."""
    until = time.monotonic() + LONGEST
    while time.monotonic() < until:
        result = ready()
        if result:
            return result
        time.sleep(0.05)
    return None


class Process:
    def __init__(self, work, name, words, env):
        self.log = work / f'{name}.log'
        with open(self.log, 'wb') as log:
            self.process = subprocess.Popen(words, cwd=work, env=env, stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=log)

    def output(self):
        return self.log.read_text(encoding='utf-8', errors='replace')

    def said(self, text, times=1):
        """Waits for it; not if the process ends before."""
        def ready():
            ended = self.process.poll() is not None
            return 'yes' if self.output().count(text) >= times else 'no' if ended else None
        return wait_for(ready) == 'yes'

    def stop(self, number=signal.SIGTERM):
        """The exit status."""
        self.process.send_signal(number)
        return self.process.wait(LONGEST)


class Fleet:
    """Starts run_camera.py with an environment."""

    def __init__(self, source_dir, work, env):
        self.script = source_dir / 'examples' / 'fleet' / 'run_camera.py'
        self.work, self.env = work, env

    def start(self, name, *files, **settings):
        return Process(self.work, name, [PYTHON, self.script, *files], {**self.env, **settings})

    def run(self, name, *files, **settings):
        """(exit status, output) of one that ends by itself."""
        camera = self.start(name, *files, **settings)
        try:
            return camera.process.wait(LONGEST), camera.output()
        except subprocess.TimeoutExpired:
            camera.process.kill()
            return None, camera.output()


def read_environment_file(path):
    """As systemd and Compose read it, as far as the example goes: NAME='VALUE', comments."""
    lines = [line for line in path.read_text(encoding='utf-8').splitlines() if line and line[0] != '#']
    return dict(shlex.split(line)[0].split('=', 1) for line in lines)


def check_files(tap, fleet, source_dir):
    settings = read_environment_file(source_dir / 'examples' / 'fleet' / 'camera.env')
    tap.check('the example has a source and targets', {'SOURCE', 'TARGETS'} <= set(settings), settings)
    settings['SOURCE'] = 'video.mp4'
    status, output = fleet.run('example', **settings)
    tap.check('with the example a file is tracked to its end', status == 0 and
              'camera: target 1 "ball": tracking' in output and 'the file has ended' in output, output)
    shell_commands.make_portrait(fleet.work, fleet.env)
    sides = zip(('x', 'y', 'width', 'height'), map(int, shell_commands.UPRIGHT_BOX.split(',')))
    status, output = fleet.run('portrait', SOURCE='portrait.mp4', TARGETS=json.dumps([dict(sides)]))
    tap.check('a portrait is tracked as it is shown', status == 0 and ': tracking' in output, output)
    done, output = shell_commands.run(f"{PYTHON} -c '{SAVE_MODEL}'", fleet.work, fleet.env)
    if tap.check('a model is saved', done, output):
        status, output = fleet.run('model', CAMERA='cam2', SOURCE='video.mp4', MODEL='ball.json',
                                   MODEL_LABEL='round')
        tap.check('and what it shows is found', status == 0 and 'cam2: target 1 "round": ' in output and
                  'tracking' in output, output)


def check_hostile(tap, fleet):
    """Nothing of the environment becomes part of a launch line, or a line of its own in the journal."""
    label = 'a" ! filesink location=taken \' $(touch taken) `x`\n\u2028\tb'
    status, output = fleet.run('label', CAMERA='evil\nname', SOURCE='video.mp4',
                               TARGETS=json.dumps([{**BALL[0], 'label': label}]))
    tap.check('a hostile label is a label', status == 0 and json.dumps(label) in output and
              all(line.startswith('evil\\nname: ') for line in output.splitlines()), output)
    for name, source in [('an element', 'video.mp4 ! filesink location=taken'),
                         ('a URI', 'rtsp://127.0.0.1:1/" ! filesink location=taken')]:
        camera = fleet.start('source', SOURCE=source, TARGETS=json.dumps(BALL))
        told = wait_for(lambda: 'no such file' in camera.output() or 'opened again' in camera.output())
        camera.process.kill()
        camera.process.wait()
        tap.check(f'{name} in SOURCE is none', told, camera.output())
    tap.check('nothing was written', not (fleet.work / 'taken').exists())


def check_wrong(tap, fleet):
    good = {'SOURCE': 'video.mp4', 'TARGETS': json.dumps(BALL)}
    outside = json.dumps([{**BALL[0], 'x': 900}])
    (fleet.work / 'text.mp4').write_text('This is not a video.\n' * 100, encoding='utf-8')
    cases = [
        ('no source', {'SOURCE': ''}, 2, 'SOURCE is not set'),
        ('a file that there is not', {'SOURCE': 'none.mp4'}, 2, 'SOURCE=none.mp4: there is no such file'),
        ('nothing to track', {'TARGETS': ''}, 2, 'neither TARGETS nor MODEL'),
        ('targets that are no JSON', {'TARGETS': '140,100,40,40'}, 2, 'TARGETS=140,100,40,40: '),
        ('targets without a box', {'TARGETS': '[{"x":1}]'}, 2, 'targets-json'),
        ('a box outside of the picture', {'TARGETS': outside}, 2, '320x240'),
        ('a model that there is not', {'MODEL': 'none.json'}, 2, 'MODEL=none.json'),
        ('a property that there is not', {'TRACKER': 'nonsense=1'}, 2, 'TRACKER=nonsense='),
        ('a value that is no number', {'TRACKER': 'max-targets=abc'}, 2, 'TRACKER=max-targets=abc: not a value'),
        ('a number out of range', {'TRACKER': 'max-targets=0'}, 2, 'TRACKER=max-targets=0: must be from 1 to '),
        ('a choice that there is not', {'TRACKER': 'detections=strat'}, 2, 'TRACKER=detections=strat: not a value'),
        ('a property to read', {'TRACKER': 'stats=1'}, 2, 'TRACKER=stats=...: this property'),
        ('no value', {'TRACKER': 'seed'}, 2, 'TRACKER=seed: not NAME=VALUE'),
        ('a port that is none', {'BROKER': 'localhost:mqtt'}, 2, 'BROKER=localhost:mqtt: the port'),
        ('no video', {'SOURCE': 'text.mp4'}, 1, 'text.mp4: '),
    ]
    for name, settings, wanted, expected in cases:
        status, output = fleet.run('wrong', **{**good, **settings})
        tap.check(f'{name}: status {wanted}', status == wanted and expected in output and
                  'Traceback' not in output, f'{status}\n{output}')


def check_camera(tap, fleet, rtsp_server):
    """With systemd's end of the socket, to which a unit of Type=notify reports."""
    def start_server(name, port):
        return Process(fleet.work, name, [rtsp_server, '--port', str(port), '--path', '/s', SPOKES,
                                          '0,0,20,20'], fleet.env)

    server = start_server('server', 0)
    if not tap.check('a camera for the test', server.said('ready: '), server.output()):
        return
    port = server.output().split(':')[-1].split('/')[0]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(fleet.work / 'notify'))
        systemd.settimeout(LONGEST)
        camera = fleet.start('camera', CAMERA='cam1', SOURCE=f'rtsp://me:secret@127.0.0.1:{port}/s',
                             TARGETS=json.dumps(BALL), NOTIFY_SOCKET=str(fleet.work / 'notify'))
        told = set()

        def hear():
            told.add(systemd.recv(4096).decode().split(' ')[0])
            return {'READY=1', 'WATCHDOG=1', 'STATUS=pictures'} <= told

        tap.check('systemd is told that it is ready, alive and sees', wait_for(hear), told)
    server.process.kill()
    server.process.wait()
    tap.check('a camera that is gone is missed', camera.said('opened again in 1 s'), camera.output())
    server = start_server('server-again', port)
    tap.check('and found when it is back', server.said('ready: ') and camera.said('pictures come', 2) and
              camera.said('target 1 "ball": tracking', 2), camera.output())
    tap.check('SIGTERM ends it well', camera.stop() == 0, camera.output())
    tap.check('passwords are not told', 'secret' not in camera.output(), camera.output())
    server.stop()


def check_many(tap, fleet, rtsp_server):
    """Sixteen cameras, and one that does not last, in one process."""
    server = Process(fleet.work, 'many-server', [rtsp_server, '--port', '0', '--path', '/s', SPOKES, '0,0,20,20'],
                     fleet.env)
    if not tap.check('cameras for the test', server.said('ready: '), server.output()):
        return
    port = server.output().split(':')[-1].split('/')[0]
    files = []
    for number in range(16):
        files.append(fleet.work / f'gate{number}.env')
        files[-1].write_text(f"# A camera\nSOURCE='rtsp://127.0.0.1:{port}/s'\nTARGETS='{json.dumps(BALL)}'\n",
                             encoding='utf-8')
    short = fleet.work / 'short.env'
    short.write_text(f"SOURCE=video.mp4\nCAMERA='a file'\nTARGETS='{json.dumps(BALL)}'\n", encoding='utf-8')
    cameras = fleet.start('many', *files, short, TRACKER='threads=1')
    tracked = all(cameras.said(f'gate{number}: target 1 "ball": tracking') for number in range(16))
    tap.check('sixteen cameras are tracked by one process', tracked, cameras.output())
    tap.check('where a file ends the others go on', cameras.said('a file: the file has ended') and
              cameras.process.poll() is None, cameras.output())
    server.process.kill()
    server.process.wait()
    tap.check('each is missed when it is gone', cameras.said('opened again in 1 s', 16), cameras.output())
    tap.check('SIGTERM ends all', cameras.stop() == 0, cameras.output())


def check_many_files(tap, fleet):
    for name, text, expected in [('a file that there is not', None, 'No such file'),
                                 ('an open quote', "SOURCE='video.mp4", 'No closing quotation'),
                                 ('no value', 'SOURCE', 'not NAME=VALUE'),
                                 ('no source', '# nothing', 'SOURCE is not set')]:
        path = fleet.work / 'wrong.env'
        path.unlink(missing_ok=True)
        if text is not None:
            path.write_text(text, encoding='utf-8')
        status, output = fleet.run('wrong-file', path)
        tap.check(f'{name}, of several cameras: status 2', status == 2 and expected in output and
                  'wrong.env: ' in output and 'Traceback' not in output, f'{status}\n{output}')
    path.write_text(f"SOURCE='video.mp4'\nTARGETS='{json.dumps(BALL)}'\n", encoding='utf-8')
    other = fleet.work / 'other.env'
    other.write_text(f"SOURCE='video.mp4'\nTARGETS='{json.dumps([{**BALL[0], 'x': 900}])}'\n", encoding='utf-8')
    third = fleet.work / 'third.env'
    third.write_text(f"{path.read_text(encoding='utf-8')}TRACKER=nonsense=1\n", encoding='utf-8')
    status, output = fleet.run('files', other, third, path)
    tap.check('where others fail a camera is tracked, and the status says so', status == 2 and '320x240' in output and
              'third: TRACKER=nonsense=' in output and 'wrong: the file has ended' in output, f'{status}\n{output}')


def check_broker(tap, fleet, source_dir):
    """mosquitto.conf of the fleet, with a port and folders of the test's own."""
    with socket.socket() as unused:
        unused.bind(('127.0.0.1', 0))
        port = unused.getsockname()[1]
    conf = (source_dir / 'examples' / 'fleet' / 'mosquitto.conf').read_text(encoding='utf-8')
    conf = (conf.replace('listener 1883', f'listener {port} 127.0.0.1').replace('/mosquitto/config', str(fleet.work))
            .replace('/mosquitto/data/', f'{fleet.work}/') + 'user root\n')
    (fleet.work / 'mosquitto.conf').write_text(conf, encoding='utf-8')
    subprocess.run(['mosquitto_passwd', '-b', '-c', fleet.work / 'passwords', 'cam1', 'a secret'], check=True)
    broker = Process(fleet.work, 'broker', ['mosquitto', '-v', '-c', 'mosquitto.conf'], fleet.env)
    if not tap.check('mosquitto takes the configuration', broker.said('running'), broker.output()):
        return
    login = ['-h', '127.0.0.1', '-p', str(port), '-t', 'cltrack/#']
    stranger = subprocess.run(['mosquitto_sub', *login], capture_output=True, timeout=LONGEST, check=False)
    tap.check('who has no password is refused', stranger.returncode != 0, stranger)
    if not shell_commands.run('gst-inspect-1.0 trackpublish', fleet.work, fleet.env)[0]:
        tap.skip('results come to the broker', 'no trackpublish')
        status, output = fleet.run('no-publish', SOURCE='video.mp4', TARGETS=json.dumps(BALL), BROKER='localhost')
        tap.check('BROKER without trackpublish: status 2', status == 2 and 'trackpublish' in output, output)
    else:
        listener = Process(fleet.work, 'listener', ['mosquitto_sub', '-v', *login, '-u', 'cam1', '-P', 'a secret'],
                           fleet.env)
        broker.said('SUBACK')
        status, output = fleet.run('publish', CAMERA='cam1', SOURCE='video.mp4', TARGETS=json.dumps(BALL),
                                   BROKER=f'127.0.0.1:{port}', BROKER_USER='cam1', BROKER_PASSWORD='a secret')
        tap.check('with a broker a file is tracked as well', status == 0 and ': connected' in output, output)
        tap.check('results come to the broker', listener.said('"label":"ball"', shell_commands.SAMPLE_FRAMES) and
                  'cltrack/cam1/' in listener.output(), listener.output()[-2000:])
        listener.stop()
    broker.stop()


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    source_dir, build_dir = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    if os.environ.get('CLTRACK_SANITIZE', 'none') != 'none':
        skip_all('Python cannot load a plugin that is built with a sanitizer')
    tap = Tap()
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        env = shell_commands.environment(build_dir)
        shell_commands.make_sample(work, env)
        fleet = Fleet(source_dir, work, env)
        check_files(tap, fleet, source_dir)
        check_hostile(tap, fleet)
        check_wrong(tap, fleet)
        check_many_files(tap, fleet)
        if sys.argv[3] == 'none':
            tap.skip('cameras that go and come', 'rtsp-server is not built: no libgstrtspserver-1.0-dev')
        else:
            check_camera(tap, fleet, pathlib.Path(sys.argv[3]).resolve())
            check_many(tap, fleet, pathlib.Path(sys.argv[3]).resolve())
        if shutil.which('mosquitto') and shutil.which('mosquitto_sub'):
            check_broker(tap, fleet, source_dir)
        else:
            tap.skip('a broker', 'no mosquitto and mosquitto-clients')
    tap.done()


if __name__ == '__main__':
    main()
