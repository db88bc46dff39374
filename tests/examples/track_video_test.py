#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs track-video as its users do: good input, bad input, an interrupted run.

Usage: track_video_test.py TRACK_VIDEO BUILD_DIR
"""
import array
import csv
import fcntl
import json
import math
import os
import pathlib
import re
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
import shell_commands  # noqa: E402
from tap import Tap  # noqa: E402

FIELDS = ['frame', 'pts', 'id', 'label', 'state', 'confidence', 'x', 'y', 'width', 'height']


class TrackVideo:
    def __init__(self, program, directory, env):
        self.program = program
        self.directory = directory
        self.env = env

    def __call__(self, *arguments):
        """Returns (exit status, standard output, standard error)."""
        done = subprocess.run([self.program, *arguments], cwd=self.directory, env=self.env,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300,
                              check=False)
        return done.returncode, done.stdout, done.stderr


def rows_of(output):
    with open(output / 'boxes.csv', newline='', encoding='utf-8') as file:
        table = list(csv.DictReader(file))
    with open(output / 'boxes.jsonl', encoding='utf-8') as file:
        lines = [json.loads(line) for line in file]
    return table, [line for line in lines if 'type' not in line], [line for line in lines if 'type' in line]


def check_good_run(tap, track_video, work):
    label = 'a "quoted", label'
    status, output, errors = track_video('--output', 'two', 'video.mp4', '100,80,60,60',
                                         f'10.5,20,40,40,{label}')
    if not tap.check('two targets', status == 0, output + errors):
        return
    table, pictures, events = rows_of(work / 'two')
    frames = shell_commands.SAMPLE_FRAMES
    tap.check('a row per frame and target', len(table) == 2 * frames, len(table))
    tap.check('a line per frame', len(pictures) == frames, len(pictures))
    tap.check('the columns', list(table[0]) == FIELDS, table[0])
    tap.check('JSON as trackpublish writes it',
              list(pictures[0]) == ['resolution', 'source', 'timestamp', 'system_timestamp', 'tags', 'objects',
                                    'cltrack'] and pictures[0]['source'] == 'video.mp4', pictures[0])
    first = pictures[0]['objects']
    tap.check('the labels', [row['label'] for row in table[:2]] == ['', label] and
              [item['roi_type'] for item in first] == ['object', label], table[:2])
    tap.check('the ids', [row['id'] for row in table[:4]] == ['1', '2', '1', '2'] and
              [item['id'] for item in first] == [1, 2], table[:4])
    tap.check('the first box is the one given', all(
        abs(first[1][name] - given) <= 1 for name, given in zip('xywh', [10.5, 20, 40, 40])), first)
    times = [line['timestamp'] for line in pictures]
    tap.check('times that grow',
              times[0] >= 0 and times == sorted(times) and times[-1] > 1.5e9, times)
    objects = {(index, item['id']): item for index, line in enumerate(pictures) for item in line['objects']}
    same = all((key in objects) == (row['state'] != 'lost') and
               (key not in objects or objects[key]['cltrack']['state'] == row['state'] and
                abs(objects[key]['x'] - float(row['x'])) <= 1)
               for row in table for key in [(int(row['frame']), int(row['id']))])
    tap.check('CSV and JSON Lines agree', same)
    tap.check('a box unless lost', all((row['x'] == '') == (row['state'] == 'lost') for row in table))
    tap.check('targets begin and end', [(line['type'], line['object']['id']) for line in events[:2]] ==
              [('new', 1), ('new', 2)] and [line['type'] for line in events[-2:]] == ['end', 'end'], events)
    tap.check('the summary', f'{shell_commands.SAMPLE_FRAMES} frames in' in output and
              'target 1: has a box on' in output and f'target 2 ({label})' in output, output)
    videos = list((work / 'two').glob('annotated.*'))
    tap.check('one video, complete', len(videos) == 1 and videos[0].suffix in ('.mp4', '.webm'),
              videos)
    tap.check('the video can be decoded to its end', *shell_commands.run(
        f'gst-launch-1.0 -q filesrc location={videos[0]} ! decodebin ! fakesink', work,
        dict(os.environ)))


def png_size(path):
    head = path.read_bytes()[:24]
    return struct.unpack('>II', head[16:]) if head.startswith(b'\x89PNG') else None


def sheet_size(pictures, width, height):
    """Of a contact sheet of so many pictures, each of width x height."""
    columns = min(pictures, 4)
    rows = math.ceil(pictures / columns)
    return 16 + columns * (width + 16), 40 + rows * (height + 48 + 16)


def check_pictures(tap, track_video, work):
    output = track_video('-o', 'shown', 'video.mp4', '100,80,60,60')[1]
    sheet, plot = (work / 'shown' / name for name in ['contact-sheet.png', 'confidence.png'])
    video = next((work / 'shown').glob('annotated.*'))
    tap.check('the last lines say what to look at: video, contact sheet, plot',
              [line.rpartition(' ')[2] for line in output.splitlines()[-3:]] ==
              [str(path.relative_to(work)) for path in (video, sheet, plot)], output)
    tap.check('a video without a loss: 12 pictures', png_size(sheet) == sheet_size(12, 320, 240),
              png_size(sheet))
    tap.check('a plot', png_size(plot) and png_size(plot)[0] == 1200, png_size(plot))
    _, grey = shell_commands.run(
        f'gst-launch-1.0 -q filesrc location={sheet} ! pngdec ! videoconvert '
        '! video/x-raw,format=GRAY8 ! fdsink | od -An -v -tu1 -w1 | sort -nu | tr -d "\\n"', work,
        dict(os.environ))
    # The video's background is black, the page is white.
    tap.check('the pictures are in the sheet', {'0', '255'} <= set(grey.split()), grey)

    shell_commands.run('gst-launch-1.0 -q videotestsrc pattern=ball num-buffers=1 '
                       '! video/x-raw,width=320,height=240 ! jpegenc ! matroskamux '
                       '! filesink location=one.mkv', work, dict(os.environ))
    status, output, errors = track_video('-o', 'one', 'one.mkv', '100,80,60,60')
    tap.check('a video of one frame: one picture',
              status == 0 and png_size(work / 'one' / 'contact-sheet.png') ==
              sheet_size(1, 320, 240), output + errors)

    targets = [f'{x},{y},40,40,target' for x in range(0, 280, 56) for y in range(0, 200, 50)]
    status, output, errors = track_video('-o', 'many', 'video.mp4', *targets)
    size = png_size(work / 'many' / 'confidence.png')
    # A strip of 70 for each, and what is around them.
    tap.check('twenty targets', len(targets) == 20 and status == 0 and size == (1200, 1722),
              f'{size}\n{output}{errors}')

    # The second half shows something else: what was there is lost, and found when it comes back.
    shell_commands.run('gst-launch-1.0 -q concat name=joined ! x264enc ! matroskamux '
                       '! filesink location=back.mkv ' + ' '.join(
                           f'videotestsrc pattern={pattern} num-buffers=20 '
                           '! video/x-raw,format=I420,width=320,height=240,framerate=20/1 ! joined.'
                           for pattern in ['smpte', 'black', 'smpte']), work, dict(os.environ))
    status, output, errors = track_video('-o', 'back', 'back.mkv', '60,140,100,90')
    tap.check('a target that is lost and matched again', status == 0 and 'lost (' in output and
              'a match was found (' in output, output + errors)
    tap.check('of few changes the sheet is not larger',
              png_size(work / 'back' / 'contact-sheet.png') == sheet_size(12, 320, 240))

    status, output, errors = track_video('-o', 'plain', '--no-pictures', 'video.mp4', '100,80,60,60')
    tap.check('--no-pictures', status == 0 and not list((work / 'plain').glob('*.png')) and
              'png' not in output and next((work / 'plain').glob('annotated.*')), output + errors)
    (work / 'taken-sheet' / 'contact-sheet.png').mkdir(parents=True)
    status, output, errors = track_video('-o', 'taken-sheet', 'video.mp4', '100,80,60,60')
    tap.check('the name of the sheet is taken by a directory: one clear error, a complete video',
              status == 1 and "cannot write 'taken-sheet/contact-sheet.png'" in errors and
              'video: taken-sheet/annotated.' in output and
              not list((work / 'taken-sheet').glob('*.part')), output + errors)


def check_start(tap, track_video, work):
    status, output, errors = track_video('-o', 'late', '--start', '1', 'video.mp4', '100,80,60,60')
    table, lines, _ = rows_of(work / 'late')
    tap.check('--start leaves out what is before it', status == 0 and len(lines) == 30 and
              table[0]['frame'] == '30' and lines[0]['timestamp'] == 10 ** 9, f'{lines[:1]}\n{output}{errors}')
    video = next((work / 'late').glob('annotated.*'))
    _, output = shell_commands.run(f'gst-launch-1.0 -v filesrc location={video} ! decodebin '
                                   '! identity silent=false ! fakesink', work, dict(os.environ))
    frames = re.findall(r'chain.*?pts: ([0-9:.]+)', output)
    tap.check('--start: the video has no gap in front', len(frames) == 30 and
              frames[0].startswith('0:00:00.0'), frames[:2])


def check_no_video(tap, track_video, work):
    status, output, errors = track_video('-o', 'boxes-only', '--no-video', '--set', 'seed=3',
                                         'video.mp4', '100,80,60,60')
    files = sorted(path.name for path in (work / 'boxes-only').iterdir())
    tap.check('--no-video, --set', status == 0 and files == ['boxes.csv', 'boxes.jsonl'],
              f'{files}\n{output}{errors}')


def check_boxes(tap, track_video, work):
    for name, box in [('a box that begins with a minus', '-5,-5,60,60,quoits'),
                      ('without a zero', '-.5,0,60,60,quoits')]:
        status, output, errors = track_video('video.mp4', '100,80,60,60,first', box, '--no-video',
                                             '-o', '-5')
        lines = rows_of(work / '-5')[1] if status == 0 else []
        first = lines[0]['objects'] if lines else []
        tap.check(name, status == 0 and [item['roi_type'] for item in first] == ['first', 'quoits']
                  and first[1]['x'] < 5, f'{first}\n{output}{errors}')
    for label in ['50', '1.50', 'true', 'Max', '5:3', 'café <"b">']:
        status, output, errors = track_video('--no-video', '-o', 'labels', '--set', 'label=größer',
                                             'video.mp4', '100,80,60,60,' + label)
        lines = rows_of(work / 'labels')[1] if status == 0 else []
        first = lines[0]['objects'] if lines else []
        tap.check(f'the label {label}', status == 0 and first[0]['roi_type'] == label and
                  first[0]['cltrack']['state'] == 'tracking', f'{first}\n{output}{errors}')


# Files may not grow beyond a size, as if the disk were full. Other than mounting a small one, this
# needs no right to do so.
class FullDisk(TrackVideo):
    size = 0

    def __call__(self, *arguments):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.size, self.size))
        done = subprocess.run([self.program, *arguments], cwd=self.directory, env=self.env,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300,
                              check=False, preexec_fn=limit)
        return done.returncode, done.stdout, done.stderr


def check_full_disk(tap, track_video, work):
    # Noise, so that the video is the largest file by far: the limit is one for each. On the host, since what
    # compiles kernels ends the process where its cache cannot grow.
    shell_commands.run('gst-launch-1.0 -q videotestsrc pattern=snow num-buffers=20 '
                       '! video/x-raw,width=320,height=240 ! jpegenc ! matroskamux '
                       '! filesink location=noise.mkv', work, dict(os.environ))
    arguments = ['--set', 'device=host', 'noise.mkv', '100,80,60,60']
    track_video('-o', 'enough', *arguments)
    video = next((work / 'enough').glob('annotated.*'))
    full = FullDisk(track_video.program, work, track_video.env)
    # At once, and near the end: muxers write the most part to another file first. An encoder's threads make
    # sizes differ by 1 %.
    for share in [0.5, 0.95]:
        full.size = int(video.stat().st_size * share)
        output_dir = f'full-{share}'
        status, output, errors = full('-o', output_dir, *arguments)
        names = [path.name for path in (work / output_dir).glob('annotated.*')]
        part = f'{output_dir}/{video.name}.part'
        tap.check(f'disk full at {share:.0%} of the video: no complete one is claimed',
                  status == 1 and names == [video.name + '.part'] and
                  f'video: incomplete, {part}' in output and f'track-video: {part}' in errors,
                  f'{status} {names}\n{output}{errors}')
    (work / 'taken' / video.name).mkdir(parents=True)
    status, output, errors = track_video('-o', 'taken', *arguments)
    tap.check('the name of the video is taken by a directory', status == 1 and
              f'video: incomplete, taken/{video.name}.part' in output and
              f"the name 'taken/{video.name}'" in errors, f'{status}\n{output}{errors}')


def check_bad_input(tap, track_video, work):
    (work / 'text.mp4').write_text('This is not a video.\n' * 100, encoding='utf-8')
    (work / 'empty.mp4').write_bytes(b'')
    os.mkfifo(work / 'pipe.mp4')
    good = (work / 'video.mp4').read_bytes()
    cases = [
        ('no arguments', [], 'Usage'),
        ('no box', ['video.mp4'], 'no box given'),
        ('unknown option', ['--nonsense', 'video.mp4', '1,2,30,40'], 'nonsense'),
        ('missing file', ['none.mp4', '1,2,30,40'], "'none.mp4': No such file"),
        ('a directory', ['.', '1,2,30,40'], 'is a directory'),
        ('an empty file', ['empty.mp4', '1,2,30,40'], 'is empty'),
        ('a text file', ['text.mp4', '1,2,30,40'], 'text.mp4'),
        ('three numbers', ['video.mp4', '1,2,30'], "'1,2,30': no HEIGHT"),
        ('not a number', ['video.mp4', '1,two,30,40'], 'Y is not a number'),
        ('not finite', ['video.mp4', 'nan,2,30,40'], 'X is not a number'),
        ('spaces', ['video.mp4', '1 2 30 40'], 'X is not a number'),
        ('empty box', ['video.mp4', '1,2,0,40'], 'must be above 0'),
        ('box outside of the frame', ['video.mp4', '400,10,30,30'], '320 x 240'),
        ('box too small', ['video.mp4', '10,10,1,1'], '320 x 240'),
        ('unknown property', ['--set', 'nonsense=1', 'video.mp4', '1,2,30,40'], 'no such writable property'),
        ('bad value', ['--set', 'seed=many', 'video.mp4', '1,2,30,40'], 'seed=many'),
        ('start beyond the end', ['--start', '99', 'video.mp4', '1,2,30,40'], 'from --start on'),
        ('negative start', ['--start', '-1', 'video.mp4', '1,2,30,40'], '--start -1: must be'),
        ('a start of centuries', ['--start', '2e10', 'video.mp4', '1,2,30,40'],
         '--start 2e10: must be a number of seconds from 0 to 9223372036'),
        ('a start that is none', ['--start', '1s', 'video.mp4', '1,2,30,40'], '--start 1s: must'),
        ('a start that is no number', ['--start', 'nan', 'video.mp4', '1,2,30,40'], '--start nan:'),
        ('no time to stop', ['--stop-time', '0', 'video.mp4', '1,2,30,40'],
         '--stop-time 0: must be a number of seconds from 0.1 to 86400'),
        ('no pixels', ['video.mp4', '1e99,2,30,40'], 'X is too large'),
        ('a label in Latin-1', ['video.mp4', b'1,2,30,40,caf\xe9'], "caf\\351': LABEL is not UTF-8"),
        ('a pipe', ['pipe.mp4', '1,2,30,40'], "'pipe.mp4' is not a regular file"),
        ('a negative video', ['-5,5,30,30', '1,2,30,40'], "'-5,5,30,30': No such file"),
        ('no value', ['--set', 'seed', 'video.mp4', '1,2,30,40'], 'PROPERTY=VALUE'),
        ('output is a file', ['-o', 'text.mp4', 'video.mp4', '1,2,30,40'], 'text.mp4'),
    ]
    for name, arguments, expected in cases:
        status, output, errors = track_video(*arguments)
        tap.check(f'{name}: one clear error', status == 1 and expected in errors and
                  errors.startswith('track-video: '), f'{status}\n{output}{errors}')
    before = sorted((work / 'two').iterdir()), (work / 'two' / 'boxes.csv').read_bytes()
    track_video('-o', 'two', 'video.mp4', '400,10,30,30')
    after = sorted((work / 'two').iterdir()), (work / 'two' / 'boxes.csv').read_bytes()
    tap.check('a refused run leaves an earlier one alone', before == after)
    (work / 'cut.mp4').write_bytes(good[:len(good) * 2 // 3])
    status, output, errors = track_video('-o', 'cut', 'cut.mp4', '100,80,60,60')
    table, lines, _ = rows_of(work / 'cut')
    tap.check('a video cut short: what came is kept', 0 < len(table) == len(lines) and
              any((work / 'cut').glob('annotated.*[4m]')), f'{status}\n{output}{errors}')


def check_interlaced(tap, track_video, work):
    """Videos of fields: the pictures of the sheet are there, nothing is said, nothing hangs."""
    raw = ('videotestsrc pattern=smpte num-buffers=40 ! video/x-raw,format=I420,width=640,height=480,'
           'framerate=50/1 ! interlace field-pattern=1:1')
    cases = [('H.264, the top field first', f'{raw} top-field-first=true ! x264enc interlaced=true'),
             ('H.264, the bottom field first', f'{raw} top-field-first=false ! x264enc interlaced=true'),
             ('film in fields', f'{raw.replace("1:1", "2:3")} ! x264enc interlaced=true'),
             ('raw fields', raw)]
    for number, (name, stream) in enumerate(cases):
        made, output = shell_commands.run(
            f'gst-launch-1.0 -q -e {stream} ! matroskamux ! filesink location=fields-{number}.mkv', work,
            dict(os.environ))
        if not tap.check(f'{name}: a video', made, output):
            continue
        status, output, errors = track_video('-q', '-o', f'fields-{number}', f'fields-{number}.mkv',
                                             '100,80,60,60')
        sheet = work / f'fields-{number}' / 'contact-sheet.png'
        tap.check(f'{name}: tracked', status == 0 and not errors and
                  png_size(sheet) == sheet_size(12, 400, 300), f'{status} {output}{errors}')
        _, colors = shell_commands.run(
            f'gst-launch-1.0 -q filesrc location={sheet} ! pngdec ! videoconvert '
            '! video/x-raw,format=RGB ! videocrop left=30 top=50 ! videoscale method=nearest-neighbour '
            '! video/x-raw,width=800,height=500 ! fdsink | od -An -v -tu1 -w3 | sort | uniq -c '
            '| sort -rn | head -n 40', work, dict(os.environ))
        wanted = [(253, 0, 0), (0, 0, 253), (251, 251, 0)]
        shown = [tuple(map(int, line.split()[1:])) for line in colors.splitlines()]
        tap.check(f'{name}: the sheet shows the colours of the video', all(
            any(all(abs(a - b) < 16 for a, b in zip(color, pixel)) for pixel in shown)
            for color in wanted), colors)


def check_rotated(tap, track_video, work):
    shell_commands.make_portrait(work, dict(os.environ))
    status, output, errors = track_video('-q', '-o', 'portrait', 'portrait.mp4', shell_commands.UPRIGHT_BOX)
    tap.check('a box in what is shown, not in what is stored', status == 0 and not errors, output + errors)
    video = next((work / 'portrait').glob('annotated.*'))
    picture = shell_commands.shown_picture(video, work, dict(os.environ))
    tap.check('a portrait stays one, upright, of square pixels', shell_commands.is_upright(picture), picture)
    tap.check('in the contact sheet, too',
              png_size(work / 'portrait' / 'contact-sheet.png') == sheet_size(12, 225, 300))


def start_stuck(track_video, work, *arguments):
    """A run whose tracking thread hangs for ever: it writes to a log that is read no more. Returns the
    process and the end of the log's pipe to close."""
    reader, writer = os.pipe()
    boxes = work / 'stuck' / 'boxes.csv'
    boxes.unlink(missing_ok=True)
    env = {**track_video.env, 'GST_DEBUG': 'cltrack*:7,trackoverlay:7,basetransform:7'}
    env.pop('GST_DEBUG_FILE', None)  # the leak tracer's
    process = subprocess.Popen(
        [track_video.program, '-q', '-o', 'stuck', *arguments, 'long.mkv', '100,80,60,60'], cwd=work, env=env,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=writer)
    os.close(writer)
    while not (boxes.exists() and boxes.stat().st_size > 1000) and os.read(reader, 65536):
        pass
    pending = array.array('i', [0])
    while process.poll() is None and pending[0] < 65536 - 4096:
        time.sleep(0.02)
        fcntl.ioctl(reader, termios.FIONREAD, pending)
    return process, reader


