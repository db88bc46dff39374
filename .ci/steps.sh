# SPDX-License-Identifier: LGPL-2.1-or-later
# Runs the steps of .ci/run, each in a process of its own and within a time, and counts what they say. To be
# sourced by bash after tools/setup.sh, in the root of the checkout.

logs=$PWD/build-ci-logs
mkdir -p "$logs"
passed=0 failed=0 skipped=0
summary=()
failures=() # steps that failed

# What a step that cannot be run here ends with. Its last line is the reason.
skip_status=77
# All steps together end within this time: a run that somebody cuts off has no result at all.
longest_run=$((69 * 60)) # seconds
# What a step that is stopped may take to end by itself.
grace=20 # seconds
unlimited='' # "yes" for .ci/run --all

# How many seconds may pass until longest_run is over.
time_left() {
  if [ "$unlimited" ]; then
    echo $((24 * 3600))
  else
    echo $((longest_run - SECONDS))
  fi
}

# required NAME SECONDS COMMAND...: a step that has to pass, in that time.
required() {
  local name=$1 limit=$2 status
  shift 2
  run_step "$name" "$limit" "$@"
  status=$?
  if was_stopped $status; then
    echo "step $name was stopped: it may take $limit s, and the run $longest_run s" | tee -a "$logs/$name.log"
  fi
  finish_step "$name" $status
}

# turn NAME SECONDS COMMAND...: a step that begins if there are as many seconds left, which it should take on
# a quiet machine. It is stopped after twice as many, or when the time of the run is over, and is skipped then, as it
# is where it cannot be run.
turn() {
  local name=$1 usual=$2 status=$skip_status begin=$SECONDS
  shift 2
  if [ "$(time_left)" -lt "$usual" ]; then
    say "step $name"
    begin_step
    echo "skipped: there are $(($(time_left) / 60)) minutes left, of the $((usual / 60)) that it takes" |
      tee "$logs/$name.log"
  else
    run_step "$name" $((2 * usual)) "$@"
    status=$?
    if was_stopped $status; then
      if shows_failed_test "$logs/$name.log"; then
        echo "stopped after $((SECONDS - begin)) s: a test had failed by then" | tee -a "$logs/$name.log"
      else
        echo "skipped: stopped after $((SECONDS - begin)) s" | tee -a "$logs/$name.log"
        status=$skip_status
      fi
    fi
  fi
  finish_step "$name" "$status" may-be-skipped
}

# run_step NAME SECONDS COMMAND...: with a limit of that time or of what is left of the run.
run_step() {
  local name=$1 limit=$2 pid
  shift 2
  say "step $name"
  begin_step
  [ "$limit" -le "$(time_left)" ] || limit=$(time_left)
  [ "$limit" -ge 1 ] || limit=1
  [ -z "$unlimited" ] || limit=0 # as timeout has it
  # tail ends at once where there is no file yet.
  : >"$logs/$name.log"
  # No pipe: what a stopped step may leave behind would hold it open.
  timeout --kill-after=$grace "$limit" "$@" >"$logs/$name.log" 2>&1 &
  pid=$!
  tail --pid=$pid --sleep-interval=.2 -n +1 -f "$logs/$name.log"
  wait $pid
}

begin_step() { step_begin=$SECONDS; }

# By timeout: 124, or 137 if it did not end by itself.
was_stopped() { [ "$1" = 124 ] || [ "$1" = 137 ]; }

# In what "meson test" prints as each program ends.
shows_failed_test() { grep -Eq '^ *[0-9]+/[0-9]+ .* (FAIL|ERROR|TIMEOUT|UNEXPECTEDPASS) ' "$1"; }

# finish_step NAME STATUS [may-be-skipped]: adds it to the sums and to the summary.
finish_step() {
  local name=$1 status=$2 result=ok counts
  if [ "$status" = $skip_status ] && [ "${3:-}" = may-be-skipped ]; then
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
  summary+=("$(printf '%-12s %-7s %5d s  %s' "$name" "$result" $((SECONDS - step_begin)) "$counts")")
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

# in_turn NUMBER GROUP...: the groups from the NUMBER-th one on (counted from 0, over and over), each of
# them once: their words.
in_turn() {
  local first=$(($1 % ($# - 1)))
  shift
  # shellcheck disable=SC2068  # words on purpose
  echo ${@:first+1} ${@:1:first}
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
