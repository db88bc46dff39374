// SPDX-License-Identifier: LGPL-2.1-or-later
// Navigation events as video sinks send them, of any version of GStreamer.
#pragma once

#include <gst/check/gstharness.h>

#include <optional>
#include <string>

namespace cltrack::test {

// `held` is in the event if it is known, as from GStreamer 1.22 on.
GstEvent* mouse_press(int button, double x, double y, std::optional<bool> held = {});
GstEvent* mouse_move(double x, double y, std::optional<bool> held = {});
GstEvent* mouse_release(int button, double x, double y, std::optional<bool> held = {});

// "down", "motion" or "up".
GstEvent* touch(const std::string& what, unsigned identifier, double x, double y);
GstEvent* touch_cancel();
GstEvent* key_press(const char* key);

// A drag with the left button from one point to the other; whether all of it was handled.
bool drag(GstHarness* harness, double from_x, double from_y, double to_x, double to_y);
// A press and a release; likewise.
bool click(GstHarness* harness, int button, double x, double y);

// Navigation events that came out of the sink pad since the call before.
int navigation_events_upstream(GstHarness* harness);

}  // namespace cltrack::test
