// SPDX-License-Identifier: LGPL-2.1-or-later
// Ctrl-C (SIGINT) and SIGTERM. The first one asks the program to stop; if it still runs when the
// time for that is over, because a thread of the pipeline hangs, it is ended. A second one ends it
// at once.
#pragma once

#include <chrono>

namespace track_video {

constexpr int kInterruptedStatus = 130;  // the exit status of a run that was stopped

// To be called once. Throws std::system_error where there is no timer.
void catch_interrupts(std::chrono::duration<double> time_to_stop);

bool is_interrupted();

}  // namespace track_video
