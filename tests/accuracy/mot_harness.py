#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""cltracker with a detector before it as a multi-object tracker, beside SORT, ByteTrack and OC-SORT.

All of them get the same detections, at intervals of so many frames. Prints one table: HOTA, MOTA, IDF1, id switches
(trackeval; overlap .5), the share of boxes that are on nobody, and of those that overlap a box of another id by half. Of
cltracker, boxes that are `tracking` count, and of the class DetectionTracker in Python, which gets BGR, and has the boxes of
the element with --format BGR. With --switches DIRECTORY it also makes contact sheets of the element's id switches there, as PNG
(needs python3-opencv). With --cost it measures what a frame costs instead, and needs no packages.

  python3 -m venv VENV && VENV/bin/pip install -r tests/accuracy/mot_requirements.txt
  tests/accuracy/mot_harness.py --data DATA --build build --python VENV/bin/python

DATA has sequences as MOTChallenge lays them out (NAME/img1, det/det.txt, gt/gt.txt, seqinfo.ini), or the three of MOT15
as mot/NAME/{det,gt}.txt, whose frames are in people/. Ends with 77 where the data or the packages are missing. Needs
python3-gi and gir1.2-gst-plugins-base-1.0.
"""
import argparse
import concurrent.futures
import configparser
import dataclasses
import json
import multiprocessing
import os
import pathlib
import resource
import subprocess
import sys
import time

import gi

gi.require_version('Gst', '1.0')
gi.require_version('GstVideo', '1.0')
from gi.repository import Gst, GstVideo  # noqa: E402

SCORES = pathlib.Path(__file__).resolve().with_name('mot_scores.py')
SKIPPED = 77  # of meson
# On a device of OpenCL the boxes are the same, and compiling for it costs more than these sequences.
PROPERTIES = ['detections=start-and-correct', 'device=host']
LABEL = 'person'

# Of people/: the folder, the frame of the MOT sequence that comes first in it, and the rate.
PEOPLE = {
    'PETS09-S2L1': ('PETS09-S2L1-video', 1, 7),
    'PETS09-S3MF1': ('PETS09-S3MF1-f0020', 20, 7),
    'TUD-Campus': ('TUD-Campus-f0004', 4, 25),
}

# --cost: four parts of the longest sequence side by side, which gives four times as many people.
COST_SIZE = (1920, 1080)
COST_FRAMES = 120
COST_START = 20  # frames on which most tracks begin; counted apart


class Skip(Exception):
    """Something is missing that is not part of the project."""


@dataclasses.dataclass
class Sequence:
    name: str
    rate: int
    frames: int
    source: str  # elements of GStreamer that give encoded pictures
    detections: list = dataclasses.field(default_factory=list)  # for each frame, [confidence, [x, y, width, height]]
    truth: list = dataclasses.field(default_factory=list)  # for each frame, [id, [x, y, width, height]]


def read_boxes(path, first, frames):
    """For each frame, [id, confidence, box]."""
    rows = [[] for _ in range(frames)]
    for line in path.read_text(encoding='utf-8').splitlines():
        frame, name, x, y, width, height, confidence = (float(field) for field in line.split(',')[:7])
        if 0 <= frame - first < frames:
            rows[int(frame - first)].append([int(name), confidence, [x, y, width, height]])
    return rows


def read_sequence(name, rate, pictures, first, longest, truth, detections):
    """`pictures`: a folder of them, or a video. `first`: the number that the boxes give to its first frame."""
    if pictures.is_dir():
        files = sorted(file for file in pictures.iterdir() if file.suffix in ('.jpg', '.png'))
        if not files:
            raise Skip(f'no pictures in {pictures}')
        digits = len(files[0].stem)
        source = (f'multifilesrc location="{pictures}/%0{digits}d{files[0].suffix}" start-index={int(files[0].stem)} '
                  f'stop-index={int(files[-1].stem)} caps=image/{"png" if files[0].suffix == ".png" else "jpeg"},'
                  f'framerate={rate}/1')
        frames = min(len(files), longest)
    else:
        source = f'filesrc location="{pictures}"'
        frames = min(longest, max(int(line.split(',')[0]) for line in truth.read_text(encoding='utf-8').split()))
    found = read_boxes(detections, first, frames)
    true = read_boxes(truth, first, frames)
    return Sequence(name, rate, frames, source, [[row[1:] for row in frame] for frame in found],
                    [[[row[0], row[2]] for row in frame if row[1] != 0] for frame in true])


def read_sequences(data, longest):
    if data is None:
        raise Skip('no data: give --data, or set CLTRACK_DATA')
    sequences = []
    for info in sorted(data.glob('*/seqinfo.ini')):
        parser = configparser.ConfigParser()
        parser.read(info)
        of = parser['Sequence']
        sequences.append(read_sequence(of['name'], int(of['frameRate']), info.parent / of['imDir'], 1, longest,
                                       info.parent / 'gt' / 'gt.txt', info.parent / 'det' / 'det.txt'))
    for name, (folder, first, rate) in () if sequences else PEOPLE.items():
        boxes, pictures = data / 'mot' / name, data / 'people' / folder
        if not boxes.is_dir() or not pictures.is_dir():
            continue
        pictures = next(pictures.glob('*.mp4'), pictures / 'img')
        sequences.append(read_sequence(name, rate, pictures, first, longest, boxes / 'gt.txt', boxes / 'det.txt'))
    if not sequences:
        raise Skip(f'no sequences in {data}: neither */seqinfo.ini nor mot/ and people/')
    return sequences


def size_of(sample):
    shape = sample.get_caps().get_structure(0)
    return shape.get_value('width'), shape.get_value('height')


def read_pictures(sequence, size=None, of='I420'):
    """The frames of a sequence as samples, of the format `of`."""
    shape = f',width={size[0]},height={size[1]}' if size else ''
    pipeline = Gst.parse_launch(f'{sequence.source} ! decodebin ! videoconvert ! videoscale ! video/x-raw,format={of}{shape}'
                                ' ! appsink name=sink sync=false max-buffers=2')
    pipeline.set_state(Gst.State.PLAYING)
    try:
        for frame in range(sequence.frames):
            sample = pipeline.get_by_name('sink').emit('pull-sample')
            if sample is None:
                raise RuntimeError(f'{sequence.name}: its pictures end after {frame} frames')
            yield sample
    finally:
        pipeline.set_state(Gst.State.NULL)


def read_arrays(sequence):
    """The same as arrays of numpy, in BGR."""
    import numpy
    for sample in read_pictures(sequence, of='BGR'):
        width, height = size_of(sample)
        picture = sample.get_buffer()
        rows = numpy.frombuffer(picture.extract_dup(0, picture.get_size()), numpy.uint8).reshape(height, -1)
        yield rows[:, :3 * width].reshape(height, width, 3)


def inside(detections, width, height):
    """[confidence, [x, y, width, height]] in whole pixels of the picture, as metadata has them."""
    for confidence, (x, y, w, h) in detections:
        left, top = max(round(x), 0), max(round(y), 0)
        right, bottom = min(round(x + w), width), min(round(y + h), height)
        if right > left and bottom > top:
            yield confidence, (left, top, right - left, bottom - top)


class Element:
    """cltracker, fed with pictures and detections frame by frame."""

    def __init__(self, size, rate, properties, of='I420'):
        self.width, self.height = size
        self.duration = Gst.SECOND // rate
        self.pipeline = Gst.parse_launch(
            'appsrc name=source format=time block=true max-buffers=2 max-bytes=0 '
            f'caps=video/x-raw,format={of},width={self.width},height={self.height},framerate={rate}/1 '
            f'! cltracker name=tracker messages=every-frame {" ".join(PROPERTIES + properties)} ! fakesink sync=false')
        self.source = self.pipeline.get_by_name('source')
        self.pipeline.set_state(Gst.State.PLAYING)

    def push(self, frame, picture, detections):
        """`detections`: none if the detector has not run."""
        buffer = picture.copy_region(Gst.BufferCopyFlags.MEMORY | Gst.BufferCopyFlags.META, 0, picture.get_size())
        buffer.pts, buffer.duration = frame * self.duration, self.duration
        if detections is not None:
            buffer.add_custom_meta('cltrack-detector-ran')
        for confidence, box in inside(detections or [], self.width, self.height):
            meta = GstVideo.buffer_add_video_region_of_interest_meta(buffer, LABEL, *box)
            meta.add_param(Gst.Structure.new_from_string(f'detection, confidence=(double){confidence}'))
        self.source.emit('push-buffer', buffer)

    def end(self, frames):
        """For each frame, [id, box, state] of those that have a box."""
        self.source.emit('end-of-stream')
        result = [[] for _ in range(frames)]
        kinds = Gst.MessageType.ELEMENT | Gst.MessageType.EOS | Gst.MessageType.ERROR
        while message := self.pipeline.get_bus().timed_pop_filtered(Gst.CLOCK_TIME_NONE, kinds):
            if message.type == Gst.MessageType.ERROR:
                raise RuntimeError(message.parse_error()[0].message)
            if message.type == Gst.MessageType.EOS:
                break
            fields = message.get_structure()
            if fields.get_name() == 'cltracker-state' and fields.get_value('state') != 'lost':
                frame = round(fields.get_value('timestamp') / self.duration)
                result[frame].append([fields.get_value('id'),
                                      [fields.get_value(side) for side in ('x', 'y', 'width', 'height')],
                                      fields.get_value('state')])
        self.pipeline.set_state(Gst.State.NULL)
        return result


def tracking(boxes):
    """Those that count: [id, box] for each frame."""
    return [[[name, box] for name, box, state in frame if state == 'tracking'] for frame in boxes]


def use_build(build):
    """Lets GStreamer see the plugin in the build directory, and leaves the user's cache alone."""
    if not (build / 'gst').is_dir():
        raise Skip(f'no plugin in {build}: give --build')
    os.environ['GST_PLUGIN_PATH'] = str((build / 'gst').resolve())
    os.environ['GST_REGISTRY_1_0'] = str((build / 'mot-registry.bin').resolve())
    Gst.init(None)
    if Gst.ElementFactory.find('cltracker') is None:
        raise Skip(f'no element cltracker in {build}')


