// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld_settings.h"

#include <array>
#include <variant>

namespace cltrack::gst {
namespace {

struct FloatRange {
  float TldConfig::*field;
  float min, max;
};

struct IntRange {
  int TldConfig::*field;
  int min, max;
};

struct Setting {
  const char* name;
  const char* nick;
  const char* blurb;
  std::variant<FloatRange, IntRange> range;
};

#define ACTS_AT_START "; acts when the element starts, or on a new stream"

const std::array kSettings{
    Setting{"threads", "Threads",
            "Threads that work on one frame, 1 to 64; the result is the same" ACTS_AT_START,
            IntRange{&TldConfig::threads, 1, 64}},
    Setting{"scan-step", "Scan step",
            "Step between the windows that the detector looks at, in shorter sides of the target, "
            "0.02 to 1: larger is faster, and finds less" ACTS_AT_START,
            FloatRange{&TldConfig::shift, 0.02f, 1.0f}},
    Setting{"scales", "Scales",
            "Window sizes above, and as many below, that of the target's first box, each 1.2 "
            "times the one before, 0 to 20: how far the size may change" ACTS_AT_START,
            IntRange{&TldConfig::scales_each_way, 0, 20}},
    Setting{"variance-ratio", "Variance ratio",
            "Windows with less than this share of the target's own grey value variance are not "
            "looked at any further, 0 to 1: larger is faster, and finds less in poor "
            "light" ACTS_AT_START,
            FloatRange{&TldConfig::variance_ratio, 0.0f, 1.0f}},
    Setting{"fern-threshold", "Fern threshold",
            "Mean posterior of the ferns above which a window is a candidate, 0 to 1" ACTS_AT_START,
            FloatRange{&TldConfig::fern_threshold, 0.0f, 1.0f}},
    Setting{"max-candidates", "Maximum candidates",
            "Best windows of each frame that are compared with the object model, 1 to "
            "1000" ACTS_AT_START,
            IntRange{&TldConfig::max_candidates, 1, 1000}},
    Setting{"nn-threshold", "Nearest neighbour threshold",
            "Similarity to the object model above which a window is the target, 0 to 1: larger "
            "means fewer false and fewer true re-detections" ACTS_AT_START,
            FloatRange{&TldConfig::nn_threshold, 0.0f, 1.0f}},
    Setting{"nn-valid-threshold", "Nearest neighbour threshold for learning",
            "Similarity to the early object model from which a tracked box is trusted and learnt "
            "from, 0 to 1" ACTS_AT_START,
            FloatRange{&TldConfig::nn_valid_threshold, 0.0f, 1.0f}},
    Setting{"max-positive-patches", "Maximum positive patches",
            "Patches of the target that the object model keeps, 1 to 10000" ACTS_AT_START,
            IntRange{&TldConfig::max_positive_patches, 1, 10000}},
    Setting{"max-negative-patches", "Maximum negative patches",
            "Patches of the background that the object model keeps, 1 to 10000" ACTS_AT_START,
            IntRange{&TldConfig::max_negative_patches, 1, 10000}},
};

#undef ACTS_AT_START

constexpr auto kFlags =
    static_cast<GParamFlags>(G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY);

GParamSpec* make_spec(const Setting& setting) {
  const TldConfig defaults;
  if (const auto* range = std::get_if<FloatRange>(&setting.range)) {
    return g_param_spec_float(setting.name, setting.nick, setting.blurb, range->min, range->max,
                              defaults.*range->field, kFlags);
  }
  const auto& range = std::get<IntRange>(setting.range);
  return g_param_spec_int(setting.name, setting.nick, setting.blurb, range.min, range.max,
                          defaults.*range.field, kFlags);
}

const Setting* find_setting(guint id, guint first_id) {
  return id >= first_id && id - first_id < kSettings.size() ? &kSettings[id - first_id] : nullptr;
}

}  // namespace

void install_tld_settings(GObjectClass* klass, guint first_id) {
  for (guint i = 0; i < kSettings.size(); ++i) {
    g_object_class_install_property(klass, first_id + i, make_spec(kSettings[i]));
  }
}

bool set_tld_setting(TldConfig& config, guint id, guint first_id, const GValue* value) {
  const Setting* setting = find_setting(id, first_id);
  if (setting == nullptr) return false;
  if (const auto* range = std::get_if<FloatRange>(&setting->range)) {
    config.*range->field = g_value_get_float(value);
  } else {
    config.*std::get<IntRange>(setting->range).field = g_value_get_int(value);
  }
  return true;
}

bool get_tld_setting(const TldConfig& config, guint id, guint first_id, GValue* value) {
  const Setting* setting = find_setting(id, first_id);
  if (setting == nullptr) return false;
  if (const auto* range = std::get_if<FloatRange>(&setting->range)) {
    g_value_set_float(value, config.*range->field);
  } else {
    g_value_set_int(value, config.*std::get<IntRange>(setting->range).field);
  }
  return true;
}

}  // namespace cltrack::gst
