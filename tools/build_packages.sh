#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Builds the Debian packages of this checkout, as it is. Works on a copy: nothing is written here but the
# packages.
#
# Usage: tools/build_packages.sh [OUTPUT]
#   OUTPUT  where the packages are put, and what was there before is removed; default: build-packages
# Installs what it needs with apt. Without this script: dpkg-buildpackage -us -uc -b
set -euo pipefail
start_dir=$PWD
cd "$(dirname "$0")/.."
. tools/setup.sh
case ${1:-} in
  -h | --help)
    sed -n '3,8s/^# \{0,1\}//p' "$0"
    exit
    ;;
esac
output=$PWD/build-packages
[ $# = 0 ] || output=$(cd "$start_dir" && realpath -m "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

ensure_packages "${packages_build[@]}" "${packages_debian[@]}"

# dh_strip's, and the compiler's, messages are long; they are kept for who needs them.
mkdir "$work/gst-cltrack"
tar --exclude-vcs --exclude='./build*' --exclude=./demo-output --exclude=__pycache__ -c . |
  tar --no-same-owner -x -C "$work/gst-cltrack"
cd "$work/gst-cltrack"
if command -v ccache >/dev/null; then
  # Where the copy lies, and debhelper's own HOME, must not hide what was compiled before.
  CCACHE_DIR=$(ccache --get-config cache_dir) CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
  export CCACHE_DIR CCACHE_BASEDIR CCACHE_NOHASHDIR
fi
unset CXXFLAGS CPPFLAGS LDFLAGS
say "building packages of $(dpkg-parsechangelog -S Source) $(dpkg-parsechangelog -S Version)"
dpkg-buildpackage -us -uc -b </dev/null || fail "dpkg-buildpackage failed; its messages are above"
rm -rf "$output"
mkdir -p "$output"
mv "$work"/*.deb "$work"/*.changes "$work"/*.buildinfo "$output"
say "packages are in $output:"
ls "$output"
