#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs rtsp-server, and watches it with GStreamer's RTSP client.

Usage: rtsp_server_test.py RTSP_SERVER BUILD_DIR

RTSP_SERVER is "none" where GStreamer's RTSP server was not there to build it. RTSP_TEST_PICTURE names a PNG
file to which a client's picture is written.
"""
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
import shell_commands  # noqa: E402
from shell_commands import PYTHON  # noqa: E402
from tap import Tap, skip_all  # noqa: E402

LONGEST = 90  # seconds; what is waited for comes within a few, on a machine with nothing else to do
WIDTH, HEIGHT = 320, 240
PICTURE = WIDTH * HEIGHT * 3
BALL = f'videotestsrc is-live=true pattern=ball ! video/x-raw,width={WIDTH},height={HEIGHT},framerate=25/1'
# Grey, and at rest: it looks the same whenever a client or a server comes.
SPOKES = BALL.replace('ball', 'spokes')
BOX = '140,100,40,40,ball'
# The end or an error, whichever comes first. gst-launch-1.0 fails, too, if rtspsrc is asked to close while it
# asks the server to pause, and says then that it could not be sent.
WATCH = '''
import sys
import gi
gi.require_version("Gst", "1.0")
from gi.repository import Gst
Gst.init(None)
pipeline = Gst.parse_launch(sys.argv[1])
pipeline.set_state(Gst.State.PLAYING)
end = pipeline.get_bus().timed_pop_filtered(Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
pipeline.set_state(Gst.State.NULL)
if end.type == Gst.MessageType.ERROR:
    sys.exit("\\n".join(map(str, end.parse_error())))
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


class Server:
    program = None
    env = None

    def __init__(self, work, name, *arguments, stdin=subprocess.DEVNULL, **env):
        self.log = work / name
        with open(self.log, 'wb') as log:
            self.process = subprocess.Popen([self.program, *arguments], cwd=work, env={**self.env, **env},
                                            stdin=stdin, stdout=log, stderr=log)

    def output(self):
        return self.log.read_text(encoding='utf-8', errors='replace')

    def said(self, text, times=1):
        """Waits for it; none if the server ends before."""
        def ready():
            ended = self.process.poll() is not None
            return 'yes' if self.output().count(text) >= times else 'no' if ended else None
        return wait_for(ready) == 'yes'

    def url(self, times=1):
        if not self.said('ready: ', times):
            return None
        return next(line.split()[1] for line in self.output().splitlines() if line.startswith('ready: '))

    def close(self):
        """The exit status."""
        self.process.terminate()
        return self.process.wait(LONGEST)


class Client:
    """Writes pictures as RGB; ends after so many, or with the stream."""

    def __init__(self, work, name, url, pictures=None, protocols='tcp'):
        self.file = work / f'{name}.rgb'
        self.log = work / f'{name}.log'
        end = f'! identity eos-after={pictures + 1}' if pictures else ''
        line = (f'rtspsrc location={url} protocols={protocols} latency=0 ! application/x-rtp,media=video '
                f'! decodebin ! videoconvert ! video/x-raw,format=RGB {end} '
                f'! filesink location={self.file} buffer-mode=unbuffered')
        with open(self.log, 'wb') as log:
            self.process = subprocess.Popen([PYTHON, '-c', WATCH, line], env=dict(os.environ),
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def pictures(self):
        return self.file.stat().st_size // PICTURE if self.file.exists() else 0

    def last_picture(self):
        data = self.file.read_bytes() if self.file.exists() else b''
        return data[(len(data) // PICTURE - 1) * PICTURE:][:PICTURE] if len(data) >= PICTURE else b''

    def wait(self):
        """Whether it ended by itself, and well."""
        try:
            return self.process.wait(LONGEST) == 0
        except subprocess.TimeoutExpired:
            self.process.kill()
            return False

    def told(self):
        return f'{self.pictures()} pictures\n{self.log.read_text(encoding="utf-8", errors="replace")}'


def box_of(picture):
    """The green of the box, as it is after encoding: left, top, right, bottom; none without."""
    places = [(i % WIDTH, i // WIDTH) for i in range(len(picture) // 3)
              if picture[3 * i + 1] > 150 and picture[3 * i] < 120 and picture[3 * i + 2] < 120]
    if len(places) < 40:
        return None
    columns, rows = zip(*places)
    return min(columns), min(rows), max(columns), max(rows)


def is_ball_in_box(picture):
    """The ball is white, and so large that nothing else is."""
    box = box_of(picture)
    if box is None:
        return False
    white = [(i % WIDTH, i // WIDTH) for i in range(len(picture) // 3)
             if min(picture[3 * i:3 * i + 3]) > 220]
    inside = [place for place in white if box[0] <= place[0] <= box[2] and box[1] <= place[1] <= box[3]]
    return len(white) > 300 and len(inside) > 0.95 * len(white)


def write_png(picture, file):
    line = (f'fdsrc ! rawvideoparse format=rgb width={WIDTH} height={HEIGHT} ! pngenc '
            f'! filesink location={file}')
    subprocess.run(['gst-launch-1.0', '-q', *line.split()], input=picture, check=True, timeout=LONGEST)


def check_clients(tap, work):
    made = work / 'made.log'
    server = Server(work, 'scene', '--port', '0', BALL, BOX, GST_DEBUG='GST_ELEMENT_FACTORY:4',
                    GST_DEBUG_FILE=str(made), GST_DEBUG_NO_COLOR='1')
    url = server.url()
    if not tap.check('a test scene is served', url, server.output()):
        return
    stays = Client(work, 'stays', url)
    tap.check('a client gets pictures', wait_for(lambda: stays.pictures() > 5), stays.told())
    for protocols in ['tcp', 'udp']:
        second = Client(work, f'second-{protocols}', url, 10, protocols)
        tap.check(f'a second one does, too, over {protocols}', second.wait() and second.pictures() >= 10,
                  second.told())
        tap.check('with the box around the ball', is_ball_in_box(second.last_picture()), second.told())
        if 'RTSP_TEST_PICTURE' in os.environ:
            write_png(second.last_picture(), os.environ['RTSP_TEST_PICTURE'])
    encoders = [line for line in made.read_text(encoding='utf-8').splitlines()
                if 'creating element' in line and line.rstrip().endswith('enc"')]
    tap.check('there is one encoder for all', len(encoders) == 1, '\n'.join(encoders))
    count = stays.pictures()
    tap.check('the first goes on', wait_for(lambda: stays.pictures() > count + 5), stays.told())
    stays.process.kill()
    stays.process.wait()
    tap.check('a client that is killed is seen to go', server.said('clients: 0'), server.output())
    # While the media of the last client is put away, the server refuses others: clients try again.
    later = [Client(work, 'later-0', url, 10)]
    while not (served := later[-1].wait() and is_ball_in_box(later[-1].last_picture())) and len(later) < 3:
        later.append(Client(work, f'later-{len(later)}', url, 10))
    tap.check('one that comes later is served', served, '\n'.join(client.told() for client in later))
    tap.check('another path is not', not Client(work, 'lost', url + '/more', 1).wait())
    taken = Server(work, 'taken', '--port', url.split(':')[2].split('/')[0], BALL, BOX)
    tap.check('a port that is taken is an error', taken.process.wait(LONGEST) == 1 and
              'cannot listen on 127.0.0.1, port' in taken.output(), taken.output())
    watched = Client(work, 'watched', url)
    wait_for(lambda: watched.pictures() > 5)
    tap.check('SIGTERM ends the server well, watched or not', server.close() == 0, server.output())
    watched.process.kill()


def check_end(tap, work):
    """The source is the server's standard input, which ends when its client has seen some of it."""
    reader, writer = os.pipe()
    picture = bytes((x * 7 ^ y * 13) & 255 for y in range(HEIGHT) for x in range(WIDTH))
    server = Server(work, 'pipe', '--port', '0', '--path', '/one',
                    f'fdsrc ! rawvideoparse format=gray8 width={WIDTH} height={HEIGHT} framerate=25/1',
                    '100,80,60,60', stdin=reader)
    os.close(reader)
    enough = threading.Event()

    def write():
        with os.fdopen(writer, 'wb') as pipe:
            while not enough.is_set():
                pipe.write(picture)

    thread = threading.Thread(target=write)
    thread.start()
    url = server.url()
    client = Client(work, 'watches-the-end', url)
    wait_for(lambda: client.pictures() > 5)
    enough.set()
    thread.join()
    tap.check('when the source ends, so does the stream of its clients', client.wait(), client.told())
    tap.check('and the server', server.process.wait(LONGEST) == 0 and
              'the source has ended' in server.output() and url.endswith('/one'), server.output())