def has_pending_signal(process):
    status = pathlib.Path(f'/proc/{process.pid}/status').read_text(encoding='ascii')
    return process.poll() is None and int(re.search(r'ShdPnd:\s*(\w+)', status)[1], 16) != 0


def check_stuck(tap, track_video, work):
    for number in (signal.SIGINT, signal.SIGTERM):
        process, reader = start_stuck(track_video, work)
        process.send_signal(number)
        status = process.wait(timeout=60)
        tap.check(f'{number.name} ends it while a thread hangs', status == 130, status)
        os.close(reader)
    process, reader = start_stuck(track_video, work, '--stop-time', '3600')
    process.send_signal(signal.SIGINT)
    while has_pending_signal(process):
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    status = process.wait(timeout=60)
    tap.check('a second signal ends it at once', status == 130, status)
    os.close(reader)


def check_interrupt(tap, track_video, work):
    made, output = shell_commands.run(
        'gst-launch-1.0 -q videotestsrc num-buffers=9000 ! video/x-raw,width=320,height=240 '
        '! jpegenc ! matroskamux ! filesink location=long.mkv', work, track_video.env)
    if not tap.check('a long video', made, output):
        return
    process = subprocess.Popen([track_video.program, '-o', 'stopped', '--stop-time', '100', 'long.mkv',
                                '100,80,60,60'],
                               cwd=work, env=track_video.env, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    boxes = work / 'stopped' / 'boxes.csv'
    while process.poll() is None and not (boxes.exists() and boxes.stat().st_size > 1000):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=120)[0]
    table, lines, _ = rows_of(work / 'stopped')
    tap.check('Ctrl-C ends it', process.returncode == 130 and 'stopped early' in output, output)
    tap.check('Ctrl-C leaves all rows', 10 < len(table) == len(lines) < 9000, len(table))
    video = next((work / 'stopped').glob('annotated.*'))
    tap.check('Ctrl-C leaves a video that can be decoded to its end', *shell_commands.run(
        f'gst-launch-1.0 -q filesrc location={video} ! decodebin ! fakesink', work,
        dict(os.environ)))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, build_dir = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    tap = Tap()
    env = shell_commands.environment(build_dir)
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        shell_commands.make_sample(work, dict(os.environ))
        track_video = TrackVideo(program, work, env)
        check_good_run(tap, track_video, work)
        check_pictures(tap, track_video, work)
        check_start(tap, track_video, work)
        check_no_video(tap, track_video, work)
        check_boxes(tap, track_video, work)
        check_full_disk(tap, track_video, work)
        check_bad_input(tap, track_video, work)
        check_interrupt(tap, track_video, work)
        check_stuck(tap, track_video, work)
        check_interlaced(tap, track_video, work)
        check_rotated(tap, track_video, work)
    tap.done()


if __name__ == '__main__':
    main()
