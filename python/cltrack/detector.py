# SPDX-License-Identifier: LGPL-2.1-or-later
"""Detectors whose boxes DetectionTracker takes: models in ONNX files, and OpenCV's for people. Needs OpenCV (cv2).

    detector, tracker = cltrack.detector.Detector("yolov8n.onnx"), cltrack.DetectionTracker()
    for number, frame in enumerate(frames):
        detections = detector(frame) if number % 5 == 0 else {}
        for track in tracker.update(frame, **detections):
            print(track.id, track.label, track.box)
"""
import ast

import numpy

from . import detector_outputs, onnx_file

RESIZES = ('letterbox', 'stretch')
_GREY = 114  # what YOLO has around a letterboxed picture
_USUAL_SIZE = (640, 640)  # where the model leaves it open

# What models of these layouts are usually fed with: (pixel - mean) * scale.
_YOLO = {'resize': 'letterbox', 'channels': 'rgb', 'mean': 0, 'scale': 1 / 255}
_USUAL = {
    'ssd': {'resize': 'stretch', 'channels': 'bgr', 'mean': 127.5, 'scale': 1 / 127.5},
    'boxes-labels-scores': {'resize': 'stretch', 'channels': 'rgb', 'mean': 0, 'scale': 1 / 255},
}


def _check_frame(frame):
    if not isinstance(frame, numpy.ndarray) or frame.dtype != numpy.uint8 or frame.ndim != 3 or frame.shape[2] != 3 or not frame.size:
        raise ValueError(f'a frame is {getattr(frame, "dtype", type(frame).__name__)} {getattr(frame, "shape", "")}; '
                         'allowed: an array of uint8, (height, width, 3), in BGR')


class _OnnxRuntime:
    name = 'ONNX Runtime'

    def __init__(self, path):
        import onnxruntime

        self._session = onnxruntime.InferenceSession(path, providers=onnxruntime.get_available_providers())
        self._names = [output.name for output in self._session.get_outputs()]

    def run(self, name, picture):
        return dict(zip(self._names, self._session.run(None, {name: picture})))


class _OpenCv:
    name = 'OpenCV'

    def __init__(self, path):
        import cv2

        self._net = cv2.dnn.readNetFromONNX(path)
        self._names = self._net.getUnconnectedOutLayersNames()

    def run(self, name, picture):
        self._net.setInput(picture, name)
        return dict(zip(self._names, self._net.forward(self._names)))


def _runtime_of(name):
    if name not in (None, 'onnxruntime', 'opencv'):
        raise ValueError(f'runtime is "{name}"; allowed: None (the first one that is installed), "onnxruntime", "opencv"')
    if name != 'opencv':
        try:
            import onnxruntime  # noqa: F401 pylint: disable=unused-import
            return _OnnxRuntime
        except ImportError:
            if name == 'onnxruntime':
                raise
    return _OpenCv


def _values_of(note):
    """Of a list, or of a dict by number, as text; empty for anything else."""
    try:
        values = ast.literal_eval(note or '[]')
        return [values[i] for i in range(len(values))]
    except (ValueError, SyntaxError, KeyError, TypeError):
        return []


def _input_of(path, inputs, size, usual_size):
    """The input, whether its channels come last, and its width and height."""
    shapes = ', '.join(f'{each.name} {["?" if side is None else side for side in each.shape]}' for each in inputs)
    allowed = f'{path}: the model has the inputs {shapes or "(none)"}; allowed: one of bytes or floats, ' \
              '[1, 3, height, width] or [1, height, width, 3]'
    if len(inputs) != 1 or len(inputs[0].shape) != 4 or inputs[0].dtype is None or inputs[0].shape[0] not in (1, None):
        raise ValueError(allowed)
    sides = inputs[0].shape
    last = sides[3] == 3 and sides[1] != 3
    if not last and sides[1] not in (3, None):
        raise ValueError(allowed)
    height, width = sides[1:3] if last else sides[2:]
    wanted = tuple(size or (width or usual_size[0], height or usual_size[1]))
    if len(wanted) != 2 or not all(isinstance(side, int) and side > 0 for side in wanted):
        raise ValueError(f'size is {size}; allowed: width and height, whole numbers from 1')
    if (width or wanted[0], height or wanted[1]) != wanted:
        raise ValueError(f'{path}: size is {wanted}; allowed: {(width, height)}, the only one of this model')
    return inputs[0], last, wanted


