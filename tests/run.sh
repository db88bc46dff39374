#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Builds everything and runs all tests. Ends with "N passed, N failed, N skipped", counted per test
# case; the exit status is 0 only if nothing failed. Safe to run again: what is installed and built
# already is kept.
#
# Usage: tests/run.sh [--compare] [MESON-TEST-ARGUMENT...]
#   --compare   installs OpenCV's contrib trackers and cvtracker too (545 MB in 156 packages more),
#               which cltrack-evaluate and a test compare with, and Chromium (360 MB), in which a test
#               uses a page
# Environment:
#   BUILD_DIR     where to build; default: build, in the checkout
#   MESON_OPTIONS more options for the build, such as -Dwerror=true
#   CLTRACK_REQUIRE_OPENCL=1  fails where there is no OpenCL device, instead of testing the host alone
#   CLTRACK_REQUIRE_BROWSER=1  fails where there is no Chromium
#   CLTRACK_DATA  recorded sequences for the tests that need some; default: ../shared/data beside the
#                 checkout. Where there are none, those tests are skipped and say so.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/setup.sh

packages=("${packages_build[@]}" "${packages_video[@]}" "${packages_tests[@]}")
if [ "${1:-}" = --compare ]; then
  packages+=("${packages_compare[@]}")
  shift
fi
build_dir=${BUILD_DIR:-build}
# Whatever stops it before the tests are counted has failed.
trap '[ -n "${counted:-}" ] || echo "0 passed, 1 failed, 0 skipped"' EXIT

ensure_packages "${packages[@]}"
say "configuring in $build_dir"
# Enabled, not auto: what cannot be built must fail here instead of being left out.
configure "$build_dir" -Dtests=enabled -Daccuracy=enabled -Dbenchmarks=enabled -Dexamples=enabled
say "building"
build "$build_dir"

: "${CLTRACK_DATA:=$PWD/../shared/data}"
if [ -d "$CLTRACK_DATA" ]; then
  export CLTRACK_DATA
  say "testing; recorded sequences: $CLTRACK_DATA"
else
  say "testing; no recorded sequences in $CLTRACK_DATA (set CLTRACK_DATA): tests on them are skipped"
  unset CLTRACK_DATA
fi

counted=yes
run_tests "$build_dir" "$@"
