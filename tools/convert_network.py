#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Converts a Siamese network (NanoTrack v2 or v3) from ONNX to the file that libcltrack reads.

Usage: convert_network.py BACKBONE.onnx HEAD.onnx OUTPUT [--name NAME] [--template-side PIXELS]

The backbone makes features of a picture [1, 3, side, side], the head scores [1, 2, n, n] and boxes [1, 4, n, n] of
the template's features and those of the search window. Batch norm is folded into the convolutions, activations into
what they follow. What the library cannot run is refused, with the name of the node. It needs python3-onnx.

The file: 16 bytes "cltrack network\\n"; four numbers of 32 bits, little-endian: version, bytes of the description,
number of weights, CRC-32 of all that follows; the description, JSON; the weights, floats of 32 bits.
lib/network/model_file.h says what the description has.
"""
import argparse
import json
import pathlib
import struct
import sys
import zlib

MAGIC = b'cltrack network\n'
VERSION = 1
LANES = 8  # rows of weights have a multiple of so many
ACTIVATIONS = {'Relu': 'relu', 'HardSwish': 'hard-swish', 'HardSigmoid': 'hard-sigmoid', 'Sigmoid': 'sigmoid',
               'Exp': 'exp'}
RESHAPES = ('Reshape', 'Flatten', 'Squeeze', 'Unsqueeze')


class Refused(Exception):
    pass


def write_model(path, description, weights):
    """`weights`: bytes of floats."""
    text = json.dumps(description, separators=(',', ':')).encode()
    checksum = zlib.crc32(text + weights)
    head = struct.pack('<4I', VERSION, len(text), len(weights) // 4, checksum)
    pathlib.Path(path).write_bytes(MAGIC + head + text + weights)


class Graph:
    """A graph of ONNX: nodes, constants, shapes, and who uses what."""

    def __init__(self, path):
        import onnx
        from onnx import numpy_helper
        try:
            model = onnx.load(str(path))
            onnx.checker.check_model(model)
            inferred = onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True).graph
        except Exception as error:  # what onnx and protobuf throw has no common type
            raise Refused(f'{path}: not ONNX: {str(error).splitlines()[0]}') from error
        self.path = path
        self.read_attribute = onnx.helper.get_attribute_value
        self.constants = {each.name: numpy_helper.to_array(each) for each in model.graph.initializer}
        self.nodes = []
        for node in model.graph.node:
            if node.op_type == 'Constant':
                self.constants[node.output[0]] = numpy_helper.to_array(self.attributes(node)['value'])
            else:
                self.nodes.append(node)
        self.shapes = {each.name: [axis.dim_value for axis in each.type.tensor_type.shape.dim]
                       for each in [*inferred.value_info, *inferred.input, *inferred.output]}
        self.inputs = [each.name for each in model.graph.input if each.name not in self.constants]
        self.outputs = [each.name for each in model.graph.output]
        self.users = {name: [] for name in self.outputs}
        for node in self.nodes:
            for name in node.input:
                self.users.setdefault(name, []).append(node)

    def attributes(self, node):
        return {each.name: self.read_attribute(each) for each in node.attribute}

    def refuse(self, node, why):
        raise Refused(f'{self.path}: {node.op_type} {node.name or node.output[0]}: {why}')

    def constant(self, node, index):
        name = node.input[index] if index < len(node.input) else ''
        if name not in self.constants:
            self.refuse(node, f'its input {index} is no constant')
        return self.constants[name]

    def only_user(self, name):
        users = self.users.get(name, [])
        return users[0] if len(users) == 1 and name not in self.outputs else None


class Converter:
    """Collects layers. A tensor is (channels, height, width); values of a place lie side by side."""

    def __init__(self):
        import numpy
        self.numpy = numpy
        self.channels = []  # of each tensor
        self.sizes = []     # of each tensor: rows, columns
        self.weights = []
        self.weight_count = 0
        self.products = 0

    def new_tensor(self, channels, size):
        self.channels.append(int(channels))
        self.sizes.append(tuple(int(each) for each in size))
        return len(self.channels) - 1

    def add_weights(self, values):
        first = self.weight_count
        values = self.numpy.ascontiguousarray(values, dtype='<f4').ravel()
        if not self.numpy.isfinite(values).all():
            raise Refused('a weight is no number')
        self.weights.append(values)
        self.weight_count += values.size
        return first

    def add_rows(self, values):
        """A matrix, outputs x inputs: a row of outputs for each input, with zeros behind it."""
        rows = self.numpy.zeros((values.shape[1], -(-values.shape[0] // LANES) * LANES), '<f4')
        rows[:, :values.shape[0]] = values.T
        return self.add_weights(rows)

    def add_bias(self, values):
        padded = self.numpy.zeros(-(-values.size // LANES) * LANES, '<f4')
        padded[:values.size] = values
        return self.add_weights(padded)


class Part:
    """Layers of a graph whose inputs are tensors already."""

    def __init__(self, converter, graph, tensors):
        self.to, self.graph = converter, graph
        self.tensors = dict(tensors)  # by their names in the graph
        self.views = {}               # name: (kind, tensor) of what is a tensor in another order
        self.layers = []
        self.maker = {}               # tensor: layer
        self.done = set()

    def run(self):
        for node in self.graph.nodes:
            if node.output[0] in self.done:
                continue
            make = getattr(self, 'convert_' + node.op_type.lower(), None)
            if make is None:
                self.graph.refuse(node, 'no such operation here')
            make(node)
        return self

    def tensor(self, node, index=0):
        name = node.input[index]
        if name not in self.tensors:
            self.graph.refuse(node, f'its input {name} is no map of features')
        return self.tensors[name]

    def emit(self, node, name, layer, channels, size):
        """A layer whose result has this name in the graph, but for an activation that follows."""
        name, layer['activation'] = self.follow_activation(name)
        layer['output'] = self.to.new_tensor(channels, size)
        self.name_tensor(node, name, layer['output'])
        self.maker[layer['output']] = layer
        self.layers.append(layer)

    def name_tensor(self, node, name, tensor):
        self.tensors[name] = tensor
        shape, own = self.graph.shapes.get(name), [1, self.to.channels[tensor], *self.to.sizes[tensor]]
        if shape != own:
            self.graph.refuse(node, f'its result has the shape {shape}, and {own} is what follows from its inputs')

    def follow_activation(self, name):
        user = self.graph.only_user(name)
        kind = self.activation(user) if user is not None else None
        if kind is None:
            return name, 'none'
        self.done.add(user.output[0])
        return user.output[0], kind

    def activation(self, node):
        """Its name here; None if the node is something else."""
        graph = self.graph
        if node.op_type == 'Clip':
            bounds = [float(graph.constant(node, index)) for index in (1, 2)]
            if bounds != [0, 6]:
                graph.refuse(node, f'from {bounds[0]} to {bounds[1]}; only 0 to 6 is known')
            return 'relu6'
        if node.op_type == 'HardSigmoid':
            values = graph.attributes(node)
            if abs(values.get('alpha', 0.2) - 1 / 6) > 1e-6 or abs(values.get('beta', 0.5) - 0.5) > 1e-6:
                graph.refuse(node, 'only a slope of 1/6 through 0.5 is known')
        return ACTIVATIONS.get(node.op_type)

    # A convolution and the batch norm that may follow.

    def convert_conv(self, node):
        graph, to = self.graph, self.to
        values = graph.attributes(node)
        tensor = self.tensor(node)
        inputs, size = to.channels[tensor], to.sizes[tensor]
        if node.input[1] in self.views:
            self.convert_correlation(node, values, tensor)
            return
        weights = graph.constant(node, 1).astype('f4')
        bias = graph.constant(node, 2).astype('f4') if len(node.input) > 2 else to.numpy.zeros(weights.shape[0], 'f4')
        name = node.output[0]
        norm = graph.only_user(name)
        if norm is not None and norm.op_type == 'BatchNormalization':
            weights, bias = self.fold(norm, weights, bias)
            self.done.add(norm.output[0])
            name = norm.output[0]
        outputs, group = weights.shape[0], values.get('group', 1)
        kernel, stride, pad = self.window(node, values, weights.shape)
        made = [self.outer(node, each, kernel, stride, pad) for each in size]
        layer = {'input': tensor}
        if group == 1 and kernel == 1 and stride == 1 and pad == 0:
            layer |= {'op': 'pointwise', 'weights': to.add_rows(weights[:, :, 0, 0])}
        elif group == 1:
            by_input = weights.transpose(0, 2, 3, 1).reshape(outputs, -1)
            layer |= {'op': 'convolution', 'kernel': kernel, 'stride': stride, 'pad': pad, 'weights': to.add_rows(by_input)}
        elif group == inputs == outputs:
            layer |= {'op': 'depthwise', 'kernel': kernel, 'stride': stride, 'pad': pad,
                      'weights': to.add_weights(weights[:, 0].transpose(1, 2, 0))}
        else:
            graph.refuse(node, f'{group} groups of {inputs} channels')
        layer['bias'] = to.add_bias(bias)
        to.products += made[0] * made[1] * weights.size
        self.emit(node, name, layer, outputs, made)

    def fold(self, norm, weights, bias):
        scale, shift, mean, variance = (self.graph.constant(norm, index).astype('f8') for index in range(1, 5))
        factor = scale / self.to.numpy.sqrt(variance + self.graph.attributes(norm).get('epsilon', 1e-5))
        return ((weights * factor[:, None, None, None]).astype('f4'), ((bias - mean) * factor + shift).astype('f4'))

    def window(self, node, values, shape):
        """Side, stride and padding of a square kernel."""
        kernel, strides, pads = shape[2], values.get('strides', [1, 1]), values.get('pads', [0] * 4)
        if (shape[2] != shape[3] or len(set(strides)) != 1 or len(set(pads)) != 1 or
                set(values.get('dilations', [1])) != {1} or values.get('auto_pad', b'NOTSET') != b'NOTSET'):
            self.graph.refuse(node, 'kernels have to be square, and steps and padding alike on all sides')
        return int(kernel), int(strides[0]), int(pads[0])

    def outer(self, node, side, kernel, stride, pad):
        made = (side + 2 * pad - kernel) // stride + 1
        if made < 1:
            self.graph.refuse(node, f'a kernel of {kernel} does not fit into {side}')
        return made

    def convert_correlation(self, node, values, tensor):
        """Each channel of the search window with the template's as a kernel."""
        to = self.to
        kind, kernels = self.views[node.input[1]]
        side = to.sizes[kernels]
        if kind != 'kernels' or to.channels[kernels] != to.channels[tensor] or values.get('group') != to.channels[tensor]:
            self.graph.refuse(node, 'no kernel for each channel')
        kernel, stride, pad = self.window(node, values, [0, 0, *side])
        made = [self.outer(node, each, kernel, stride, pad) for each in to.sizes[tensor]]
        to.products += made[0] * made[1] * to.channels[tensor] * kernel * kernel
        self.emit(node, node.output[0], {'op': 'depthwise', 'input': tensor, 'kernels': kernels, 'kernel': kernel,
                                         'stride': stride, 'pad': pad}, to.channels[tensor], made)

    # Squeeze and excitation: what each channel is multiplied by, from the means of all.

    def convert_globalaveragepool(self, node):
        graph, to = self.graph, self.to
        tensor = self.tensor(node)
        matrices, name, user = [], node.output[0], node
        activations = []
        while True:
            user = graph.only_user(name)
            if user is None:
                graph.refuse(node, 'no squeeze and excitation follows')
            if user.op_type == 'Mul':
                break
            self.done.add(user.output[0])
            name = user.output[0]
            if user.op_type in ('Gemm', 'Conv'):
                matrices.append((self.matrix(user), graph.constant(user, 2)))
            elif user.op_type not in RESHAPES:
                activations.append(self.activation(user))
        channels = to.channels[tensor]
        shapes = [matrix.shape for matrix, _ in matrices]
        if (len(matrices) != 2 or shapes != [(shapes[0][0], channels), (channels, shapes[0][0])] or
                activations not in (['relu', 'hard-sigmoid'], ['relu', 'sigmoid'])):
            graph.refuse(node, 'no squeeze and excitation follows')
        if sorted(user.input) != sorted([node.input[0], name]) or len(graph.users[node.input[0]]) != 2:
            graph.refuse(user, 'it multiplies something else than the channels of the mean, or these are used again')
        gates = {'op': 'gates', 'input': tensor, 'hidden': shapes[0][0], 'activation': activations[1]}
        for key, (matrix, bias) in zip(('squeeze', 'excite'), matrices):
            gates[key] = to.add_rows(matrix)
            gates[key + '-bias'] = to.add_bias(bias)
        gates['output'] = to.new_tensor(channels, (1, 1))
        self.done.add(user.output[0])
        name, activation = self.follow_activation(user.output[0])
        self.layers += [gates, {'op': 'scale', 'input': gates['output'], 'output': tensor, 'activation': activation}]
        to.products += sum(matrix.size for matrix, _ in matrices)
        self.name_tensor(user, name, tensor)

    def matrix(self, node):
        weights = self.graph.constant(node, 1)
        values = self.graph.attributes(node)
        if node.op_type == 'Conv':
            if weights.shape[2:] != (1, 1):
                self.graph.refuse(node, 'no matrix')
            return weights[:, :, 0, 0]
        if (values.get('alpha', 1), values.get('beta', 1), values.get('transA', 0)) != (1, 1, 0):
            self.graph.refuse(node, 'no plain product')
        return weights if values.get('transB', 0) else weights.T

    def convert_add(self, node):
        """What was added last is made where the other one lies, which nobody needs any more."""
        graph, to = self.graph, self.to
        tensors = [self.tensor(node, index) for index in (0, 1)]
        made, kept = sorted(tensors, reverse=True)
        layer = self.maker.get(made)
        names = node.input if tensors[0] == made else reversed(node.input)
        made_name, kept_name = names
        later = [user for user in graph.users[kept_name] if user is not node and user.output[0] not in self.done
                 and graph.nodes.index(user) > graph.nodes.index(node)]
        if (layer is None or layer['op'] != 'pointwise' or layer['activation'] != 'none' or 'adds' in layer or
                layer is not self.layers[-1] or layer['input'] == kept or later or graph.only_user(made_name) is not node or
                to.channels[made] != to.channels[kept] or to.sizes[made] != to.sizes[kept]):
            graph.refuse(node, 'only a convolution of 1 x 1 can be added, to what is not used later')
        layer |= {'output': kept, 'adds': True}
        self.maker[kept] = layer
        self.name_tensor(node, node.output[0], kept)

    # The correlation of all places of the template with all of the search window: a product of matrices.

    def convert_reshape(self, node):
        name, made = node.input[0], node.output[0]
        shape = self.graph.shapes.get(made)
        if name not in self.tensors:
            self.graph.refuse(node, 'its input is no map of features')
        tensor = self.tensors[name]
        channels, (rows, columns) = self.to.channels[tensor], self.to.sizes[tensor]
        if shape == [1, channels, rows, columns]:
            self.tensors[made] = tensor
        elif shape == [1, channels, rows * columns]:
            self.views[made] = ('flat', tensor)
        elif shape == [channels, 1, rows, columns]:
            self.views[made] = ('kernels', tensor)
        else:
            self.graph.refuse(node, f'to {shape} from {[1, channels, rows, columns]}')

    def convert_transpose(self, node):
        kind, tensor = self.views.get(node.input[0], (None, None))
        if kind != 'flat' or list(self.graph.attributes(node).get('perm', [])) != [0, 2, 1]:
            self.graph.refuse(node, 'no transposed map of features')
        self.views[node.output[0]] = ('transposed', tensor)

    def convert_matmul(self, node):
        graph, to = self.graph, self.to
        (kind, kernels), (other, tensor) = (self.views.get(name, (None, None)) for name in node.input)
        user = graph.only_user(node.output[0])
        if (kind, other) != ('transposed', 'flat') or to.channels[kernels] != to.channels[tensor] or user is None:
            graph.refuse(node, 'no correlation of two maps of features')
        layer = self.maker.get(kernels)
        if layer is None or layer['op'] != 'pointwise' or 'adds' in layer:
            graph.refuse(node, 'what makes its kernels cannot transpose them')
        layer['transposed'] = True
        rows, columns = to.sizes[kernels]
        places = rows * columns
        if user.op_type != 'Reshape' or graph.shapes.get(user.output[0]) != [1, places, *to.sizes[tensor]]:
            graph.refuse(node, 'its result does not become a map')
        if places % LANES != 0:
            graph.refuse(node, f'{places} places of the template: only multiples of {LANES} are known')
        self.done.add(user.output[0])
        to.products += to.sizes[tensor][0] * to.sizes[tensor][1] * places * to.channels[tensor]
        self.emit(node, user.output[0], {'op': 'pointwise', 'input': tensor, 'kernels': kernels}, places, to.sizes[tensor])

    def convert_slice(self, node):
        """The middle of a map: one slice for rows, one for columns."""
        graph, to = self.graph, self.to
        tensor = self.tensor(node)
        second = graph.only_user(node.output[0])
        if second is None or second.op_type != 'Slice':
            graph.refuse(node, 'not followed by one of the other axis')
        cuts = [[int(graph.constant(each, index)[0]) for index in (3, 1, 2)] for each in (node, second)]
        steps = [int(graph.constant(each, 4)[0]) for each in (node, second) if len(each.input) > 4]
        rows, columns = to.sizes[tensor]
        first, end = cuts[0][1:]
        if (cuts != [[2, first, end], [3, first, end]] or rows != columns or end != rows - first or first < 1 or
                set(steps) - {1} or end <= first):
            graph.refuse(node, 'not the middle of a map')
        self.done.add(second.output[0])
        channels = to.channels[tensor]
        # A kernel of 1 that leaves out the border.
        layer = {'op': 'depthwise', 'input': tensor, 'kernel': 1, 'stride': 1, 'pad': -first,
                 'weights': to.add_weights(to.numpy.ones(channels)), 'bias': to.add_bias(to.numpy.zeros(channels))}
        self.emit(second, second.output[0], layer, channels, (end - first, end - first))

    def convert_concat(self, node):
        graph, to = self.graph, self.to
        tensors = [self.tensor(node, index) for index in range(len(node.input))]
        sizes = {to.sizes[tensor] for tensor in tensors}
        makers = [self.maker.get(tensor) for tensor in tensors]
        if (graph.attributes(node).get('axis') != 1 or len(sizes) != 1 or len(set(tensors)) != len(tensors) or
                any(maker is None or {'adds', 'first', 'transposed'} & set(maker) for maker in makers) or
                any(graph.only_user(name) is not node for name in node.input)):
            graph.refuse(node, 'only channels of maps that nothing else needs')
        whole = to.new_tensor(sum(to.channels[tensor] for tensor in tensors), sizes.pop())
        first = 0
        for tensor, maker in zip(tensors, makers):
            maker |= {'output': whole, 'first': first, 'channels': to.channels[tensor]}
            first += to.channels[tensor]
        self.name_tensor(node, node.output[0], whole)


