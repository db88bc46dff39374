# SPDX-License-Identifier: LGPL-2.1-or-later
"""The file of zones: what is in it, and new ones from a page. The element that counts reads it again."""
import hashlib
import json
import os
import pathlib
import tempfile
import threading

from gi.repository import Gst

from control import Refused, refuse_constant

LARGEST = 1 << 20  # bytes, of what a page sends
NONE = '{"zones": []}\n'


def problem_of(text):
    """What the library says is wrong with zones, or None. An element of its own reads them, and counts nothing."""
    element, bus = Gst.ElementFactory.make('trackzones'), Gst.Bus()
    element.set_bus(bus)
    element.props.zones = text
    element.set_state(Gst.State.PAUSED)
    message = bus.pop_filtered(Gst.MessageType.ERROR)
    element.set_state(Gst.State.NULL)
    return message.parse_error()[0].message if message else None


def version_of(text):
    return hashlib.sha256(text.encode(errors='replace')).hexdigest()[:16]


class Zones:
    def __init__(self, path):
        """Makes the file if there is none. Throws OSError."""
        self.saving = threading.Lock()
        self.path = pathlib.Path(os.path.realpath(path))  # what a link leads to is replaced, not the link
        if not self.path.exists():
            self.write(NONE)

    def write(self, text):
        """All of it, or nothing: whoever reads meanwhile gets the file as it was."""
        descriptor, temporary = tempfile.mkstemp(prefix=self.path.name, dir=self.path.parent)
        try:
            with os.fdopen(descriptor, 'w', encoding='utf-8') as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, self.path.stat().st_mode & 0o777 if self.path.exists() else 0o644)
            os.replace(temporary, self.path)
        except BaseException:
            os.unlink(temporary)
            raise

    def read(self):
        """{"zones": ..., "version": ...} for the page; throws Refused."""
        try:
            text = self.path.read_text(encoding='utf-8')
            zones = json.loads(text)['zones']
        except OSError as error:
            raise Refused(f'{self.path.name}: {error.strerror}') from error
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise Refused(f'{self.path.name} is not JSON of zones, {{"zones": [...]}}: '
                          'a page cannot edit it') from error
        return {'zones': zones, 'version': version_of(text)}

    def save(self, body):
        """Of bytes of a stranger: {"zones": ..., "version": ...}, the version that was read. Returns the new
        version. Throws Refused, with what the library says; the file is then as it was."""
        try:
            fields = json.loads(body, parse_constant=refuse_constant)
        except (ValueError, RecursionError) as error:
            raise Refused('this is not JSON') from error
        if not isinstance(fields, dict) or set(fields) != {'zones', 'version'}:
            raise Refused('zones are an object, {"zones": [...], "version": ...}')
        text = json.dumps({'zones': fields['zones']}, ensure_ascii=False, indent=1) + '\n'
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise Refused('a name or a label is not Unicode') from error
        if problem := problem_of(text):
            raise Refused(problem)
        with self.saving:
            return self.replace(text, fields['version'])

    def replace(self, text, version):
        try:
            if version_of(self.path.read_text(encoding='utf-8')) != version:
                raise Refused('somebody else has changed the zones meanwhile; discard yours to see them')
            self.write(text)
        except (OSError, ValueError) as error:
            raise Refused(f'{self.path.name} cannot be written: {error}') from error
        return version_of(text)
