// SPDX-License-Identifier: LGPL-2.1-or-later
// A picture as TLD sees it, and targets that have learnt from it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "compute/device.h"
#include "compute/queue.h"
#include "ops/planes/blur.h"
#include "support/test_image.h"
#include "tld/first_frame.h"
#include "tld/frame_planes.h"
#include "tld/target.h"

namespace cltrack::test {

class TldFrame {
 public:
  explicit TldFrame(PaddedImage picture) : image(std::move(picture)) { make(*host); }

  // Anew, where `queue` works.
  void make(Queue& queue) {
    planes.luma.borrow(image.view());
    planes.starting = {};
    blur(queue, planes.luma, planes.blurred);
    if (queue.is_host()) {
      integrate(queue, planes.luma, planes.integrals);
    } else {
      reference::integrate(image.view(), planes.starting);
    }
  }

  std::unique_ptr<Target> target(std::uint64_t id, const BoundingBox& box,
                                 const TldConfig& config = {}) {
    ScanGrid grid(box.width, box.height, image.width(), image.height(), config);
    FirstFrame first = learn_first_frame(box, grid, planes, config, config.seed + id, *host);
    return std::make_unique<Target>(id, std::move(first), std::move(grid), config);
  }

  PaddedImage image;
  std::shared_ptr<Queue> host = Device::host()->make_queue();
  FramePlanes planes;
};

}  // namespace cltrack::test
