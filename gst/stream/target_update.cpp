// SPDX-License-Identifier: LGPL-2.1-or-later
#include "stream/target_update.h"

#include <sstream>

#include "cltrack/error.h"
#include "cltrack/template_tracker.h"

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
  text << " extends beyond the frame of " << width << "x" << height << " pixels: clipped to ";
  write(text, inside);
  return text.str();
}

}  // namespace

TargetUpdate::TargetUpdate(int width, int height, OnBadTarget on_bad_target,
                           std::vector<std::string>& warnings)
    : width_(width), height_(height), on_bad_target_(on_bad_target), warnings_(warnings) {}

void TargetUpdate::leave_out(const std::string& prefix, const Error& error) const {
  const std::string text = prefix + error.what();
  if (on_bad_target_ == OnBadTarget::refuse) throw Error(error.code(), text);
  warnings_.push_back(text + "; this target is ignored");
}

void TargetUpdate::add_box(const BoundingBox& box, const std::string& label) {
  try {
    const BoundingBox inside = clip_target(box, width_, height_);
    const bool fits = is_inside(box, width_, height_);
    if (!fits) warnings_.push_back(describe_clipping(box, inside, width_, height_));
    targets_.push_back({fits ? box : inside, label, ""});
  } catch (const Error& error) {
    leave_out("", error);
  }
}

void TargetUpdate::add_color_box(const BoundingBox& box, const std::string& label) {
  try {
    clip_target(box, width_, height_);
    targets_.push_back({box, label, ""});
  } catch (const Error& error) {
    leave_out("", error);
  }
}

void TargetUpdate::add_color(const ColorModel& model, const std::string& label) {
  targets_.push_back({model, label, ""});
}

void TargetUpdate::add_picture(const ImageView& picture, const std::string& label,
                               const char* property) {
  const std::string prefix = property + std::string(": ");
  try {
    check_template_size(picture.width, picture.height, width_, height_);
    targets_.push_back({picture, label, prefix});
  } catch (const Error& error) {
    leave_out(prefix, error);
  }
}

void TargetUpdate::apply(Tracker& tracker, std::vector<std::uint64_t>& ids) const {
  for (const std::uint64_t id : ids) tracker.remove(id);
  ids.clear();
  for (const NewTarget& target : targets_) {
    try {
      ids.push_back(tracker.add(target.seed, target.label));
    } catch (const Error& error) {  // only a tracker can see what is wrong with some pictures
      leave_out(target.prefix, error);
    }
  }
}

}  // namespace cltrack::gst
