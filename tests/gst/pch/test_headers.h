// SPDX-License-Identifier: LGPL-2.1-or-later
// Compiled once for all tests of elements, see lib/pch/standard_headers.h.

#include <gmock/gmock.h>
#include <gst/check/gstharness.h>
#include <gst/gst.h>
#include <gst/video/video.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>
