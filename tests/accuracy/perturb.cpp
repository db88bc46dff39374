// SPDX-License-Identifier: LGPL-2.1-or-later
#include "perturb.h"

#include <algorithm>
#include <exception>
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
                           {.name = "first-moved-back", .first_moved = -0.03}};
  if (!element_exists("x264enc") || !element_exists("avdec_h264")) {
    std::erase_if(all, [](const Variant& variant) { return !variant.codec.empty(); });
  }
  return all;
}

BoundingBox changed(BoundingBox box, const Variant& variant, int frame_width) {
  box.x += static_cast<float>(variant.shift);
  box.y += static_cast<float>(variant.shift);
  if (variant.mirrored) box.x = static_cast<float>(frame_width) - box.x - box.width;
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
  // H.264 has half as many samples of chroma on each side, which cameras never have to round.
  if (!variant.codec.empty() && (size.width % 2 != 0 || size.height % 2 != 0)) {
    result.variant.codec = "videocrop right=" + std::to_string(size.width % 2) +
                           " bottom=" + std::to_string(size.height % 2) + " ! " + variant.codec;
  }
  result.first_box = off_by(changed(sequence.first_box, variant, size.width), variant);
  result.truth.clear();
  for (std::size_t i = 0; i < sequence.truth.size(); i += variant.step) {
    auto box = sequence.truth[i];
    if (box) box = changed(*box, variant, size.width);
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
