#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Builds everything and runs the tests on Debian 13, in a chroot, but those that another release cannot change:
# failing calls of OpenCL, the rules for sources; and has pip install the package for Python. Ends with "N passed, N failed, N
# skipped", as tests/run.sh does, or with "skipped: REASON" where there can be no such chroot.
#
# Usage: .ci/debian_13.sh
# Exit: 0 passed, 1 failed, 77 skipped
# Environment:
#   XDG_CACHE_HOME  its folder cltrack-ci keeps the chroot (4 GB, what ccache has among it) and its
#                   packages (0.6 GB) for the next run, from whatever clone; default: ~/.cache. Remove
#                   the folder for a new one.
#   DEBIAN_MIRROR   where the packages are fetched; default: where apt does here
#   CLTRACK_DATA    recorded sequences, as for tests/run.sh
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/setup.sh
release=13
. .ci/chroot.sh
exec </dev/null

# Lends the sequences to where tests/run.sh looks for them.
lend_data() {
  local data=${CLTRACK_DATA:-$PWD/../shared/data} lent=$root/src/shared/data
  [ -d "$data" ] || return 0
  mkdir -p "$lent"
  mount --bind "$data" "$lent"
  mount -o remount,bind,ro "$lent"
}

# work mounts|no-mounts: all that is done in namespaces of its own.
work() {
  enter_chroot debian-13
  [ "$1" = no-mounts ] || mount_all
  copy_sources
  [ "$1" = no-mounts ] || lend_data
  ensure_packages_inside '"${packages_build[@]}" "${packages_video[@]}" "${packages_tests[@]}" \
    "${packages_compare[@]}" ccache python3-venv'
  say "on Debian $(cat "$root/etc/debian_version")"
  if [ "$1" = no-mounts ]; then
    inside bash -c '. tools/setup.sh && configure build -Dtests=enabled -Daccuracy=enabled \
      -Dbenchmarks=enabled -Dexamples=enabled && build build'
    skip "it is built there, but tests need /proc, which may not be mounted here"
  fi
  inside .ci/pip_install.sh /tmp/venv || [ $? = 77 ]
  inside tests/run.sh --compare --no-suite=faults --no-suite=faults-auto --no-suite=structure
}

if [ "${1:-}" = --work ]; then
  work "$2"
  exit
fi
enter .ci/debian_13.sh
