// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/lent_picture.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "cltrack/error.h"

namespace cltrack {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::invalid_argument, "a picture in a device's memory " + what);
}

template <typename Picture, typename Component>
std::ptrdiff_t row_bytes(const Picture& picture, const Component& component) {
  return std::ptrdiff_t{(picture.width - 1) >> component.shift_x} * component.step + 1;
}

constexpr int kLargestSide = INT16_MAX;  // pairs of pixels in a window have 16 bits

struct Extent {
  std::size_t begin, end;
};

Extent extent_of(const DevicePicture& picture, const DeviceComponent& component) {
  const std::ptrdiff_t last = ((picture.height - 1) >> component.shift_y) * component.stride;
  return {component.offset,
          component.offset + static_cast<std::size_t>(last + row_bytes(picture, component))};
}

std::size_t components_of(ColorSpace space) { return space == ColorSpace::none ? 1 : 3; }

void check(const DevicePicture& picture) {
  constexpr int kMost = 1 << 16, kMostShift = 4;
  if (picture.width < 1 || picture.height < 1 || picture.width > kMost || picture.height > kMost) {
    refuse("has " + std::to_string(picture.width) + "x" + std::to_string(picture.height) +
           " pixels; allowed: 1x1 to " + std::to_string(kMost) + "x" + std::to_string(kMost));
  }
  for (std::size_t c = 0; c < components_of(picture.space); ++c) {
    const DeviceComponent& component = picture.components[c];
    const std::string which = "has a component " + std::to_string(c);
    if (component.step < 1 || component.step > kMost) {
      refuse(which + " with a step of " + std::to_string(component.step) + "; allowed: 1 to " +
             std::to_string(kMost));
    }
    if (component.shift_x < 0 || component.shift_y < 0 || component.shift_x > kMostShift ||
        component.shift_y > kMostShift) {
      refuse(which + " with shifts of " + std::to_string(component.shift_x) + " and " +
             std::to_string(component.shift_y) + "; allowed: 0 to " + std::to_string(kMostShift));
    }
    const std::size_t size = picture.memory->size();
    const std::ptrdiff_t row = row_bytes(picture, component);
    if (component.offset >= size || component.stride < row ||
        component.stride > static_cast<std::ptrdiff_t>(size)) {
      refuse(which + " at offset " + std::to_string(component.offset) + " with a stride of " +
             std::to_string(component.stride) + "; allowed: a place in its memory of " +
             std::to_string(size) + " bytes, and a stride of at least a row's " +
             std::to_string(row));
    }
    const std::size_t end = extent_of(picture, component).end;
    if (end > size) {
      refuse(which + " that ends after " + std::to_string(end) + " bytes of a memory of " +
             std::to_string(size) + ": check offset, stride, width and height");
    }
  }
}

// Luma of red, green and blue is computed on the host, from a picture that is there.
bool has_luma(const DevicePicture& picture) {
  const DeviceComponent& first = picture.components[0];
  return picture.space != ColorSpace::rgb && first.step == 1 && first.shift_x == 0 &&
         first.shift_y == 0;
}

}  // namespace

std::pair<int, int> rows_of(const BoundingBox& box, int height) {
  const auto row = [&](float y) {
    return static_cast<int>(std::clamp(y, 0.0f, static_cast<float>(height - 1)));
  };
  return {row(std::floor(box.y)), row(std::ceil(box.y + box.height))};
}

void check_luma(const TrackedFrame& frame) {
  if (std::max(frame.luma.width, frame.luma.height) > kLargestSide) {
    throw Error(ErrorCode::invalid_argument, "a frame of " + std::to_string(frame.luma.width) +
                                                 "x" + std::to_string(frame.luma.height) +
                                                 " cannot be processed: a side has at most " +
                                                 std::to_string(kLargestSide) +
                                                 " pixels; scale it down");
  }
  if (!frame.luma.empty()) return;
  throw Error(ErrorCode::invalid_argument,
              frame.lent == nullptr
                  ? "a frame without pixels cannot be processed"
                  : "a frame without luma cannot be processed: in a device's memory it is the "
                    "first component, of ColorSpace::none or yuv, with a step of 1, not "
                    "subsampled");
}

void load(const LentMemory* lent, const ImageView& luma) {
  if (lent == nullptr || luma.empty()) return;
  lent->load(luma.data, static_cast<std::size_t>(luma.stride * (luma.height - 1) + luma.width));
}

void load(const LentMemory* lent, const ColorPicture& picture) {
  load_around(lent, picture, {0, 0, 1, static_cast<float>(picture.height)});
}

void load_around(const LentMemory* lent, const ColorPicture& picture, const BoundingBox& box) {
  if (lent == nullptr) return;
  const auto [first, last] = rows_of(box, picture.height);
  for (std::size_t c = 0; c < components_of(picture.space); ++c) {
    const ColorComponent& component = picture.components[c];
    const std::ptrdiff_t begin = (first >> component.shift_y) * component.stride;
    const std::ptrdiff_t end = (last >> component.shift_y) * component.stride;
    lent->load(component.data + begin,
               static_cast<std::size_t>(end - begin + row_bytes(picture, component)));
  }
}

TrackedFrame PictureLender::begin(const Frame& frame) {
  end();
  const DevicePicture& picture = frame.on_device;
  if (picture.empty()) return frame;
  if (!frame.luma.empty() || !frame.color.empty()) {
    refuse("is not the only one of its frame: leave Frame::luma and Frame::color empty");
  }
  check(picture);
  auto buffer = std::dynamic_pointer_cast<ExternalBuffer>(picture.memory);
  if (buffer == nullptr) refuse("is none of lend_buffer() or import_memory()");
  Extent all = extent_of(picture, picture.components[0]);
  for (std::size_t c = 1; c < components_of(picture.space); ++c) {
    const Extent one = extent_of(picture, picture.components[c]);
    all = {std::min(all.begin, one.begin), std::max(all.end, one.end)};
  }
  // Whoever still has a part of the one before keeps it.
  if (memory_ == nullptr || memory_.use_count() > 1) memory_ = std::make_shared<LentMemory>();
  memory_->begin(std::move(buffer), all.begin, all.end - all.begin);
  const auto* const base = reinterpret_cast<const std::uint8_t*>(memory_->address());
  const auto data_of = [&](const DeviceComponent& component) {
    return base + (component.offset - all.begin);
  };
  TrackedFrame seen(frame, memory_);
  seen.on_device = {};
  if (has_luma(picture)) {
    const DeviceComponent& first = picture.components[0];
    seen.luma = {data_of(first), picture.width, picture.height, first.stride};
  }
  if (picture.space == ColorSpace::none) return seen;
  seen.color = {.space = picture.space,
                .encoding = picture.encoding,
                .width = picture.width,
                .height = picture.height,
                .components = {}};
  for (std::size_t c = 0; c < 3; ++c) {
    const DeviceComponent& component = picture.components[c];
    seen.color.components[c] = {.data = data_of(component),
                                .stride = component.stride,
                                .step = component.step,
                                .shift_x = component.shift_x,
                                .shift_y = component.shift_y};
  }
  return seen;
}

void PictureLender::end() {
  if (memory_ != nullptr) memory_->end();
}

void PictureLender::abandon() noexcept {
  try {
    end();
  } catch (...) {  // a failed device: it no longer reads the picture
  }
  memory_ = nullptr;
}

}  // namespace cltrack
