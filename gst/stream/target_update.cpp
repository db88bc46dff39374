// SPDX-License-Identifier: LGPL-2.1-or-later
#include "stream/target_update.h"

#include <sstream>

#include "cltrack/error.h"

namespace cltrack::gst {
namespace {

bool is_inside(const BoundingBox& box, int width, int height) {
  return box.x >= 0 && box.y >= 0 && box.right() <= static_cast<float>(width) &&
         box.bottom() <= static_cast<float>(height);
}

std::string describe_clipping(const BoundingBox& box, const BoundingBox& inside, int width,
                              int height) {
  const auto write = [](std::ostringstream& out, const BoundingBox& b) {
    out << "x=" << b.x << " y=" << b.y << " width=" << b.width << " height=" << b.height;
  };
  std::ostringstream text;
  text << "target ";
  write(text, box);
  text << " reaches beyond the frame of " << width << "x" << height << " pixels: clipped to ";
  write(text, inside);
  return text.str();
}

}  // namespace

void replace_targets(Tracker& tracker, std::vector<std::uint64_t>& ids,
                     std::span<const Target> targets, const std::string& label, int width,
                     int height, OnBadTarget on_bad_target, std::vector<std::string>& warnings) {
  std::vector<Target> accepted;
  for (const Target& target : targets) {
    Target& added = accepted.emplace_back(target);
    if (added.label.empty()) added.label = label;
    try {
      const BoundingBox inside = clip_target(target.box, width, height);
      if (is_inside(target.box, width, height)) continue;
      warnings.push_back(describe_clipping(target.box, inside, width, height));
      added.box = inside;
    } catch (const Error& error) {
      if (on_bad_target == OnBadTarget::refuse) throw;
      accepted.pop_back();
      warnings.push_back(std::string(error.what()) + "; this target is left out");
    }
  }
  for (const std::uint64_t id : ids) tracker.remove(id);
  ids.clear();
  for (const Target& target : accepted) ids.push_back(tracker.add(target.box, target.label));
}

}  // namespace cltrack::gst
