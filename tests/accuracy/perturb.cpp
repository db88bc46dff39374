// SPDX-License-Identifier: LGPL-2.1-or-later
#include "perturb.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <string>

#include "frame_source.h"

namespace cltrack::accuracy {
namespace {

// As cameras do, without frames that wait for later ones. One thread each, so that the bits are the
// same on every run. (JPEG is no variant: jpegenc encodes what lies behind rows, which differs.)
std::string h264(int quality) {
  return "video/x-raw, format=I420 ! x264enc pass=qual quantizer=" + std::to_string(quality) +
         " speed-preset=superfast tune=zerolatency key-int-max=50 threads=1 ! "
         "avdec_h264 max-threads=1";
}

std::vector<Variant> make_variants() {
  std::vector<Variant> all{{},
                           {.name = "noise", .noise = 1},
                           {.name = "brighter", .contrast = 1.03, .brightness = 0.03},
                           {.name = "shifted", .shift = 1},
                           {.name = "mirrored", .mirrored = true},
                           {.name = "second-frames", .step = 2},
                           {.name = "first-moved", .first_moved = 0.03},
                           {.name = "h264-19", .codec = h264(19)},
                           {.name = "h264-27", .codec = h264(27)},
                           {.name = "first-larger", .first_scaled = 1.03},
                           {.name = "darker", .contrast = 1 / 1.03, .brightness = -0.03},
                           {.name = "shifted-back", .shift = -1},
                           {.name = "first-smaller", .first_scaled = 1 / 1.03},
                           {.name = "h264-35", .codec = h264(35)},
                           {.name = "first-moved-back", .first_moved = -0.03},
                           {.name = "panned", .pan = {.speed = 0.3}},
                           {.name = "shaken", .pan = {.speed = 1}}};
  if (!element_exists("x264enc") || !element_exists("avdec_h264")) {
    std::erase_if(all, [](const Variant& variant) { return !variant.codec.empty(); });
  }
  return all;
}

// Where a box of that frame is; nothing if a camera that moves hardly shows it.
std::optional<BoundingBox> changed(BoundingBox box, const Variant& variant, FrameSize size,
                                   std::size_t index) {
  constexpr float kLeastShown = 0.25f;
  if (variant.pan.speed != 0) {
    const BoundingBox part = shown_part(variant.pan, size.width, size.height, index);
    const BoundingBox moved = {box.x - part.x, box.y - part.y, box.width, box.height};
    size = {static_cast<int>(part.width), static_cast<int>(part.height)};
    box = clip_to_frame(moved, size.width, size.height);
    if (!(box.area() >= kLeastShown * moved.area())) return std::nullopt;
  }
  box.x += static_cast<float>(variant.shift);
  box.y += static_cast<float>(variant.shift);
  if (variant.mirrored) box.x = static_cast<float>(size.width) - box.x - box.width;
  return box;
}

BoundingBox off_by(const BoundingBox& box, const Variant& variant) {
  const auto moved = static_cast<float>(variant.first_moved);
  const auto scaled = static_cast<float>(variant.first_scaled);
  const float width = scaled * box.width, height = scaled * box.height;
  return {box.center_x() + moved * box.width - width / 2,
          box.center_y() + moved * box.height - height / 2, width, height};
}

Sequence changed(const Sequence& sequence, const Variant& variant, FrameSize size) {
  Sequence result = sequence;
  result.variant = variant;
  result.variant.pan.first = sequence.first_box;
  // H.264 has half as many samples of chroma on each side, which cameras never have to round.
  if (!variant.codec.empty() && (size.width % 2 != 0 || size.height % 2 != 0)) {
    result.variant.codec = "videocrop right=" + std::to_string(size.width % 2) +
                           " bottom=" + std::to_string(size.height % 2) + " ! " + variant.codec;
  }
  const auto moved = [&](const BoundingBox& box, std::size_t index) {
    return changed(box, result.variant, size, index);
  };
  // A window that begins around a box shows it, unless that is larger.
  result.first_box = off_by(moved(sequence.first_box, 0).value_or(sequence.first_box), variant);
  result.truth.clear();
  for (std::size_t i = 0; i < sequence.truth.size(); i += variant.step) {
    auto box = sequence.truth[i];
    if (box) box = moved(*box, i);
    result.truth.push_back(box);
  }
  return result;
}

// None if it cannot be read: whoever runs it is told why.
std::optional<FrameSize> size_of(const Sequence& sequence) {
  try {
    const auto frame = FrameReader(sequence).next();
    if (frame) return FrameSize{frame->width(), frame->height()};
  } catch (const std::exception&) {
  }
  return {};
}

}  // namespace

const std::vector<Variant>& known_variants() {
  static const std::vector<Variant> all = make_variants();
  return all;
}

std::vector<Sequence> perturbed(std::span<const Sequence> sequences, std::size_t count) {
  const auto variants = std::span(known_variants()).first(std::min(count, known_variants().size()));
  std::vector<Sequence> all;
  for (const Sequence& sequence : sequences) {
    const std::optional<FrameSize> size =
        variants.size() > 1 ? size_of(sequence) : std::optional<FrameSize>();
    if (!size) {
      all.push_back(sequence);
      continue;
    }
    for (const Variant& variant : variants) all.push_back(changed(sequence, variant, *size));
  }
  return all;
}

}  // namespace cltrack::accuracy
