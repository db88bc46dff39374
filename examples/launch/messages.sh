#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Prints the messages of the tracker (state changes) and nothing of the picture.
# Usage: messages.sh VIDEO X,Y,W,H
exec gst-launch-1.0 -m filesrc location="${1:?VIDEO}" ! decodebin ! videoconvert ! videoflip video-direction=auto \
  ! cltracker targets="<<${2:?X,Y,W,H}>>" ! fakesink sync=false
