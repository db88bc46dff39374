// SPDX-License-Identifier: LGPL-2.1-or-later
// All public headers of libcltrack: #include <cltrack/cltrack.h>
#pragma once

#include "color/color_config.h"
#include "color/color_devices.h"
#include "color/color_model.h"
#include "color/color_tracker.h"
#include "compute/device_info.h"
#include "compute/placement.h"
#include "core/bounding_box.h"
#include "core/color_picture.h"
#include "core/error.h"
#include "core/frame.h"
#include "core/image_view.h"
#include "core/log.h"
#include "core/track.h"
#include "core/tracker.h"
#include "match/template_config.h"
#include "match/template_devices.h"
#include "match/template_tracker.h"
#include "ops/match/similarity.h"
#include "tld/config.h"
#include "tld/tld_tracker.h"
