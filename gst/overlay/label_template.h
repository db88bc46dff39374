// SPDX-License-Identifier: LGPL-2.1-or-later
// What users want to read in the tags: "{label} #{id} {confidence}%".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "metadata/track_meta.h"

namespace cltrack::gst {

class LabelTemplate {
 public:
  // Nothing is wanted.
  LabelTemplate() = default;

  // Names in braces are fields; "{{" and "}}" are braces. Throws Error{invalid_argument} that names
  // what is allowed for an unknown field, a brace without another, more than kMostBytes, and what
  // is not UTF-8.
  explicit LabelTemplate(std::string_view text);

  bool is_empty() const { return parts_.empty(); }
  const std::string& text() const { return text_; }

  // With what is known of a region in place of the fields, and "-" for what is not. Labels are
  // taken as they are.
  std::string fill(const TrackRegion& region) const;

  static constexpr std::size_t kMostBytes = 1024;

 private:
  using Field = std::string (*)(const TrackRegion& region);
  struct Part {
    std::string text;
    Field field = nullptr;  // behind the text
  };

  static Field find_field(std::string_view name);

  std::string text_;
  std::vector<Part> parts_;
};

}  // namespace cltrack::gst
