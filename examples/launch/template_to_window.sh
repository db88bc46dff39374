#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Follows what a box shows by template matching, and shows it. The box is where it is on the first
# frame, in pixels from the top left.
# Usage: template_to_window.sh VIDEO X,Y,WIDTH,HEIGHT
video="${1:?VIDEO}" box="${2:?X,Y,WIDTH,HEIGHT}"
exec gst-launch-1.0 -m filesrc location="$video" ! decodebin ! videoconvert ! videoflip video-direction=auto \
  ! cltracker algorithm=template targets="<<$box>>" ! trackoverlay ! videoconvert ! autovideosink
