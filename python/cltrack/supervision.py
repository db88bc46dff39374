# SPDX-License-Identifier: LGPL-2.1-or-later
"""Detections and tracks as `supervision` has them."""


def from_supervision(detections):
    """The keywords boxes, scores and labels of DetectionTracker.update(), of a supervision.Detections.

    Labels are the class names, or else the class ids as text.
    """
    boxes = [[left, top, right - left, bottom - top] for left, top, right, bottom in detections.xyxy]
    names = detections.data.get('class_name')
    if names is None:
        names = detections.class_id
    return {
        'boxes': boxes,
        'scores': detections.confidence,
        'labels': None if names is None else [str(name) for name in names],
    }


def to_supervision(tracks, detections=None):
    """A supervision.Detections of all tracks that have a box, with their ids as tracker_id.

    class_name in its data is the label. With the Detections that update() got, class_id is that of the detection that has
    confirmed the track, and -1 of others. Needs the package `supervision`.
    """
    import numpy
    import supervision

    there = [track for track in tracks if track.box is not None]
    boxes = numpy.array([track.box for track in there], dtype=numpy.float32).reshape(-1, 4)
    boxes[:, 2:] += boxes[:, :2]
    class_id = None
    if detections is not None and detections.class_id is not None:
        class_id = numpy.array([-1 if track.detection is None else detections.class_id[track.detection]
                                for track in there], dtype=int)
    return supervision.Detections(
        xyxy=boxes,
        confidence=numpy.array([track.confidence for track in there], dtype=numpy.float32),
        class_id=class_id,
        tracker_id=numpy.array([track.id for track in there], dtype=int),
        data={'class_name': numpy.array([track.label for track in there], dtype=str)})