def side_of(graph, shape):
    if len(shape) != 4 or shape[0] != 1 or shape[2] != shape[3]:
        raise Refused(f'{graph.path}: {shape} is no square map')
    return shape[2]


def backbone_of(converter, graph):
    if len(graph.inputs) != 1 or len(graph.outputs) != 1:
        raise Refused(f'{graph.path}: a backbone has one input and one output')
    shape = graph.shapes[graph.inputs[0]]
    side = side_of(graph, shape)
    if shape[1] != 3:
        raise Refused(f'{graph.path}: {shape[1]} channels of the input, not 3')
    part = Part(converter, graph, {graph.inputs[0]: converter.new_tensor(3, (side, side))}).run()
    return part.layers, part.tensors[graph.outputs[0]], side


def head_of(converter, graph, features):
    """Layers of the template, those of the search window, tensors of scores and boxes, side of the template's map."""
    shapes = {name: graph.shapes[name] for name in graph.inputs}
    sides = {name: side_of(graph, shape) for name, shape in shapes.items()}
    if len(sides) != 2 or len(graph.outputs) != 2:
        raise Refused(f'{graph.path}: a head has two inputs and two outputs')
    template, search = sorted(graph.inputs, key=sides.get)
    channels = converter.channels[features]
    if (sides[template] == sides[search] or sides[search] != converter.sizes[features][0] or
            any(shape[1] != channels for shape in shapes.values())):
        raise Refused(f'{graph.path}: its inputs are not what the backbone makes of a template and of a search window')
    of_template = converter.new_tensor(channels, (sides[template],) * 2)  # the same in the file
    part = Part(converter, graph, {template: of_template, search: features}).run()
    scores, boxes = (part.tensors.get(name) for name in graph.outputs)
    if scores is None or boxes is None or [converter.channels[each] for each in (scores, boxes)] != [2, 4]:
        raise Refused(f'{graph.path}: its outputs are not scores of 2 channels and boxes of 4')
    known, template_layers, search_layers = {of_template}, [], []
    for layer in part.layers:
        if layer['input'] in known and layer.get('kernels', of_template) in known:
            known.add(layer['output'])
            template_layers.append(layer)
        else:
            search_layers.append(layer)
    for layer in template_layers:
        if layer['input'] == of_template:
            layer['input'] = features
    return template_layers, search_layers, scores, boxes, sides[template]


