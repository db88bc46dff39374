# SPDX-License-Identifier: LGPL-2.1-or-later
"""Detectors of red and of green squares, as ONNX: tiny, but with boxes at places, as YOLO has them, that are where the squares are.

Usage: red_detector.py MODEL.onnx    writes one as YOLOv8's, whose classes are "person" and "car"
"""
import pathlib
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'network'))
import random_onnx  # noqa: E402

SIDE, STRIDE, WINDOW, RING = 160, 4, 24, 4  # pixels: of the input, from place to place, of a square, around it
PLACES = SIDE // STRIDE


def graph_of_scores():
    """A graph, the name of a map, and of [1, 2, places]: how red or green a square at a place is, and what is around it is not."""
    graph = random_onnx.Graph(1)
    side = WINDOW + 2 * RING
    square = numpy.full((side, side), -1, 'f4')
    square[RING:-RING, RING:-RING] = 1
    weights = numpy.multiply.outer(numpy.float32([[1, -.5, -.5], [-.5, 1, -.5]]), square / WINDOW ** 2)
    scores = graph.add('Relu', graph.add('Conv', 'images', graph.constant(weights), kernel_shape=[side] * 2,
                                         strides=[STRIDE] * 2, pads=[(side - STRIDE) // 2] * 4))
    return graph, scores, graph.add('Reshape', scores, graph.constant(numpy.int64([1, 2, PLACES ** 2])))


def boxes():
    """(4, places): the middle and the size of a square at each place."""
    middles = numpy.arange(PLACES, dtype='f4') * STRIDE + STRIDE / 2
    x, y = numpy.meshgrid(middles, middles)
    size = numpy.full(x.size, WINDOW, 'f4')
    return numpy.stack([x.ravel(), y.ravel(), size, size])


def save(graph, path, outputs, shape=(1, 3, SIDE, SIDE), notes=None):
    """`outputs`: names and shapes. `notes`: texts that are kept in the file."""
    graph.save(path, {'images': list(shape)}, outputs)
    if notes:
        model = random_onnx.onnx.load(str(path))
        for name, text in notes.items():
            model.metadata_props.add(key=name, value=text)
        random_onnx.onnx.save(model, str(path))
    return path


def yolov8(path, with_map=False, **options):
    graph, scores_map, scores = graph_of_scores()
    result = graph.add('Concat', graph.constant(boxes()[None]), scores, axis=1)
    more = {scores_map: [1, 2, PLACES, PLACES]} if with_map else {}
    return save(graph, path, {result: [1, 6, PLACES ** 2], **more}, **options)


def yolov5(path):
    graph, _, scores = graph_of_scores()
    sure = numpy.ones((1, 1, PLACES ** 2), 'f4')
    columns = graph.add('Concat', graph.constant(boxes()[None]), graph.constant(sure), scores, axis=1)
    result = graph.add('Transpose', columns, perm=[0, 2, 1])
    return save(graph, path, {result: [1, PLACES ** 2, 7]})


def colors(path, shape=(1, 3, 40, 20), notes=None):
    """SSD with three boxes, whose scores are the means of the three channels of the input."""
    graph = random_onnx.Graph(1)
    means = graph.add('Reshape', graph.add('GlobalAveragePool', 'images'), graph.constant(numpy.int64([1, 1, 3, 1])))
    before = numpy.float32([[0, 7], [0, 8], [0, 9]])
    after = numpy.float32([[0, 0.25, 0.5, 0.75], [0.5, 0, 1, 0.5], [0, 0, 1, 1]])
    result = graph.add('Concat', graph.constant(before[None, None]), means, graph.constant(after[None, None]), axis=3)
    return save(graph, path, {result: [1, 1, 3, 7]}, shape, notes)


if __name__ == '__main__':
    yolov8(sys.argv[1], notes={'names': "{0: 'person', 1: 'car'}", 'task': 'detect'})
