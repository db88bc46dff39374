# SPDX-License-Identifier: LGPL-2.1-or-later
# Reports the cases of a test script as TAP, as tap.py does. To be sourced; $work is a folder of the
# script's own.
count=0 failed=0

# check NAME COMMAND...: one case. Its output is shown if it fails.
check() {
  local what=$1
  shift
  count=$((count + 1))
  if "$@" >"$work/log" 2>&1; then
    echo "ok $count - $what"
  else
    failed=$((failed + 1))
    echo "not ok $count - $what"
    cat "$work/log" >&2 # which meson shows of what fails
  fi
}

skip() {
  count=$((count + 1))
  echo "ok $count - $1 # SKIP $2"
}

skip_all() {
  echo "1..0 # SKIP $1"
  exit
}

# Ends the script.
finish() {
  echo "1..$count"
  [ "$failed" = 0 ]
  exit
}
