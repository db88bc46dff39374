# SPDX-License-Identifier: LGPL-2.1-or-later
"""Object tracking: TLD, template matching, colour, and tracks from detections.

    import cltrack

    tracker = cltrack.Tracker()
    tracker.add((140, 100, 40, 40), label="ball")  # x, y, width, height on the first frame
    for frame in frames:  # uint8, (height, width, 3), as OpenCV reads them
        for track in tracker.update(frame):
            print(track.id, track.state, track.box)
"""
from ._cltrack import DetectionTracker, Device, Error, Model, Track, Tracker, ZoneEvent, Zones, devices
from .supervision import from_supervision, to_supervision

for _one in DetectionTracker, Device, Model, Track, Tracker, ZoneEvent, Zones:
    _one.__module__ = 'cltrack'  # where people find it
del _one

__all__ = ['DetectionTracker', 'Device', 'Error', 'Model', 'Track', 'Tracker', 'ZoneEvent', 'Zones', 'devices',
           'from_supervision', 'to_supervision']
