#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Uses the page of examples/browser in Chromium, without a window: drags, clicks, touches.

Usage: browser_page_test.py SOURCE_DIR BUILD_DIR

BROWSER_TEST_PICTURES names a folder to which pictures of the page are written. Without Chromium the test
is skipped, unless CLTRACK_REQUIRE_BROWSER is set.
"""
import json
import os
import pathlib
import select
import socket
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
import shell_commands  # noqa: E402
from browser_server import Browser, wait_for  # noqa: E402
from chromium import Chromium, find_chromium  # noqa: E402

SIZE = (1200, 700)  # of the page
HALF = 35  # of the dragged box: the ball and some of the wall
# Tells after how many milliseconds the first box is in the picture that the page shows (5,000: it is
# not); nothing else is green there.
WATCH = '''
window.shown = new Promise((resolve) => document.getElementById('band').addEventListener('pointerup', () => {
  const begin = performance.now(), canvas = new OffscreenCanvas(640, 360);
  const context = canvas.getContext('2d', {willReadFrequently: true});
  const look = () => {
    context.drawImage(document.getElementById('picture'), 0, 0);
    const pixels = context.getImageData(0, 0, 640, 360).data;
    let green = 0;
    for (let i = 0; i < pixels.length; i += 4) {
      if (pixels[i] < 110 && pixels[i + 1] > 180 && pixels[i + 2] < 110) ++green;
    }
    const time = performance.now() - begin;
    if (green > 100 || time > 5000) resolve(time); else requestAnimationFrame(look);
  };
  look();
}, {once: true})), 0'''


class Proxy:
    """Passes bytes on between a page and the server, until it is cut."""

    def __init__(self, port):
        self.target, self.connections = port, []
        self.listener = socket.create_server(('127.0.0.1', 0))
        self.port = self.listener.getsockname()[1]
        self.mend()

    def mend(self):
        self.is_cut = False
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while not self.is_cut:
            if select.select([self.listener], [], [], 0.1)[0]:
                pair = self.listener.accept()[0], socket.create_connection(('127.0.0.1', self.target))
                self.connections.append(pair)
                threading.Thread(target=self.pass_on, args=pair, daemon=True).start()

    @staticmethod
    def pass_on(client, server):
        try:
            while True:
                for end in select.select([client, server], [], [])[0]:
                    data = end.recv(1 << 16)
                    if not data:
                        return
                    (server if end is client else client).sendall(data)
        except (OSError, ValueError):
            pass  # cut
        finally:
            client.close()
            server.close()

    def cut(self):
        self.is_cut = True
        for pair in self.connections:
            for end in pair:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass  # closed already
        self.connections.clear()


class View:
    """The page, in pixels of the picture."""

    def __init__(self, page, pictures):
        self.page, self.folder = page, pictures
        self.rectangle = None

    def measure(self):
        self.rectangle = json.loads(self.page.evaluate(
            "JSON.stringify(document.getElementById('band').getBoundingClientRect())"))

    def place(self, x, y):
        return (self.rectangle['x'] + x * self.rectangle['width'] / 640,
                self.rectangle['y'] + y * self.rectangle['height'] / 360)

    def drag(self, left, top, right, bottom):
        self.page.drag(*self.place(left, top), *self.place(right, bottom))

    def release(self, x, y):
        self.page.mouse('mouseReleased', *self.place(x, y), 'left')

    def click(self, x, y, button='left'):
        self.page.click(*self.place(x, y), button)

    def rows(self):
        return self.page.evaluate("[...document.querySelectorAll('#targets li')].map((row) => "
                                  "({id: +row.dataset.id, state: row.dataset.state, text: row.innerText, "
                                  "chosen: row.classList.contains('chosen')}))")

    def targets(self):
        return json.loads(self.page.evaluate('JSON.stringify(list.targets)'))

    def text(self, name):
        return self.page.evaluate(f"document.getElementById('{name}').innerText")

    def shows_pictures(self):
        return self.page.evaluate("document.getElementById('picture').naturalWidth > 0")

    def screenshot(self, name):
        self.page.screenshot(self.folder / f'{name}.png')


def find_ball(browser, scene):
    """Where it is, once it stays there for a while."""
    for _, now, _ in browser.pictures():
        if scene.time_at_rest(now) > scene.STAY / 2:
            return scene.center(now)
    return None


def is_on_ball(target, scene):
    x, y = scene.center(target['time'] / 1e9)
    return (target['state'] == 'tracking' and abs(target['x'] + target['width'] / 2 - x) < scene.RADIUS and
            abs(target['y'] + target['height'] / 2 - y) < scene.RADIUS)


def drag_ball(view, browser, scene):
    """Returns the target on the ball. On a busy machine the ball may have gone on meanwhile: then once more."""
    view.page.evaluate(WATCH)
    for attempt in range(5):
        x, y = find_ball(browser, scene)
        view.drag(x - HALF, y - HALF, x + HALF, y + HALF)
        view.screenshot('dragging')
        view.release(x + HALF, y + HALF)
        if not wait_for(view.targets):
            return None
        target = wait_for(lambda: next((one for one in view.targets() if is_on_ball(one, scene)), None), 3)
        if attempt == 0:
            print(f'# {view.page.evaluate("window.shown"):.0f} ms from the end of the drag to the box in the page')
        if target:
            return target
        view.page.evaluate("document.getElementById('clear').click()")
        wait_for(lambda: not view.targets())
    return None


def check_drag(tap, view, browser, scene):
    first = drag_ball(view, browser, scene)
    if not tap.check('a dragged box is tracked', first, view.text('log')):
        return
    view.screenshot('tracking')
    rows = view.rows()
    tap.check('the list has it', len(rows) == 1 and rows[0]['text'].startswith(f'#{first["id"]} object'), rows)
    tap.check('the log tells it', 'added' in view.text('log'))
    begin = scene.center(first['time'] / 1e9)

    def has_gone():
        now = view.targets()[0]
        place = scene.center(now['time'] / 1e9)
        return is_on_ball(now, scene) and abs(place[0] - begin[0]) + abs(place[1] - begin[1]) > 50
    tap.check('the box follows the ball', wait_for(has_gone), view.targets())
    view.screenshot('following')


def check_mouse(tap, view):
    """On the wall, which stays where it is."""
    before = len(view.rows())
    view.drag(20, 280, 80, 340)
    view.page.key('Escape')
    view.release(80, 340)
    view.page.evaluate("document.getElementById('label').value = '<b>wall</b> & \"so\"'")
    view.drag(80, 340, 20, 280)  # from any corner
    view.release(20, 280)
    wall = wait_for(lambda: next((row for row in view.rows() if 'wall' in row['text']), None))
    tap.check('a label is text, whatever is in it', wall and '<b>wall</b> & "so"' in wall['text'], wall)
    tap.check('Escape has cancelled a drag', len(view.rows()) == before + 1, view.rows())
    view.click(50, 310)
    tap.check('a click chooses', wait_for(lambda: [row['chosen'] for row in view.rows()
                                                   if row['id'] == wall['id']] == [True]), view.rows())
    view.screenshot('chosen')
    view.page.evaluate("document.querySelector('#targets li').click()")
    tap.check('a click in the list, too', wait_for(lambda: view.rows()[0]['chosen']), view.rows())

    view.drag(100, 300, 140, 302)
    view.release(140, 302)
    tap.check('what is refused is told, and why', wait_for(lambda: '8x8' in view.text('hint')),
              view.text('hint'))
    tap.check('in the log as well', wait_for(lambda: 'refused' in view.text('log')), view.text('log'))

    view.page.evaluate(f"rows.get({wall['id']}).move.click()")
    view.drag(30, 20, 90, 80)
    view.release(90, 80)
    tap.check('Move and a drag move it', wait_for(lambda: 'moved' in view.text('log')), view.text('log'))

    def is_removed():
        # What it has learnt is still where it was: the tracker may have gone back there.
        for target in view.targets():
            if target['id'] == wall['id'] and target['state'] != 'lost':
                view.click(target['x'] + target['width'] / 2, target['y'] + target['height'] / 2, 'right')
        return len(view.rows()) == before
    tap.check('a right click removes', wait_for(is_removed), view.rows())
    tap.check('the log tells it', wait_for(lambda: 'removed' in view.text('log')))


def check_phone(tap, view):
    page = view.page
    page.call('Emulation.setDeviceMetricsOverride', width=390, height=844, deviceScaleFactor=1, mobile=True)
    page.call('Emulation.setTouchEmulationEnabled', enabled=True)
    wait_for(lambda: page.evaluate("document.getElementById('band').getBoundingClientRect().width") < 390)
    view.measure()
    before = len(view.rows())
    page.touch('touchStart', view.place(400, 200))
    page.touch('touchMove', view.place(450, 250))
    page.touch('touchMove', view.place(480, 270))
    page.touch('touchEnd')
    tap.check('a finger drags a box', wait_for(lambda: len(view.rows()) == before + 1), view.rows())
    view.screenshot('phone')
    page.touch('touchStart', view.place(200, 200))
    page.touch('touchMove', view.place(250, 250))
    page.touch('touchStart', view.place(250, 250), view.place(100, 100))
    tap.check('a second one cancels it', page.evaluate('drag === null'))
    page.touch('touchEnd')
    tap.check('nothing is wider than a phone', page.evaluate('document.documentElement.scrollWidth') <= 390)
    page.evaluate("document.getElementById('clear').click()")
    tap.check('all are removed', wait_for(lambda: not view.rows()), view.rows())


def type_into(page, selector, text):
    page.evaluate(f"(() => {{ const field = document.querySelector('{selector}'); field.value = '{text}'; "
                  "field.dispatchEvent(new Event('change')); })()")


def check_zones(tap, view, file):
    """Draws a line and an area, changes them, and saves them."""
    page = view.page

    def press(name):
        page.evaluate(f"document.getElementById('{name}').click()")

    def saved():
        return json.loads(file.read_text())['zones']

    def message():
        return view.text('zones-message')

    def save():
        press('save-zones')
        return wait_for(lambda: message() == 'Saved.' or 'Not saved' in message()) and message()

    tap.check('a file of zones can be edited', wait_for(lambda: page.evaluate(
        "!document.getElementById('zones').hidden")))
    press('edit-zones')
    press('add-line')
    for place in ((60, 200), (300, 220), (580, 200)):
        view.click(*place)
    page.key('Enter')
    press('add-area')
    for place in ((400, 40), (600, 40), (600, 150), (400, 150)):
        view.click(*place)
    view.screenshot('drawing-zones')
    view.click(400, 40)  # the first one again: it is closed
    tap.check('a line and an area are drawn', page.evaluate('zones.zones.length') == 2, message())
    type_into(page, '#zone-list li:nth-child(1) .zone-name', 'gate')
    type_into(page, '#zone-list li:nth-child(2) .dwell', '5')
    tap.check('they are saved', save() == 'Saved.', message())
    gate, area = saved()
    tap.check('as they were drawn', gate['name'] == 'gate' and area['name'] == 'area-1' and area['dwell'] == 5 and
              all(abs(a[0] * 640 - b[0]) < 1 and abs(a[1] * 360 - b[1]) < 1 for a, b in
                  zip(gate['line'] + area['area'], [(60, 200), (300, 220), (580, 200), (400, 40), (600, 40),
                                                    (600, 150), (400, 150)])), saved())

    def shows_zones():
        """What trackoverlay draws comes with the pictures: where there was wall, there is a line."""
        return page.evaluate("""(() => {
          const canvas = new OffscreenCanvas(640, 360), context = canvas.getContext('2d');
          context.drawImage(document.getElementById('picture'), 0, 0);
          const pixel = context.getImageData(100, 30, 1, 1).data, line = context.getImageData(500, 40, 1, 1).data;
          return Math.max(...line.slice(0, 3)) - Math.min(...line.slice(0, 3)) >
                 Math.max(...pixel.slice(0, 3)) - Math.min(...pixel.slice(0, 3)) + 60;
        })()""")
    tap.check('the live picture shows what is saved', wait_for(shows_zones))

    view.drag(300, 220, 300, 260)
    view.release(300, 260)
    view.drag(180, 228, 180, 100)  # of an edge: a new corner
    view.release(180, 100)
    view.click(600, 150, 'right')
    page.evaluate("document.querySelector('#zone-list li:nth-child(1) .turn').click()")
    view.screenshot('zones')
    tap.check('and saved again', save() == 'Saved.', message())
    gate, area = saved()
    tap.check('a corner is moved, one is added, the line is turned',
              [[round(x * 640), round(y * 360)] for x, y in gate['line']] ==
              [[580, 200], [300, 260], [180, 100], [60, 200]], gate)
    tap.check('a corner is removed', len(area['area']) == 3, area)

    before = file.read_text()
    view.drag(400, 40, 610, 60)
    view.release(610, 60)
    view.drag(180, 100, 500, 330)  # over itself
    view.release(500, 330)
    type_into(page, '#zone-list li:nth-child(2) .zone-name', 'gate')
    said = save()
    tap.check('what the library refuses is told', 'Not saved: zone' in said, said)
    view.screenshot('refused-zones')
    tap.check('and nothing is saved', file.read_text() == before)
    press('discard-zones')
    tap.check('they are discarded', wait_for(lambda: page.evaluate(
        "zones.zones.length === 2 && zones.zones[1].name === 'area-1' && !zones.isChanged()")), message())
    page.evaluate("document.querySelector('#zone-list li:nth-child(2) .delete').click()")
    tap.check('one is deleted', save() == 'Saved.' and [zone['name'] for zone in saved()] == ['gate'], saved())
    view.click(200, 300)
    tap.check('while zones are edited no target is added or chosen', not view.rows(), view.rows())
    press('edit-zones')


def check_connection(tap, view, proxy):
    proxy.cut()
    tap.check('it says that the connection is lost', wait_for(lambda: 'lost' in view.text('lost')),
              view.text('lost'))
    view.screenshot('lost')
    proxy.mend()
    tap.check('and connects again', wait_for(lambda: not view.text('lost') and view.shows_pictures()),
              view.text('lost'))


def check_page(tap, chromium, browser, scene, pictures, zones_file):
    proxy = Proxy(browser.url.port)
    begin = time.monotonic()
    view = View(chromium.open(f'http://127.0.0.1:{proxy.port}{browser.url.path}'), pictures)
    shown = wait_for(lambda: view.page.evaluate("!!document.getElementById('picture')?.naturalWidth"))
    if not tap.check('the page shows pictures', shown):
        return
    print(f'# the first picture came {time.monotonic() - begin:.1f} s after the page was asked for')
    wait_for(lambda: view.page.evaluate('document.readyState') == 'complete')
    view.measure()
    check_zones(tap, view, zones_file)
    others = [browser.stream('pictures') for _ in range(4)]
    check_drag(tap, view, browser, scene)
    check_mouse(tap, view)
    check_phone(tap, view)
    tap.check('four others get pictures all the while', all(other.read(100000) for other in others))
    for other in others:
        other.close()
    check_connection(tap, view, proxy)
    proxy.cut()


def cases(tap, source_dir, _, work, env):
    if not find_chromium():
        if 'CLTRACK_REQUIRE_BROWSER' in env:
            tap.check('the page in a browser', False, 'no chromium')
        else:
            tap.skip('the page in a browser', 'NO BROWSER: not installed: chromium')
        return
    sys.path.insert(0, str(source_dir / 'examples' / 'browser'))
    import scene
    pictures = pathlib.Path(os.environ.get('BROWSER_TEST_PICTURES', work))
    profile = tempfile.mkdtemp(dir=work)
    zones_file = work / 'zones.json'
    with Browser(source_dir, env, 'test', '--zones', str(zones_file)) as browser:
        browser.some_pictures(1)
        chromium = Chromium(profile, *SIZE)
        try:
            check_page(tap, chromium, browser, scene, pictures, zones_file)
        finally:
            chromium.close()
        browser.close()
        tap.check('nothing went wrong in the server', 'Traceback' not in browser.log, browser.log)


if __name__ == '__main__':
    shell_commands.main(__doc__, cases)