def run_element(build, sequence, every, properties, of='I420'):
    """Element.end() of a sequence. In a process of its own."""
    use_build(build)
    element = None
    for frame, sample in enumerate(read_pictures(sequence, of=of)):
        element = element or Element(size_of(sample), sequence.rate, properties, of)
        element.push(frame, sample.get_buffer(), None if frame % every else sequence.detections[frame])
    return element.end(sequence.frames)


def use_package(build):
    """The package cltrack of the build directory; none if it is not built, or not for this Python."""
    if str(build / 'python') not in sys.path:
        sys.path.insert(0, str(build / 'python'))
    try:
        import cltrack
    except ImportError:
        return None
    return cltrack


def run_package(build, sequence, every):
    """The same by DetectionTracker. In a process of its own."""
    use_build(build)
    tracker, result = use_package(build).DetectionTracker(device='host'), []
    duration = Gst.SECOND // sequence.rate
    for frame, picture in enumerate(read_arrays(sequence)):
        detections = {}
        if frame % every == 0:
            found = list(inside(sequence.detections[frame], picture.shape[1], picture.shape[0]))
            detections = {'boxes': [box for _, box in found], 'scores': [confidence for confidence, _ in found], 'labels': LABEL}
        tracks = tracker.update(picture, time=frame * duration / Gst.SECOND, **detections)
        result.append([[track.id, list(track.box)] for track in tracks if track.state == 'tracking'])
    return result


