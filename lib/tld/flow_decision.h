// SPDX-License-Identifier: LGPL-2.1-or-later
// Where a target is with median flow: Kalal's integrator (TPAMI section 5.4).
#pragma once

#include <optional>

#include "tld/decision.h"
#include "tld/integrator.h"

namespace cltrack {

class FlowDecision final : public Decision {
 public:
  using Decision::Decision;

  void reset() override;
  void find(const Motion* motion, const char* no_motion) override;
  bool is_sure() const override { return moved_ && moved_->valid; }
  Outcome decide(bool learning) override;

 private:
  void give_up_unsupported();

  std::optional<Estimate> moved_;  // where motion leads
  float moved_relative_ = 0;       // relative similarity of its box
  int unsupported_frames_ = 0;     // in a row: see TldConfig::lost_frames
  int placed_frames_ = 0;          // to come, on which the target stays where it was moved to
};

}  // namespace cltrack
