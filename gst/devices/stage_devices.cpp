// SPDX-License-Identifier: LGPL-2.1-or-later
#include "devices/stage_devices.h"

#include <algorithm>
#include <string>

#include "compute/pinned_memory.h"
#include "devices/device_context.h"
#include "devices/pinned_allocator.h"

namespace cltrack::gst {

void share_devices(GstElement* element, const std::vector<PlacedStage>& stages) {
  for (const std::string& warning : placement_warnings(stages)) {
    GST_ELEMENT_WARNING(element, RESOURCE, SETTINGS, ("%s", warning.c_str()), (nullptr));
  }
  const bool host_only = std::all_of(stages.begin(), stages.end(), [](const auto& placed) {
    return placed.device.type == DeviceType::host;
  });
  if (host_only) return;
  const auto cache = ensure_device_context(element);
  for (const PlacedStage& placed : stages) cache->keep(placed.device);
}

bool offer_pinned_memory(GstQuery* query, const std::vector<PlacedStage>& stages) {
  for (const PlacedStage& placed : stages) {
    if (!PinnedMemory::is_useful_for(placed.device)) continue;
    return offer_pinned_memory(query, placed.device);
  }
  return false;
}

}  // namespace cltrack::gst
