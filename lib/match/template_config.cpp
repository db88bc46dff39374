// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/template_config.h"

#include <array>

#include "cltrack/tracker.h"
#include "core/config_check.h"

namespace cltrack {
namespace {

using Field = ConfigField<TemplateConfig>;
using T = TemplateConfig;

template <auto... Members>
constexpr auto at = field_at<TemplateConfig, Members...>;

constexpr std::array kFields{
    Field{"learning", at<&T::learning>, 0, 1, "", "Follow how targets change"},
    Field{"threads", at<&T::threads>, 1, 64, "",
          "Threads that work on one frame; changes no result"},

    Field{"max_targets", at<&T::max_targets>, 1, kMostTargets, "",
          "Targets that are taken; more are refused"},

    // The planes that are compared.
    Field{"coarse_side", at<&T::coarse_side>, 8, 64, "pixels",
          "Templates are reduced to about a square of this side for the coarse search"},
    Field{"fine_side", at<&T::fine_side>, 8, 256, "pixels", "The same for the refinement of peaks"},

    // The search window.
    Field{"window", at<&T::window>, 0.1, 10, "",
          "How far a target may be from where it is expected, in sides of its box",
          "search-window"},
    Field{"window_growth", at<&T::window_growth>, 0, 10, "",
          "How much further for each frame on which it was not seen, in sides of its box"},
    Field{"far_penalty", at<&T::far_penalty>, 0, 1, "",
          "Taken off the score of a place at the edge of the window"},

    // Scale.
    Field{"scale_step", at<&T::scale_step>, 1, 1.5, "",
          "Factor between the sizes that are tried on a frame; 1: the size stays", "scale-step"},
    Field{"scale_penalty", at<&T::scale_penalty>, 0, 1, "",
          "By how much another size must score better"},
    Field{"largest_change", at<&T::largest_change>, 1, 100, "",
          "Largest size against the first one; its inverse is the smallest"},

    // Decisions.
    Field{"threshold", at<&T::threshold>, -1, 1, "",
          "Correlation with a template from which a box is trusted", "match-threshold"},
    Field{"uncertain", at<&T::uncertain>, -1, 1, "",
          "Correlation with a template under which a target is lost, at most match-threshold",
          "uncertain-threshold", nullptr, "threshold"},
    Field{"usual_share", at<&T::usual_share>, 0, 1, "",
          "The same as a share of what is usual for the target"},
    Field{"patience", at<&T::patience>, 0, 1000000, "frames",
          "In a row with a box that is not trusted; then it is lost"},
    Field{"found_again", at<&T::found_again>, -1, 1, "",
          "Correlation with a template that a lost target needs to be found",
          "found-again-threshold"},
    Field{"second_peak", at<&T::second_peak>, 0, 1, "",
          "A box is not trusted if another place scores at least this share of it", "second-peak"},
    Field{"certain", at<&T::certain>, -1, 1, "",
          "Correlation from which a target that is not lost is trusted all the same"},
    Field{"lost_sizes", at<&T::lost_sizes>, 0, 4, "",
          "Sizes above and below the last one for which a whole frame is searched"},
    Field{"lost_scale_step", at<&T::lost_scale_step>, 1.01, 2, "", "Factor between them"},

    // The running template.
    Field{"update_rate", at<&T::update_rate>, 0, 1, "",
          "Share of a trusted frame in the running template; 0: only the first one counts",
          "update-rate"},
    Field{"learn_threshold", at<&T::learn_threshold>, -1, 1, "",
          "Correlation with the first template that such a frame needs"},
};

}  // namespace

std::span<const ConfigField<TemplateConfig>> template_fields() { return kFields; }

void validate(const TemplateConfig& config) {
  check_config(config, template_fields(), "template matching");
}

}  // namespace cltrack
