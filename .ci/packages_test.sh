#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Uses what the packages have installed, then removes them: for .ci/packages.sh, in a system that is thrown
# away.
#
# Usage: packages_test.sh RELEASE FOLDER_WITH_PACKAGES
set -uo pipefail
release=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$(dirname "$0")/../tests/support/tap.sh"
mapfile -t ours < <(for file in "$2"/*.deb; do dpkg-deb --field "$file" Package; done)
cd "$work" || exit
export GST_REGISTRY_1_0=$work/registry.bin XDG_CACHE_HOME=$work/cache

tracks() {
  gst-launch-1.0 -m videotestsrc pattern=ball num-buffers=30 ! video/x-raw,width=320,height=240 ! \
    cltracker targets='<<140,100,40,40>>' ! trackoverlay ! fakesink >said || return
  cat said
  grep -q 'cltracker-state,.*tracking' said
}
follows() {
  gst-launch-1.0 -q videotestsrc pattern=ball num-buffers=30 ! video/x-raw,width=320,height=240 ! \
    jpegenc ! avimux ! filesink location=video.avi || return
  cltrack-track-video --no-video --output boxes video.avi 140,100,40,40 || return
  [ "$(wc -l <boxes/boxes.csv)" -gt 20 ]
}
follows_in_python() {
  python3 - <<'END'
import cltrack
import numpy

frame = numpy.random.default_rng(1).integers(0, 255, (240, 320, 3), dtype=numpy.uint8)
tracker = cltrack.Tracker()
tracker.add((40, 60, 48, 48))
states = [tracker.update(frame)[0].state for _ in range(5)]
assert states == ['tracking'] * 5, states
END
}
builds() {
  cp /usr/share/doc/libcltrack-dev/examples/minimal/minimal.cpp . || return
  # shellcheck disable=SC2046  # several words on purpose
  g++ -std=c++20 minimal.cpp $(pkg-config --cflags --libs cltrack) -o minimal && ./minimal
}
# Links from page to page lead somewhere; what leads out of the documents is for who has the sources.
documents() {
  local folder=/usr/share/doc/gstreamer1.0-cltrack page link
  for page in "$folder"/README.md "$folder"/docs/{start,applications,live,privacy,elements,publish,packages,notes/tld}.md; do
    [ -s "$page" ] || { echo "no $page"; return 1; }
  done
  for page in "$folder"/README.md "$folder"/docs/{,notes/}*.md; do
    while read -r link; do
      [ -e "$(dirname "$page")/$link" ] || { echo "$page: $link"; return 1; }
    done < <(grep -oE '\]\((docs/)?[a-z./-]+\.(md|png|svg)[)#]' "$page" | sed 's/^](//; s/[)#]$//')
  done
  zgrep -q Unreleased /usr/share/doc/gstreamer1.0-cltrack/changelog.gz
}
# As they are said to be in docs/packages.md.
has_examples() {
  local doc=/usr/share/doc name
  for name in gstreamer1.0-cltrack/examples/{browser/__main__.py,browser/page.html,launch/file_to_window.sh} \
    gstreamer1.0-cltrack/examples/python/{appsink_tracks,detect,live_table,people,read_tracks,track}.py \
    gstreamer1.0-cltrack-publish/examples/{run_camera.py,cltrack@.service} \
    libcltrack-dev/examples/{minimal/minimal.cpp,wrap/gst-cltrack.wrap}; do
    [ -s "$doc/$name" ] || { echo "no $doc/$name"; return 1; }
  done
  "$doc"/gstreamer1.0-cltrack/examples/launch/messages.sh video.avi 140,100,40,40 >said || return
  grep -q 'cltracker-state,.*tracking' said
}
# The options of --help are those of the manual page.
is_in_the_manual() {
  local option
  zcat "/usr/share/man/man1/$1.1.gz" | sed 's/\\//g' >manual || return
  "$1" --help | grep -oE -e '--[a-z-]+' >options || return
  while read -r option; do
    grep -qe "$option" manual || { echo "$option is not in the manual"; return 1; }
  done <options
}
# dpkg's own notes about a package go with the package.
is_gone() {
  local left status=0
  while read -r left; do
    if [ ! -d "$left" ] && [ -e "$left" ]; then
      echo "$left"
      status=1
    fi
  done <"$work/files"
  left=$(find / -xdev \( -path /src -o -path /tmp -o -path /var/log -o -path /proc \) -prune -o \
    -iname '*cltrack*' -print)
  [ -z "$left" ] || { echo "$left"; status=1; }
  left=$(dpkg-query -W -f '${Package} ${db:Status-Abbrev}\n' '*cltrack*' 2>/dev/null)
  [ -z "$left" ] || { echo "$left"; status=1; }
  return $status
}

check 'there are packages' test "${#ours[@]}" -ge 4
check 'they are installed' dpkg --verify "${ours[@]}"
dpkg -L "${ours[@]}" | sort -u >files
for element in cltracker clcolortracker trackoverlay trackzones trackpublish; do
  check "there is $element" gst-inspect-1.0 "$element"
done
check 'a pipeline tracks' tracks
check 'cltrack-devices finds the host' cltrack-devices
check 'cltrack-track-video follows an object' follows
check 'the Python package follows an object' follows_in_python
check 'a program builds and runs' builds
check 'the documents are there' documents
check 'the examples are there' has_examples
for program in cltrack-devices cltrack-track-video; do
  check "$program has a manual page with its options" is_in_the_manual "$program"
done
if [ "$release" != 12 ]; then
  check 'it has GstAnalytics' grep -q gstreamer-plugins-bad \
    <(dpkg-query -W -f '${Depends}' gstreamer1.0-cltrack)
fi
check 'they are removed' apt-get -y -qq purge "${ours[@]}"
check 'nothing is left' is_gone
check 'nor does GStreamer find an element' bash -c '! gst-inspect-1.0 cltracker'
finish
