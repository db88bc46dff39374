// SPDX-License-Identifier: LGPL-2.1-or-later
// Compiled once for all sources of the library. Each still includes what it uses: some builds have
// no precompiled headers (-Db_pch=false).

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>
