// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/tld_config.h"

#include <array>
#include <cstddef>
#include <string>

#include "cltrack/error.h"
#include "cltrack/tracker.h"
#include "core/config_check.h"
#include "ops/ferns/fern_tables.h"
#include "ops/flow/point_flow.h"

namespace cltrack {
namespace {

using Field = ConfigField<TldConfig>;
using T = TldConfig;

template <auto... Members>
constexpr auto at = field_at<TldConfig, Members...>;

constexpr std::array kFields{
    Field{"threads", at<&T::threads>, 1, 64, "",
          "Threads that work on one frame; changes no result", "threads"},
    Field{"max_targets", at<&T::max_targets>, 1, kMostTargets, "",
          "Targets that are taken; more are refused", "max-targets"},
    Field{"learning", at<&T::learning>, 0, 1, "", "Learn how targets look as they change"},

    Field{.name = "motion",
          .member = at<&T::motion>,
          .least = 0,
          .most = 1,
          .blurb = "What estimates motion: a correlation filter, which is more accurate, or median "
                   "flow, which is the paper's",
          .property = "motion",
          .choices = kTldMotions},

    Field{"camera_compensation", at<&T::camera_compensation>, 0, 1, "",
          "For cameras that move: where targets are looked for, and where similar objects were, "
          "moves with the scene; with motion=correlation",
          "camera-compensation"},

    Field{"network_interval", at<&T::network_interval>, 1, 100, "frames",
          "While all evidence is sure of a target, the network is asked on one of so many frames: "
          "larger is faster",
          "network-interval"},

    // The scan grid: the windows that the detector looks at.
    Field{"scale_step", at<&T::scale_step>, 1.01, 2, "",
          "Factor between neighbouring window sizes"},
    Field{"scales_each_way", at<&T::scales_each_way>, 0, 20, "",
          "Window sizes above, and as many below, that of the first box, in steps of 1.2",
          "scales"},
    Field{"shift", at<&T::shift>, 0.02, 1, "",
          "Step between the detector's windows, in shorter sides of the target: larger is faster, "
          "and finds less",
          "scan-step"},
    Field{"min_window_ratio", at<&T::min_window_ratio>, 0, 1, "",
          "Shorter side of the smallest window, in shorter sides of the first box"},
    Field{"min_window_low", at<&T::min_window_low>, 1, 1000, "pixels",
          "The smallest window's shorter side is at least so large, or that of the first box"},
    Field{"min_window_high", at<&T::min_window_high>, 1, 1000, "pixels",
          "The smallest window's shorter side is at most so large", nullptr, "min_window_low"},
    Field{"max_windows", at<&T::max_windows>, 1000, 100'000'000, "",
          "Most windows of the detector for a target: fewer are faster, and find less of small "
          "targets in large frames",
          "max-windows"},
    Field{
        "scan_interval", at<&T::scan_interval>, 1, 100, "frames",
        "While a correlation filter is sure of a target, the detector takes so many frames for the "
        "whole picture: larger is faster, and learns less",
        "scan-interval"},
    Field{"detector_interval", at<&T::detector_interval>, 1, 100, "frames",
          "While all evidence is sure of a target, the detector looks for it on one of so many "
          "frames: larger is faster, and learns less; with motion=correlation",
          "detector-interval"},
    Field{"variance_ratio", at<&T::variance_ratio>, 0, 1, "",
          "Windows with less than this share of the target's grey value variance are rejected: "
          "larger is faster, and finds less in poor light",
          "variance-ratio"},

    // The fern ensemble.
    Field{"ferns", at<&T::ferns>, 1, kMaxFerns, "", "Ferns"},
    Field{"pairs", at<&T::pairs>, 1, kMaxPairs, "", "Pixel pairs that a fern compares"},
    Field{"fern_threshold", at<&T::fern_threshold>, 0, 1, "",
          "Mean posterior of the ferns above which a window is a candidate", "fern-threshold"},
    Field{"max_candidates", at<&T::max_candidates>, 1, 1000, "",
          "Best windows of each frame that are compared with the object model", "max-candidates"},
    Field{"bootstrap", at<&T::bootstrap>, 1, 10, "", "Passes over the samples of the first frame"},

    // Nearest neighbours: the object model.
    Field{"nn_threshold", at<&T::nn_threshold>, 0, 1, "",
          "Similarity to the object model above which a window is the target: larger means fewer "
          "false and fewer true re-detections",
          "nn-threshold"},
    Field{
        "nn_valid_threshold", at<&T::nn_valid_threshold>, 0, 1, "",
        "Similarity to the early object model from which a tracked box is trusted and learnt from",
        "nn-valid-threshold"},
    Field{"same_patch_ncc", at<&T::same_patch_ncc>, 0, 1, "",
          "Similarity from which two patches are the same"},
    Field{"conservative_share", at<&T::conservative_share>, 0, 1, "",
          "Share of the positives, oldest first, that the conservative similarity looks at"},
    Field{"first_negatives", at<&T::first_negatives>, 2, 10000, "",
          "Negative patches drawn at the first frame"},
    Field{"max_positive_patches", at<&T::max_positive_patches>, 1, 10000, "",
          "Patches of the target that the object model keeps", "max-positive-patches"},
    Field{"max_negative_patches", at<&T::max_negative_patches>, 1, 10000, "",
          "Patches of the background that the object model keeps", "max-negative-patches"},

    // Median flow.
    Field{"flow_points", at<&T::flow_points>, 3, 30, "", "Points per side of the point grid"},
    Field{"flow_margin", at<&T::flow_margin>, 0, 1000, "pixels",
          "Distance of the outermost points from the box's border"},
    Field{"flow_window_ratio", at<&T::flow_window_ratio>, 0, 1, "",
          "Side of the Lucas-Kanade window, in shorter sides of the box"},
    Field{"flow_window_min", at<&T::flow_window_min>, 3, kLargestFlowWindow, "pixels",
          "Least side of the Lucas-Kanade window"},
    Field{"flow_window_max", at<&T::flow_window_max>, 3, kLargestFlowWindow, "pixels",
          "Largest side of the Lucas-Kanade window", nullptr, "flow_window_min"},
    Field{"flow_levels", at<&T::flow_levels>, 0, 8, "", "Pyramid levels above the first"},
    Field{"flow_iterations", at<&T::flow_iterations>, 1, 100, "", "Iterations per level, at most"},
    Field{"flow_epsilon", at<&T::flow_epsilon>, 0.001, 10, "pixels",
          "A step shorter than this ends the iterations"},
    Field{"max_forward_backward", at<&T::max_forward_backward>, 0, 1000, "pixels",
          "Median forward-backward error above which flow fails"},
    Field{"smallest_box", at<&T::smallest_box>, 0, 1, "",
          "Flow fails under this share of the smallest window's shorter side"},

    // Integration of flow and detections.
    Field{"cluster_overlap", at<&T::cluster_overlap>, 0, 1, "",
          "Detections that overlap more than this are one cluster"},
    Field{"jump_overlap", at<&T::jump_overlap>, 0, 1, "",
          "A cluster that overlaps the tracked box less is another place"},
    Field{"near_overlap", at<&T::near_overlap>, 0, 1, "",
          "Detections that overlap the tracked box more refine it"},
    Field{"track_weight", at<&T::track_weight>, 0.1, 1000, "",
          "Weight of the tracked box against each of them"},
    Field{"jump_confidence", at<&T::jump_confidence>, 0, 1, "",
          "Conservative similarity that a jump needs more of"},
    Field{"jump_margin", at<&T::jump_margin>, 0, 1, "",
          "How much more of it a jump needs than the tracked box has"},
    Field{"jump_margin_valid", at<&T::jump_margin_valid>, 0, 1, "",
          "The same while the tracked box is valid"},
    Field{"jump_support", at<&T::jump_support>, 0, 1000, "",
          "Candidate windows that must overlap the new place by more than jump_overlap"},

    // Loss.
    Field{"lost_frames", at<&T::lost_frames>, 1, 1000, "frames",
          "A tracked box is given up after so many in a row on which nothing speaks for it"},
    Field{"lost_relative", at<&T::lost_relative>, 0, 1, "",
          "Relative similarity under which a box looks like the negatives"},

    // Decisions when motion is a correlation filter.
    Field{"tracking_presence", at<&T::tracking_presence>, 0, 1, "",
          "Probability that a box shows the target from which it is tracked, and learnt from"},
    Field{"update_presence", at<&T::update_presence>, 0, 1, "",
          "Probability from which the filter learns the box"},
    Field{"verify_presence", at<&T::verify_presence>, 0, 1, "",
          "Probability under which places that the detector found are looked at"},
    Field{"lost_presence", at<&T::lost_presence>, 0, 1, "",
          "Probability under which the target is lost, and no box is reported",
          "report-probability"},
    Field{"hold_presence", at<&T::hold_presence>, 0, 1, "",
          "Probability under which the box stays where it was"},
    Field{"redetect_presence", at<&T::redetect_presence>, 0, 1, "",
          "Probability that a place found by the detector needs"},
    Field{"redetect_gain", at<&T::redetect_gain>, 0, 1, "",
          "How much more probable than the filter's box it must be"},
    Field{
        "drift_margin", at<&T::drift_margin>, 0, 1, "",
        "How much more conservative similarity another place needs for the filter to have drifted "
        "off"},
    Field{"drift_frames", at<&T::drift_frames>, 1, 1000, "frames",
          "For how many frames it must have that"},

    // Refinement of detections.
    Field{"refined_detections", at<&T::refined_detections>, 0, 1000, "",
          "Best detections that are refined between the windows of the grid while flow is not "
          "trusted"},
    Field{"refine_margin", at<&T::refine_margin>, 0, 1, "",
          "How far under nn_threshold they may be"},

    // Learning.
    Field{"learn_conservative", at<&T::learn_conservative>, 0, 1, "",
          "Conservative similarity under which a box is not learnt from"},
    Field{"learn_inside", at<&T::learn_inside>, 0, 1, "",
          "Share of a box that must lie in the frame for it to be learnt from"},
#define WARP_FIELDS(GROUP)                                                  \
  Field{#GROUP ".closest",                                                  \
        at<&T::GROUP, &WarpConfig::closest>,                                \
        1,                                                                  \
        100,                                                                \
        "",                                                                 \
        "Grid windows taken around the target"},                            \
      Field{#GROUP ".warps",                                                \
            at<&T::GROUP, &WarpConfig::warps>,                              \
            1,                                                              \
            100,                                                            \
            "",                                                             \
            "Warped pictures per window, the picture as it is among them"}, \
      Field{#GROUP ".noise", at<&T::GROUP, &WarpConfig::noise>,      0, 50, \
            "grey levels",   "Standard deviation of the added noise"},      \
      Field{#GROUP ".angle", at<&T::GROUP, &WarpConfig::angle>, 0, 180,     \
            "degrees",       "Full range of the rotation"},                 \
      Field{#GROUP ".shift",                                                \
            at<&T::GROUP, &WarpConfig::shift>,                              \
            0,                                                              \
            0.5,                                                            \
            "",                                                             \
            "Full range of the shift, in sides of the windows' hull"},      \
      Field{#GROUP ".scale",                                                \
            at<&T::GROUP, &WarpConfig::scale>,                              \
            0,                                                              \
            0.5,                                                            \
            "",                                                             \
            "Full range of the scale change"}
    WARP_FIELDS(first_warps),
    WARP_FIELDS(update_warps),
#undef WARP_FIELDS
    Field{"positive_overlap", at<&T::positive_overlap>, 0, 1, "",
          "Windows that overlap the target more are positives"},
    Field{"negative_overlap", at<&T::negative_overlap>, 0, 1, "",
          "Windows that overlap it less are negatives"},
};

}  // namespace

std::span<const ConfigField<TldConfig>> tld_fields() { return kFields; }

void validate(const TldConfig& config) {
  check_config(config, tld_fields(), "TLD");
  if (config.network && config.motion != kCorrelation) {
    throw Error(ErrorCode::invalid_argument,
                "TLD: a network (\"" + config.network->name() +
                    "\") is asked with motion=correlation only, but motion is " +
                    kTldMotions[static_cast<std::size_t>(config.motion)]);
  }
}

}  // namespace cltrack
