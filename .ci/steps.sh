# SPDX-License-Identifier: LGPL-2.1-or-later
# Runs the steps of .ci/run and counts what they say. To be sourced by bash after tools/setup.sh, in the
# root of the checkout.

logs=$PWD/build-ci-logs
mkdir -p "$logs"
passed=0 failed=0 skipped=0
summary=()
failures=() # steps that failed

# What a step that is optional ends with where it cannot be run. Its last line is the reason.
skip_status=77
# From here on (seconds) no optional step begins: a run that somebody cuts off has no result at all.
optional_until=$((60 * 60))

# step NAME FUNCTION [optional]: runs it in a shell of its own that ends at the first error.
step() {
  local name=$1 status=0 begin=$SECONDS counts='' result=ok
  say "step $name"
  if [ "${3:-}" = optional ] && [ "$SECONDS" -ge "$optional_until" ]; then
    echo "skipped: the run has taken $((SECONDS / 60)) minutes; start it alone, see .ci/run" | tee "$logs/$name.log"
    status=$skip_status
  else
    (set -e; "$2") 2>&1 | tee "$logs/$name.log"
    status=${PIPESTATUS[0]}
  fi
  if [ "$status" = $skip_status ] && [ "${3:-}" = optional ]; then
    result=SKIPPED
    skipped=$((skipped + 1))
    counts=$(tail -n 1 "$logs/$name.log")
  else
    counts=$(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$logs/$name.log" | tail -n 1)
    if [ "$status" != 0 ]; then
      result=FAILED
      failures+=("$name")
    fi
    count "$name" "$status" "${counts:-0 passed, 0 failed, 0 skipped}"
  fi
  summary+=("$(printf '%-12s %-7s %5d s  %s' "$name" "$result" $((SECONDS - begin)) "$counts")")
}

# Adds a step to the sums.
count() {
  local name=$1 status=$2 step_passed step_failed step_skipped
  read -r step_passed _ step_failed _ step_skipped _ <<<"$3"
  if [ "$name" = tests ]; then
    passed=$((passed + step_passed))
    skipped=$((skipped + step_skipped))
  elif [ "$status" = 0 ]; then
    passed=$((passed + 1))
  fi
  if [ "$status" != 0 ] && [ "$step_failed" = 0 ]; then
    step_failed=1
  fi
  failed=$((failed + step_failed))
}

# What a step that failed says of it, as far as 40 lines show it: often the end of the output is all that
# is kept of a run. Where nothing looks like an error, the last lines.
explain() {
  local log=$logs/$1.log found
  found=$(grep -E -A 6 '(^|: )(FAILED|Failure$|fatal error|error|ERROR|not ok)( |:|$)|runtime error:' "$log")
  say "step $1 failed"
  if [ -n "$found" ]; then
    tail -n 40 <<<"$found"
  else
    tail -n 10 "$log"
  fi | cut -c 1-300
}

# Ends the run: why steps failed, a line for each step, then the sums; 1 if anything failed or nothing
# passed.
report() {
  local name
  for name in "${failures[@]}"; do
    explain "$name"
  done
  say "steps; logs are in ${logs#"$PWD/"}"
  printf '%s\n' "${summary[@]}"
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" = 0 ] && [ "$passed" != 0 ]
}
