// SPDX-License-Identifier: LGPL-2.1-or-later
// Compiled once for all sources of the plugin, see lib/pch/standard_headers.h.

#include <gst/gst.h>
#include <gst/video/video.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>
