# SPDX-License-Identifier: LGPL-2.1-or-later
"""Frames of videos, by OpenCV (cv2) or PyAV (av), whichever is installed."""


def _frames_of_opencv(path):
    import cv2

    video = cv2.VideoCapture(path)
    if not video.isOpened():
        raise OSError(f'{path}: OpenCV cannot read it as a video')
    while True:
        good, frame = video.read()
        if not good:
            return
        yield frame, max(video.get(cv2.CAP_PROP_POS_MSEC), 0) / 1000


def _frames_of_pyav(path):
    import av

    with av.open(path) as video:
        for frame in video.decode(video=0):
            yield frame.to_ndarray(format='bgr24'), frame.time


def frames(path):
    """Yields each frame in BGR, uint8 (height, width, 3), and its time in seconds.

    Raises OSError if neither is installed, or if it cannot be read.
    """
    for module, read in ('cv2', _frames_of_opencv), ('av', _frames_of_pyav):
        try:
            __import__(module)
        except ImportError:
            continue
        return read(str(path))
    raise OSError('neither OpenCV nor PyAV is installed: pip install opencv-python, or apt install python3-opencv')