def accuracy(options, sequences):
    """The table of all trackers."""
    python = [options.python, SCORES]
    try:
        tried = subprocess.run([*python, '--try'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        missing = tried.returncode and (tried.stdout.strip().rpartition('\n')[2] or f'status {tried.returncode}')
    except OSError as error:
        missing = str(error)
    if missing:
        raise Skip(f'{options.python} lacks packages ({missing}): make a venv, pip install -r '
                   'tests/accuracy/mot_requirements.txt, and give its python by --python or CLTRACK_MOT_PYTHON')
    runs, name = {}, ' '.join(['cltracker', *options.properties])
    with concurrent.futures.ProcessPoolExecutor(options.jobs, multiprocessing.get_context('spawn')) as pool:
        runs[name] = {every: [pool.submit(run_element, options.build, sequence, every, options.properties, options.format)
                              for sequence in sequences] for every in options.intervals}
        # Properties are the element's.
        if not options.properties and use_package(options.build):
            runs['DetectionTracker in Python'] = {every: [pool.submit(run_package, options.build, sequence, every)
                                                          for sequence in sequences] for every in options.intervals}
        results = {name: {every: [run.result() for run in of_interval] for every, of_interval in of_tracker.items()}
                   for name, of_tracker in runs.items()}
    boxes = results[name]
    results[name] = {every: [tracking(rows) for rows in of_interval] for every, of_interval in boxes.items()}
    work = {'sequences': [dataclasses.asdict(sequence) for sequence in sequences], 'results': results}
    done = subprocess.run(python, input=json.dumps(work), stdout=subprocess.PIPE, text=True, check=True)
    print(done.stdout, end='')
    if not options.switches:
        return
    use_build(options.build)
    work['results'] = {name: results[name]}
    done = subprocess.run([*python, '--switches'], input=json.dumps(work), stdout=subprocess.PIPE, text=True, check=True)
    for every, of_interval in json.loads(done.stdout)[name].items():
        for sequence, rows, switches in zip(sequences, boxes[int(every)], of_interval):
            write_sheets(options.switches / f'{sequence.name}-every-{every}', sequence, int(every), rows, switches)


def try_drawing():
    try:
        import mot_switches  # noqa: F401
    except ImportError as error:
        raise Skip(f'no sheets of switches can be drawn ({error}): install python3-opencv, or leave --switches out') from error


def write_sheets(path, sequence, every, boxes, switches):
    import mot_switches
    names = mot_switches.write_sheets(path, sequence, every, boxes, switches, read_arrays(sequence))
    print(f'{sequence.name}, a detection every {every} frames: {len(switches)} id switches',
          *([f'in {names[0]}' + (f' to {names[-1].name}' if len(names) > 1 else '')] if names else []))


def side_by_side(tiles, width, height):
    """Four pictures of I420 as one, in two rows; their sides are multiples of 4."""
    rows, offset = [], 0
    for w, h in ((width, height), (width // 2, height // 2), (width // 2, height // 2)):
        for left, right in (tiles[:2], tiles[2:]):
            for start in range(offset, offset + w * h, w):
                rows += left[start:start + w], right[start:start + w]
        offset += w * h
    return b''.join(rows)


def cost_scene(sequence):
    """Pictures of COST_SIZE and their detections: four parts of the sequence at once."""
    width, height = COST_SIZE[0] // 2, COST_SIZE[1] // 2
    frames = min(COST_FRAMES, sequence.frames // 4)
    starts = [part * sequence.frames // 4 for part in range(4)]
    needed = {start + i for start in starts for i in range(frames)}
    tiles, found = {}, []
    for frame, sample in enumerate(read_pictures(sequence, (width, height))):
        if frame in needed:
            tiles[frame] = sample.get_buffer().extract_dup(0, sample.get_buffer().get_size())
    original = size_of(next(read_pictures(sequence)))
    scale = width / original[0], height / original[1]
    pictures = []
    for i in range(frames):
        pictures.append(Gst.Buffer.new_wrapped(side_by_side([tiles[start + i] for start in starts], width, height)))
        found.append([])
        for part, start in enumerate(starts):
            left, top = part % 2 * width, part // 2 * height
            found[-1] += [[confidence, [left + x * scale[0], top + y * scale[1], w * scale[0], h * scale[1]]]
                          for confidence, (x, y, w, h) in sequence.detections[start + i]]
    return pictures, found


def cost(options, sequences):
    """What a frame with many tracks costs, without decoding."""
    use_build(options.build)
    sequence = max(sequences, key=lambda one: one.frames)
    pictures, found = cost_scene(sequence)
    for every in options.intervals:
        element = Element(COST_SIZE, sequence.rate, options.properties)
        moments = []

        def on_picture(*_):
            used = resource.getrusage(resource.RUSAGE_SELF)
            moments.append((time.monotonic(), used.ru_utime + used.ru_stime))
            return Gst.PadProbeReturn.OK

        pad = element.pipeline.get_by_name('tracker').get_static_pad('src')
        pad.add_probe(Gst.PadProbeType.BUFFER, on_picture)
        for frame, picture in enumerate(pictures):
            element.push(frame, picture, None if frame % every else found[frame])
        result = tracking(element.end(len(pictures)))
        start = min(COST_START, len(pictures) // 2)
        frames = len(pictures) - 1 - start
        seconds, used = (after - before for before, after in zip(moments[start], moments[-1]))
        tracks = sum(map(len, result[start:])) / len(result[start:])
        print(f'{COST_SIZE[0]}x{COST_SIZE[1]}, a detection every {every} frames, {tracks:.1f} tracks: '
              f'{frames / seconds:.1f} frames a second, {1000 * used / frames:.1f} ms of CPU time a frame '
              f'({frames} frames after the first {start + 1}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--data', type=pathlib.Path, default=os.environ.get('CLTRACK_DATA'))
    parser.add_argument('--build', type=pathlib.Path, default=pathlib.Path('build'))
    parser.add_argument('--python', default=os.environ.get('CLTRACK_MOT_PYTHON', 'python3'),
                        help='one that has the packages of mot_requirements.txt')
    parser.add_argument('--intervals', type=int, nargs='+', default=None, help='frames from one detection to the next')
    parser.add_argument('--longest', type=int, default=None, help='frames of a sequence')
    parser.add_argument('--sequences', nargs='+', help='only these')
    parser.add_argument('--jobs', type=int, default=os.cpu_count() or 1, help='runs at the same time')
    parser.add_argument('--cost', action='store_true', help='20 tracks in 1080p: frames a second')
    parser.add_argument('--format', choices=['I420', 'BGR'], default='I420', help='of the pictures that cltracker gets')
    parser.add_argument('--switches', type=pathlib.Path, metavar='DIRECTORY',
                        help='write contact sheets of the id switches of cltracker there')
    parser.add_argument('--properties', nargs='+', default=[],
                        help='of cltracker, beside ' + ' '.join(PROPERTIES))
    options = parser.parse_args()
    options.intervals = options.intervals or ([5] if options.cost else [1, 5, 15])
    if options.switches:
        if options.cost:
            parser.error('--switches is of boxes that are scored: leave --cost out')
        try:
            options.switches.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            parser.error(f'--switches: the folder {options.switches} cannot be made ({error.strerror}): name another one')
    longest = options.longest or (10**6 if options.cost else 300)
    try:
        sequences = read_sequences(options.data and pathlib.Path(options.data), longest)
        sequences = [one for one in sequences if not options.sequences or one.name in options.sequences]
        if not sequences:
            raise Skip(f'no sequence is called {" or ".join(options.sequences)}')
        if options.switches:
            try_drawing()
        (cost if options.cost else accuracy)(options, sequences)
    except Skip as reason:
        print(f'NOTHING IS MEASURED: {reason}', file=sys.stderr)
        return SKIPPED
    return 0


if __name__ == '__main__':
    sys.exit(main())
