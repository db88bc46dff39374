# SPDX-License-Identifier: LGPL-2.1-or-later
"""What an ONNX file says of itself: its inputs and its notes. OpenCV tells of neither, and no user should need the package onnx."""
import dataclasses
import pathlib

import numpy

_TYPES = {1: numpy.float32, 2: numpy.uint8, 10: numpy.float16}  # TensorProto.DataType
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


@dataclasses.dataclass
class Input:
    name: str
    dtype: object  # of NumPy; None: one that no detector has
    shape: list  # of int, or of None where the file leaves it open


def _varint(data, at):
    value, shift = 0, 0
    while True:
        byte = data[at]
        value |= (byte & 0x7f) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
        if shift > 63:
            raise ValueError


def _fields(data):
    """(number, value) of each field of a message of protobuf: an int, or the bytes of text and of messages within."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        kind = key & 7
        if kind == _VARINT:
            value, at = _varint(data, at)
        else:
            length = {_FIXED64: 8, _FIXED32: 4}.get(kind)
            if kind == _BYTES:
                length, at = _varint(data, at)
            if length is None or at + length > len(data):
                raise ValueError
            value, at = data[at:at + length], at + length
        yield key >> 3, value


def _all(data, number):
    return [value for name, value in _fields(data) if name == number]


def _first(data, *path):
    """The first field of the first field, and so on; none where there is no such thing."""
    for number in path:
        found = _all(data, number)
        if not found:
            return None
        data = found[0]
    return data


def _text(data):
    return str(data or b'', 'utf-8')


def _input(value):
    tensor = _first(value, 2, 1)  # type, tensor_type
    if tensor is None:
        return Input(_text(_first(value, 1)), None, [])
    sides = _all(_first(tensor, 2) or b'', 1)  # shape, dim
    return Input(_text(_first(value, 1)), _TYPES.get(_first(tensor, 1)), [_first(side, 1) or None for side in sides])


def read(path):
    """([Input], {name: text}): inputs that are no weights, and the notes of whoever made it.

    Raises OSError if it cannot be read, and ValueError if it is not ONNX.
    """
    data = memoryview(pathlib.Path(path).read_bytes())  # parts of it are no copies
    try:
        graph = _first(data, 7)
        weights = {_text(_first(each, 8)) for each in _all(graph, 5)}
        inputs = [each for each in map(_input, _all(graph, 11)) if each.name not in weights]
        notes = {_text(_first(each, 1)): _text(_first(each, 2)) for each in _all(data, 14)}
    except (ValueError, TypeError, IndexError):
        raise ValueError(f'{path}: this is no ONNX file') from None
    return inputs, notes
