# SPDX-License-Identifier: LGPL-2.1-or-later
"""The pipeline: from the source through the tracker to JPEG pictures, each encoded once."""
import sys
import time

from gi.repository import GLib, Gst

from scene_camera import SceneCamera
from sources import SourceError

# A live source drops pictures that nobody has time for; of a file all are shown, each in its time.
LIVE = 'queue leaky=downstream max-size-buffers=1 max-size-bytes=0 max-size-time=0'
MAX_LATENCY = 100 * Gst.MSECOND
LAUNCH = ('{source} ! {queue} ! videoconvert ! videoflip video-direction=auto '
          '! cltracker name=tracker navigation=true messages=every-frame max-latency={max_latency} '
          '! {zones}queue max-size-buffers=2 ! trackoverlay name=overlay navigation=true ! videoconvert '
          '! jpegenc quality=85 '
          '! appsink name=pictures emit-signals=true max-buffers=1 drop=true sync={sync}')
RTSP_LATENCY = 100  # ms
TRY_AGAIN = 3  # seconds


class Pipeline:
    def __init__(self, source, pictures, messages, zones_file=None):
        """`messages` is told each message of the tracker and of what counts, and when the pipeline begins anew.
        Without a file of zones nothing is counted."""
        self.source, self.pictures, self.messages = source, pictures, messages
        self.zones_file = zones_file
        self.ended_at = None  # the number of the last picture before the source failed
        self.build()

    def build(self):
        live = self.source.is_live
        try:
            self.pipeline = Gst.parse_launch(LAUNCH.format(
                source=self.source.launch, queue=LIVE if live else 'queue max-size-buffers=2',
                max_latency=MAX_LATENCY if live else 0, sync='false' if live else 'true',
                zones='trackzones name=zones ! ' if self.zones_file else ''))
        except GLib.Error as error:  # of which an element that is not there is one
            raise SourceError(f'{error.message}; GST_PLUGIN_PATH names the folder of cltracker') from error
        self.tracker = self.pipeline.get_by_name('tracker')
        self.overlay = self.pipeline.get_by_name('overlay')
        if self.zones_file:
            self.pipeline.get_by_name('zones').props.zones_file = str(self.zones_file)
        self.pipeline.get_by_name('pictures').connect('new-sample', self.on_sample)
        if self.source.uri:
            element = self.pipeline.get_by_name('source')
            element.connect('source-setup', self.on_source)
            element.props.uri = self.source.uri
        scene = self.pipeline.get_by_name('scene')
        self.camera = SceneCamera(scene) if scene else None

    def on_source(self, _, source):
        if source.find_property('latency'):  # rtspsrc waits for two seconds otherwise
            source.props.latency = RTSP_LATENCY

    def on_sample(self, sink):
        sample = sink.emit('pull-sample')
        buffer, caps = sample.get_buffer(), sample.get_caps().get_structure(0)
        stream_time = sample.get_segment().to_stream_time(Gst.Format.TIME, buffer.pts)
        self.pictures.put(stream_time, caps.get_value('width'), caps.get_value('height'),
                          buffer.extract_dup(0, buffer.get_size()))
        return Gst.FlowReturn.OK

    def send(self, fields):
        """An event cltrack-control with these fields. Its answer is a message with its `request`."""
        structure = Gst.Structure.new_empty('cltrack-control')
        for name, value in fields.items():
            structure.set_value(name, value)
        return self.tracker.send_event(Gst.Event.new_custom(Gst.EventType.CUSTOM_UPSTREAM, structure))

    def click(self, x, y):
        """As in a window: the overlay marks the track there, the tracker tells which it is."""
        pad = self.overlay.get_static_pad('src')
        for kind in ('mouse-button-press', 'mouse-button-release'):
            structure = Gst.Structure.new_empty('application/x-gst-navigation')
            for name, value in {'event': kind, 'button': 1, 'pointer_x': float(x),
                                'pointer_y': float(y)}.items():
                structure.set_value(name, value)
            pad.send_event(Gst.Event.new_navigation(structure))

    def start(self):
        if self.camera:
            self.camera.start()
        self.pipeline.set_state(Gst.State.PLAYING)

    def stop(self):
        if self.camera:
            self.camera.stop()
        self.pipeline.set_state(Gst.State.NULL)

    def run(self):
        """Plays on until it is interrupted, or cannot go on: then it throws SourceError."""
        self.start()
        try:
            while True:
                # Ctrl-C is seen in between.
                message = self.pipeline.get_bus().timed_pop(200 * Gst.MSECOND)
                if message:
                    self.see(message)
        finally:
            self.stop()

    def see(self, message):
        if message.type == Gst.MessageType.ELEMENT:
            self.messages.see(message.get_structure())
        elif message.type == Gst.MessageType.WARNING:
            warning = message.parse_warning()[0].message
            print(warning, file=sys.stderr)
            if message.src.get_name() == 'zones':
                self.messages.see_zones_warning(warning)
        elif message.type == Gst.MessageType.LATENCY:
            self.pipeline.recalculate_latency()
        elif message.type == Gst.MessageType.ERROR:
            self.try_again(message.parse_error()[0].message)
        elif message.type == Gst.MessageType.EOS and self.source.is_live:
            self.try_again('the stream has ended')
        elif message.type == Gst.MessageType.EOS:
            self.play_again()

    def play_again(self):
        """A file, from its start. The stream is the same, so targets stay, and are found again."""
        flags = Gst.SeekFlags.FLUSH | Gst.SeekFlags.KEY_UNIT
        if not self.pipeline.seek_simple(Gst.Format.TIME, flags, 0):
            raise SourceError(f'{self.source.name} has ended, and cannot be played again: it is not seekable')

    def try_again(self, reason):
        """Cameras come back. What never gave a picture does not."""
        number = self.pictures.latest.number
        if not number or not self.source.is_live:
            raise SourceError(f'{self.source.name}: {reason}')
        if number != self.ended_at:
            self.messages.begin_anew(f'{reason}; trying again')
        self.ended_at = number
        self.stop()
        time.sleep(TRY_AGAIN)
        self.build()  # links to pads that come later are made once
        self.start()
