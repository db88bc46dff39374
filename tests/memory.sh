#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Memory of a 320x240 pipeline with cltracker over 20,000 frames: its peak must stay under a limit,
# and what it allocates must not grow over the second half. Pages of libraries count for the peak
# alone: they come when code is first run, and tell nothing about a leak.
#
#   tests/memory.sh [BUILD]       BUILD: the build folder (default: build)
#
# With CLTRACK_DATA, the first frames of tld/car over and over (the target is lost and found again
# at each seam); without, a moving test picture. Environment: FRAMES (20000), LIMIT_MB (120),
# GROWTH_KB (1024: most that the second half may grow, by a straight line through its samples).
# Exit: 0 passed, 1 failed, 77 cannot run here.
set -u

build=${1:-build}
frames=${FRAMES:-20000}
limit_mb=${LIMIT_MB:-120}
growth_kb=${GROWTH_KB:-1024}
pause=0.1         # seconds between samples
clip_frames=300   # of the real sequence
least_samples=20  # in the second half; fewer say nothing about growth

if [ ! -d "$build/gst" ]; then
  echo "memory.sh: no build in \"$build\": name the build folder, after meson compile" >&2
  exit 1
fi
build=$(cd "$build" && pwd)
export GST_PLUGIN_PATH="$build/gst${GST_PLUGIN_PATH:+:$GST_PLUGIN_PATH}"
export LD_LIBRARY_PATH="$build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

for tool in gst-launch-1.0 gst-inspect-1.0 awk; do
  if ! command -v "$tool" > /dev/null; then
    echo "memory.sh: SKIPPED: $tool is not installed" >&2
    exit 77
  fi
done
if ! gst-inspect-1.0 cltracker > /dev/null 2>&1; then
  echo "memory.sh: SKIPPED: no element cltracker in $build/gst" >&2
  exit 77
fi

work=$(mktemp -d) || exit 1
launch=
cleanup() {
  [ -n "$launch" ] && kill "$launch" 2> /dev/null
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

caps=video/x-raw,format=I420,width=320,height=240,framerate=25/1
video=${CLTRACK_DATA:+$CLTRACK_DATA/tld/car/car.mpg}
if [ -n "$video" ] && [ -f "$video" ]; then
  # A file a frame: all memory that is seen later is the pipeline's, none a decoder's.
  if ! gst-launch-1.0 -q filesrc location="$video" ! decodebin ! videoconvert ! "$caps" ! \
      identity eos-after=$((clip_frames + 1)) ! multifilesink location="$work/%05d.i420"; then
    echo "memory.sh: $video cannot be decoded" >&2
    exit 1
  fi
  last=$(($(find "$work" -name '*.i420' | wc -l) - 1))
  source="multifilesrc location=$work/%05d.i420 stop-index=$last loop=true caps=$caps"
  box="object-initial-x=141 object-initial-y=124 object-initial-width=91 object-initial-height=40"
  what="$((last + 1)) frames of tld/car, repeated"
else
  source="videotestsrc pattern=pinwheel horizontal-speed=1 ! $caps"
  source=${source/videotestsrc/videotestsrc num-buffers=$frames}
  box="object-initial-x=130 object-initial-y=90 object-initial-width=60 object-initial-height=60"
  what="a moving test picture (set CLTRACK_DATA for a real one)"
fi
source=${source/multifilesrc/multifilesrc num-buffers=$frames}

echo "memory: $frames frames of 320x240: $what"
start=$(date +%s.%N)
# shellcheck disable=SC2086  # the words of a launch line
gst-launch-1.0 -q $source ! cltracker $box ! fakesink sync=false &
launch=$!
while [ -r "/proc/$launch/status" ]; do
  # Nothing is written while the process is going away.
  awk '/^VmHWM/ { peak = $2 } /^RssAnon/ { now = $2 } END { if (now) print now, peak }' \
    "/proc/$launch/status" 2> /dev/null >> "$work/samples"
  kill -0 "$launch" 2> /dev/null || break
  sleep "$pause"
done
wait "$launch"
status=$?
launch=
seconds=$(awk -v start="$start" -v end="$(date +%s.%N)" 'BEGIN { printf "%.1f", end - start }')
if [ "$status" -ne 0 ]; then
  echo "memory.sh: FAILED: the pipeline ended with status $status" >&2
  exit 1
fi

awk -v frames="$frames" -v seconds="$seconds" -v limit_mb="$limit_mb" \
  -v growth_kb="$growth_kb" -v least="$least_samples" '
  { now[NR] = $1; if ($2 > peak) peak = $2 }
  END {
    first = int(NR / 2) + 1
    n = NR - first + 1
    for (i = first; i <= NR; i++) {
      x = i - first; sx += x; sy += now[i]; sxx += x * x; sxy += x * now[i]
    }
    printf "memory: %.1f s, %.0f frames a second, %d samples\n", seconds, frames / seconds, NR
    if (n < least) {
      printf "memory: FAILED: %d samples of the second half, fewer than %d: more FRAMES\n", n, least
      exit 1
    }
    slope = (n * sxy - sx * sy) / (n * sxx - sx * sx)
    growth = slope * (n - 1)
    printf "memory: peak %.1f MB (limit %d); allocated at half time %.1f MB, at the end %.1f MB\n", \
      peak / 1024, limit_mb, now[first] / 1024, now[NR] / 1024
    printf "memory: growth over the second half %.0f kB (limit %d)\n", growth, growth_kb
    failed = 0
    if (peak > limit_mb * 1024) { print "memory: FAILED: peak is over the limit"; failed = 1 }
    if (growth > growth_kb) { print "memory: FAILED: the second half grows"; failed = 1 }
    if (!failed) print "memory: passed"
    exit failed
  }' "$work/samples"
