// SPDX-License-Identifier: LGPL-2.1-or-later
// The contact sheet: moments of a video side by side, with frame number, time and what happened
// under each.
#pragma once

#include <span>
#include <string>

#include "moments.h"
#include "page.h"

namespace track_video {

// Pictures that are no larger than this fit in.
inline constexpr int kPictureWidth = 400;
inline constexpr int kPictureHeight = 300;

// `moments` has at least one.
Page draw_contact_sheet(std::span<const Moment> moments, const std::string& title);

}  // namespace track_video
