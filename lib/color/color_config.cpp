// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/color_config.h"

#include <array>
#include <limits>

#include "core/config_check.h"

namespace cltrack {
namespace {

using Field = ConfigField<ColorConfig>;
using T = ColorConfig;

template <auto... Members>
constexpr auto at = field_at<ColorConfig, Members...>;

constexpr std::array kFields{
    Field{"blobs", at<&T::blobs>, 0, 16, "",
          "Objects of a colour: 0: one, of all its pixels; 1: one, of the connected pixels that go "
          "on from where it was; more: up to so many, each connected, with ids of their own",
          "blobs"},
    Field{"minimum_area", at<&T::minimum_area>, 1, std::numeric_limits<int>::max(), "pixels",
          "Smallest object; with fewer pixels of its colour it is lost", "minimum-area"},
    Field{"area_ratio", at<&T::area_ratio>, 0, 1, "",
          "Share of its usual area under which, and over whose inverse, an object is uncertain",
          "area-ratio"},
    Field{"area_rate", at<&T::area_rate>, 0, 1, "", "How fast the usual area follows, per frame"},
    Field{"reach", at<&T::reach>, 0, 1000, "",
          "How far a blob may be from where it is expected, in diagonals of its box for each frame "
          "since it was seen",
          "reach"},
    Field{"trail", at<&T::trail>, 0, 1024, "",
          "Latest frames for which the metadata has the places of an object", "trail"},
    Field{"threads", at<&T::threads>, 1, 64, "",
          "Threads that work on one frame; changes no result", "threads"},
};

}  // namespace

std::span<const ConfigField<ColorConfig>> color_fields() { return kFields; }

void validate(const ColorConfig& config) { check_config(config, color_fields(), "colour"); }

}  // namespace cltrack
