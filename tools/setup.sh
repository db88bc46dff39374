# SPDX-License-Identifier: LGPL-2.1-or-later
# Shared by examples/demo.sh, tests/run.sh and .ci/: which packages of Debian 12 or 13 a job needs, how
# they get installed, how the project is configured. To be sourced by bash; defines functions only.

# What every build needs: the library, the plugin and the demo.
packages_build=(
  g++ meson ninja-build pkg-config
  libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev libcairo2-dev libpango1.0-dev
  opencl-clhpp-headers opencl-c-headers nlohmann-json3-dev
)

# Reads videos of all kinds and writes one that a browser plays. Required elements: avidemux,
# qtdemux, vp8enc, webmmux, mp4mux (good), mpegvideoparse, h264parse (bad), x264enc (ugly), avdec_*
# (libav: the DivX of the demo's video among them). fonts-dejavu-core is for the overlay's text.
packages_video=(
  gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-bad
  gstreamer1.0-plugins-ugly gstreamer1.0-libav fonts-dejavu-core
)

# What examples in Python need.
packages_python=(python3-gi gir1.2-gstreamer-1.0)

# What the package for Python is built with, and needs.
packages_bindings=(pybind11-dev python3-dev python3-numpy)

# PoCL makes the CPU an OpenCL device, on which kernels are tested. A display without a screen
# (xvfb), a hand on its mouse (xdotool) and a window (gstreamer1.0-x) are for tests/examples/mouse_test.py.
# A broker (mosquitto), its certificates (openssl) and its clients are for
# trackpublish; iproute2 is for network namespaces. An RTSP server is for
# examples/rtsp_server, a parser of YAML for examples/fleet. Pillow brings another library of C++ into a process.
# matplotlib is for tests/evaluation_page.py, onnx for tools/convert_network.py.
packages_tests=(
  libgtest-dev libgmock-dev libbenchmark-dev libcli11-dev
  ocl-icd-libopencl1 pocl-opencl-icd
  "${packages_python[@]}" "${packages_bindings[@]}" gir1.2-gst-plugins-base-1.0 python3-pil
  xvfb xdotool gstreamer1.0-x
  libmosquitto-dev mosquitto mosquitto-clients openssl python3-paho-mqtt iproute2
  libgstrtspserver-1.0-dev python3-yaml python3-matplotlib python3-onnx
)

# For GstAnalytics, which GStreamer has from 1.24 on: Debian 12 has 1.22, and no ONNX Runtime, with
# which networks are compared.
if ! grep -qs '^VERSION_ID="12"' /etc/os-release; then
  packages_build+=(libgstreamer-plugins-bad1.0-dev)
  packages_tests+=(gir1.2-gst-plugins-bad-1.0 python3-onnxruntime)
fi

# cltrack-evaluate compares with OpenCV's trackers, and a test with cvtracker, where these are
# there; an example detects people with OpenCV. They bring most of OpenCV, so only those who ask for
# the comparison get them. So does a test that uses the page of examples/browser in Chromium.
packages_compare=(libopencv-contrib-dev gstreamer1.0-opencv python3-opencv chromium)

# Builds Debian packages, beside packages_build; debian/control names all that they are built with.
packages_debian=(build-essential debhelper dh-python dpkg-dev libmosquitto-dev "${packages_bindings[@]}")

# What .ci/run needs besides, by the names of Debian 12, where it runs. llvm-14 names the lines of what
# clang's sanitizers find; oclgrind is for tests/oclgrind.sh, python3-venv for the
# packages of tests/accuracy/mot_requirements.txt.
packages_ci=(clang-14 llvm-14 clang-format-14 ccache git ca-certificates oclgrind lintian python3-venv)

say() { printf '==> %s\n' "$*"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

# Prints those of the packages given that are not installed.
missing_packages() {
  local package
  for package; do
    dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' || echo "$package"
  done
}

# Runs a command as root: directly, or through sudo.
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

# Installs those of the packages given that are missing; touches nothing, network included, where
# none is.
ensure_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "not a Debian system: install the counterparts of these packages yourself: $*"
    return
  fi
  local missing
  mapfile -t missing < <(missing_packages "$@")
  if [ ${#missing[@]} = 0 ]; then
    say "all $# packages needed are installed"
    return
  fi
  local install=(apt-get install -y --no-install-recommends "${missing[@]}")
  if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    fail "these packages are missing, and this is neither root nor is there sudo: ${missing[*]}
Have an administrator run: ${install[*]}"
  fi
  say "installing with apt: ${missing[*]}"
  as_root apt-get update -qq || say "apt-get update failed; trying with the package lists at hand"
  as_root env DEBIAN_FRONTEND=noninteractive "${install[@]}" </dev/null ||
    fail "apt could not install the packages above; its own message says why"
}

# configure DIR [MESON-OPTION...], and $MESON_OPTIONS if that is set: makes the build directory DIR, or brings it up to date. A directory
# that meson cannot go on with (moved, or of another meson) is made anew.
configure() {
  local dir=$1
  shift
  # shellcheck disable=SC2086  # several words on purpose
  set -- "$@" ${MESON_OPTIONS:-}
  if [ -f "$dir/meson-private/coredata.dat" ]; then
    meson setup --reconfigure "$dir" "$@" </dev/null ||
      { say "making $dir anew" && meson setup --wipe "$dir" "$@" </dev/null; }
  else
    meson setup "$dir" "$@" </dev/null
  fi || fail "meson could not configure the project in $dir; its messages are above"
}

# build DIR [TARGET...]
build() {
  local dir=$1
  shift
  ninja -C "$dir" "$@" </dev/null || fail "the build in $dir failed; the compiler's messages are above"
}

# run_tests DIR [MESON-TEST-ARGUMENT...]: builds what the tests need that is not built, and runs them. Its last
# line is "N passed, N failed, N skipped", counted per test case; returns 1 if anything failed or nothing passed.
run_tests() {
  local dir=$1 status=0 counts passed failed skipped
  shift
  # Reports of an earlier run must not be counted for a program that crashes before it writes its own.
  find "$dir" -name '*.xml' -exec grep -lZ '<testsuites' {} + | xargs -0r rm -f
  rm -f "$dir"/meson-logs/testlog*.json # the name depends on meson's options
  meson test -C "$dir" --print-errorlogs "$@" </dev/null || status=$?
  counts=$(python3 tools/count_results.py "$dir") || counts='0 1 0'
  read -r passed failed skipped <<<"$counts"
  if [ "$status" != 0 ] && [ "$failed" = 0 ]; then
    failed=1 # meson itself failed, whatever the programs say
  fi
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" = 0 ] && [ "$passed" != 0 ]
}

# Lets GStreamer see the plugin in the build directory DIR, with a plugin cache of its own: no trace
# of it is left in the user's.
use_uninstalled() {
  local dir
  dir=$(cd "$1" && pwd)
  export GST_PLUGIN_PATH="$dir/gst${GST_PLUGIN_PATH:+:$GST_PLUGIN_PATH}"
  export GST_REGISTRY_1_0="$dir/gst-registry.bin"
}
