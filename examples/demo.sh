#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Builds the project, then tracks an object through a real video. Leaves in demo-output/ the annotated
# video (for any browser), a contact sheet of losses and matches, a plot of confidence, the boxes
# as CSV and as JSON Lines, and prints a summary. Safe to run again.
#
# Usage: examples/demo.sh                           a box that is carried about, in a video of Debian's opencv-doc
#        examples/demo.sh --hard                    a walker among others who look like him, who comes and
#                                                   goes: another video from there. Half of the boxes are wrong
#        examples/demo.sh VIDEO X,Y,W,H[,LABEL]...  objects in your own video; each box says where one
#                                                   is on the first frame, in pixels from the top left
# After the box, or --hard, options of track-video: --start SECONDS, --set PROPERTY=VALUE
# (network=FILE: a network is asked, too), --no-video, --no-pictures.
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
# The picture on the box's lid.
sample=box.mp4 sample_target=(350,35,200,110,lid)
# A man in a striped jacket, when he is in full view: he comes in with the woman on the right, walks
# off up the road, and comes back twice. Head to hip: legs change too much to learn from.
hard_sample=vtest.avi hard_target=(661,261,34,62,man --start 2.5)

# Takes the file $1 out of the package, without installing the rest of it.
unpack_sample() {
  local package path unpack
  package=$(ls "$sample_dir"/download/opencv-doc_*.deb | tail -n 1)
  path=$(dpkg-deb --fsys-tarfile "$package" | tar -t | grep -E "/${1//./\\.}(\.gz|\.xz)?\$" | head -n 1) ||
    fail "no $1 in $package; give a video of your own: examples/demo.sh VIDEO X,Y,W,H"
  # Debian compresses large files of documentation, depending on the release.
  case $path in
    *.gz) unpack=gunzip ;;
    *.xz) unpack=unxz ;;
    *) unpack=cat ;;
  esac
  dpkg-deb --fsys-tarfile "$package" | tar -xO "$path" | $unpack >"$sample_dir/$1.part"
  mv "$sample_dir/$1.part" "$sample_dir/$1"
}

fetch_samples() {
  [ -s "$sample_dir/$sample" ] && [ -s "$sample_dir/$hard_sample" ] && return
  say "fetching the sample videos: Debian package opencv-doc, 96 MB, is downloaded but not installed"
  mkdir -p "$sample_dir/download"
  (
    cd "$sample_dir/download"
    # A fresh machine may have no package lists yet; only root can fetch them.
    apt-cache show opencv-doc >/dev/null 2>&1 || as_root apt-get update -qq
    # As root, apt would download as a user of its own, who may not write here.
    apt-get download -q -o APT::Sandbox::User=root opencv-doc </dev/null
  ) || fail "could not download opencv-doc. Without network, give a video of your own:
examples/demo.sh VIDEO X,Y,W,H"
  unpack_sample "$sample"
  unpack_sample "$hard_sample"
  rm -r "$sample_dir/download"
}

case ${1:-} in
  -h | --help)
    sed -n '3,17s/^# \{0,1\}//p' "$0"
    exit
    ;;
  --hard)
    hard=yes
    shift
    case ${1:---} in
      --*) ;;
      *) fail "--hard has a video and a box of its own; '$1' is no option of track-video" ;;
    esac
    ;;
esac
if [ $# = 1 ] && [ "${hard:-}" != yes ]; then
  fail "where is the object? Usage: examples/demo.sh VIDEO X,Y,W,H: its box on the first frame, in pixels"
fi
# Wrong before anything is installed or built is better than after.
if [ $# -ge 2 ] && [ "${hard:-}" != yes ]; then
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
  fetch_samples
  if [ "${hard:-}" = yes ]; then
    video=$sample_dir/$hard_sample
    set -- "${hard_target[@]}" "$@"
  else
    video=$sample_dir/$sample
    set -- "${sample_target[@]}"
  fi
fi

say "tracking $* in $video"
use_uninstalled "$build_dir"
program=$(realpath "$build_dir/examples/track-video") video=$(realpath "$video")
cd "$start_dir" # what options name is there
"$program" --output "$output" "$video" "$@"
