#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compares what the library makes of networks with ONNX Runtime's answers. Needs python3-onnx and python3-onnxruntime,
which Debian has from 13 on.

Usage: onnx_runtime_test.py SOURCE_ROOT RUN_NETWORK
"""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from tap import Tap, skip_all  # noqa: E402

try:
    import numpy
    import onnx
    import onnxruntime
    import random_onnx
except ImportError as missing:
    skip_all(f'{missing}: install python3-onnx and python3-onnxruntime (Debian 13)')

MOST = 1e-4  # by which an answer may differ, times its size where that is more than 1


class Session:
    def __init__(self, model):
        """`model`: a file, or its bytes."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(model if isinstance(model, bytes) else str(model), options,
                                                    providers=['CPUExecutionProvider'])

    def run(self, *inputs):
        names = [each.name for each in self.session.get_inputs()]
        return self.session.run(None, dict(zip(names, inputs)))


def of_any_size(path):
    """The backbone for pictures of any size: it is saved for one."""
    model = onnx.load(str(path))
    for value in (model.graph.input[0], model.graph.output[0]):
        for axis in value.type.tensor_type.shape.dim[2:]:
            axis.dim_param = 'side'
    del model.graph.value_info[:]
    return Session(model.SerializeToString())


def picture(random, side):
    """Patches of colour with noise; rows, columns, colours."""
    patches = numpy.kron(random.uniform(0, 255, (9, 9, 3)), numpy.ones((side // 9 + 1, side // 9 + 1, 1)))
    return (patches[:side, :side] + random.uniform(-20, 20, (side, side, 3))).clip(0, 255).astype('f4')


def planes(values):
    return numpy.ascontiguousarray(values.transpose(2, 0, 1)[None])


def compare(tap, name, folder, arguments, files, sides, template_backbone):
    """`files`: backbone and head; `sides`: of template and search window."""
    tool, run = pathlib.Path(arguments[0]) / 'tools' / 'convert_network.py', arguments[1]
    model = folder / 'model'
    subprocess.run([sys.executable, tool, *files, model, '--template-side', str(sides[0])], check=True,
                   stdout=subprocess.DEVNULL)
    for seed in range(3):
        random = numpy.random.RandomState(seed)
        template, search = (picture(random, side) for side in sides)
        features = template_backbone.run(planes(template))[0], Session(files[0]).run(planes(search))[0]
        expected = [each[0].transpose(1, 2, 0).ravel() for each in Session(files[1]).run(*features)]
        template.tofile(folder / 'template')
        search.tofile(folder / 'search')
        subprocess.run([run, model, folder / 'template', folder / 'search', folder / 'answer'], check=True,
                       stdout=subprocess.DEVNULL)
        answer = numpy.fromfile(folder / 'answer', 'f4')
        count = expected[0].size
        for kind, made, wanted in (('scores', answer[:count], expected[0]), ('boxes', answer[count:], expected[1])):
            worst = (abs(made - wanted) / numpy.maximum(1, abs(wanted))).max() if made.size == wanted.size else 'all'
            tap.check(f'{name}, picture {seed}: {kind} are those of ONNX Runtime', worst != 'all' and worst <= MOST,
                      f'they differ by {worst}; {MOST} is allowed')


def compare_random(tap, folder, arguments):
    backbone = random_onnx.backbone(folder / 'backbone.onnx', 5, 63)
    small = Session(random_onnx.backbone(folder / 'small.onnx', 5, 31))
    for deep, name in ((False, 'one correlation'), (True, 'both correlations')):
        head = random_onnx.head(folder / 'head.onnx', 6, deep)
        compare(tap, name, folder, arguments, (backbone, head), (31, 63), small)


def compare_nanotrack(tap, folder, arguments):
    data = os.environ.get('CLTRACK_DATA')
    for version, tail in ((2, '_sim'), (3, '')):
        models = pathlib.Path(data or '.') / 'models' / f'nanotrackv{version}'
        if not data or not models.is_dir():
            tap.skip(f'NanoTrack v{version}', f'no {models}: set CLTRACK_DATA')
            continue
        files = models / f'nanotrack_backbone{tail}.onnx', models / f'nanotrack_head{tail}.onnx'
        compare(tap, f'NanoTrack v{version}', folder, arguments, files, (127, 255), of_any_size(files[0]))


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as name:
        compare_random(tap, pathlib.Path(name), sys.argv[1:])
        compare_nanotrack(tap, pathlib.Path(name), sys.argv[1:])
    tap.done()


main()
