// SPDX-License-Identifier: LGPL-2.1-or-later
// Which motion estimator a config asks for.
#pragma once

#include <memory>

#include "cltrack/tld_config.h"
#include "motion/motion_estimator.h"

namespace cltrack {

// `may_move`: place() may be called while frames follow on from each other.
std::unique_ptr<MotionEstimator> make_motion_estimator(const TldConfig& config,
                                                       std::shared_ptr<Queue> queue, bool may_move);

}  // namespace cltrack
