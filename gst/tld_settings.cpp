// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld_settings.h"

#include <array>
#include <span>

#include "settings_table.h"

namespace cltrack::gst {
namespace {

using Entry = Setting<TldConfig>;

#define ACTS_AT_START "; acts when the element starts, or on a new stream"

constexpr std::array kSettings{
    Entry{"threads", "Threads",
          "Threads that work on one frame, 1 to 64; the result is the same" ACTS_AT_START,
          Entry::Int{&TldConfig::threads, 1, 64}},
    Entry{"scan-step", "Scan step",
          "Step between the windows that the detector looks at, in shorter sides of the target, "
          "0.02 to 1: larger is faster, and finds less" ACTS_AT_START,
          Entry::Float{&TldConfig::shift, 0.02f, 1.0f}},
    Entry{"scales", "Scales",
          "Window sizes above, and as many below, that of the target's first box, each 1.2 "
          "times the one before, 0 to 20: how far the size may change" ACTS_AT_START,
          Entry::Int{&TldConfig::scales_each_way, 0, 20}},
    Entry{"variance-ratio", "Variance ratio",
          "Windows with less than this share of the target's own grey value variance are not "
          "looked at any further, 0 to 1: larger is faster, and finds less in poor "
          "light" ACTS_AT_START,
          Entry::Float{&TldConfig::variance_ratio, 0.0f, 1.0f}},
    Entry{"fern-threshold", "Fern threshold",
          "Mean posterior of the ferns above which a window is a candidate, 0 to 1" ACTS_AT_START,
          Entry::Float{&TldConfig::fern_threshold, 0.0f, 1.0f}},
    Entry{"max-candidates", "Maximum candidates",
          "Best windows of each frame that are compared with the object model, 1 to "
          "1000" ACTS_AT_START,
          Entry::Int{&TldConfig::max_candidates, 1, 1000}},
    Entry{"nn-threshold", "Nearest neighbour threshold",
          "Similarity to the object model above which a window is the target, 0 to 1: larger "
          "means fewer false and fewer true re-detections" ACTS_AT_START,
          Entry::Float{&TldConfig::nn_threshold, 0.0f, 1.0f}},
    Entry{"nn-valid-threshold", "Nearest neighbour threshold for learning",
          "Similarity to the early object model from which a tracked box is trusted and learnt "
          "from, 0 to 1" ACTS_AT_START,
          Entry::Float{&TldConfig::nn_valid_threshold, 0.0f, 1.0f}},
    Entry{"max-positive-patches", "Maximum positive patches",
          "Patches of the target that the object model keeps, 1 to 10000" ACTS_AT_START,
          Entry::Int{&TldConfig::max_positive_patches, 1, 10000}},
    Entry{"max-negative-patches", "Maximum negative patches",
          "Patches of the background that the object model keeps, 1 to 10000" ACTS_AT_START,
          Entry::Int{&TldConfig::max_negative_patches, 1, 10000}},
};

#undef ACTS_AT_START

constexpr std::span<const Entry> kTable(kSettings);

}  // namespace

void install_tld_settings(GObjectClass* klass, guint first_id) {
  install_settings(klass, first_id, kTable);
}

bool set_tld_setting(TldConfig& config, guint id, guint first_id, const GValue* value) {
  return set_setting(config, id, first_id, value, kTable);
}

bool get_tld_setting(const TldConfig& config, guint id, guint first_id, GValue* value) {
  return get_setting(config, id, first_id, value, kTable);
}

}  // namespace cltrack::gst
