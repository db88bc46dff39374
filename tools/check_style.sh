#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Style of the sources: formatting, licence lines, headers that stand on their own.
#
# Usage: tools/check_style.sh
# Reports everything that is wrong, not only the first.
set -uo pipefail
cd "$(dirname "$0")/.."
status=0
wrong() {
  echo "$*"
  status=1
}

mapfile -t sources < <(git ls-files '*.h' '*.cpp' '*.cl')
clang-format-14 --dry-run -Werror "${sources[@]}" ||
  wrong 'formatting: run clang-format-14 -i on the files above'

for file in "${sources[@]}" $(git ls-files '*.py' '*.sh' .ci/run); do
  head -n 2 "$file" | grep -q 'SPDX-License-Identifier: LGPL-2.1-or-later' ||
    wrong "$file: no line SPDX-License-Identifier: LGPL-2.1-or-later"
done

# A header must not depend on what is included before it. A source that includes its own header first shows that,
# where headers are not precompiled (the packages of Debian); the others are compiled here. Those of gst/ need
# GStreamer's headers. With CXX='ccache g++' only those are compiled that have changed.
gst_flags=$(pkg-config --cflags gstreamer-video-1.0 gstreamer-base-1.0 pangocairo | sed 's/-I/-isystem /g')
export gst_flags
stands_alone() {
  local alone=build-style/${1//\//_}.cpp flags=(-std=c++20 -Wall -Wextra -Wpedantic -Werror -Iinclude -Ilib -Igst -I.)
  case $1 in
    kernels/* | include/cltrack/* | lib/*) ;;
    *) read -ra flags <<<"${flags[*]} $gst_flags" ;;
  esac
  echo "#include \"$1\"" >"$alone"
  ${CXX:-g++} "${flags[@]}" -c -o "$alone.o" "$alone" || { echo "$1 does not compile alone" && false; }
}
export -f stands_alone
is_first_of_its_source() {
  local source=${1%.h}.cpp
  [ -f "$source" ] && [ "$(grep -m 1 '^#include' "$source")" = "#include \"${1#*/}\"" ]
}
mkdir -p build-style
for header in $(git ls-files 'kernels/*.h' 'include/*.h' 'lib/*.h' 'gst/*.h' 'examples/*.h'); do
  is_first_of_its_source "$header" || echo "$header"
done | xargs -P "$(nproc)" -I {} bash -c 'stands_alone {}' || status=1

for file in $(git ls-files '*.sh' .ci/run); do
  case $(head -n 1 "$file") in
    '#!/bin/sh') sh -n "$file" ;;
    *) bash -n "$file" ;;
  esac || wrong "$file: syntax"
done
exit $status
