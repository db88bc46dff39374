#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tracks in a camera, or in several, until it is told to stop; what cltrack@.service and compose.yaml start.

Usage: run_camera.py [FILE...], with these in the environment, or in a file for each camera, of which all are tracked
by one process (camera.env is an example):

  SOURCE           rtsp://..., another URI, /dev/videoN, or a video file
  TARGETS          JSON as of cltracker's property targets-json, and/or
  MODEL            a saved model of an object to look for, and MODEL_LABEL
  CAMERA           name in messages (default: that of the file without its ending, or camera)
  TRACKER          more properties of cltracker: NAME=VALUE NAME=VALUE
  BROKER           HOST or HOST:PORT of an MQTT broker, to which trackpublish sends what is tracked
  BROKER_USER, BROKER_PASSWORD, BROKER_CA     BROKER_CA: a file; encrypts

A camera that is gone is opened again, after 1 s, 2 s, ... 30 s; a file ends. Exit status: 0 at the end of all
files and after SIGTERM or SIGINT, 2 if settings are wrong, 1 after another error. What a camera ends by does not end
the others.
Needs python3-gi and gir1.2-gstreamer-1.0, and the plugin: GST_PLUGIN_PATH names its folder if it is not
installed where GStreamer looks.
"""
import json
import os
import pathlib
import shlex
import signal
import socket
import sys
import time

import gi

gi.require_version('Gst', '1.0')
from gi.repository import GLib, GObject, Gst  # noqa: E402

LATENCY = 200  # ms; rtspsrc's own is 2 s
SILENCE = 10  # s; a camera of which nothing comes is gone
LONGEST_WAIT = 30  # s
WRONG_SETTINGS = 2


class SettingsError(Exception):
    pass


def read_file(path):
    """Lines NAME=VALUE, quoted as for a shell, and comments; what is not there is as in the environment."""
    try:
        words = shlex.split(pathlib.Path(path).read_text(encoding='utf-8'), comments=True)
    except (OSError, ValueError) as error:
        raise SettingsError(error) from error
    for word in words:
        if '=' not in word:
            raise SettingsError(f'{word}: not NAME=VALUE')
    return {**os.environ, 'CAMERA': pathlib.Path(path).stem, **dict(word.split('=', 1) for word in words)}


class Settings:
    """Those of one camera."""

    def __init__(self, environ):
        self.camera = environ.get('CAMERA') or 'camera'
        self.source = environ.get('SOURCE', '')
        self.targets = environ.get('TARGETS', '')
        self.model, self.model_label = environ.get('MODEL', ''), environ.get('MODEL_LABEL', '')
        self.tracker = environ.get('TRACKER', '').split()
        self.broker, self.port = split_port(environ.get('BROKER', ''))
        self.user, self.password = environ.get('BROKER_USER', ''), environ.get('BROKER_PASSWORD', '')
        self.ca = environ.get('BROKER_CA', '')
        self.is_file = '://' not in self.source and not self.source.startswith('/dev/')
        self.check()

    def check(self):
        if not self.source:
            raise SettingsError('SOURCE is not set: rtsp://..., /dev/videoN or a video file')
        if self.is_file and not os.path.isfile(self.source):
            raise SettingsError(f'SOURCE={self.source}: there is no such file')
        if not self.targets and not self.model:
            raise SettingsError('neither TARGETS nor MODEL is set: what is to be tracked?')
        if self.targets:
            try:
                json.loads(self.targets)
            except ValueError as error:
                raise SettingsError(f'TARGETS={self.targets}: {error}. Write '
                                    '[{"x":10,"y":20,"width":50,"height":50,"label":"car"}]') from error
        for setting in self.tracker:
            if '=' not in setting:
                raise SettingsError(f'TRACKER={setting}: not NAME=VALUE')

    def secrets(self):
        user = self.source.split('://')[-1].rpartition('@')[0].split('/')[0]
        return [secret for secret in (self.password, user.partition(':')[2]) if secret]


def split_port(text):
    host, colon, port = text.rpartition(':')
    if not colon or (':' in host and not host.startswith('[')):
        return text, 0
    if not port.isascii() or not port.isdigit() or not 0 < int(port) < 65536:
        raise SettingsError(f'BROKER={text}: the port must be a number from 1 to 65535')
    return host.strip('[]'), int(port)


def notify(text):
    """Tells systemd, if it wants to be told."""
    place = os.environ.get('NOTIFY_SOCKET')
    if place:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
            try:
                channel.sendto(text.encode(), '\0' + place[1:] if place[0] == '@' else place)
            except OSError:
                pass  # nobody listens any more


def set_property(element, name, text):
    """Values are set, never written into a launch line: they may have any characters."""
    kind = element.find_property(name)
    if kind is None:
        raise SettingsError(f'TRACKER={name}=...: cltracker has no such property')
    if not kind.flags & GObject.ParamFlags.WRITABLE:
        raise SettingsError(f'TRACKER={name}=...: this property of cltracker can only be read')
    if kind.value_type.name == 'gchararray':
        element.set_property(name, text)
        return
    # util_set_object_arg() does not say what it could not read, and GLib takes the nearest number that is allowed.
    try:
        is_array = kind.value_type.name == 'GstValueArray'  # which has brackets, and no type before them
        typed = text if is_array else f'({kind.value_type.name}){text}'
        read = Gst.Structure.from_string(f'setting, value={typed}')[0]
    except TypeError as error:
        raise SettingsError(f'TRACKER={name}={text}: not a value of this property; gst-inspect-1.0 cltracker '
                            'says what is allowed') from error
    if hasattr(kind, 'minimum') and not kind.minimum <= read.get_value('value') <= kind.maximum:
        raise SettingsError(f'TRACKER={name}={text}: must be from {kind.minimum} to {kind.maximum}')
    Gst.util_set_object_arg(element, name, text)


class Camera:
    def __init__(self, settings, on_end):
        self.settings = settings
        self.on_end = on_end
        self.status = None  # of the process, once it has ended
        self.wait = 1
        self.pipeline = None
        self.seen, self.seen_at = 0, 0

    def say(self, text):
        for secret in self.settings.secrets():
            text = text.replace(secret, '***')
        text = ' '.join(text.split())
        print(f'{ascii(self.settings.camera)[1:-1]}: {text}', flush=True)
        notify(f'STATUS={text}')

    def launch_line(self):
        if self.settings.source.startswith('/dev/'):
            source = 'v4l2src name=source ! decodebin'
        else:
            source = 'uridecodebin name=source'
        # A file waits for the tracker; of a camera the latest picture counts.
        queue = 'queue' if self.settings.is_file else 'queue leaky=downstream max-size-buffers=1'
        publish = '! trackpublish name=publish' if self.settings.broker else ''
        return (f'{source} ! {queue} ! videoconvert ! videoflip video-direction=auto '
                f'! cltracker name=tracker {publish} '
                '! fakesink name=sink sync=false')

    def make_pipeline(self):
        settings = self.settings
        try:
            pipeline = Gst.parse_launch(self.launch_line())
        except GLib.Error as error:
            raise SettingsError(f'{error.message}. Is GST_PLUGIN_PATH set?') from error
        source, tracker = pipeline.get_by_name('source'), pipeline.get_by_name('tracker')
        if settings.source.startswith('/dev/'):
            source.set_property('device', settings.source)
        else:
            path = pathlib.Path(settings.source)
            source.set_property('uri', path.resolve().as_uri() if settings.is_file else settings.source)
            source.connect('source-setup', self.on_source_setup)
        for setting in settings.tracker:
            set_property(tracker, *setting.split('=', 1))
        if settings.targets:
            tracker.set_property('targets-json', settings.targets)
        if settings.model and tracker.emit('load-model', settings.model, settings.model_label or None) == 0:
            raise SettingsError(f'MODEL={settings.model}: cltracker does not take it; the warning says why')
        if settings.broker:
            self.set_up(pipeline.get_by_name('publish'))
        return pipeline

    def set_up(self, publish):
        settings = self.settings
        values = {'address': settings.broker, 'port': settings.port, 'source': settings.camera,
                  'username': settings.user, 'password': settings.password, 'ca-file': settings.ca}
        for name, value in values.items():
            if value:
                publish.set_property(name, value)
        publish.set_property('tls', bool(settings.ca))

    @staticmethod
    def on_source_setup(_, source):
        if source.get_factory().get_name() == 'rtspsrc':
            source.set_property('latency', LATENCY)

    def open(self):
        self.pipeline = self.make_pipeline()
        self.seen, self.seen_at = 0, time.monotonic()
        bus = self.pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect('message', self.on_message)
        self.pipeline.set_state(Gst.State.PLAYING)  # what fails is a message

    def open_again(self):
        """Or for the first time."""
        try:
            self.open()
        except SettingsError as error:
            self.end(WRONG_SETTINGS, str(error))
        return GLib.SOURCE_REMOVE

    def close(self):
        if self.pipeline:
            self.pipeline.get_bus().remove_signal_watch()
            self.pipeline.set_state(Gst.State.NULL)
            self.pipeline = None

    def end(self, status, text):
        self.close()
        self.say(text)
        self.status = status
        self.on_end()

    def lose(self, why):
        self.close()
        self.say(f'{why}; opened again in {self.wait} s')
        GLib.timeout_add_seconds(self.wait, self.open_again)
        self.wait = min(2 * self.wait, LONGEST_WAIT)

    def on_message(self, _, message):
        if message.type == Gst.MessageType.ELEMENT:
            self.tell(message.get_structure())
        elif message.type == Gst.MessageType.WARNING:
            self.say(message.parse_warning()[0].message)
        elif message.type == Gst.MessageType.EOS:
            if self.settings.is_file:
                self.end(0, 'the file has ended')
            else:
                self.lose('the stream has ended')
        elif message.type == Gst.MessageType.ERROR:
            error = message.parse_error()[0]
            if message.src.get_name() in ('tracker', 'publish'):
                wrong = error.matches(Gst.ResourceError.quark(), Gst.ResourceError.SETTINGS)
                self.end(WRONG_SETTINGS if wrong else 1, error.message)
            elif self.settings.is_file:
                self.end(1, f'{self.settings.source}: {error.message}')
            else:
                self.lose(error.message)

    def tell(self, fields):
        """What becomes of targets, and of the broker; a line for each, whatever a label holds."""
        name, get = fields.get_name(), fields.get_value
        if name == 'cltracker-state':
            self.say(f'target {get("id")} {json.dumps(get("label"))}: {get("state")}')
        elif name == 'cltracker-target':
            self.say(f'target {get("id")} {json.dumps(get("label"))}: {get("action")} {get("reason")}'.rstrip())
        elif name == 'trackpublish-connection':
            self.say(f'{get("address")}: {get("state")} {get("reason") or ""}'.rstrip())

    def on_second(self):
        """The fake sink counts pictures: nothing is called for each."""
        if self.pipeline:
            seen = self.pipeline.get_by_name('sink').get_property('stats').get_value('rendered')
            if seen > self.seen:
                if self.seen == 0:
                    self.say('pictures come')
                self.seen, self.seen_at, self.wait = seen, time.monotonic(), 1
            elif not self.settings.is_file and time.monotonic() - self.seen_at > SILENCE:
                self.lose(f'no picture for {SILENCE} s')


def settings_of(path):
    try:
        return Settings(read_file(path))
    except SettingsError as error:
        raise SettingsError(f'{path}: {error}') from error


def run(all_settings):
    loop = GLib.MainLoop()

    def has_ended():
        return all(camera.status is not None for camera in cameras)

    def on_end():
        if has_ended():
            loop.quit()

    def on_second():
        notify('WATCHDOG=1')
        for camera in cameras:
            camera.on_second()
        return GLib.SOURCE_CONTINUE

    cameras = [Camera(settings, on_end) for settings in all_settings]
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: loop.quit())
    GLib.timeout_add_seconds(1, on_second)
    try:
        for camera in cameras:
            camera.open_again()
        if not has_ended():
            notify('READY=1')
            loop.run()
    finally:
        for camera in cameras:
            camera.close()
    return max(camera.status or 0 for camera in cameras)


def main():
    if '-h' in sys.argv or '--help' in sys.argv:
        sys.exit(__doc__)
    Gst.init(None)
    try:
        files = sys.argv[1:]
        return run([settings_of(path) for path in files] if files else [Settings(os.environ)])
    except SettingsError as error:
        print(f'run_camera.py: {error}', file=sys.stderr)
        return WRONG_SETTINGS


if __name__ == '__main__':
    sys.exit(main())
