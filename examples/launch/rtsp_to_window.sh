#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Tracks in the H.264 stream of a network camera; prints every loss and re-detection (-m).
# Usage: rtsp_to_window.sh rtsp://CAMERA/STREAM X,Y,W,H
exec gst-launch-1.0 -m rtspsrc location="${1:?URL}" latency=100 \
  ! rtph264depay ! h264parse ! avdec_h264 \
  ! queue leaky=downstream max-size-buffers=1 \
  ! cltracker targets="<<${2:?X,Y,W,H}>>" ! trackoverlay \
  ! videoconvert ! autovideosink sync=false
