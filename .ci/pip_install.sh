#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Has pip build the package for Python and install it into a new environment in FOLDER, which has nothing of the system's
# Python, and follows an object with it there.
#
# Usage: .ci/pip_install.sh FOLDER
# Exit: 0 passed, 1 failed, 77 skipped: pip cannot fetch packages
set -euo pipefail
cd "$(dirname "$0")/.."
venv=$1
rm -rf "$venv"
python3 -m venv "$venv"
"$venv/bin/pip" download --quiet --retries 1 --no-deps --dest "$venv" pip ||
  { echo "skipped: pip cannot fetch packages here" && exit 77; }
"$venv/bin/pip" wheel --quiet --no-deps --wheel-dir "$venv/wheels" .
"$venv/bin/pip" install --quiet "$venv"/wheels/*.whl
"$venv/bin/python" - <<'END'
import cltrack
import numpy

numbers = numpy.random.default_rng(1).integers(0, 255, (60, 80, 3), dtype=numpy.uint8)
frame = numbers.repeat(4, axis=0).repeat(4, axis=1)
tracker = cltrack.Tracker()
tracker.add((40, 60, 48, 48), label='ball')
for step in range(10):
    for track in tracker.update(numpy.roll(frame, 2 * step, axis=1)):
        print(track.label, track.state, track.box)
        assert track.state == 'tracking' and abs(track.box[0] - 40 - 2 * step) < 4, track
END
