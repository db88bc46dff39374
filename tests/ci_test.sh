#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# What .ci/run counts, and when .ci/debian_13.sh and .ci/packages.sh pass, fail or are skipped: with
# stand-ins for the commands that need root or a network, or take long.
#
# Usage: ci_test.sh SOURCE_DIR
set -uo pipefail
source_dir=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$(dirname "$0")/support/tap.sh"

# --- .ci/steps.sh

# step_that NAME COMMANDS: a program for a step to run.
step_that() {
  printf '#!/bin/bash\nset -e\n%s\n' "$2" >"$work/steps/$1"
  chmod +x "$work/steps/$1"
}
mkdir -p "$work/steps"
step_that good 'echo "3 passed, 0 failed, 1 skipped"'
step_that bad 'echo "3 passed, 2 failed, 0 skipped"; exit 1'
step_that crashing 'false; true'
step_that broken 'seq 100; echo "a.cpp:3:5: error: no such name"; seq 101 150; false'
step_that refusing 'echo "why it cannot be run"; exit 77'
step_that slow 'echo begun; sleep 60; echo ended'
step_that stubborn 'trap "" TERM; while :; do sleep 1; done'
# What holds on to the output must not hold up the run.
step_that leaving 'setsid sleep 3600 & echo $! >left; echo left'
step_that slow_with_a_failure 'echo " 3/38 gst-cltrack:color / color       FAIL           0.13s   exit status 1"; sleep 60'

