# SPDX-License-Identifier: LGPL-2.1-or-later
"""A tracker with the methods of OpenCV's trackers, for programs that have one."""
from ._cltrack import Error
from ._cltrack import Tracker as _Tracker


class Tracker:
    """Takes the place of cv2.TrackerCSRT and the like, and says when it has lost its target.

    algorithm and parameters are those of cltrack.Tracker.
    """

    def __init__(self, algorithm='tld', **parameters):
        self._tracker = _Tracker(algorithm, **parameters)

    @classmethod
    def create(cls, algorithm='tld', **parameters):
        """The same as the constructor."""
        return cls(algorithm, **parameters)

    def init(self, frame, box):
        """Learns the target at `box`, (x, y, width, height), in the frame.

        May be called again, with another target. Raises cltrack.Error if the box cannot be tracked.
        """
        self._tracker.reset()
        self._tracker.add(box)
        track, = self._tracker.update(frame)
        if track.box is None:
            raise Error(' '.join(self._tracker.take_warnings()) or 'the target cannot be learnt')

    def update(self, frame):
        """Returns (ok, box): box is (x, y, width, height), whole pixels. ok is False, and box is zeros, while it is lost."""
        tracks = self._tracker.update(frame)
        if not tracks:
            raise Error('init() has not been called')
        if tracks[0].box is None:
            return False, (0, 0, 0, 0)
        return True, tuple(round(value) for value in tracks[0].box)
