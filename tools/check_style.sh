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

# A header must not depend on what is included before it. Those of gst/ need GStreamer's headers.
flags=(-std=c++20 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iinclude -Ilib -Igst -I. -Itests)
read -ra gst_flags <<<"$(pkg-config --cflags gstreamer-video-1.0 gstreamer-base-1.0 pangocairo |
  sed 's/-I/-isystem /g')"
for header in $(git ls-files 'kernels/*.h' 'include/*.h' 'lib/*.h' 'gst/*.h' 'examples/*.h'); do
  case $header in
    kernels/* | include/* | lib/*) extra=() ;;
    *) extra=("${gst_flags[@]}") ;;
  esac
  g++ "${flags[@]}" "${extra[@]}" -include "$header" -x c++ /dev/null ||
    wrong "$header does not compile alone"
done

for file in $(git ls-files '*.sh' .ci/run); do
  case $(head -n 1 "$file") in
    '#!/bin/sh') sh -n "$file" ;;
    *) bash -n "$file" ;;
  esac || wrong "$file: syntax"
done
exit $status
