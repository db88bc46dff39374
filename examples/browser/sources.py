# SPDX-License-Identifier: LGPL-2.1-or-later
"""Where the pictures come from: a file, a camera, an RTSP stream, or the scene of scene.py."""
import collections
import os
import pathlib

import scene_camera

# `name` is as given, `launch` the first part of a pipeline, `uri` what its element "source" opens, if
# there is one.
Source = collections.namedtuple('Source', ['name', 'launch', 'uri', 'is_live'])


class SourceError(Exception):
    """Says what is wrong, and what would be right."""


def open_source(name):
    if name == 'test':
        return Source(name, scene_camera.LAUNCH, None, True)
    if name.startswith(('rtsp://', 'rtsps://')):
        return Source(name, 'uridecodebin name=source', name, True)
    if name.startswith('/dev/video'):
        if not os.access(name, os.R_OK | os.W_OK):
            raise SourceError(f"cannot open the camera '{name}'; those that there are: "
                              f'{" ".join(cameras()) or "none"}')
        return Source(name, f'v4l2src device={name} ! decodebin', None, True)
    path = pathlib.Path(name)
    if not path.is_file() or not os.access(path, os.R_OK):
        raise SourceError(f"cannot read '{name}'; give the path of a video file, a camera such as "
                          '/dev/video0, an address such as rtsp://camera/stream, or "test"')
    return Source(name, 'uridecodebin name=source', path.resolve().as_uri(), False)


def cameras():
    return sorted(str(path) for path in pathlib.Path('/dev').glob('video*'))
