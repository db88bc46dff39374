#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Uses examples/browser over HTTP: pictures, events, commands, sources, without a browser.

Usage: browser_test.py SOURCE_DIR BUILD_DIR
"""
import json
import pathlib
import signal
import sys
import threading
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
import shell_commands  # noqa: E402
from browser_server import Browser, wait_for  # noqa: E402
from shell_commands import PYTHON  # noqa: E402

BALL = {'width': 70 / 640, 'height': 70 / 360}  # and some of the wall around it

# A camera whose cable is pulled after a second, and put in again.
WEAK_CAMERA = '''
import sys, threading
sys.path.insert(0, sys.argv[1])
import gi
gi.require_version("Gst", "1.0")
from gi.repository import Gst
Gst.init(None)
from events import Events
from messages import Messages
from pictures import Pictures
import pipeline, sources
pipeline.TRY_AGAIN = 0.1
events, pictures = Events(), Pictures()
source = sources.Source("weak", "videotestsrc is-live=true num-buffers=25 ! decodebin", None, True)
plays = pipeline.Pipeline(source, pictures, Messages(events))
threading.Thread(target=plays.run, daemon=True).start()
plays.tracker.emit("add-target", 140., 100., 40., 40., "")
pictures.wait(40, 60)
print(pictures.latest.number > 40, events.targets, [entry["reason"] for _, entry in events.log
                                                    if entry["action"] == "source"])
'''


def import_example(source_dir):
    """Those of its modules that need no GStreamer."""
    sys.path.insert(0, str(source_dir / 'examples' / 'browser'))
    import control
    import scene
    return control, scene


def check_point_of(tap, control):
    boxes = {1: (0, 0, 100, 100), 2: (40, 40, 20, 20), 3: (40, 40, 20, 20), 4: (45, 45, 5, 5)}
    x, y = control.point_of(boxes, 1)
    tap.check('a large box is clicked beside the small one in it',
              0 < x < 100 and 0 < y < 100 and not (40 <= x < 60 and 40 <= y < 60), (x, y))
    tap.check('a box alone is clicked in its middle', control.point_of({1: boxes[1]}, 1) == (50, 50))
    covered = {1: (0, 0, 20, 20), 2: (0, 0, 10, 20), 3: (10, 0, 10, 20)}
    tap.check('one that is covered is not', control.point_of(covered, 1) is None)


def add_ball(browser, scene):
    """(status, answer, seconds) of a command while the ball rests."""
    for _, now, _ in browser.pictures():
        if scene.time_at_rest(now) > scene.STAY / 2:
            break
    x, y = scene.center(now)
    begin = time.monotonic()
    status, answer = browser.command(command='add', label='ball', x=(x - 35) / 640, y=(y - 35) / 360, **BALL)
    return status, answer, time.monotonic() - begin


def is_on_ball(target, scene):
    x, y = scene.center(target['time'] / 1e9)
    return (abs(target['x'] + target['width'] / 2 - x) < scene.RADIUS and
            abs(target['y'] + target['height'] / 2 - y) < scene.RADIUS)


def check_pictures(tap, browser):
    pictures = browser.some_pictures(20)
    numbers = [number for number, _, _ in pictures]
    tap.check('pictures come one after the other', numbers == sorted(set(numbers)), numbers)
    tap.check('each is a whole JPEG', all(jpeg.startswith(b'\xff\xd8') and jpeg.endswith(b'\xff\xd9')
                                          for _, _, jpeg in pictures))
    enough = []
    clients = [threading.Thread(target=lambda: enough.append(len(browser.some_pictures(20))))
               for _ in range(5)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    tap.check('five clients at once get them', enough == [20] * 5, enough)


def check_frames(tap, browser, scene):
    """Tells how many pictures it takes, which is no matter of right or wrong."""
    seen = []

    def look():
        for number, now, _ in browser.pictures():
            seen.append((number, now))
            if stop.is_set():
                return
    stop = threading.Event()
    eye = threading.Thread(target=look)
    eye.start()
    wait_for(lambda: seen)
    while scene.time_at_rest(seen[-1][1]) < scene.STAY / 2:
        time.sleep(0.05)
    x, y = scene.center(seen[-1][1])
    before = seen[-1][0]
    answer = browser.command(command='add', x=(x - 35) / 640, y=(y - 35) / 360, **BALL)[1]
    wait_for(lambda: seen[-1][1] >= answer['time'] / 1e9)
    first = next((number for number, now in seen if now >= answer['time'] / 1e9 - 1e-6), None)
    stop.set()
    eye.join()
    tap.check('what is added is in a picture', first is not None)
    print(f'# the box is on picture {first - before} after the one that was there when it was dragged')
    browser.command(command='remove', id=answer['id'])


def check_commands(tap, browser, scene):
    status, answer, took = add_ball(browser, scene)
    print(f'# adding took {took * 1000:.0f} ms')
    tap.check('a box is added', status == 200 and answer['action'] == 'added' and answer['id'] == 1, answer)
    target = browser.listed(1, state='tracking', label='ball')
    tap.check('and tracked', target and is_on_ball(target, scene), target)
    tap.check('the log tells it', browser.logged('added', id=1, label='ball'))

    status, answer = browser.command(command='add', x=0.5, y=0.5, width=0.1, height=0.01)
    tap.check('one of 4 pixels is refused, and why', status == 422 and '8x8' in answer['refused'], answer)
    tap.check('the log tells that, too', '8x8' in browser.logged('refused')['reason'])
    status, answer = browser.command(command='remove', id=77)
    tap.check('an id that there is not is refused', status == 422 and '77' in answer['refused'], answer)
    status, answer = browser.command(command='choose', id=77)
    tap.check('nor can it be chosen', status == 422 and '77' in answer['refused'], answer)

    browser.command(command='choose', id=1)
    tap.check('one of the list is chosen', browser.wait_for_event('targets', lambda now: now['chosen'] == 1))
    tap.check('and marked in the picture', browser.logged('chosen', id=1))
    second = browser.command(command='add', x=0.8, y=0.7, width=0.1, height=0.2, label='wall')[1]['id']
    tap.check('a second one is added', browser.listed(second, state='tracking'))
    browser.command(command='choose', x=0.85, y=0.8)
    tap.check('a click chooses', browser.wait_for_event('targets', lambda now: now['chosen'] == second))
    answer = browser.command(command='move', id=second, x=0.6, y=0.7, width=0.1, height=0.2)[1]
    # It may go back at once: what it has learnt is still where it was.
    tap.check('one is moved', answer.get('action') == 'moved' and browser.logged('moved', id=second), answer)
    answer = browser.command(command='remove', id=second)[1]
    tap.check('one is removed', answer.get('action') == 'removed' and browser.unlisted(second), answer)

    x, y = scene.center(browser.listed(1)['time'] / 1e9)
    followed = browser.wait_for_event('targets', lambda now: any(
        target['state'] == 'tracking' and is_on_ball(target, scene) and
        sum(abs(a - b) for a, b in zip(scene.center(target['time'] / 1e9), (x, y))) > 50
        for target in now['targets']))
    tap.check('the ball is followed', followed)
    browser.command(command='clear')
    tap.check('all are removed', browser.unlisted(1))


def check_zones(tap, source_dir, work, env, scene):
    file = work / 'zones.json'
    with Browser(source_dir, env, 'test', '--zones', str(file)) as browser:
        browser.some_pictures(1)
        tap.check('a file of zones that is not there is made', file.is_file() and
                  json.loads(file.read_text()) == {'zones': []})
        status, answer = browser.zones()
        tap.check('the page gets it', status == 200 and answer['zones'] == [], answer)
        version = answer['version']
        # Where the ball goes up and down all the time.
        gate = {'name': 'gate', 'line': [[0, 0.6], [1, 0.6]]}
        status, saved = browser.zones([gate], version)
        tap.check('zones are saved', status == 200 and saved['action'] == 'saved' and
                  json.loads(file.read_text()) == {'zones': [gate]}, saved)
        tap.check('all pages are told', browser.logged('zones', version=saved['version']))
        tap.check('and get them', browser.zones()[1] == {'zones': [gate], 'version': saved['version']})
        add_ball(browser, scene)
        tap.check('the element reads them while it runs, and counts', browser.logged('cross', label='ball'),
                  browser.log)

        before, mode = file.read_text(), file.stat().st_mode
        bow = {'name': 'bow', 'area': [[0, 0], [1, 1], [1, 0], [0, 1]]}
        wrong = {'crosses itself': ([gate, bow], saved['version']), 'two of this name': ([gate, gate], saved['version']),
                 'changed the zones meanwhile': ([], version),
                 'letters, digits': ([{**gate, 'name': 'a/b'}], saved['version'])}
        for words, (zones, of) in wrong.items():
            status, answer = browser.zones(zones, of)
            tap.check(f'refused: {words}', status == 422 and words in answer['refused'], answer)
        for body in ('{', '[]', '{"zones": []}', '{"zones": [NaN], "version": "0"}', '[' * 100000,
                     '{"zones": [{"name": "\\ud800"}], "version": "0"}'):
            status, text = browser.ask('POST', 'zones', body)
            tap.check(f'refused: {body[:50]}', status == 422 and 'refused' in json.loads(text), text)
        for status, headers in {403: {'Origin': 'http://other.example'}, 415: {'Content-Type': 'text/plain'}}.items():
            got = browser.ask('POST', 'zones', json.dumps({'zones': [], 'version': saved['version']}),
                              **headers)[0]
            tap.check(f'not from elsewhere: {status}', got == status, got)
        path = browser.url.path.rstrip('/')
        for wrong_path in (f'{path}x/zones', '/zones', '//zones'):
            got = browser.ask('POST', '', '{}', path=wrong_path)[0]
            tap.check(f'nobody saves without the address: {wrong_path[-8:]}', got == 403, got)
        look = urllib.parse.urlsplit(browser.look_address).path
        tap.check('there is an address to look at alone', look and look != browser.url.path and
                  browser.ask('GET', '', path=look)[0] == 200 and
                  '<body class="look">' in browser.ask('GET', '', path=look)[1], browser.log)
        tap.check('who looks sees the zones', json.loads(browser.ask('GET', '', path=f'{look}zones')[1])['zones'] ==
                  [gate])
        for page, body in {'zones': {'zones': [], 'version': saved['version']}, 'control': {'command': 'clear'}}.items():
            status, text = browser.ask('POST', '', json.dumps(body), path=look + page)
            tap.check(f'but has no say: {page}', status == 403 and 'to look at alone' in text, text)
        got = browser.ask('POST', 'zones', '', **{'Content-Length': str(1 << 21)})[0]
        tap.check('nor a file of any size', got == 413, got)
        tap.check('the file is as it was, and alone', file.read_text() == before and file.stat().st_mode == mode and
                  [one.name for one in work.iterdir() if one.name.startswith('zones.json')] == ['zones.json'])
        file.write_text('{')
        tap.check('what is wrong with a file that somebody writes is told',
                  'it is not JSON' in browser.logged('refused')['reason'])
        status, answer = browser.zones()
        tap.check('the page cannot edit it', status == 422 and 'is not JSON' in answer['refused'], answer)
        browser.close()
        tap.check('nothing went wrong in it', 'Traceback' not in browser.log, browser.log)
    with Browser(source_dir, env, 'test', '--zones', str(work / 'none' / 'zones.json')) as browser:
        tap.check('a folder that is not there is an error', browser.wait() == 1 and
                  'No such file' in browser.log and 'Traceback' not in browser.log, browser.log)


def check_file(tap, browser):
    status, answer = browser.command(command='add', x=0.1, y=0.1, width=0.3, height=0.3)
    tap.check('a file is played', status == 200, answer)
    times = []
    for _, now, _ in browser.pictures():
        times.append(now)
        if now < max(times) or len(times) > 10 * shell_commands.SAMPLE_FRAMES:
            break
    tap.check('again and again', times[-1] < max(times), times)
    tap.check('and keeps its targets', browser.listed(answer['id']))
    tap.check('Ctrl-C ends it', browser.close() == 130, browser.log)


def check_sources(tap, source_dir, work, env):
    with Browser(source_dir, env, str(work / 'video.mp4')) as browser:
        check_file(tap, browser)
    shell_commands.make_portrait(work, env)
    with Browser(source_dir, env, str(work / 'portrait.mp4')) as browser:
        (work / 'portrait.jpeg').write_bytes(browser.some_pictures(1)[0][2])
        picture = shell_commands.shown_picture('portrait.jpeg', work, env)
        tap.check('a portrait is upright', shell_commands.is_upright(picture), picture)
        browser.close()
    with Browser(source_dir, env, 'test', '--host', '0.0.0.0') as browser:
        tap.check('for all to reach it warns, and names an address to go to',
                  'Nothing is encrypted' in browser.log and '//0.0.0.0' not in browser.address and
                  browser.url.port, browser.log)
        port = browser.url.port
        browser.url = browser.url._replace(netloc=f'127.0.0.1:{port}')
        tap.check('it is reached', browser.ask('GET', '', Host=f'192.0.2.7:{port}')[0] == 200)

    program = work / 'weak_camera.py'
    program.write_text(WEAK_CAMERA, encoding='utf-8')
    done, output = shell_commands.run(f'{PYTHON} {program} {source_dir}/examples/browser', work, env)
    tap.check('a camera that fails is tried again, without its targets',
              done and output.startswith("True {} ['the stream has ended; trying again'"), output)

    (work / 'text.mp4').write_text('This is not a video.\n' * 100, encoding='utf-8')
    wrong = {'nothing.mp4': "cannot read 'nothing.mp4'", '/dev/video99': 'cannot open the camera',
             'text.mp4': 'text.mp4', 'rtsp://127.0.0.1:9/none': '127.0.0.1',
             'test --host 192.0.2.1': 'cannot listen', 'test --port 99999': 'cannot listen'}
    for name, words in wrong.items():
        arguments = [str(work / word) if word == 'text.mp4' else word for word in name.split()]
        with Browser(source_dir, env, *arguments) as browser:
            status = browser.wait()
        tap.check(f'{name}: says what is wrong', status == 1 and 'browser: ' in browser.log and
                  words in browser.log and 'Traceback' not in browser.log, browser.log)


def check_scene(tap, browser, scene):
    if not tap.check('it says its address', browser.address.startswith('http://127.0.0.1:'), browser.log):
        return
    browser.some_pictures(1)
    print(f'# the first picture came {time.monotonic() - browser.begin:.1f} s after the start')
    check_pictures(tap, browser)
    check_commands(tap, browser, scene)
    check_frames(tap, browser, scene)
    tap.check('the page is there', browser.ask('GET', '')[1].count('<script') == 2)
    tap.check('SIGTERM ends it', browser.close(signal.SIGTERM) == 130, browser.log)
    tap.check('nothing went wrong in it', 'Traceback' not in browser.log, browser.log)


def cases(tap, source_dir, _, work, env):
    control, scene = import_example(source_dir)
    check_point_of(tap, control)
    with Browser(source_dir, env, 'test') as browser:
        check_scene(tap, browser, scene)
    check_zones(tap, source_dir, work, env, scene)
    check_sources(tap, source_dir, work, env)


if __name__ == '__main__':
    shell_commands.main(__doc__, cases)