def check_loop(tap, work):
    server = Server(work, 'loop', '--port', '0', '--loop', 'video.mp4', BOX)
    client = Client(work, 'watches-long', server.url(), shell_commands.SAMPLE_FRAMES + 20)
    tap.check('a file is begun anew, for the same client', client.wait(), client.told() + server.output())
    tap.check('and so is its box', is_ball_in_box(client.last_picture()), client.told())
    tap.check('SIGINT ends it', server.process.send_signal(signal.SIGINT) is None and
              server.process.wait(LONGEST) == 0, server.output())


def check_camera(tap, work):
    """One server is the camera of another."""
    camera = Server(work, 'camera', '--port', '0', '--path', '/camera', SPOKES, '0,0,20,20')
    camera_url = camera.url()
    address = camera_url.removeprefix('rtsp://')
    server = Server(work, 'server', '--port', '0', f'rtsp://user:secret@{address}', BOX)
    url = server.url()
    client = Client(work, 'before', url, 5)
    tap.check('a network camera is served on', client.wait() and box_of(client.last_picture()),
              client.told() + server.output())
    camera.process.kill()
    camera.process.wait()
    tap.check('when it is gone, that is told', server.said('opened again in 1 s'), server.output())
    tap.check('and new clients are', not Client(work, 'meanwhile', url, 1).wait())
    port = address.split(':')[1].split('/')[0]
    camera = Server(work, 'camera-again', '--port', port, '--path', '/camera', SPOKES, '0,0,20,20')
    tap.check('when it is back, the server goes on', camera.url() and server.url(2), server.output())
    client = Client(work, 'after', url, 5)
    tap.check('with the box', client.wait() and box_of(client.last_picture()), client.told())
    tap.check('passwords are not told', server.close() == 0 and 'secret' not in server.output() and
              'user:***@' in server.output(), server.output())
    camera.close()
    with socket.socket() as unused:
        unused.bind(('127.0.0.1', 0))
        absent = Server(work, 'absent', '--port', '0', f'rtsp://127.0.0.1:{unused.getsockname()[1]}/', BOX)
        tap.check('a camera that is not there yet is waited for',
                  absent.said('opened again in 1 s') and absent.said('opened again in 2 s'), absent.output())
        tap.check('and SIGTERM ends that', absent.close() == 0)


