#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Follows what has the given colours, prints what is lost and found (-m), and leaves an annotated
# picture of every second in a folder: second-000.png and so on.
# Usage: colors_to_png.sh VIDEO COLORS BLOBS FOLDER
# For example, three blue caps, each of them an object:
#   colors_to_png.sh video.mp4 '<"hsv,hue-min=200,hue-max=260,saturation-min=0.4,label=cap">' 3 caps
video="${1:?VIDEO}" colors="${2:?COLORS}" blobs="${3:?BLOBS}" folder="${4:?FOLDER}"
mkdir -p "$folder"
exec gst-launch-1.0 -m filesrc location="$video" ! decodebin ! videoconvert ! videoflip video-direction=auto \
  ! clcolortracker colors="$colors" blobs="$blobs" ! trackoverlay \
  ! videorate ! video/x-raw,framerate=1/1 ! videoconvert ! pngenc \
  ! multifilesink location="$folder/second-%03d.png"