# sums WANTED COMMANDS: these steps end with WANTED, and print what "shows" looks for.
sums() {
  (cd "$work/steps" && PATH=$work/steps:$PATH bash -c ". '$source_dir/tools/setup.sh'
    . '$source_dir/.ci/steps.sh'; grace=1; $2
    report") >"$work/said" 2>&1
  local status=$?
  cat "$work/said"
  [ "$(tail -n 1 "$work/said")" = "$1" ] && return $status
}
fails_with() {
  ! sums "$@" && [ "$(tail -n 1 "$work/said")" = "$1" ]
}
shows() { grep -E "$1" "$work/said"; }
check 'cases of the main step and other steps are counted' \
  sums '4 passed, 0 failed, 1 skipped' 'required tests 99 good; required other 99 good'
check 'failed cases of any step are counted' \
  fails_with '4 passed, 2 failed, 1 skipped' 'required tests 99 good; required two 99 good; turn other 99 bad'
check 'a step that ends early has failed' \
  fails_with '3 passed, 1 failed, 1 skipped' 'required tests 99 good; required other 99 crashing'
check 'a step that takes its turn may be skipped' \
  sums '3 passed, 0 failed, 2 skipped' 'required tests 99 good; turn one 99 refusing'
check 'and says why' shows '^one +SKIPPED .* why it cannot be run$'
check 'it may not fail' \
  fails_with '3 passed, 1 failed, 1 skipped' 'required tests 99 good; turn other 99 crashing'
check 'a required step may not be skipped' \
  fails_with '3 passed, 1 failed, 1 skipped' 'required tests 99 good; required other 99 refusing'
check 'a step does not take its turn where too little time is left' \
  sums '3 passed, 0 failed, 2 skipped' 'required tests 99 good; longest_run=60; turn one 99 crashing'
check 'and says so' shows '^one +SKIPPED .* minutes left'
check 'without limits it does' fails_with '3 passed, 1 failed, 1 skipped' \
  'required tests 99 good; longest_run=60; unlimited=yes; turn one 99 crashing'
check 'a step that takes more than twice its time is stopped and skipped' \
  sums '3 passed, 0 failed, 2 skipped' 'required tests 99 good; turn one 1 slow'
check 'and says after which time' shows '^one +SKIPPED +[0-9]+ s  skipped: stopped after [0-9]+ s$'
check 'but fails if a test had failed' \
  fails_with '3 passed, 1 failed, 1 skipped' 'required tests 99 good; turn one 2 slow_with_a_failure'
check 'one that does not end by itself is killed' \
  sums '3 passed, 0 failed, 2 skipped' 'required tests 99 good; turn one 1 stubborn'
check 'a required step that is stopped has failed' \
  fails_with '3 passed, 1 failed, 1 skipped' 'required tests 99 good; required other 1 slow'
check 'as it has when the time of the run is over' \
  fails_with '3 passed, 1 failed, 1 skipped' 'required tests 99 good; longest_run=2; required other 99 slow'
check 'and says so' shows '^step other was stopped'
check 'what a step leaves running holds nothing up' \
  sums '4 passed, 0 failed, 1 skipped' 'required tests 99 good; required other 99 leaving'
kill "$(cat "$work/steps/left")"
repeats_error() {
  fails_with '3 passed, 1 failed, 1 skipped' 'required tests 99 good; required two 99 broken; echo THE-END'
  sed '1,/^THE-END$/d' "$work/said" | grep -E '^a.cpp:3:5: error: no such name$' &&
    ! grep -E '^50$' <(sed '1,/^THE-END$/d' "$work/said")
}
repeats_last_lines() {
  fails_with '3 passed, 2 failed, 1 skipped' 'required tests 99 good; required two 99 bad; echo THE-END'
  sed '1,/^THE-END$/d' "$work/said" | grep -E '^3 passed, 2 failed, 0 skipped$'
}
check 'the end repeats what was wrong in a step' repeats_error
check 'or its last lines' repeats_last_lines
check 'nothing passed is no success' fails_with '0 passed, 0 failed, 1 skipped' \
  'turn one 99 refusing'

# --- .ci/run

# Whatever the number of commits, all steps are in the order, and each group comes first in four in a row.
turns_of() { bash -c ". '$source_dir/tools/setup.sh'; . '$source_dir/.ci/steps.sh'; in_turn $1 a 'b c' d 'e f g'"; }
rotates() {
  cd "$work/steps" &&
    [ "$(turns_of 0), $(turns_of 5), $(turns_of 6), $(turns_of 11)" = \
      'a b c d e f g, b c d e f g a, d e f g a b c, e f g a b c d' ]
}
check 'with each commit another group of steps comes first' rotates
has_all_steps() {
  local order
  order=$("$source_dir/.ci/run" --dry-run) && echo "$order" &&
    [[ $order = 'packages style tests demo | '* ]] &&
    [ "$(wc -w <<<"$order")" = 17 ] &&
    for step in asan-lib asan-gst tsan oclgrind leaks memory debian-13 no-mqtt mot-harness wheel packages-12 packages-13; do
      [[ " $order " = *" $step "* ]] || return 1
    done
}
check 'its dry run has all steps' has_all_steps
check 'an unknown step is refused' sh -c "! '$source_dir/.ci/run' --step nonsense"

# --- .ci/debian_13.sh

# stand_in NAME COMMANDS
stand_in() {
  printf '#!/bin/bash\necho "%s $*" >>"%s/calls"\n%s\n' "$1" "$work" "$2" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}
# A system on which all goes well.
healthy() {
  rm -rf "$work/bin" "$work/calls"
  mkdir "$work/bin"
  stand_in id 'echo 0'
  stand_in dpkg-query 'echo "ii "'
  stand_in apt-get ''
  stand_in mount ''
  stand_in findmnt ''
  stand_in setpriv 'shift 2; exec "$@"'
  stand_in unshare 'while [[ $1 = --* ]]; do shift; done; exec "$@"'
  # The base system, of which apt got one package.
  stand_in debootstrap 'cd "${@: -1}" 2>/dev/null || mkdir -p "${@: -1}" && cd "${@: -1}" &&
    mkdir -p etc var/log var/cache/apt/archives && echo 13.0 >etc/debian_version &&
    touch var/cache/apt/archives/base.deb'
  in_chroot ''
}
# in_chroot CASES: what commands in the chroot do; without, all is well.
in_chroot() {
  stand_in chroot "case \"\$*\" in
    $1
    *missing_packages*) [ -e '$work/installed' ] || echo one two ;;
    *--simulate*) ;;
    *--download-only*) touch \"\$1/var/cache/apt/archives/one.deb\" ;;
    *'install one two'*) touch '$work/installed' ;;
    *tests/run.sh*) echo '5 passed, 0 failed, 0 skipped' ;;
    esac"
}
# ends STATUS LAST_LINE [SCRIPT [ARGUMENT]]: the step does.
ends() {
  PATH=$work/bin:$PATH XDG_CACHE_HOME=$work/cache CLTRACK_DATA='' OUTPUT=$work/packages \
    "$source_dir/.ci/${3:-debian_13.sh}" ${4:+"$4"} >"$work/said" 2>&1
  local status=$?
  cat "$work/said"
  echo "status $status"
  [ $status = "$1" ] && [[ $(tail -n 1 "$work/said") = $2 ]]
}
anew() {
  rm -rf "$work/cache" "$work/installed"
  healthy
}
cache=$work/cache/cltrack-ci
has_no_chroot() {
  find "$cache" -maxdepth 1
  [ ! -e "$cache/debian-13" ] && [ ! -e "$cache/debian-13.half" ]
}
called() { grep -e "$1" "$work/calls"; }
not_called() { ! called "$1"; }

