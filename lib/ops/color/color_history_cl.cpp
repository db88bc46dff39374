// SPDX-License-Identifier: LGPL-2.1-or-later
#include <string>

#include "cltrack/error.h"
#include "compute/launch.h"
#include "ops/color/color_history.h"

namespace cltrack {
namespace {

constexpr int kItems = 32;  // GPUs

}  // namespace

void color_history(Queue& queue, Array<ColorSum>& sums, ColorHistory& history) {
  if (sums.size() != static_cast<std::size_t>(history.objects) || history.length < 1) {
    throw Error(ErrorCode::invalid_argument, "color_history: " + std::to_string(sums.size()) +
                                                 " sums for a history of " +
                                                 std::to_string(history.objects) + " objects and " +
                                                 std::to_string(history.length) + " frames");
  }
  const int slot = static_cast<int>(history.frames % static_cast<std::uint64_t>(history.length));
  ++history.frames;
  if (queue.is_host()) {
    color_history_host(sums.host_read(), slot, history.length, history.ring.host_update());
    return;
  }
  const int items = queue.device().is_cpu() ? 1 : kItems;
  const int groups = (history.objects + items - 1) / items;
  launch(queue, {"color_history", "color_history"}, global(groups * items), local(items), in(sums),
         history.objects, slot, history.length, inout(history.ring));
}

}  // namespace cltrack
