// SPDX-License-Identifier: LGPL-2.1-or-later
// All parameters of TLD (Kalal, Mikolajczyk, Matas, "Tracking-Learning-Detection", TPAMI 34(7),
// 2012). Symbols in brackets are the names in the author's reference code; docs/notes/tld.md says
// where we differ from it and why. tld_fields() and docs/notes/parameters.md have the ranges.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "cltrack/config_field.h"
#include "cltrack/export.h"
#include "cltrack/network.h"
#include "cltrack/placement.h"

namespace cltrack {

// How synthetic positive samples are made from one box. A warp shifts, rotates and scales the
// surroundings of the target and adds noise; the first "warp" is the unchanged picture.
struct WarpConfig {
  int closest = 10;     // [num_closest] grid boxes taken around the target
  int warps = 20;       // [num_warps] warped pictures per box
  float noise = 5.0f;   // [noise] standard deviation of the added noise, grey levels
  float angle = 20.0f;  // [angle] full range of the rotation, degrees: +- half of it
  float shift = 0.02f;  // [shift] full range of the shift, fraction of the box side
  float scale = 0.02f;  // [scale] full range of the scale change
};

inline constexpr std::array kTldStages = {
    StageInfo{"motion", "motion-device"},      // correlation filter, or optical flow
    StageInfo{"ferns", "fern-device", false},  // variance, fern features, fern classification
    StageInfo{"nn", "nn-device"},              // patches and their correlation with the model
    StageInfo{"learn", "learn-device"},        // overlaps, samples, fern update
    StageInfo{"network", "network-device"},    // TldConfig::network; not without it
};

// Values of TldConfig::motion, and their names.
inline constexpr int kCorrelation = 0, kMedianFlow = 1;
inline constexpr std::array<const char*, 2> kTldMotions = {"correlation", "median-flow"};

struct TldConfig {
  std::uint64_t seed = 0;  // of all random choices: same seed and video, same boxes
  int threads = 2;         // of process(); changes no result
  int max_targets = 64;    // limit of add(); each target costs time on every frame
  bool learning = true;    // initial value of Tracker::set_learning

  // The device of each of kTldStages. Changes no result if the device of motion rounds divisions
  // correctly.
  Placement placement = {};

  // --- motion from frame to frame: kCorrelation or kMedianFlow. The correlation filter is more
  //     accurate, median flow is the paper's
  int motion = kCorrelation;

  bool camera_compensation = false;  // with kCorrelation: places move with the scene

  // --- a second opinion of where the targets are, from their first frames; with kCorrelation alone
  std::optional<Network> network = {};
  int network_interval = 1;  // while all evidence is sure of a target, the network is asked on one
                             //   of so many frames, and what it has said last counts

  // --- scan grid: the windows of the detector
  float scale_step = 1.2f;        // factor between neighbouring window sizes
  int scales_each_way = 10;       // sizes below and above that of the first box
  float shift = 0.1f;             // [shift] window step, fraction of the shorter side
  float min_window_ratio = 0.7f;  // smallest window: this fraction of the first box's shorter
  float min_window_low = 15.0f;   //   side, kept within [low, high] pixels, and never more than
  float min_window_high = 24.0f;  //   that side itself [min_win]
  int max_windows = 250000;       // where there would be more, steps are larger: first between the
                                  //   windows of the sizes that have most
  int scan_interval = 5;          // while a correlation filter is sure of a target, those near its
                                  //   box are looked at on each frame, of the others' rows one of
                                  //   so many, by turns
  int detector_interval = 1;      // while all evidence is sure of a target, the detector looks for
                                  //   it on one of so many frames, and nothing is learnt on the
                                  //   others; with kCorrelation alone
  float variance_ratio = 0.5f;    // [var] windows under this fraction of the first patch's
                                  //   variance are rejected

  // --- fern ensemble (random ferns on the blurred picture)
  int ferns = 10;               // [num_trees]
  int pairs = 13;               // [num_features] pixel pairs in a fern
  float fern_threshold = 0.5f;  // [thr_fern] mean posterior a candidate must exceed;
                                //   raised on the validation half of the first negatives
  int max_candidates = 100;     // best windows that go on to the nearest neighbours
  int bootstrap = 2;            // [bootstrap] passes over the samples at the first frame

