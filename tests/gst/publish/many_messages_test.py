#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Many messages through a broker that is restarted again and again: none is lost, none comes twice
without a mark, and their order stays.

Usage: many_messages_test.py SOURCE_DIR PUBLISH_LOAD
Environment:
  CLTRACK_MESSAGES  how many (20000)
  CLTRACK_RESTARTS  how many times the broker is restarted meanwhile (3)
  CLTRACK_REQUIRE_MQTT  fails where there is no broker, instead of being skipped
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'support'))
import mqtt_broker  # noqa: E402
from tap import Tap, skip_all  # noqa: E402

MESSAGES = int(os.environ.get('CLTRACK_MESSAGES', 20000))
RESTARTS = int(os.environ.get('CLTRACK_RESTARTS', 3))


def run(tap, source_dir, program, folder):
    broker = mqtt_broker.Broker(folder)
    broker.start()
    table = mqtt_broker.LiveTable(source_dir, broker, MESSAGES)
    load = subprocess.Popen([program, str(broker.port), str(MESSAGES), str(RESTARTS)],
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    restarts = 0
    result = {}
    for line in load.stdout:
        if line.startswith('part'):
            broker.restart()
            restarts += 1
        else:
            result = json.loads(line)
    tap.check('all was sent', load.wait() == 0 and result.get('sent') == MESSAGES, result)
    tap.check('the broker was restarted', restarts == RESTARTS, restarts)
    tap.check('nothing was dropped', result.get('dropped') == 0, result)
    # What the consumer has not got yet the broker keeps.
    summaries, output = table.finish(60 + MESSAGES / 1000)
    broker.stop()
    summary = summaries.get('load', {})
    tap.check('all has come', summary.get('received') == MESSAGES, output)
    tap.check('nothing is missing', summary.get('missing') == 0, output)
    tap.check('in order', summary.get('late') == 0, output)
    tap.check('nothing came twice without a mark', summary.get('unmarked_doubles') == 0, output)
    print('#', json.dumps(result))
    print('#', json.dumps(summary), flush=True)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    tap = Tap()
    reason = mqtt_broker.missing()
    if reason:
        if 'CLTRACK_REQUIRE_MQTT' not in os.environ:
            skip_all(reason)
        tap.check('there is a broker', False, reason)
        tap.done()
    with tempfile.TemporaryDirectory() as folder:
        run(tap, sys.argv[1], sys.argv[2], folder)
    tap.done()


main()
