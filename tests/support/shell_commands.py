# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs command lines meant for readers (documentation, examples/launch) on a machine that has no
camera, no network camera and no display, in an empty directory with a sample video."""
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

from tap import Tap, skip_all

PYTHON = '/usr/bin/python3'  # which has Debian's modules

# What stands in for what a test machine does not have. Everything else runs as it is written.
STAND_INS = [
    (r'v4l2src( device=\S+)?',
     'videotestsrc num-buffers=30 ! video/x-raw,format=YUY2,width=640,height=480'),
    (r'rtspsrc location=\S+ latency=\d+',
     'videotestsrc num-buffers=30 ! video/x-raw,format=I420 ! x264enc tune=zerolatency '
     '! rtph264pay'),
    (r'autovideosink( sync=false)?', 'fakesink sync=false'),
    ('python3 -m cltrack', f'{PYTHON} -m cltrack'),
]

# A ball that bounces about, with sound, so that both have to be told apart.
SAMPLE = ('gst-launch-1.0 -q -e videotestsrc pattern=ball num-buffers=60 '
          '! video/x-raw,format=I420,width=320,height=240,framerate=30/1 ! x264enc ! mux. '
          'audiotestsrc num-buffers=86 ! audioconvert ! vorbisenc ! mux. '
          'matroskamux name=mux ! filesink location=video.mp4')
SAMPLE_FRAMES = 60


def environment(build_dir):
    """Lets GStreamer see the plugin in the build directory, and leaves the user's cache alone."""
    env = dict(os.environ)
    env['GST_PLUGIN_PATH'] = str(pathlib.Path(build_dir) / 'gst')
    env['PYTHONPATH'] = str(pathlib.Path(build_dir) / 'python')
    env['GST_REGISTRY_1_0'] = str(pathlib.Path(build_dir) / 'docs-test-registry.bin')
    return env


def run(command, directory, env, timeout=120):
    """Returns (succeeded, output) of a bash script."""
    try:
        done = subprocess.run(['bash', '-e', '-o', 'pipefail', '-c', command], cwd=directory, env=env,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors='replace',
                              timeout=timeout, check=False)
    except subprocess.TimeoutExpired as expired:
        output = expired.stdout or b''
        return False, f'{output.decode(errors="replace")}\ntimed out after {timeout} s: {command}'
    return done.returncode == 0, done.stdout


def make_sample(directory, env):
    """Writes video.mp4 into `directory`."""
    done, output = run(SAMPLE, directory, env)
    if not done:
        raise RuntimeError(f'cannot make the sample video: {output}')


# As telephones write a portrait: stored 320x240, with a tag that says to show it 240x320, turned clockwise. What is
# stored at the left, white, is at the top then. UPRIGHT_BOX lies in what is shown, and outside of what is stored.
PORTRAIT = ('gst-launch-1.0 -q -e videotestsrc num-buffers=30 '
            '! video/x-raw,format=I420,width=320,height=240,framerate=30/1 ! x264enc ! mp4mux '
            '! filesink location=portrait.mp4')
PORTRAIT_SIZE = 240, 320
UPRIGHT_BOX = '20,245,60,60'


def make_portrait(directory, env):
    """Writes portrait.mp4 into `directory`. mp4mux of GStreamer 1.22 knows no tag: it is put into the header of
    the track, a matrix behind 40 bytes of its box."""
    done, output = run(PORTRAIT, directory, env)
    if not done:
        raise RuntimeError(f'cannot make the portrait: {output}')
    path = pathlib.Path(directory) / 'portrait.mp4'
    data = bytearray(path.read_bytes())
    begin = data.index(b'tkhd') + 44
    one = 1 << 16
    data[begin:begin + 36] = struct.pack('>9i', 0, one, 0, -one, 0, 0, 240 * one, 0, 1 << 30)
    path.write_bytes(data)


def shown_picture(video, directory, env):
    """(width, height, colour at the middle of the top, colour at the middle of the bottom) of a picture as it is
    stored in `video`."""
    done, output = run(f'gst-launch-1.0 -v filesrc location={video} ! decodebin ! videoconvert '
                       '! video/x-raw,format=RGBx,pixel-aspect-ratio=1/1 ! filesink location=shown.raw', directory, env)
    size = re.findall(r'filesink0.GstPad:sink: caps = .*width=\(int\)(\d+), height=\(int\)(\d+)', output)
    if not done or not size:
        return output
    width, height = map(int, size[-1])
    data = (pathlib.Path(directory) / 'shown.raw').read_bytes()
    top, bottom = (tuple(data[(row * width + width // 2) * 4:][:3]) for row in (4, height - 5))
    return width, height, top, bottom


def is_upright(picture):
    """Of the portrait: white at the top, blue at the bottom."""
    return picture[:2] == PORTRAIT_SIZE and min(picture[2]) > 200 and max(picture[3][:2]) < 60 < picture[3][2]


def main(doc, cases):
    """A test script of the usage SOURCE_DIR BUILD_DIR: hands `cases` (a Tap, both folders, an empty
    folder with the sample video, the environment) what it needs, and reports."""
    if len(sys.argv) != 3:
        sys.exit(doc)
    source_dir, build_dir = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    if os.environ.get('CLTRACK_SANITIZE', 'none') != 'none':
        skip_all('gst-launch-1.0 cannot load a plugin that is built with a sanitizer')
    tap = Tap()
    env = environment(build_dir)
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        make_sample(work, env)
        cases(tap, source_dir, build_dir, work, env)
    tap.done()


def substitute(command):
    for pattern, replacement in STAND_INS:
        command = re.sub(pattern, replacement, command)
    return command
