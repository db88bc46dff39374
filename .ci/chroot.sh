# SPDX-License-Identifier: LGPL-2.1-or-later
# Chroots of Debian releases, for .ci/debian_13.sh and .ci/packages.sh. To be sourced by bash after
# tools/setup.sh, with $release, the number of one.
#
# All mounts are in a mount namespace and all processes in a PID namespace of the script's own: however it is
# ended, the kernel takes both away, and nothing that is removed here has ever had a mount in it. A chroot
# works on a copy of the sources.

cache=$(realpath -m "${XDG_CACHE_HOME:-$HOME/.cache}")/cltrack-ci
packages=$cache/debian-$release-packages
sources=/src/gst-cltrack # in the chroot
longest_download=600     # seconds
declare -A codenames=([12]=bookworm [13]=trixie)

skip() {
  say "${untested:-DEBIAN $release IS NOT TESTED}"
  echo "skipped: $*"
  exit 77
}

# The chroot NAME: it has this name only when it is complete.
use_chroot() {
  chroot=$cache/$1
  half=$chroot.half
}

# keep_packages CHROOT: packages outlive a chroot that is not completed: none is fetched twice.
keep_packages() {
  mkdir -p "$packages"
  cp -aln "$1"/var/cache/apt/archives/*.deb "$packages" 2>/dev/null || true
}

# Removes those chroots of the release that are not complete.
remove_halves() {
  local half
  for half in "$cache/debian-$release"*.half; do
    [ -d "$half" ] || continue
    keep_packages "$half"
    rm -rf --one-file-system "$half"
  done
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
    PIP_CERT=/etc/ssl/certs/ca-certificates.crt \
    CLTRACK_REQUIRE_OPENCL=1 CLTRACK_REQUIRE_ANALYTICS=1 CLTRACK_REQUIRE_MQTT=1 CLTRACK_REQUIRE_BROWSER=1 \
    CXX='ccache g++' CCACHE_BASEDIR="$sources" CCACHE_NOHASHDIR=1 \
    MESON_OPTIONS=-Dwerror=true "${environment[@]}" bash -c 'cd "$0" && exec "$@"' "$sources" "$@"
}

# Makes the base system.
make_chroot() {
  local limit=$longest_download url=${DEBIAN_MIRROR:-$(mirror)}
  say "making a chroot of Debian $release in $chroot, from ${url:-the usual mirror}"
  mkdir -p "$packages"
  timeout "$limit" debootstrap --variant=minbase --include=ca-certificates \
    --cache-dir="$packages" "${codenames[$release]}" "$root" ${url:+"$url"} || {
    tail -n 5 "$root/debootstrap/debootstrap.log" 2>/dev/null || true
    skip "debootstrap failed, see above; if it is the mirror, name another in DEBIAN_MIRROR"
  }
}

# enter_chroot NAME: uses that of an earlier run, or makes it.
enter_chroot() {
  use_chroot "$1"
  if [ -d "$chroot" ]; then
    say "using the chroot of an earlier run, $chroot"
    root=$chroot
  else
    root=$half
    make_chroot
  fi
}

# Copies the sources.
copy_sources() {
  rm -rf --one-file-system "$root/src"
  mkdir -p "$root$sources"
  tar --exclude-vcs --exclude='./build*' --exclude=./demo-output -c . |
    tar --no-same-owner -x -C "$root$sources"
  # The network may be another one than last time, with a proxy that this system trusts.
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  mkdir -p "$root/etc/ssl/certs"
  cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs"
}

mount_all() {
  mount -t proc proc "$root/proc"
  mount -t sysfs -o ro sysfs "$root/sys"
  mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
}

# install_packages PACKAGE...: in the chroot.
install_packages() {
  local limit=$longest_download said=$root/var/log/cltrack-ci archives=$root/var/cache/apt/archives
  local apt=(inside apt-get -y -qq --no-install-recommends -o Acquire::Retries=3
    -o Dpkg::Options::=--force-unsafe-io) # what is half-made is thrown away
  say "installing in the chroot: $*"
  cp -aln "$packages"/*.deb "$archives" 2>/dev/null || true
  "${apt[@]}" -o APT::Update::Error-Mode=any update || skip "apt-get update failed in the chroot, see above"
  # A name that the release does not have is a fault of ours, and no reason to skip anything.
  "${apt[@]}" install --simulate "$@" >"$said" ||
    fail "Debian $release cannot install them; apt's message is above"
  "${apt[@]}" install --download-only "$@" >"$said" || skip "packages could not be fetched, see above"
  keep_packages "$root"
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

# ensure_packages_inside PACKAGE-LIST: installs what the chroot lacks of the packages, as bash writes the
# arrays of tools/setup.sh. It is not complete until this is done.
ensure_packages_inside() {
  local missing
  missing=$(inside bash -c ". tools/setup.sh; missing_packages $1")
  if [ -n "$missing" ]; then
    [ "$root" = "$half" ] || mv "$root" "$half"
    root=$half
    # shellcheck disable=SC2086  # several words on purpose
    install_packages $missing
  fi
  [ "$root" = "$chroot" ] || mv "$root" "$chroot"
  root=$chroot
}

# enter SCRIPT [ARGUMENT...]: runs the script as root, alone in the cache and in namespaces of its own,
# with "--work mounts" or, where nothing may be mounted, "--work no-mounts". Ends with its status.
enter() {
  as_root true 2>/dev/null || skip "this is neither root nor does sudo work, and only root makes a chroot"
  if [ "$(id -u)" != 0 ]; then
    exec sudo env XDG_CACHE_HOME="${cache%/*}" DEBIAN_MIRROR="${DEBIAN_MIRROR:-}" \
      CLTRACK_DATA="${CLTRACK_DATA:-}" OUTPUT="${OUTPUT:-}" "$@"
  fi
  (ensure_packages debootstrap) || skip "debootstrap is missing and could not be installed, see above"
  mkdir -p "$cache"
  exec 9>"$cache/lock"
  flock -w 1800 9 || skip "another run has been using $cache for half an hour"
  if findmnt -nlo TARGET | grep -F "$cache/"; then
    skip "there are mounts in $cache, listed above: unmount them"
  fi
  remove_halves
  # The last one stops what is in the namespaces when this script is no more.
  local namespaces=(setpriv --pdeathsig KILL
    unshare --mount --pid --fork --kill-child --mount-proc)
  local mounts=mounts status=0
  if ! "${namespaces[@]}" true; then
    say "there may be no namespaces here, so nothing is mounted in the chroot"
    namespaces=() mounts=no-mounts
  fi
  "${namespaces[@]}" "$@" --work $mounts &
  trap 'kill -KILL %1 2>/dev/null || true' EXIT
  trap 'exit 143' INT TERM HUP
  wait %1 || status=$?
  remove_halves
  exit $status
}
