// SPDX-License-Identifier: LGPL-2.1-or-later
// The stages of TLD, and the motion estimator that a config asks for.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "cltrack/tld_config.h"
#include "motion/motion_estimator.h"
#include "placement/stage_meters.h"
#include "placement/tracker_kind.h"

namespace cltrack {

// Which motion estimator a config asks for.

// `may_move`: place() may be called while frames follow on from each other.
std::unique_ptr<MotionEstimator> make_motion_estimator(const TldConfig& config,
                                                       std::shared_ptr<Queue> queue, bool may_move);

// The stages of TLD by their numbers, and what they need.

// As kTldStages and tld_steps() have them. Names within namespaces: as numbers, they are used
// without a cast, but are found as Stage::motion and Step::motion alone.
namespace tld_stage {
enum Stage : std::size_t { motion, ferns, nn, learn, network };
}
namespace tld_step {
enum Step : std::size_t { planes, motion, ferns, nn, learn, start, network };
}
using tld_stage::Stage;
using tld_step::Step;

// Two steps of a frame are no stage that could be placed: planes are made where motion and ferns
// run, and the first frame of a target is learnt at the start.
std::vector<StepInfo> tld_steps(const TldConfig& config);

inline constexpr std::string_view kTldName = "tld";
TrackerKind tld_kind(const TldConfig& config);
// The same by its settings. Another process does not get the network: it builds its programs, but
// does not run them.
TrackerKind tld_kind(std::span<const std::string> settings);

// TrackerKind::programs and TrackerKind::warm_up.
std::vector<ProgramName> programs_of(std::size_t stage, const Device& device,
                                     const TldConfig& config);
void warm_up(const TldConfig& config, const std::vector<PlacedStage>& placement,
             const std::stop_token& stop = {});

}  // namespace cltrack
