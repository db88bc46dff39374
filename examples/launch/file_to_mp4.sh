#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Draws the tracked object into a video and writes that as H.264 in MP4.
# Usage: file_to_mp4.sh VIDEO X,Y,W,H OUTPUT.mp4
exec gst-launch-1.0 -e filesrc location="${1:?VIDEO}" ! decodebin ! videoconvert ! videoflip video-direction=auto \
  ! cltracker targets="<<${2:?X,Y,W,H}>>" ! trackoverlay \
  ! videoconvert ! video/x-raw,format=I420 ! x264enc speed-preset=veryfast \
  ! mp4mux faststart=true ! filesink location="${3:?OUTPUT.mp4}"