def check_bad_input(tap, work):
    (work / 'text.mp4').write_text('This is not a video.\n' * 100, encoding='utf-8')
    cases = [
        ('no arguments', [], 'Usage: rtsp-server'),
        ('no box', ['video.mp4'], 'no box given'),
        ('unknown option', ['--nonsense', 'video.mp4', BOX], 'nonsense'),
        ('a port that is none', ['--port', '8554a', 'video.mp4', BOX], '--port 8554a: must be'),
        ('a port too large', ['--port', '65536', 'video.mp4', BOX], 'from 0 to 65535'),
        ('a path without /', ['--path', 'track', 'video.mp4', BOX], "--path 'track': must begin"),
        ('an address of another machine', ['--address', '192.0.2.1', 'video.mp4', BOX],
         'cannot listen on 192.0.2.1'),
        ('no source', ['none.mp4', BOX], "source 'none.mp4': there is no such file"),
        ('a directory', ['.', BOX], 'not a regular file'),
        ('no video', ['text.mp4', BOX], 'text.mp4: '),
        ('no box in it', ['video.mp4', '1,2,x'], 'X,Y,WIDTH,HEIGHT'),
        ('a box outside of the picture', ['video.mp4', '400,10,30,30'], '320x240'),
        ('an element that there is not', ['videotestsrc ! nonsense', BOX], 'nonsense'),
        ('a scene without a picture', ['videotestsrc num-buffers=0', BOX], 'holds no picture'),
        ('a camera in a loop', ['--loop', 'rtsp://camera.example/', BOX], '--loop is for files'),
    ]
    for name, arguments, expected in cases:
        server = Server(work, 'bad', '--port', '0', *arguments)
        status = server.process.wait(LONGEST)
        output = server.output()
        tap.check(f'{name}: one clear error', status == 1 and expected in output and
                  output.startswith('rtsp-server: '), f'{status}\n{output}')


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    if sys.argv[1] == 'none':
        skip_all('rtsp-server is not built: no libgstrtspserver-1.0-dev')
    tap = Tap()
    Server.program = pathlib.Path(sys.argv[1]).resolve()
    Server.env = shell_commands.environment(pathlib.Path(sys.argv[2]).resolve())
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        shell_commands.make_sample(work, dict(os.environ))
        check_clients(tap, work)
        check_end(tap, work)
        check_loop(tap, work)
        check_camera(tap, work)
        check_bad_input(tap, work)
    tap.done()


if __name__ == '__main__':
    main()
