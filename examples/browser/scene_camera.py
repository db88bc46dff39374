# SPDX-License-Identifier: LGPL-2.1-or-later
"""Feeds an appsrc with the scene as a camera would, in a thread of its own."""
import threading

from gi.repository import Gst

import scene

CAPS = f'video/x-raw,format=I420,width={scene.WIDTH},height={scene.HEIGHT},framerate={scene.RATE}/1'
LAUNCH = f'appsrc name=scene is-live=true format=time max-buffers=2 leaky-type=downstream caps={CAPS}'


class SceneCamera:
    def __init__(self, source):
        """`source` is the element of LAUNCH."""
        self.source, self.scene = source, scene.Scene()
        self.stopped = threading.Event()
        self.thread = None

    def start(self):
        self.stopped.clear()
        self.thread = threading.Thread(target=self.feed, daemon=True)
        self.thread.start()

    def stop(self):
        self.stopped.set()
        if self.thread:
            self.thread.join()

    def feed(self):
        while not self.stopped.wait(1 / scene.RATE):
            time = self.source.get_current_running_time()
            if time == Gst.CLOCK_TIME_NONE:
                continue  # not playing yet
            buffer = Gst.Buffer.new_wrapped(self.scene.picture(time / Gst.SECOND))
            buffer.pts, buffer.duration = time, Gst.SECOND // scene.RATE
            self.source.emit('push-buffer', buffer)
