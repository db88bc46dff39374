#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Does this checkout give the same boxes as an earlier revision? For changes that must not change any:
# builds both, runs TLD, template matching and tracking by colour of both on all sequences at hand, on
# the host, and compares every box, state and confidence in every byte.
#
# Usage: tests/same_boxes.sh REVISION [DATA]
#   REVISION  what git calls the earlier state, such as v0.1 or HEAD~3
#   DATA      recorded sequences: tld/, otb/, hd/, video/; default: $CLTRACK_DATA, or ../shared/data
# Environment:
#   BUILD_DIR  where this checkout is built; default: build
#   SEEDS      of TLD on tld/; default: 5
# Ends with "N passed, N failed, 0 skipped"; the exit status is 0 only if all are the same.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/setup.sh
revision=${1:?usage: tests/same_boxes.sh REVISION [DATA]}
data=${2:-${CLTRACK_DATA:-$PWD/../shared/data}}
[ -d "$data/tld" ] || fail "no sequences in $data: there must be a folder tld in it"
data=$(cd "$data" && pwd)
new=${BUILD_DIR:-build}
commit=$(git rev-parse --verify --short "$revision^{commit}")
before=$PWD/build-same-boxes/$commit

# build_both DIR: what is compared of the checkout in the current directory.
build_both() {
  configure "$1" -Daccuracy=enabled
  build "$1" tests/accuracy/cltrack-evaluate gst/libgstcltrack.so
}

# evaluate BUILD OUT FOLDER TRACKERS SEEDS: a sequence that cannot be read is one in both.
evaluate() {
  "$1/tests/accuracy/cltrack-evaluate" --data "$data/$3" --trackers "$4" --seeds "$5" \
    --jobs "$(nproc)" --boxes "$2/$3" >"$2/$3.log" 2>&1 || tail -n 3 "$2/$3.log"
}

# colors BUILD OUT VIDEO COLORS: what is drawn for each object on each frame, and every change of state.
# Messages and pictures reach the terminal from two threads, so each kind has a run of its own.
colors() {
  local out=$2/${3##*/}
  local tracker=(clcolortracker device=host draw-rect=true blobs=3 colors="$4")
  (
    use_uninstalled "$1"
    gst-launch-1.0 filesrc location="$3" ! decodebin ! videoconvert ! "${tracker[@]}" ! checksumsink \
      >"$out.log" 2>&1
    gst-launch-1.0 -m filesrc location="$3" ! decodebin ! videoconvert ! "${tracker[@]}" ! fakesink \
      >"$out.messages" 2>&1
  ) || fail "the pipeline failed; see $out.log and $out.messages"
  grep -oE '^[0-9:.]+ [0-9a-f]{40}' "$out.log" >"$out.pictures"
  grep -o 'cltracker-state,.*' "$out.messages" >"$out.states"
}

# run BUILD OUT
run() {
  rm -rf "$2"
  mkdir -p "$2"
  evaluate "$1" "$2" tld tld,template "${SEEDS:-5}"
  evaluate "$1" "$2" otb tld,template 1
  evaluate "$1" "$2" hd tld,template 1
  local video
  for video in "$data"/video/*/*.mp4; do
    colors "$1" "$2" "$video" '<"hsv,hue-min=340,hue-max=20,saturation-min=0.4", "hsv,value-max=0.2">'
  done
}

if [ ! -d "$before/build" ]; then
  say "building $revision ($commit)"
  mkdir -p "$before"
  git archive "$commit" | tar -x -C "$before"
  (cd "$before" && build_both build)
fi
say "building the checkout in $new"
build_both "$new"
results=$PWD/build-same-boxes
if [ ! -e "$results/$commit-boxes/complete" ]; then
  say "running $revision ($commit)"
  run "$before/build" "$results/$commit-boxes"
  touch "$results/$commit-boxes/complete"
fi
say "running the checkout"
run "$new" "$results/now"

passed=0 failed=0
while read -r file; do
  if cmp "$results/$commit-boxes/$file" "$results/now/$file"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
  fi
done < <(cd "$results/$commit-boxes" && find . -name '*.csv' -o -name '*.pictures' -o -name '*.states' | sort)
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
