# SPDX-License-Identifier: LGPL-2.1-or-later
"""What detectors answer, in the layouts that are in use, as boxes, scores and classes."""
import numpy

LAYOUTS = {
    'yolov5': '[1, N, 5 + classes]: x, y, width, height of the middle, how sure, and a score for each class (YOLOv5, v7)',
    'yolov8': '[1, 4 + classes, N]: the same without how sure (YOLOv8, v9, v11)',
    'end-to-end': '[1, N, 6]: left, top, right, bottom, score, class (YOLOv10, exports with nms=True)',
    'ssd': '[1, 1, N, 7]: picture, class, score, left, top, right, bottom, as fractions (SSD)',
    'boxes-labels-scores': 'boxes [N, 4], labels [N], scores [N], fractions or pixels (torchvision, SSD of the ONNX zoo)',
}
_MOST_END_TO_END = 1000  # boxes; of YOLO without an end there are as many as places, which is more
_OVERLAP = 0.45  # of boxes of one class, from which on the better one alone counts


def _refuse(shapes, why=''):
    allowed = '\n'.join(f'  {name}: {text}' for name, text in LAYOUTS.items())
    raise ValueError(f'the outputs of the model have the shapes {", ".join(map(str, shapes))}{why}; allowed:\n{allowed}')


def _places(size):
    """How many places YOLO looks at."""
    return sum((size[0] // stride) * (size[1] // stride) for stride in (8, 16, 32))


def _triple(outputs):
    """(boxes, labels, scores) of outputs by name, whatever their order; none if they are something else."""
    boxes = [name for name, values in outputs.items() if values.ndim > 1 and values.shape[-1] == 4]
    labels = [name for name, values in outputs.items()
              if values.dtype.kind in 'iu' or 'label' in name or 'class' in name]
    scores = [name for name in outputs if name not in boxes[:1] + labels]
    if not len(outputs) == 3 == len(boxes[:1] + labels + scores):
        return None
    values = outputs[boxes[0]].reshape(-1, 4), outputs[labels[0]].reshape(-1), outputs[scores[0]].reshape(-1)
    return values if len(set(map(len, values))) == 1 else None


def layout_of(outputs, size):
    """The layout of `outputs`, {name: array}. `size`: width and height of the model's input.

    Raises ValueError that has their shapes and what is allowed.
    """
    shapes = [values.shape for values in outputs.values()]
    if _triple(outputs):
        return 'boxes-labels-scores'
    if len(shapes) != 1 or shapes[0][:1] != (1,):
        _refuse(shapes)
    shape, places = shapes[0], _places(size)
    if len(shape) == 4 and shape[1] == 1 and shape[3] == 7:
        return 'ssd'
    if len(shape) != 3:
        _refuse(shapes)
    rows, columns = shape[1:]
    if columns == 6 and rows <= _MOST_END_TO_END and rows != 3 * places:
        return 'end-to-end'
    if columns > rows >= 5:
        return 'yolov8'
    if rows == places:
        _refuse(shapes, ' (boxes relative to a grid, as YOLOX has them?)')
    if rows >= columns >= 6:
        return 'yolov5'
    return _refuse(shapes)


def classes_of(layout, outputs):
    """How many classes it tells apart; none where the shapes do not say it."""
    shape = next(iter(outputs.values())).shape
    return {'yolov5': shape[-1] - 5, 'yolov8': shape[1] - 4}.get(layout)


def check(layout, outputs):
    """Raises ValueError if the outputs cannot have this layout."""
    shapes = [values.shape for values in outputs.values()]
    shape = shapes[0]
    fits = {
        'yolov5': len(shape) == 3 and shape[0] == 1 and shape[2] >= 6,
        'yolov8': len(shape) == 3 and shape[0] == 1 and shape[1] >= 5,
        'end-to-end': len(shape) == 3 and shape[0] == 1 and shape[2] == 6,
        'ssd': len(shape) == 4 and shape[3] == 7,
    }
    if layout not in LAYOUTS:
        _refuse(shapes, f', and the layout is said to be "{layout}"')
    if not (_triple(outputs) if layout == 'boxes-labels-scores' else len(shapes) == 1 and fits[layout]):
        _refuse(shapes, f', which is not {layout}')


def _best_classes(boxes, scores):
    """Of one row for each box: middle and size, and a score for each class."""
    classes = scores.argmax(axis=1) if len(scores) else numpy.zeros(0, int)
    half = boxes[:, 2:] / 2
    return numpy.hstack([boxes[:, :2] - half, boxes[:, :2] + half]), scores[numpy.arange(len(scores)), classes], classes


def _without_doubles(boxes, scores, classes):
    """Of boxes of one class that lie on each other the best one (non-maximum suppression)."""
    import cv2

    if not len(boxes):
        return boxes, scores, classes
    # Boxes of different classes do not meet once they are moved apart.
    apart = (boxes.max() - boxes.min() + 1) * classes[:, None]
    moved = boxes + apart
    moved[:, 2:] -= moved[:, :2]
    kept = numpy.array(cv2.dnn.NMSBoxes(moved.tolist(), scores.tolist(), 0.0, _OVERLAP), dtype=int).reshape(-1)
    return boxes[kept], scores[kept], classes[kept]


def decode(layout, outputs, size, least_score):
    """(boxes, scores, classes): left, top, right, bottom in pixels of the model's input, of the scores from least_score on."""
    values = next(iter(outputs.values())).astype(numpy.float32)
    if layout == 'yolov5':
        boxes, scores, classes = _best_classes(values[0, :, :4], values[0, :, 4:5] * values[0, :, 5:])
    elif layout == 'yolov8':
        boxes, scores, classes = _best_classes(values[0, :4].T, values[0, 4:].T)
    elif layout == 'end-to-end':
        boxes, scores, classes = values[0, :, :4], values[0, :, 4], values[0, :, 5]
    elif layout == 'ssd':
        rows = values.reshape(-1, 7)
        rows = rows[rows[:, 0] >= 0]  # -1: there are no more
        boxes, scores, classes = rows[:, 3:], rows[:, 2], rows[:, 1]
    else:
        boxes, classes, scores = _triple(outputs)
    if layout == 'ssd' or layout == 'boxes-labels-scores' and boxes.size and boxes.max() < 2:  # no box ends in the first pixel
        boxes = boxes * (list(size) * 2)
    if scores.size and scores.max() > 1.01:
        raise ValueError(f'the model gives a score of {scores.max():.4g}, of outputs taken for {layout}; allowed: 0 to 1. '
                         f'Another layout? There are {", ".join(LAYOUTS)}')
    good = scores >= least_score
    boxes, scores, classes = boxes[good], numpy.minimum(scores[good], 1), classes[good].astype(int)
    if layout in ('yolov5', 'yolov8'):
        return _without_doubles(boxes, scores, classes)
    return boxes, scores, classes
