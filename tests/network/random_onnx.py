# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tiny Siamese networks of random weights, as ONNX: what NanoTrack v2 and v3 are made of, in small."""
import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper


class Graph:
    """Collects nodes; each method returns the name of its result."""

    def __init__(self, seed):
        self.random = numpy.random.RandomState(seed)
        self.nodes, self.constants = [], []

    def constant(self, values):
        name = f'c{len(self.constants)}'
        self.constants.append(numpy_helper.from_array(numpy.asarray(values), name))
        return name

    def weights(self, *shape):
        most = (3 / numpy.prod(shape[1:])) ** 0.5
        return self.constant(self.random.uniform(-most, most, shape).astype('f4'))

    def vector(self, count, least=-0.5, most=0.5):
        return self.constant(self.random.uniform(least, most, count).astype('f4'))

    def add(self, kind, *inputs, **attributes):
        name = f'v{len(self.nodes)}'
        self.nodes.append(helper.make_node(kind, inputs, [name], name=f'{kind}-{len(self.nodes)}', **attributes))
        return name

    def conv(self, x, inputs, outputs, kernel=1, stride=1, pad=0, group=1, norm=False):
        bias = [] if norm else [self.vector(outputs)]
        x = self.add('Conv', x, self.weights(outputs, inputs // group, kernel, kernel), *bias, group=group,
                     kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=[pad] * 4)
        if norm:
            x = self.add('BatchNormalization', x, self.vector(outputs, 0.5, 1.5), self.vector(outputs),
                         self.vector(outputs), self.vector(outputs, 0.5, 1.5), epsilon=1e-3)
        return x

    def relu6(self, x):
        return self.add('Clip', x, self.constant(numpy.float32(0)), self.constant(numpy.float32(6)))

    def excite(self, x, channels, hidden):
        """As backbones have it: Gemm, and reshapes around it."""
        mean = self.add('Reshape', self.add('GlobalAveragePool', x), self.constant(numpy.int64([1, channels])))
        first = self.add('Relu', self.add('Gemm', mean, self.weights(hidden, channels), self.vector(hidden), transB=1))
        second = self.add('Gemm', first, self.weights(channels, hidden), self.vector(channels), transB=1)
        gates = self.add('HardSigmoid', second, alpha=1 / 6)
        return self.add('Mul', x, self.add('Reshape', gates, self.constant(numpy.int64([1, channels, 1, 1]))))

    def attention(self, x, channels):
        """As heads have it: convolutions."""
        first = self.add('Relu', self.conv(self.add('GlobalAveragePool', x), channels, channels))
        return self.add('Mul', x, self.add('Sigmoid', self.conv(first, channels, channels)))

    def product(self, template, search, channels, template_side, side):
        flat = self.constant(numpy.int64([1, channels, -1]))
        left = self.add('Transpose', self.add('Reshape', template, flat), perm=[0, 2, 1])
        product = self.add('MatMul', left, self.add('Reshape', search, flat))
        return self.add('Reshape', product, self.constant(numpy.int64([1, template_side ** 2, side, side])))

    def save(self, path, inputs, outputs):
        """`inputs` and `outputs`: names and shapes."""
        def values(each):
            return [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in each.items()]
        graph = helper.make_graph(self.nodes, 'random', values(inputs), values(outputs), self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 14)], ir_version=7)
        onnx.save(model, str(path))
        return path


def backbone(path, seed, side, template=False, change=None):
    """8 channels of pictures of 63 pixels, a map of 8; or of 31 and 4 with the same weights. `change(graph, name)`
    may add nodes to its result."""
    graph = Graph(seed)
    x = graph.add('HardSwish', graph.conv('input', 3, 6, 3, 2, 1, norm=True))
    x = graph.add('Relu', graph.conv(x, 6, 6, 3, 2, 1, group=6, norm=True))
    x = graph.conv(graph.excite(x, 6, 5), 6, 10)
    x = graph.conv(x, 10, 10, 5, 2, 2, group=10)
    x = graph.conv(graph.add('HardSwish', graph.excite(x, 10, 3)), 10, 12, norm=True)
    wide = graph.relu6(graph.conv(x, 12, 20))
    more = graph.conv(graph.conv(wide, 20, 20, 3, 1, 1, group=20, norm=True), 20, 12)
    x = graph.add('Add', x, more)
    if change:
        x = change(graph, x)
    return graph.save(path, {'input': [1, 3, side, side]}, {x: [1, 12, (side + 1) // 8, (side + 1) // 8]})


def head(path, seed, deep, change=None):
    """As NanoTrack's: v3, if `deep`, has a correlation for each channel beside that of all places."""
    graph = Graph(seed)
    side = 7 if deep else 8

    def branch():
        left, right = graph.conv('template', 12, 12, norm=True), graph.conv('search', 12, 12)
        x = graph.attention(graph.product(left, right, 12, 4, 8), 16)
        if not deep:
            return graph.conv(graph.conv(x, 16, 16, 3, 1, 1, group=16), 16, 8, norm=True)
        x = graph.conv(graph.relu6(graph.conv(x, 16, 16, 2, group=16)), 16, 9)
        cut = [graph.constant(numpy.int64([value])) for value in (1, 3)]
        for axis in (2, 3):
            middle = graph.add('Slice', 'template' if axis == 2 else middle, *cut,
                               graph.constant(numpy.int64([axis])), graph.constant(numpy.int64([1])))
        kernels = graph.add('Reshape', graph.conv(middle, 12, 12), graph.constant(numpy.int64([12, 1, 2, 2])))
        other = graph.add('Conv', graph.conv('search', 12, 12), kernels, group=12, kernel_shape=[2, 2])
        return graph.conv(graph.add('Concat', x, other, axis=1), 21, 8)

    scores = graph.conv(graph.relu6(branch()), 8, 2)
    boxes = graph.add('Exp', graph.conv(graph.relu6(branch()), 8, 4))
    if change:
        scores = change(graph, scores)
    return graph.save(path, {'template': [1, 12, 4, 4], 'search': [1, 12, 8, 8]},
                      {scores: [1, 2, side, side], boxes: [1, 4, side, side]})
