// SPDX-License-Identifier: LGPL-2.1-or-later
#include "stream/target_update.h"

#include "cltrack/error.h"
#include "cltrack/template_tracker.h"
#include "control/target_control.h"

namespace cltrack::gst {

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
    targets_.push_back({clip_with_warning(box, width_, height_, warnings_), label, ""});
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

void TargetUpdate::apply(TargetSet& targets, std::vector<std::uint64_t>& ids) const {
  for (const std::uint64_t id : ids) targets.remove(id, {.source = CommandSource::property});
  ids.clear();
  for (const NewTarget& target : targets_) {
    try {
      ids.push_back(targets.add(target.seed, target.label, {.source = CommandSource::property}));
    } catch (const Error& error) {  // only a tracker can see what is wrong with some pictures
      leave_out(target.prefix, error);
    }
  }
}

}  // namespace cltrack::gst
