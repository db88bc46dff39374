#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Builds the project, then tracks an object through a real video. Leaves in demo-output/ the annotated
# video (for any browser), a contact sheet of losses and re-detections, a plot of confidence, the boxes
# as CSV and as JSON Lines, and prints a summary. Safe to run again.
#
# Usage: examples/demo.sh                           a walking man in the video of Debian's opencv-doc
#        examples/demo.sh VIDEO X,Y,W,H[,LABEL]...  objects in your own video; each box says where one
#                                                   is on the first frame, in pixels from the top left
# After the box, options of track-video: --start SECONDS, --set PROPERTY=VALUE, --no-video,
# --no-pictures.
# Environment:
#   BUILD_DIR  where to build; default: build, in the checkout
#   OUTPUT     directory for the results; default: demo-output, in the current directory
set -euo pipefail
start_dir=$PWD
cd "$(dirname "$0")/.."
. tools/setup.sh

build_dir=${BUILD_DIR:-build}
output=$(cd "$start_dir" && realpath -m "${OUTPUT:-demo-output}")
sample_dir=build-sample # not in the build directory: kept for the next run, and the next build
# A man in a striped jacket, when he is in full view: he comes in with the woman on the right, walks
# off up the road, and comes back twice. Head to hip: legs change too much to learn from.
sample_target=(661,261,34,62,man --start 2.5)

# Takes the one file that is needed out of the package, without installing the rest of it.
fetch_sample() {
  sample=$sample_dir/vtest.avi
  [ -s "$sample" ] && return
  say "fetching the sample video: Debian package opencv-doc, 96 MB, is downloaded but not installed"
  mkdir -p "$sample_dir/download"
  (
    cd "$sample_dir/download"
    # A fresh machine may have no package lists yet; only root can fetch them.
    apt-cache show opencv-doc >/dev/null 2>&1 || as_root apt-get update -qq
    # As root, apt would download as a user of its own, who may not write here.
    apt-get download -q -o APT::Sandbox::User=root opencv-doc </dev/null
  ) || fail "could not download opencv-doc. Without network, give a video of your own:
examples/demo.sh VIDEO X,Y,W,H"
  local package path
  package=$(ls "$sample_dir"/download/opencv-doc_*.deb | tail -n 1)
  path=$(dpkg-deb --fsys-tarfile "$package" | tar -t | grep -E '/vtest\.avi(\.gz|\.xz)?$' | head -n 1) ||
    fail "no vtest.avi in $package; give a video of your own: examples/demo.sh VIDEO X,Y,W,H"
  # Debian compresses large files of documentation, depending on the release.
  case $path in
    *.gz) unpack=gunzip ;;
    *.xz) unpack=unxz ;;
    *) unpack=cat ;;
  esac
  dpkg-deb --fsys-tarfile "$package" | tar -xO "$path" | $unpack >"$sample.part"
  mv "$sample.part" "$sample"
  rm -r "$sample_dir/download"
}

case ${1:-} in
  -h | --help)
    sed -n '3,15s/^# \{0,1\}//p' "$0"
    exit
    ;;
esac
if [ $# = 1 ]; then
  fail "where is the object? Usage: examples/demo.sh VIDEO X,Y,W,H: its box on the first frame, in pixels"
fi
# Wrong before anything is installed or built is better than after.
if [ $# -ge 2 ]; then
  video=$(cd "$start_dir" && realpath -m "$1")
  [ -r "$video" ] || fail "cannot read the video '$1'; give the path of a video file that you may read"
  shift
fi

ensure_packages "${packages_build[@]}" "${packages_video[@]}"
say "configuring in $build_dir"
configure "$build_dir" -Dexamples=enabled
say "building"
build "$build_dir" examples/track-video gst/libgstcltrack.so
if [ -z "${video:-}" ]; then
  fetch_sample
  video=$sample
  set -- "${sample_target[@]}"
fi

say "tracking $* in $video"
use_uninstalled "$build_dir"
"$build_dir/examples/track-video" --output "$output" "$video" "$@"
