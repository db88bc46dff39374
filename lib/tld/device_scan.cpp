// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/device_scan.h"

namespace cltrack {

void DeviceScan::enqueue(FramePlanes& planes, ScanWindows& windows, FernTableArrays& tables,
                         std::uint32_t minimum_score, std::size_t count, bool count_candidates) {
  scan(*queue_, planes.device.blurred, planes.device.integrals, windows, tables, minimum_score,
       scratch_, candidates_);
  select_best(*queue_, candidates_, windows, count, best_);
  best_.windows.fetch();
  if (count_candidates) candidates_.count.fetch();
}

}  // namespace cltrack