anew
stand_in id 'echo 1000'
stand_in sudo 'exit 1'
check 'without root it is skipped' ends 77 'skipped: this is neither root *'
anew
stand_in debootstrap 'mkdir -p "${@: -1}/var/cache/apt/archives"
  touch "${@: -1}/var/cache/apt/archives/early.deb"; exit 1'
check 'without a base system it is skipped' ends 77 'skipped: debootstrap failed*'
check 'and leaves none' has_no_chroot
check 'but the packages that it got' test -e "$cache/debian-13-packages/early.deb"
anew
in_chroot '*update*) exit 100 ;;'
check 'without the lists of packages it is skipped' ends 77 'skipped: apt-get update failed*'
anew
in_chroot '*--download-only*) exit 100 ;;'
check 'without packages it is skipped' ends 77 'skipped: packages could not be fetched*'
check 'a chroot without packages is not kept' has_no_chroot
anew
in_chroot '*--simulate*) exit 100 ;;'
check 'packages that Debian 13 does not have are a failure' ends 1 'error: Debian 13 cannot install*'

anew
mkdir -p "$cache/debian-13.half/var/cache/apt/archives"
touch "$cache/debian-13.half/"{left,var/cache/apt/archives/late.deb}
check 'with all it passes' ends 0 '5 passed, 0 failed, 0 skipped'
check 'what an earlier run left half-made is not used' test ! -e "$cache/debian-13/left"
check 'but the packages that it got are' test -e "$cache/debian-13-packages/late.deb"
check 'packages are kept outside the chroot' test -e "$cache/debian-13-packages/one.deb"
check 'the sources are in the chroot' \
  test -e "$cache/debian-13/src/gst-cltrack/meson.build"
healthy
check 'it passes again' ends 0 '5 passed, 0 failed, 0 skipped'
check 'with the same chroot' not_called '^debootstrap'
check 'in which nothing is installed' not_called 'apt-get.* install'
in_chroot "*tests/run.sh*) echo '4 passed, 1 failed, 0 skipped'; exit 1 ;;"
check 'a test that fails is a failure' ends 1 '4 passed, 1 failed, 0 skipped'

