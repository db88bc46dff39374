#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""tools/convert_network.py: what it makes of networks, and what it refuses. Needs python3-onnx.

Usage: convert_network_test.py SOURCE_ROOT RUN_NETWORK
"""
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from tap import Tap, skip_all  # noqa: E402

try:
    import numpy
    import random_onnx
except ImportError as missing:
    skip_all(f'{missing}: install python3-onnx')


class Runner:
    def __init__(self, root, run_network, folder):
        self.tool, self.run_network, self.folder = pathlib.Path(root) / 'tools' / 'convert_network.py', run_network, folder

    def convert(self, backbone, head, *options):
        """What it says, and the file."""
        output = self.folder / 'network'
        output.unlink(missing_ok=True)
        result = subprocess.run([sys.executable, self.tool, backbone, head, output, *options], capture_output=True,
                                text=True, check=False)
        return result, output

    def read(self, path):
        """What the library says of a model."""
        return subprocess.run([self.run_network, path], capture_output=True, text=True, check=False)


def description_of(path):
    data = path.read_bytes()
    size = struct.unpack('<4I', data[16:32])[1]
    return json.loads(data[32:32 + size])


def check_made(tap, runner):
    backbone = random_onnx.backbone(runner.folder / 'backbone.onnx', 1, 63)
    for deep, layers in ((False, 2), (True, 6)):
        head = random_onnx.head(runner.folder / 'head.onnx', 2, deep)
        result, path = runner.convert(backbone, head, '--template-side', '31', '--name', 'tiny')
        name = 'a head with both correlations' if deep else 'a head with one correlation'
        if not tap.check(f'{name} is converted', result.returncode == 0, result.stderr):
            continue
        made = description_of(path)
        tap.check(f'{name}: what its template needs is apart', len(made['template']) == layers, made['template'])
        tap.check(f'{name}: every activation is part of what it follows', all(
            layer['op'] in ('convolution', 'depthwise', 'pointwise', 'gates', 'scale')
            for part in ('backbone', 'template', 'search') for layer in made[part]), made)
        read = runner.read(path)
        tap.check(f'{name}: the library reads it', read.returncode == 0 and read.stdout.startswith(
            f'tiny: pictures of 31 and 63, features of 12 channels, {7 if deep else 8} places a side'),
            read.stdout + read.stderr)
    damaged = runner.folder / 'damaged'
    damaged.write_bytes(path.read_bytes()[:-1])
    read = runner.read(damaged)
    tap.check('the library refuses what was cut off', read.returncode == 1 and 'cut off' in read.stderr, read.stderr)


def check_refusals(tap, runner):
    good_backbone = random_onnx.backbone(runner.folder / 'backbone.onnx', 1, 63)
    good_head = random_onnx.head(runner.folder / 'head.onnx', 2, True)
    broken = runner.folder / 'broken.onnx'
    broken.write_bytes(b'no network')

    def with_node(kind, *inputs, **attributes):
        def change(graph, name):
            extra = [graph.constant(numpy.float32(value)) for value in inputs]
            return graph.add(kind, name, *extra, **attributes)
        return random_onnx.head(runner.folder / f'{kind}.onnx', 2, True, change=change)

    def add_relu(graph, name):
        return graph.add('Relu', name)

    def add_mean(graph, name):
        return graph.add('Add', name, graph.add('GlobalAveragePool', name))

    def not_a_number(graph, name):
        graph.constants[0].raw_data = struct.pack('<f', float('nan')) + graph.constants[0].raw_data[4:]
        return name

    for name, backbone, head, message in [
            ('what is no ONNX', broken, good_head, 'not ONNX'),
            ('what is not there', runner.folder / 'none', good_head, 'not ONNX'),
            ('an operation that is not known', good_backbone, with_node('Softsign'), 'Softsign-'),
            ('other bounds', good_backbone, with_node('Clip', 0, 3), 'only 0 to 6'),
            ('another slope', good_backbone, with_node('HardSigmoid', alpha=0.2), 'slope'),
            ('an activation of a sum', random_onnx.backbone(runner.folder / 'relu.onnx', 1, 63, change=add_relu),
             good_head, 'Relu-'),
            ('a mean without gates', random_onnx.backbone(runner.folder / 'mean.onnx', 1, 63, change=add_mean),
             good_head, 'no squeeze and excitation'),
            ('a weight that is no number',
             random_onnx.backbone(runner.folder / 'nan.onnx', 1, 63, change=not_a_number), good_head, 'no number'),
            ('maps of another size', random_onnx.backbone(runner.folder / 'large.onnx', 1, 71), good_head,
             'not what the backbone makes'),
            ('a head in the place of a backbone', good_head, good_head, 'one input and one output'),
            ('a backbone in the place of a head', good_backbone, good_backbone, 'two inputs and two outputs')]:
        result, path = runner.convert(backbone, head, '--template-side', '31')
        tap.check(f'{name} is refused', result.returncode == 1 and message in result.stderr and
                  result.stderr.count('\n') == 1 and not path.exists(), result.stderr)
    result, _ = runner.convert(good_backbone, good_head)
    tap.check('a template of another size is refused', result.returncode == 1 and 'the head has 4' in result.stderr,
              result.stderr)


def check_nanotrack(tap, runner):
    data = os.environ.get('CLTRACK_DATA')
    models = pathlib.Path(data or '.') / 'models'
    for version, tail, channels, side in ((2, '_sim', 48, 16), (3, '', 96, 15)):
        folder = models / f'nanotrackv{version}'
        name = f'NanoTrack v{version} is converted'
        if not data or not folder.is_dir():
            tap.skip(name, f'no {folder}: set CLTRACK_DATA')
            continue
        result, path = runner.convert(folder / f'nanotrack_backbone{tail}.onnx', folder / f'nanotrack_head{tail}.onnx')
        read = runner.read(path)
        tap.check(name, read.stdout.startswith(
            f'network: pictures of 127 and 255, features of {channels} channels, {side} places a side'),
            result.stderr + read.stdout + read.stderr)


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(sys.argv[1], sys.argv[2], pathlib.Path(folder))
        check_made(tap, runner)
        check_refusals(tap, runner)
        check_nanotrack(tap, runner)
    tap.done()


main()