  // --- nearest neighbours (object model of 15x15 patches)
  float nn_threshold = 0.65f;        // [thr_nn] relative similarity a detection must exceed;
                                     //   raised on the validation half of the first negatives
  float nn_valid_threshold = 0.70f;  // [thr_nn_valid] conservative similarity from which a tracked
                                     //   box is valid; never below the raised nn_threshold
  float same_patch_ncc = 0.95f;      // [ncc_thesame] similarity from which patches are the same
  float conservative_share = 0.5f;   // [valid] share of the positives, oldest first, that the
                                     //   conservative similarity looks at
  int first_negatives = 100;         // [num_patches] negative patches drawn at the first frame
  int max_positive_patches = 200;    // limits of the model; the first frame's patch stays
  int max_negative_patches = 600;

  // --- median flow
  int flow_points = 10;            // points per side of the point grid
  float flow_margin = 5.0f;        // pixels between the box and the outermost points
  float flow_window_ratio = 0.3f;  // Lucas-Kanade window: this fraction of the shorter side of the
  int flow_window_min = 9;         //   box, made odd and kept within [min, max] pixels
  int flow_window_max = 31;
  int flow_levels = 5;              // pyramid levels above the first
  int flow_iterations = 20;         // per level
  float flow_epsilon = 0.03f;       // a step shorter than this ends the iterations, pixels
  float max_forward_backward = 10;  // median forward-backward error at which flow fails, pixels
  float smallest_box = 0.5f;        // flow fails, too, if a side of the box is under this fraction
                                    //   of the smallest window's shorter side

  // --- integration of flow and detections
  float cluster_overlap = 0.5f;  // detections that overlap more than this are one cluster
  float jump_overlap = 0.5f;     // a cluster that overlaps the tracked box less may be a jump
  float near_overlap = 0.8f;     // detections that overlap the tracked box more refine it
  float track_weight = 10.0f;    // weight of the tracked box; each of them has weight 1

  float jump_confidence = 0.4f;    // a jump needs a conservative similarity above this,
  float jump_margin = 0.1f;        //   this much above that of the tracked box,
  float jump_margin_valid = 0.2f;  //   or this much while the tracked box is valid,
  int jump_support = 3;            //   and this many candidate windows that overlap it by more than
                                   //   jump_overlap

  // --- loss: a tracked box that is not valid is dropped after this many frames in a row on which
  //     it is more similar to the negatives and no candidate window overlaps it
  int lost_frames = 20;        // 1..1000
  float lost_relative = 0.5f;  // under this relative similarity it is similar to the negatives

  // --- decisions with a correlation filter, by the probability that a box shows the target
  float tracking_presence = 0.8f;  // from here on the state is tracking, and the box is learnt from
  float update_presence = 0.65f;   // from here on the filter learns the box
  float verify_presence = 0.6f;    // under it, other places are looked at
  float lost_presence = 0.4f;      // under it, the target is lost: no box is told
  float hold_presence = 0.25f;     // under it, the box stays where it was
  float redetect_presence = 0.6f;  // a place found by the detector needs at least this,
  float redetect_gain = 0.2f;      //   and so much more than where motion leads
  float drift_margin = 0.15f;      // motion has drifted off if it is sure, but another place has
  int drift_frames = 3;            //   so much more conservative similarity for so many frames

  // --- refinement of detections between the windows of the grid, while flow is not trusted
  int refined_detections = 5;   // number of the best detections that are refined
  float refine_margin = 0.15f;  // they may be this much under nn_threshold

  // --- learning
  WarpConfig first_warps = {};                        // [p_par_init]
  WarpConfig update_warps{.warps = 10, .angle = 10};  // [p_par_update]
  float learn_conservative = 0.2f;  // under this conservative similarity a box becomes invalid,
  float learn_inside = 0.95f;       //   or with less than this share inside the frame
  float positive_overlap = 0.6f;    // windows that overlap the target more are positives
  float negative_overlap = 0.2f;    // windows that overlap it less are negatives
};

// Name, range, unit and description of each parameter that is a number or a bool. The seed may be
// any number.
CLTRACK_API std::span<const ConfigField<TldConfig>> tld_fields();

// Throws Error{invalid_argument}: the message names the first field out of its range, its value and
// what is allowed.
CLTRACK_API void validate(const TldConfig& config);

}  // namespace cltrack
