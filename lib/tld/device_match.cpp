// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/device_match.h"

#include <algorithm>

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
  if (positives_version_ != model.positives_version() ||
      negatives_version_ != model.negatives_version()) {
    const auto positives = model.positives(), negatives = model.negatives();
    model_.resize(positives.size() + negatives.size());
    const auto rest = std::ranges::copy(positives, model_.host_write().begin()).out;
    std::ranges::copy(negatives, rest);
    const auto positive_count = static_cast<int>(positives.size());
    const PatchJob job = {0,
                          positive_count,
                          static_cast<int>(model.conservative_count()),
                          positive_count,
                          static_cast<int>(negatives.size()),
                          0};
    job_.assign({&job, 1});
    positives_version_ = model.positives_version();
    negatives_version_ = model.negatives_version();
  }
  extract_patches(*queue_, planes.device.luma, boxes, count, longest_side_, scratch_, patches_);
  nearest_patches(*queue_, patches_, count, model_, job_, similarities_, nearest_);
  nearest_.fetch();
  queue_->flush();
}

}  // namespace cltrack
