#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A fleet: eight pipelines, one broker that is restarted in the middle, one consumer that keeps a live
table of them all. Nothing may get lost.

Usage: publish_fleet_test.py SOURCE_DIR BUILD_DIR

Where that is allowed the pipelines are in two network namespaces, as on two machines, else they are
processes beside each other; the output says which. CLTRACK_REQUIRE_MQTT makes it fail, instead of being
skipped, where there is no broker.
"""
import contextlib
import os
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
import mqtt_broker  # noqa: E402
import shell_commands  # noqa: E402

PIPELINES = 8
PICTURES = 120
LINE = (f'gst-launch-1.0 -q videotestsrc pattern=ball num-buffers={PICTURES} %s '
        '! video/x-raw,width=320,height=240,framerate=30/1 '
        '! cltracker targets="<<140,100,40,40,ball>>" ! trackpublish %s ! fakesink')
INSIDE = 'CLTRACK_FLEET_INSIDE'  # set in the namespace of the test


def run(*command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False).returncode == 0


class Hosts:
    """Where pipelines run: [(prefix of a command, address of the broker there)]."""

    def __init__(self):
        self.places = []
        self.holders = []
        self.name = 'processes'
        if INSIDE not in os.environ:
            self.places = [([], '127.0.0.1')] * 2
            return
        self.name = 'network namespaces'
        run('ip', 'link', 'set', 'lo', 'up')
        for number in range(2):
            self.add(number)

    def add(self, number):
        """One more namespace with a cable to this one."""
        holder = subprocess.Popen(['unshare', '--net', 'sleep', '600'], stdin=subprocess.DEVNULL)
        self.holders.append(holder)
        here = os.readlink('/proc/self/ns/net')
        mqtt_broker.wait_until(lambda: os.readlink(f'/proc/{holder.pid}/ns/net') != here,
                               'a network namespace')
        enter = ['nsenter', '--target', str(holder.pid), '--net']
        near, far = f'near{number}', f'far{number}'
        done = (run('ip', 'link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns',
                    str(holder.pid))
                and run('ip', 'address', 'add', f'10.77.{number}.1/24', 'dev', near)
                and run('ip', 'link', 'set', near, 'up')
                and run(*enter, 'ip', 'address', 'add', f'10.77.{number}.2/24', 'dev', far)
                and run(*enter, 'ip', 'link', 'set', far, 'up'))
        if not done:
            raise RuntimeError('no cable between network namespaces')
        self.places.append((enter, f'10.77.{number}.1'))

    def close(self):
        for holder in self.holders:
            holder.kill()
            holder.wait()


def messages_of_one(work, env):
    """Each pipeline sees the same pictures, so it says the same."""
    done, output = shell_commands.run(LINE % ('', 'location=one.jsonl'), work, env)
    if not done:
        raise RuntimeError(output)
    return len((work / 'one.jsonl').read_text(encoding='utf-8').splitlines())


def start_pipelines(hosts, broker, work, env):
    pipelines = []
    for number in range(PIPELINES):
        enter, address = hosts.places[number % len(hosts.places)]
        publish = (f'source=camera{number} address={address} port={broker.port} '
                   'flush-timeout=100000000000')
        pipelines.append(subprocess.Popen(
            [*enter, 'bash', '-c', 'exec ' + LINE % ('is-live=true', publish)], cwd=work, env=env,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
    return pipelines


def restart_in_the_middle(broker):
    def connected():
        return broker.log.read_text(errors='replace').count(' as cltrack-') >= PIPELINES
    mqtt_broker.wait_until(connected, 'all pipelines to connect')
    broker.stop()
    time.sleep(1)  # so that something has to wait
    broker.start()


def check_fleet(tap, source_dir, work, env, hosts):
    count = messages_of_one(work, env)
    broker = mqtt_broker.Broker(work, '0.0.0.0')
    broker.start()
    table = mqtt_broker.LiveTable(source_dir, broker, PIPELINES * count)
    pipelines = start_pipelines(hosts, broker, work, env)
    restart_in_the_middle(broker)
    outputs = [pipeline.communicate()[0] for pipeline in pipelines]
    tap.check(f'{PIPELINES} pipelines in two {hosts.name} end well',
              all(pipeline.returncode == 0 for pipeline in pipelines), outputs)
    summaries, output = table.finish(mqtt_broker.SURELY)
    broker.stop()
    for number in range(PIPELINES):
        one = summaries.get(f'camera{number}', {})
        good = (one.get('received') == count and one.get('missing') == 0
                and one.get('unmarked_doubles') == 0 and one.get('late') == 0)
        tap.check(f'all {count} messages of camera{number} have come, in order', good, output)
    tap.check('the table has all sources',
              all(f'\ncamera{number} ' in output for number in range(PIPELINES)), output)


def cases(tap, source_dir, _, work, env):
    reason = mqtt_broker.missing()
    if reason:
        if 'CLTRACK_REQUIRE_MQTT' in env:
            tap.check('the fleet', False, reason)
        else:
            tap.skip('the fleet', reason)
        return
    with contextlib.closing(Hosts()) as hosts:
        check_fleet(tap, source_dir, work, env, hosts)


def can_have_namespaces():
    return run('unshare', '--net', 'sh', '-c',
               'ip link add near type veth peer name far && nsenter --target $$ --net true')


if __name__ == '__main__':
    if INSIDE not in os.environ and can_have_namespaces():
        os.environ[INSIDE] = '1'
        os.execvp('unshare', ['unshare', '--net', sys.executable, *sys.argv])
    shell_commands.main(__doc__, cases)
