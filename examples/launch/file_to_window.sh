#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Shows a video with the object of the box tracked in it.
# Usage: file_to_window.sh VIDEO X,Y,W,H
exec gst-launch-1.0 filesrc location="${1:?VIDEO}" ! decodebin ! videoconvert ! videoflip video-direction=auto \
  ! cltracker targets="<<${2:?X,Y,W,H}>>" ! trackoverlay \
  ! videoconvert ! autovideosink