class Detector:
    """A model in an ONNX file, run by ONNX Runtime where that is installed, else by OpenCV.

    labels: names of the classes, in their order; None: those that the file has, else their numbers.
    least_score: of detections that are returned, 0 to 1.

    The rest is found out, or is what models of that layout are usually fed with:
    size: (width, height) of the input; where the model leaves it open, what it was trained with, or 640 by 640.
    layout: "yolov5", "yolov8", "end-to-end", "ssd" or "boxes-labels-scores" (docs/python.md).
    resize: "letterbox" (grey at the borders) or "stretch". channels: "rgb" or "bgr". mean, scale: one number, or one for
    each channel; the model gets (pixel - mean) * scale.
    runtime: "onnxruntime" or "opencv".

    Raises OSError if the file cannot be read, ValueError, with the model's shapes and what is allowed, for models that this
    cannot use, and ImportError if no runtime is installed.
    """

    def __init__(self, path, labels=None, least_score=0.25, *, size=None, layout=None, resize=None, channels=None, mean=None,
                 scale=None, runtime=None):
        if not 0 <= least_score <= 1:
            raise ValueError(f'least_score is {least_score}; allowed: 0 to 1')
        self._path, self._least_score = str(path), least_score
        runtime = _runtime_of(runtime)
        inputs, notes = onnx_file.read(path)
        # Notes are Ultralytics'; others make none.
        if notes.get('task', 'detect') != 'detect':
            raise ValueError(f'{path}: the task of the model is "{notes["task"]}"; allowed: "detect"')
        usual_size = _values_of(notes.get('imgsz'))[::-1] or _USUAL_SIZE
        self._input, self._channels_last, self.size = _input_of(path, inputs, size, usual_size)
        try:
            self._runtime = runtime(self._path)
        except Exception as error:  # what runtimes throw has no common type
            raise self._failure(runtime, error) from error
        outputs = self._run(numpy.zeros((self.size[1], self.size[0], 3), numpy.float32))
        self.layout = layout or detector_outputs.layout_of(outputs, self.size)
        detector_outputs.check(self.layout, outputs)
        self._set_preparation(resize, channels, mean, scale)
        self.labels = self._labels_of(labels or _values_of(notes.get('names')), detector_outputs.classes_of(self.layout, outputs))

    def __call__(self, frame):
        """The keywords boxes, scores and labels of DetectionTracker.update(), for a frame in BGR: uint8, (height, width, 3)."""
        _check_frame(frame)
        picture, factor, offset = self._fit(frame)
        picture = picture[:, :, ::-1] if self._rgb else picture
        outputs = self._run((picture - self._mean) * self._scale)
        boxes, scores, classes = detector_outputs.decode(self.layout, outputs, self.size, self._least_score)
        boxes = ((boxes.reshape(-1, 2, 2) - offset) / factor).clip(0, frame.shape[1::-1]).reshape(-1, 4)
        boxes[:, 2:] -= boxes[:, :2]
        there = numpy.isfinite(boxes).all(axis=1) & (boxes[:, 2:] > 0).all(axis=1)
        return {'boxes': boxes[there], 'scores': scores[there], 'labels': [self._label(i) for i in classes[there]]}

    def _failure(self, runtime, error):
        hint = '; ONNX Runtime runs more of them: pip install onnxruntime' if runtime is _OpenCv else ''
        return ValueError(f'{self._path}: {runtime.name} cannot run it: {str(error).strip()}{hint}')

    def _set_preparation(self, resize, channels, mean, scale):
        usual = _USUAL.get(self.layout, _YOLO)
        if self._input.dtype == numpy.uint8:
            usual = {**usual, 'mean': 0, 'scale': 1}
        given = {'resize': resize, 'channels': channels, 'mean': mean, 'scale': scale}
        chosen = {name: usual[name] if value is None else value for name, value in given.items()}
        for name, allowed in ('resize', RESIZES), ('channels', ('rgb', 'bgr')):
            if chosen[name] not in allowed:
                raise ValueError(f'{name} is "{chosen[name]}"; allowed: "{allowed[0]}", "{allowed[1]}"')
        self._letterbox, self._rgb = chosen['resize'] == 'letterbox', chosen['channels'] == 'rgb'
        numbers = []
        for name in 'mean', 'scale':
            numbers.append(numpy.asarray(chosen[name], numpy.float32))
            if numbers[-1].shape not in ((), (3,)) or not numpy.isfinite(numbers[-1]).all():
                raise ValueError(f'{name} is {chosen[name]}; allowed: a number, or one for each of three channels')
        self._mean, self._scale = numbers

    def _labels_of(self, labels, classes):
        labels = [str(label) for label in labels]
        if labels and classes not in (None, len(labels)):
            raise ValueError(f'{self._path}: there are {len(labels)} labels, and the outputs, taken for {self.layout}, have '
                             f'{classes} classes')
        return labels

    def _label(self, number):
        return self.labels[number] if 0 <= number < len(self.labels) else str(number)

    def _fit(self, frame):
        """The frame as large as the input, and by what a point of it is multiplied and moved."""
        import cv2

        size = numpy.array(self.size)
        factor = size / frame.shape[1::-1]
        if not self._letterbox:
            return cv2.resize(frame, self.size), factor, numpy.zeros(2)
        inner = numpy.maximum(numpy.round(numpy.array(frame.shape[1::-1]) * factor.min()), 1).astype(int)
        before = (size - inner) // 2
        after = size - inner - before
        picture = cv2.copyMakeBorder(cv2.resize(frame, tuple(int(side) for side in inner)), before[1], after[1], before[0], after[0],
                                     cv2.BORDER_CONSTANT, value=(_GREY,) * 3)
        return picture, inner / frame.shape[1::-1], before

    def _run(self, values):
        values = values if self._channels_last else values.transpose(2, 0, 1)
        try:
            return self._runtime.run(self._input.name, numpy.ascontiguousarray(values[None], self._input.dtype))
        except Exception as error:  # see above
            raise self._failure(type(self._runtime), error) from error


def people():
    """OpenCV's detector for people who are seen upright (histograms of oriented gradients): a function as a Detector.

    It needs no model, and finds fewer people than today's models do. Raises ImportError for OpenCV 5, which has none.
    """
    import cv2

    if not hasattr(cv2, 'HOGDescriptor'):
        raise ImportError(f'OpenCV {cv2.__version__} has no detector for people; 4 has one: pip install "opencv-python<5"')
    least_score = 0.5  # of its own scale
    hog = cv2.HOGDescriptor()
    hog.setSVMDetector(cv2.HOGDescriptor_getDefaultPeopleDetector())

    def detect(frame):
        _check_frame(frame)
        if any(side < least for side, least in zip(frame.shape[1::-1], hog.winSize)):  # in which OpenCV crashes
            return {'boxes': [], 'labels': 'person'}
        boxes, scores = hog.detectMultiScale(frame, winStride=(8, 8), scale=1.05)
        # Its boxes have a margin.
        boxes = [(x + 0.15 * w, y + 0.05 * h, 0.7 * w, 0.9 * h) for (x, y, w, h), score in zip(boxes, scores) if score > least_score]
        return {'boxes': boxes, 'labels': 'person'}

    return detect
