#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs the tests of the elements and the examples under GStreamer's leak tracer.

Usage: leaks_check.py BUILD_DIR

Fails if any process leaves a GStreamer object alive that it should have released. That the tracer
does report is made sure of with a leak on purpose. Names the cases that failed, and prints "N passed, N
failed, N skipped": what fails here alone may not be seen again.
"""
import ctypes
import ctypes.util
import os
import pathlib
import subprocess
import sys
import tempfile

CANARY = '--leak-on-purpose'
CHECKOUT = pathlib.Path(__file__).resolve().parents[2]


def leak_on_purpose():
    gst = ctypes.CDLL(ctypes.util.find_library('gstreamer-1.0') or 'libgstreamer-1.0.so.0')
    gst.gst_init(None, None)
    gst.gst_element_factory_make.restype = ctypes.c_void_p
    gst.gst_element_factory_make(b'fakesink', b'leaked')
    gst.gst_deinit()


def leaks_in(directory):
    """The lines of all logs that name an object which was still alive at the end."""
    return [f'{log.name}: {line.strip()}' for log in sorted(directory.glob('*.log'))
            for line in log.read_text(errors='replace').splitlines()
            if 'object-alive, type-name=' in line and 'new format string' not in line]


def run(command, directory):
    """Runs it in the checkout, with the tracer's logs in the directory; its exit status."""
    env = dict(os.environ)
    env.update({'GST_TRACERS': 'leaks', 'GST_DEBUG': 'GST_TRACER:7', 'GST_DEBUG_NO_COLOR': '1',
                'GST_DEBUG_FILE': str(directory / '%p.log')})
    return subprocess.run(command, env=env, cwd=CHECKOUT, stdin=subprocess.DEVNULL,
                          check=False).returncode


def main():
    if sys.argv[1:] == [CANARY]:
        leak_on_purpose()
        return 0
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build_dir = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as work:
        canary = pathlib.Path(work) / 'canary'
        canary.mkdir()
        run([sys.executable, __file__, CANARY], canary)
        if not any('leaked' in line or 'GstFakeSink' in line for line in leaks_in(canary)):
            sys.exit('the leak tracer does not report a leak made on purpose: nothing is checked')
        logs = pathlib.Path(work) / 'tests'
        logs.mkdir()
        status = run(['bash', '-c', '. tools/setup.sh; run_tests "$@"', 'leaks_check', build_dir,
                      '--timeout-multiplier', '3', '--suite', 'gst', '--suite', 'examples'], logs)
        if status != 0:
            print('tests fail under the leak tracer')
        leaks = leaks_in(logs)
        print(*(line[:300] for line in leaks[:50]), sep='\n')
        print(f'{len(list(logs.glob("*.log")))} processes, {len(leaks)} objects leaked')
        return 1 if leaks or status != 0 else 0


if __name__ == '__main__':
    sys.exit(main())
