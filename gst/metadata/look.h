// SPDX-License-Identifier: LGPL-2.1-or-later
// How closely pictures are looked at.
#pragma once

#include <gst/gst.h>

#include <array>
#include <cstddef>

namespace cltrack::gst {

// The work of a cltrack::Effort, or nothing at all.
enum class Look { full, near, motion, none };
inline constexpr std::size_t kLooks = 4;

// Pictures by the work on them.
struct LookCounts {
  std::array<guint64, kLooks> of = {};

  guint64 skipped() const { return of[static_cast<std::size_t>(Look::none)]; }
  guint64 processed() const { return of[0] + of[1] + of[2]; }
};

}  // namespace cltrack::gst
