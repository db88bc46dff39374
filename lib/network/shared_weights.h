// SPDX-License-Identifier: LGPL-2.1-or-later
// Weights of models that all networks of the process share: one copy for each model and device.
//
// Threading: safe.
#pragma once

#include <memory>
#include <vector>

#include "compute/array.h"
#include "compute/queue.h"

namespace cltrack {

// An array with these values on the queue's device; the same object for equal values as long as
// somebody has it. Each user makes an Array of its own that share()s it. Waits if it is new. Throws
// Error.
std::shared_ptr<const Array<float>> shared_weights(const std::vector<float>& weights, Queue& queue);

}  // namespace cltrack
