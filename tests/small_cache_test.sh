#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Pipelines whose programs cannot be compiled: with too little disk space, which makes PoCL end its
# process, and with a cltrack-build-programs that fails. With the default device=auto all
# frames pass and the program ends; with a named device there is an error with the reason.
#
# Usage: small_cache_test.sh BUILD_DIR
set -uo pipefail
build_dir=$1
work=$(mktemp -d)
trap 'mountpoint -q "$work/small" && umount "$work/small"; rm -rf "$work"' EXIT
export GST_PLUGIN_PATH_1_0=$build_dir/gst GST_REGISTRY_1_0=$work/registry.bin GST_REGISTRY_FORK=no
export GST_DEBUG=cltrack:4 GST_DEBUG_NO_COLOR=1
unset CLTRACK_BUILD_PROGRAMS
frames=120

. "$(dirname "$0")/support/tap.sh"

# Writes all its frames, of 160x120, and ends well before it is stopped.
pipeline() {
  timeout 300 gst-launch-1.0 -q videotestsrc pattern=pinwheel horizontal-speed=1 num-buffers=$frames ! \
    video/x-raw,format=GRAY8,width=160,height=120 ! cltracker targets="<<60,40,40,40>>" "$@" ! \
    filesink location="$work/out"
}
tracks() {
  rm -f "$work/out"
  pipeline "$@" || return
  [ "$(stat -c %s "$work/out")" = $((frames * 160 * 120)) ]
}
is_refused() {
  ! pipeline device=0.0 2>&1 | tee "$work/said"
  grep -q 'kB are free, and needs' "$work/said" && ! grep -q 'LLVM ERROR' "$work/said"
}
leaves_nobody() {
  ! kill -0 "$(cat "$work/number")"
}
helper() {
  printf '#!/bin/sh\n%s\n' "$1" >"$work/helper"
  chmod +x "$work/helper"
  export CLTRACK_BUILD_PROGRAMS=$work/helper
}

mkdir "$work/small" "$work/cache"
for size in 64 200 1000; do
  if ! mount -t tmpfs -o "size=${size}k" none "$work/small" 2>"$work/why"; then
    skip "room for $size kB" "NO SMALL FILE SYSTEM: $(head -n 1 "$work/why")"
    continue
  fi
  check "auto with room for $size kB" env -u POCL_CACHE_DIR XDG_CACHE_HOME="$work/small" \
    bash -c "$(declare -f pipeline tracks); frames=$frames work='$work' tracks"
  if pipeline device=0.0 2>&1 | grep -q 'there is no'; then
    skip "a device that was named, with room for $size kB" 'NO OPENCL DEVICE'
  else
    check "a device that was named, with room for $size kB" env -u POCL_CACHE_DIR \
      XDG_CACHE_HOME="$work/small" \
      bash -c "$(declare -f pipeline is_refused); frames=$frames work='$work' is_refused"
  fi
  umount "$work/small"
done

export XDG_CACHE_HOME=$work/cache
unset POCL_CACHE_DIR
helper 'echo "LLVM ERROR: gone" >&2; exit 1'
check 'a helper that exits' tracks
helper 'kill -9 $$'
check 'a helper that is killed' tracks
helper "echo \$\$ >'$work/number'; trap '' TERM; sleep 1000"
check 'a helper that hangs' tracks
if [ -f "$work/number" ]; then
  check 'it is ended' leaves_nobody
else
  skip 'it is ended' 'NO OPENCL DEVICE: it was not started'
fi

finish