def renumbered(description):
    """Without the tensors that nothing has."""
    lists = [description[key] for key in ('backbone', 'template', 'search')]
    used = sorted({layer[key] for layers in lists for layer in layers for key in ('input', 'output', 'kernels')
                   if key in layer} | {0})
    number = {tensor: index for index, tensor in enumerate(used)}
    for layers in lists:
        for layer in layers:
            layer.update({key: number[layer[key]] for key in ('input', 'output', 'kernels') if key in layer})
    for key in ('features', 'scores', 'boxes'):
        description[key] = number[description[key]]
    description['channels'] = [description['channels'][tensor] for tensor in used]
    return description


def convert(backbone_path, head_path, output, name, template_side):
    converter = Converter()
    backbone, features, side = backbone_of(converter, Graph(backbone_path))
    template, search, scores, boxes, map_side = head_of(converter, Graph(head_path), features)
    stride, made = 1, template_side
    for layer in backbone:
        if 'kernel' in layer:
            stride *= layer['stride']
            made = (made + 2 * layer['pad'] - layer['kernel']) // layer['stride'] + 1
    if made != map_side:
        raise Refused(f'a template of {template_side} pixels becomes a map of {made}, and the head has {map_side}')
    description = renumbered({
        'name': name, 'template-side': template_side, 'search-side': side, 'stride': stride, 'mean': [0, 0, 0],
        'channels': converter.channels, 'features': features, 'scores': scores, 'boxes': boxes, 'backbone': backbone,
        'template': template, 'search': search})
    write_model(output, description, b''.join(each.tobytes() for each in converter.weights))
    print(f'{output}: {name}, {len(backbone)} layers of the backbone, {len(template)} of the template, {len(search)} of '
          f'the search window; {converter.weight_count} weights, {converter.products / 1e6:.1f} million products')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('backbone', type=pathlib.Path)
    parser.add_argument('head', type=pathlib.Path)
    parser.add_argument('output', type=pathlib.Path)
    parser.add_argument('--name', help='default: that of the output')
    parser.add_argument('--template-side', type=int, default=127, help='default: 127')
    options = parser.parse_args()
    try:
        convert(options.backbone, options.head, options.output, options.name or options.output.stem,
                options.template_side)
    except ImportError as error:
        sys.exit(f'convert_network.py: {error}: install python3-onnx')
    except (Refused, OSError) as error:
        sys.exit(f'convert_network.py: {error}')


if __name__ == '__main__':
    main()
