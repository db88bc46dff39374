#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Installs into an empty directory and checks what is there: the plugin loads from it, and an
# application outside the tree builds against cltrack.pc alone and runs.
#
# Usage: install_test.sh BUILD_DIR SOURCE_DIR PREFIX LIBDIR
set -euo pipefail
build_dir=$1 source_dir=$2 prefix=$3 libdir=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
lib=$root$prefix/$libdir

. "$(dirname "$0")/support/tap.sh"

if [ "${CLTRACK_SANITIZE:-none}" != none ]; then
  skip_all 'what is built with a sanitizer does not load into programs built without'
fi

check 'meson install' meson install -C "$build_dir" --no-rebuild --destdir "$root"
check 'cltrack.pc is installed' test -f "$lib/pkgconfig/cltrack.pc"
check 'gst-cltrack.pc is installed' test -f "$lib/pkgconfig/gst-cltrack.pc"
check 'its header is installed' test -f "$root$prefix/include/gst-cltrack/tracks.h"
check 'the library is installed' test -e "$lib/libcltrack.so"
minor=$(sed -n 's/^Version: \([0-9]*\.[0-9]*\).*/\1/p' "$lib/pkgconfig/cltrack.pc")
check 'its soname has the minor version' test -e "$lib/libcltrack.so.$minor"
check 'the plugin is installed' test -f "$lib/gstreamer-1.0/libgstcltrack.so"

check 'cltrack-build-programs is installed beside it' test -x "$lib/cltrack-$minor/cltrack-build-programs"

check 'the public headers are installed, and no others' diff \
  <(cd "$source_dir/include/cltrack" && ls ./*.h) <(cd "$root$prefix/include/cltrack" && ls -R ./*)

# Headers of the checkout must not come in: the application is built from a copy elsewhere.
cp -r "$source_dir/examples/minimal" "$work/minimal"
export PKG_CONFIG_PATH=$lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root LD_LIBRARY_PATH=$lib
unset CPATH CXXFLAGS LDFLAGS
check 'an application configures' meson setup "$work/out" "$work/minimal"
check 'an application builds' ninja -C "$work/out"
check 'an application runs' "$work/out/minimal"

# Without LD_LIBRARY_PATH: the plugin finds libcltrack where it lies.
unset LD_LIBRARY_PATH
export GST_PLUGIN_PATH_1_0=$lib/gstreamer-1.0 GST_PLUGIN_SYSTEM_PATH_1_0='' \
  GST_REGISTRY_1_0=$work/registry.bin
unset GST_PLUGIN_PATH
for element in cltracker trackoverlay trackzones; do
  check "the installed plugin has $element" gst-inspect-1.0 "$element"
done

# What README tells users to do, in a namespace where /usr/local is empty and /etc a copy: nothing outside of it changes.
unset GST_PLUGIN_PATH_1_0 GST_PLUGIN_SYSTEM_PATH_1_0 PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
as_user=(unshare --mount --map-root-user bash -euo pipefail "$work/as_user.sh")
if [ "$prefix" != /usr/local ]; then
  skip 'README installs to /usr/local' "this build installs to $prefix"
elif [[ $(command -v meson) == /usr/local/* ]]; then
  skip 'README installs to /usr/local' 'meson is there, and would be hidden'
elif ! unshare --mount --map-root-user mount --bind "$work" /usr/local; then
  skip 'README installs to /usr/local' 'mount namespaces are not allowed here'
else
  sed -n '/^sudo meson install/,/^```/{/^```/d;p}' "$source_dir/README.md" >"$work/readme.sh"
  sed -n '/^```cpp run/,/^```/{/^```/d;p}' "$source_dir/README.md" >"$work/program.cpp"
  compile=$(grep -m 1 '^c++ .*--libs cltrack' "$source_dir/README.md")
  mkdir "$work/local"
  cp -a /etc "$work/etc" 2>/dev/null || true # but for what only root may read
  cat >"$work/as_user.sh" <<END
mount --bind "$work/local" /usr/local
mount --bind "$work/etc" /etc
sudo() { "\$@"; }
cd "$work"
$(sed "s|-C build\$|-C '$build_dir' --no-rebuild|" "$work/readme.sh")
gst-inspect-1.0 trackpublish
$compile
./a.out
END
  check "README's commands install to /usr/local, where elements and library are found" "${as_user[@]}"
fi

finish
