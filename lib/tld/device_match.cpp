// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/device_match.h"

namespace cltrack {

void DeviceMatch::enqueue(FramePlanes& planes, std::span<const BoundingBox> boxes,
                          const ObjectModel& model) {
  boxes_.assign(boxes);
  count_.resize(1);
  count_.host_write()[0] = static_cast<std::uint32_t>(boxes.size());
  enqueue(planes, boxes_, count_, model);
}

void DeviceMatch::enqueue(FramePlanes& planes, Array<BoundingBox>& boxes,
                          Array<std::uint32_t>& count, const ObjectModel& model) {
  if (positives_version_ != model.positives_version()) {
    positives_.assign(model.positives());
    positives_version_ = model.positives_version();
  }
  if (negatives_version_ != model.negatives_version()) {
    negatives_.assign(model.negatives());
    negatives_version_ = model.negatives_version();
  }
  extract_patches(*queue_, planes.device.luma, boxes, count, longest_side_, scratch_, patches_);
  nearest_patches(*queue_, patches_, count, positives_, model.conservative_count(), negatives_,
                  similarities_, nearest_);
  nearest_.fetch();
  queue_->flush();
}

}  // namespace cltrack
