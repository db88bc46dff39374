#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Builds the project, then shows a live picture on a page for a browser: drag a box around an object, and
# it is tracked. Prints the address to open. Safe to run again.
#
# Usage: examples/browser.sh [SOURCE] [--zones FILE] [--host ADDRESS] [--port NUMBER]
#   SOURCE  a video file, which is played again and again; a camera (/dev/video0); rtsp://...; or test
#           (default), a scene of its own
#   FILE    of lines and areas in which is counted, which the page edits; it is made if there is none
# Environment:
#   BUILD_DIR  where to build; default: build, in the checkout
set -euo pipefail
start_dir=$PWD
cd "$(dirname "$0")/.."
. tools/setup.sh

build_dir=${BUILD_DIR:-build}
case ${1:-} in
  -h | --help)
    sed -n '3,11s/^# \{0,1\}//p' "$0"
    exit
    ;;
esac

ensure_packages "${packages_build[@]}" "${packages_video[@]}" "${packages_python[@]}"
say "configuring in $build_dir"
configure "$build_dir"
say "building"
build "$build_dir" gst/libgstcltrack.so
use_uninstalled "$build_dir"
browser=$PWD/examples/browser
cd "$start_dir"
exec /usr/bin/python3 "$browser" "$@" # the one that has Debian's modules
