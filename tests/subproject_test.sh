#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# A project of meson's that has this one as a subproject, by the wrap file: configures, builds and runs.
#
# Usage: subproject_test.sh SOURCE_DIR
set -euo pipefail
source_dir=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$(dirname "$0")/support/tap.sh"

cp -r "$source_dir/examples/minimal" "$work/minimal"
mkdir "$work/minimal/subprojects"
copy=$work/minimal/subprojects/gst-cltrack
if command -v git >/dev/null; then
  copy=$work/repository
fi
mkdir "$copy"
tar -C "$source_dir" --exclude-vcs --exclude='./build*' --exclude=./demo-output -c . | tar -x -C "$copy"
# Where git is, meson clones as it would from the network.
if [ "$copy" = "$work/repository" ]; then
  identity=(-c user.name=test -c user.email=test@localhost)
  git -C "$copy" -c init.defaultBranch=main init -q
  git -C "$copy" add -A
  git -C "$copy" "${identity[@]}" commit -qm copy
fi
sed "s|^url = .*|url = file://$work/repository|" "$source_dir/examples/wrap/gst-cltrack.wrap" \
  >"$work/minimal/subprojects/gst-cltrack.wrap"

# An installed cltrack is not what is tested; speed is not either.
check 'it configures' meson setup "$work/out" "$work/minimal" --wrap-mode=forcefallback \
  -Doptimization=0 -Ddebug=false
check 'without tests of the subproject' test "$(meson introspect "$work/out" --tests)" = '[]'
check 'it builds' ninja -C "$work/out" minimal
check 'it uses the subproject' test -e "$work/out/subprojects/gst-cltrack/lib/libcltrack.so"
check 'it runs' "$work/out/minimal"
finish
