#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Builds the Debian packages of this checkout, looks at them with lintian, and installs, uses and removes
# them in a system that has nothing else. Ends with "skipped: REASON" where there can be no such system.
#
# Usage: .ci/packages.sh 12|13
#   12  built here, which must be Debian 12
#   13  built in the chroot that .ci/debian_13.sh makes, too
# Exit: 0 passed, 1 failed, 77 skipped
# Environment:
#   XDG_CACHE_HOME  its folder cltrack-ci keeps the bare system (0.3 GB) and the packages that are
#                   installed there for the next run, from whatever clone; default: ~/.cache
#   OUTPUT          its folder debian-12 or debian-13 gets the packages; default: build-ci-packages
#   DEBIAN_MIRROR   where the packages are fetched; default: where apt does here
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/setup.sh
release=${1:?usage: .ci/packages.sh 12|13}
untested="THE PACKAGES ARE NOT TESTED ON DEBIAN $release"
. .ci/chroot.sh
exec </dev/null

output=${OUTPUT:-$PWD/build-ci-packages}/debian-$release
# The address of the maintainers in debian/control is no real one, as long as the project has none.
lintian=(lintian --allow-root --fail-on error
  --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog)

# Debug information takes a third of the time, and nobody needs it here.
quicker=(DEB_BUILD_OPTIONS=noautodbgsym DEB_CXXFLAGS_APPEND=-g0)

build_here() {
  grep -qs "^VERSION_ID=\"$release\"" /etc/os-release ||
    skip "this is not Debian $release, so its packages cannot be built here"
  env "${quicker[@]}" tools/build_packages.sh "$output"
  ensure_packages lintian
  "${lintian[@]}" "$output"/*.changes
}

build_in_chroot() {
  enter_chroot debian-13
  [ "$1" = no-mounts ] || mount_all
  copy_sources
  ensure_packages_inside '"${packages_build[@]}" "${packages_debian[@]}" ccache lintian'
  inside env "${quicker[@]}" tools/build_packages.sh build-packages
  inside bash -c '"$@" build-packages/*.changes' bash "${lintian[@]}"
  rm -rf "$output"
  mkdir -p "$output"
  cp "$root$sources"/build-packages/* "$output"
}

# A copy of the bare system, which is thrown away afterwards.
enter_bare_system() {
  use_chroot "debian-$release-bare"
  root=$half
  if [ ! -d "$chroot" ]; then
    make_chroot
    mv "$half" "$chroot"
  fi
  cp -a "$chroot" "$half"
  mount_all
  copy_sources
}

# work mounts|no-mounts: all that is done in namespaces of its own.
work() {
  local ours
  [ "$release" = 12 ] || build_in_chroot "$1"
  [ "$1" = mounts ] || skip "they are built, but not installed: nothing may be mounted here"
  enter_bare_system
  mkdir "$root/src/packages"
  cp "$output"/*.deb "$root/src/packages"
  ours=("$root"/src/packages/*.deb)
  # What users of the packages have: a way to run a pipeline, and to build a program.
  install_packages "${ours[@]#"$root"}" gstreamer1.0-tools gstreamer1.0-plugins-base g++ pkg-config
  inside .ci/packages_test.sh "$release" /src/packages
}

if [ "${3:-}" = --work ]; then
  work "$4"
  exit
fi
# enter() starts this again.
if [ "$release" = 12 ] && [ "${2:-}" != --built ]; then
  build_here
fi
enter .ci/packages.sh "$release" --built