healthy
stand_in unshare 'exit 1'
check 'without mounts it builds, and is skipped' ends 77 'skipped: it is built there*'
check 'without mounts it builds' called '&& build build'
check 'nothing is mounted then' not_called '^mount'
in_chroot "*'build build'*) exit 1 ;;"
check 'without mounts, a build that fails is a failure' ends 1 '*'
healthy
stand_in findmnt "echo '$cache/debian-13/proc'"
check 'what others mounted there is left alone' ends 77 'skipped: there are mounts*'

# --- .ci/packages.sh

packages_13() { ends "$1" "$2" packages.sh 13; }
packages_12() { ends "$1" "$2" packages.sh 12; }
built='mkdir -p "$1/src/gst-cltrack/build-packages" && touch "$1/src/gst-cltrack/build-packages/x.deb"'
in_bare_system() {
  in_chroot "$1
    *build_packages.sh*) $built ;;
    *packages_test.sh*) echo 1..5 ;;"
}
anew
in_bare_system ''
check 'without a chroot to build packages in, one is made' packages_13 0 '1..5'
check 'and kept' test -e "$cache/debian-13/etc/debian_version"
check 'packages are built, installed, used and removed' packages_13 0 '1..5'
check 'they are looked at' called 'chroot.*lintian'
check 'they are left for who wants them' test -e "$work/packages/debian-13/x.deb"
check 'they are installed in a bare system' called 'chroot .*debian-13-bare.half.*install /src/packages/x.deb'
check 'which is thrown away' test ! -e "$cache/debian-13-bare.half"
check 'but kept as it was before' test -e "$cache/debian-13-bare/etc/debian_version"
rm "$work/calls"
check 'it does again' packages_13 0 '1..5'
check 'with the same bare system' not_called '^debootstrap'
in_bare_system '*build_packages.sh*) exit 1 ;;'
check 'packages that are not built are a failure' packages_13 1 '*'
in_bare_system '*.changes*lintian*) exit 2 ;;'
check 'what lintian finds is a failure' packages_13 2 '*'
in_bare_system '*--simulate*) exit 100 ;;'
check 'packages that cannot be installed are a failure' packages_13 1 'error: Debian 13 cannot install*'
in_bare_system '*packages_test.sh*) echo not ok; exit 1 ;;'
check 'packages that do not work are a failure' packages_13 1 'not ok'
in_bare_system '*update*) exit 100 ;;'
check 'without the lists of packages they are skipped' packages_13 77 'skipped: apt-get update failed*'
in_bare_system ''
stand_in unshare 'exit 1'
check 'without mounts they are built, and skipped' packages_13 77 'skipped: they are built, but*'

if grep -qs '^VERSION_ID="12"' /etc/os-release; then
  anew
  in_bare_system ''
  stand_in dpkg-parsechangelog ''
  stand_in dpkg-buildpackage 'touch ../x.deb ../x.changes ../x.buildinfo'
  stand_in lintian ''
  check 'on Debian 12 they are built here' packages_12 0 '1..5'
  check 'once' test "$(grep -c '^dpkg-buildpackage' "$work/calls")" = 1
  stand_in lintian 'exit 2'
  check 'what lintian finds there is a failure' packages_12 2 '*'
else
  check 'elsewhere those of Debian 12 are skipped' packages_12 77 'skipped: this is not Debian 12*'
fi

# --- tools/count_results.py

tells_last_words() {
  mkdir -p "$work/run/meson-logs"
  printf '%s\n' '{"name": "gst / crashing", "result": "FAIL", "returncode": -11,
    "stdout": "case one\n", "stderr": "Stopped during: a thing\n"}' | tr -d '\n' \
    >"$work/run/meson-logs/testlog.json"
  [ "$(python3 "$source_dir/tools/count_results.py" "$work/run" 2>"$work/notes")" = '0 1 0' ] &&
    grep -q '^FAILED  crashing (fail, exit -11)$' "$work/notes" &&
    grep -q '^ *Stopped during: a thing$' "$work/notes"
}
check 'a program that crashed without a report has failed, and tells its last words' tells_last_words

finish
