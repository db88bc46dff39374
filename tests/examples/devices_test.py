#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs cltrack-devices with the devices there are, without OpenCL, and with wrong arguments.

Usage: devices_test.py CLTRACK_DEVICES
"""
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'support'))
from tap import Tap  # noqa: E402

KEYS = {'device', 'type', 'name', 'vendor', 'platform', 'platform_version', 'device_version',
        'driver_version', 'units', 'memory', 'largest_allocation', 'unified_memory', 'self_test'}


def run(program, *arguments, **variables):
    """Returns (exit status, standard output, standard error)."""
    done = subprocess.run([program, *arguments], env={**os.environ, **variables},
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=240,
                          check=False)
    return done.returncode, done.stdout, done.stderr


def main(program):
    tap = Tap()
    status, output, errors = run(program, '--json')
    tap.check('--json runs and every device passes', status == 0, output + errors)
    devices = json.loads(output)
    tap.check('host is first', devices[0]['device'] == 'host' and devices[0]['type'] == 'host', output)
    tap.check('every device has all keys', all(set(one) == KEYS for one in devices), output)
    if len(devices) == 1 and os.environ.get('CLTRACK_REQUIRE_OPENCL') != '1':
        tap.skip('an OpenCL device is listed', 'NO OPENCL DEVICE: only the host was checked')
    else:
        tap.check('an OpenCL device is listed', len(devices) > 1, output)

    status, output, errors = run(program)
    tap.check('the table runs', status == 0, output + errors)
    tap.check('the table names every device',
              all(f"\n{one['device']} " in output and one['name'] in output for one in devices), output)

    status, output, errors = run(program, '--json', CLTRACK_OPENCL_LIBRARY='/nonexistent')
    tap.check('without OpenCL there is the host',
              status == 0 and [one['device'] for one in json.loads(output)] == ['host'], output + errors)

    status, output, errors = run(program, '--no-such-option')
    tap.check('a wrong argument is refused', status == 2 and 'Usage' in errors, output + errors)
    status, output, errors = run(program, '--help')
    tap.check('--help helps', status == 0 and 'Usage' in output, output + errors)
    tap.done()


if __name__ == '__main__':
    main(sys.argv[1])
