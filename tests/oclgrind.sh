#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Runs the kernel tests in Oclgrind, an OpenCL device that checks every access: out of bounds, races,
# uninitialised memory of a kernel's own. Fails on any report, and if nothing ran.
#
# Usage: tests/oclgrind.sh [BUILD] [FILTER] [PART/PARTS]
#
# FILTER is GoogleTest's, of suites of ops-tests (default: all that run on devices). PART counts from 0 (default: 0/1, all
# tests). It interprets
# kernels, some thousand times slower than a GPU: tests of large pictures are left out. With
# OCLGRIND_DATA_RACES=0 it does not look for races.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/setup.sh
build=${1:-build}
filter=${2:-Devices/*}
# Large pictures; the same kernels run on small ones in other tests of their suites.
IFS=/ read -r part parts <<<"${3:-0/1}"
large='*.Extremes/*:*.LargeAndSmallBoxes/gpu*:*.SumsOf8K*:*.EveryNumberOfObjects*:*.AllOfOneColour*:*.AnyPartition*'
driver=/usr/lib/oclgrind/liboclgrind-rt-icd.so
[ -e "$driver" ] || fail "$driver is missing: install the package oclgrind"
[ -x "$build/tests/ops-tests" ] || fail "$build/tests/ops-tests is missing: build it first"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OCL_ICD_VENDORS=$driver OCLGRIND_DATA_RACES=${OCLGRIND_DATA_RACES-1}
export XDG_CACHE_HOME=$work/cache GTEST_TOTAL_SHARDS
shards=$(nproc)
GTEST_TOTAL_SHARDS=$((parts * shards))
pids=()
for ((shard = 0; shard < shards; ++shard)); do
  GTEST_SHARD_INDEX=$((part * shards + shard)) OCLGRIND_LOG=$work/report.$shard \
    "$build/tests/ops-tests" --gtest_filter="$filter-*/host:$large" >"$work/tests.$shard" 2>&1 &
  pids+=($!)
done
status=0
for pid in "${pids[@]}"; do wait "$pid" || status=1; done

passed=$(cat "$work"/tests.* | grep -c '^\[       OK \]' || true)
failed=$(cat "$work"/tests.* | grep -c '^\[  FAILED  \] .*ms)$' || true)
[ "$status" = 0 ] || grep -h -B 20 'FAILED' "$work"/tests.* || tail -n 20 "$work"/tests.*
for report in "$work"/report.*; do
  [ -s "$report" ] || continue
  head -n 60 "$report"
  status=1
done
[ "$status" = 0 ] || [ "$failed" != 0 ] || failed=1
[ "$passed" != 0 ] || { echo 'no test ran on the device' && failed=1; }
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
