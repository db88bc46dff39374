#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Builds everything and runs all tests on Debian 13, in a chroot. Ends with "N passed, N failed, N
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
#
# All mounts are in a mount namespace and all processes in a PID namespace of this script's own: however it is
# ended, the kernel takes both away, and nothing that is removed here has ever had a mount in it. The
# chroot works on a copy of the sources.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/setup.sh
exec </dev/null

cache=$(realpath -m "${XDG_CACHE_HOME:-$HOME/.cache}")/cltrack-ci
chroot=$cache/debian-13 # has this name only when it is complete
half=$chroot.half
packages=$cache/debian-13-packages
sources=/src/gst-cltrack # in the chroot
longest_download=600    # seconds

skip() {
  say "DEBIAN 13 IS NOT TESTED"
  echo "skipped: $*"
  exit 77
}

# Packages outlive a chroot that is not completed: none is fetched twice.
keep_packages() {
  mkdir -p "$packages"
  cp -aln "$half"/var/cache/apt/archives/*.deb "$packages" 2>/dev/null || true
}

remove_half() {
  [ -d "$half" ] || return 0
  keep_packages
  rm -rf --one-file-system "$half"
}

# The mirror of this system, as far as apt knows it: from the first "apt-get update" on. Nothing: the
# one that debootstrap takes by itself.
mirror() {
  local codename urls=()
  codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  mapfile -t urls < <(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
    'Origin: Debian' "Codename: $codename")
  case ${urls[0]:-} in
    http://* | https://*) echo "${urls[0]}" ;;
  esac
}

# inside COMMAND...: in the chroot, with nothing of this environment but the way to the network; for at most
# $limit seconds, if there is one.
inside() {
  local name environment=()
  for name in http_proxy https_proxy no_proxy; do
    [ -z "${!name:-}" ] || environment+=("$name=${!name}")
  done
  timeout "${limit:-0}" chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 \
    PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin CI=true DEBIAN_FRONTEND=noninteractive \
    CLTRACK_REQUIRE_OPENCL=1 CLTRACK_REQUIRE_ANALYTICS=1 CLTRACK_REQUIRE_MQTT=1 CXX='ccache g++' CCACHE_BASEDIR="$sources" CCACHE_NOHASHDIR=1 \
    MESON_OPTIONS=-Dwerror=true "${environment[@]}" bash -c 'cd "$0" && exec "$@"' "$sources" "$@"
}

# Makes the base system.
make_chroot() {
  local limit=$longest_download url=${DEBIAN_MIRROR:-$(mirror)}
  say "making a chroot of Debian 13 in $chroot, from ${url:-the usual mirror}"
  mkdir -p "$packages"
  timeout "$limit" debootstrap --variant=minbase --include=ca-certificates \
    --cache-dir="$packages" trixie "$root" ${url:+"$url"} || {
    tail -n 5 "$root/debootstrap/debootstrap.log" 2>/dev/null || true
    skip "debootstrap failed, see above; if it is the mirror, name another in DEBIAN_MIRROR"
  }
}

# Copies the sources, and lends the sequences, to where tests/run.sh looks for them.
copy_sources() {
  local data=${CLTRACK_DATA:-$PWD/../shared/data} lent=$root/src/shared/data
  rm -rf --one-file-system "$root/src"
  mkdir -p "$root$sources"
  tar --exclude-vcs --exclude='./build*' --exclude=./demo-output -c . |
    tar --no-same-owner -x -C "$root$sources"
  cp -L /etc/resolv.conf "$root/etc/resolv.conf" # the network may be another one than last time
  if [ "$1" = mounts ] && [ -d "$data" ]; then
    mkdir -p "$lent"
    mount --bind "$data" "$lent"
    mount -o remount,bind,ro "$lent"
  fi
}

mount_all() {
  mount -t proc proc "$root/proc"
  mount -t sysfs -o ro sysfs "$root/sys"
  mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
}

# Prints those packages of the tests that the chroot lacks.
missing_packages_inside() {
  inside bash -c '. tools/setup.sh
    missing_packages "${packages_build[@]}" "${packages_video[@]}" "${packages_tests[@]}" \
      "${packages_compare[@]}" ccache'
}

# install_packages PACKAGE...: in the chroot.
install_packages() {
  local limit=$longest_download said=$root/var/log/cltrack-ci archives=$root/var/cache/apt/archives
  local apt=(inside apt-get -y -qq --no-install-recommends -o Acquire::Retries=3
    -o Dpkg::Options::=--force-unsafe-io) # what is half-made is thrown away
  say "installing in the chroot: $*"
  cp -aln "$packages"/*.deb "$archives" 2>/dev/null || true
  "${apt[@]}" -o APT::Update::Error-Mode=any update || skip "apt-get update failed in the chroot, see above"
  # A name that Debian 13 does not have is a fault of ours, and no reason to skip anything.
  "${apt[@]}" install --simulate "$@" >"$said" ||
    fail "Debian 13 cannot install what tools/setup.sh names; apt's message is above"
  "${apt[@]}" install --download-only "$@" >"$said" || skip "packages could not be fetched, see above"
  keep_packages
  limit=0
  "${apt[@]}" install "$@" >"$said" 2>&1 || {
    tail -n 20 "$said"
    skip "packages could not be installed in the chroot, see above"
  }
  "${apt[@]}" autoclean >"$said"
  rm -rf "$packages"
  mv "$archives" "$packages"
  mkdir -p "$archives/partial"
}

# work mounts|no-mounts: all that is done in namespaces of its own.
work() {
  local missing
  if [ -d "$chroot" ]; then
    say "using the chroot of an earlier run, $chroot"
    root=$chroot
  else
    root=$half
    make_chroot
  fi
  [ "$1" = no-mounts ] || mount_all
  copy_sources "$1"
  missing=$(missing_packages_inside)
  if [ -n "$missing" ]; then
    # Not complete until this is done.
    [ "$root" = "$half" ] || mv "$root" "$half"
    root=$half
    # shellcheck disable=SC2086  # several words on purpose
    install_packages $missing
  fi
  [ "$root" = "$chroot" ] || mv "$root" "$chroot"
  root=$chroot
  say "on Debian $(cat "$root/etc/debian_version")"
  if [ "$1" = no-mounts ]; then
    inside bash -c '. tools/setup.sh && configure build -Dtests=enabled -Daccuracy=enabled \
      -Dbenchmarks=enabled -Dexamples=enabled && build build'
    skip "it is built there, but tests need /proc, which may not be mounted here"
  fi
  inside tests/run.sh --compare
}

if [ "${1:-}" = --work ]; then
  work "$2"
  exit
fi

as_root true 2>/dev/null || skip "this is neither root nor does sudo work, and only root makes a chroot"
if [ "$(id -u)" != 0 ]; then
  exec sudo env XDG_CACHE_HOME="${cache%/*}" DEBIAN_MIRROR="${DEBIAN_MIRROR:-}" \
    CLTRACK_DATA="${CLTRACK_DATA:-}" .ci/debian_13.sh
fi
(ensure_packages debootstrap) || skip "debootstrap is missing and could not be installed, see above"
mkdir -p "$cache"
exec 9>"$cache/lock"
flock -w 1800 9 || skip "another run has been using $cache for half an hour"
if findmnt -nlo TARGET | grep -F "$cache/"; then
  skip "there are mounts in $cache, listed above: unmount them"
fi
remove_half
# The last one stops what is in the namespaces when this script is no more.
namespaces=(setpriv --pdeathsig KILL
  unshare --mount --pid --fork --kill-child --mount-proc)
mounts=mounts
if ! "${namespaces[@]}" true; then
  say "there may be no namespaces here, so nothing is mounted in the chroot"
  namespaces=() mounts=no-mounts
fi
"${namespaces[@]}" .ci/debian_13.sh --work $mounts &
trap 'kill -KILL %1 2>/dev/null || true' EXIT
trap 'exit 143' INT TERM HUP
status=0
wait %1 || status=$?
remove_half
exit $status
