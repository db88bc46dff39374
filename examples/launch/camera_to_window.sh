#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Tracks what a camera sees in the box when it starts. The leaky queue drops frames that the tracker
# has no time for, so that the picture stays live on a slow machine.
# Usage: camera_to_window.sh X,Y,W,H [DEVICE]
exec gst-launch-1.0 v4l2src device="${2:-/dev/video0}" ! decodebin \
  ! queue leaky=downstream max-size-buffers=1 \
  ! cltracker targets="<<${1:?X,Y,W,H}>>" ! trackoverlay \
  ! videoconvert ! autovideosink sync=false
