// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay/overlay_text.h"

#include <glib.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace cltrack::gst {
namespace {

// Far beyond what fits into a tag; shaping a text takes time for every character of it.
constexpr std::size_t kMaxLabelBytes = 256;

// Labels come from other elements, and so can hold anything.
std::string printable(const std::string& label) {
  const std::size_t size = std::min(label.size(), kMaxLabelBytes);
  const std::unique_ptr<char, decltype(&g_free)> valid(
      g_utf8_make_valid(label.data(), static_cast<gssize>(size)), g_free);
  std::string text;
  for (const char* at = valid.get(); *at != '\0'; at = g_utf8_next_char(at)) {
    const gunichar character = g_utf8_get_char(at);
    if (g_unichar_iscntrl(character) || g_unichar_isspace(character)) {
      text += ' ';
    } else {
      text.append(at, static_cast<std::size_t>(g_utf8_next_char(at) - at));
    }
  }
  if (label.size() > size) text += "…";
  const auto first = text.find_first_not_of(' ');
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

std::string tag_text(const TrackRegion& region, const OverlayStyle& style) {
  if (!style.label_template.is_empty()) return printable(style.label_template.fill(region));
  std::string text;
  const auto add = [&text](const std::string& word) {
    if (word.empty()) return;
    if (!text.empty()) text += ' ';
    text += word;
  };
  if (style.show_label) add(printable(region.label));
  if (style.show_id) add('#' + std::to_string(region.id));
  if (style.show_confidence && region.confidence && region.state != TrackState::lost &&
      std::isfinite(*region.confidence)) {
    add(std::to_string(std::lround(100 * std::clamp(*region.confidence, 0.0f, 1.0f))) + '%');
  }
  if (style.show_state && region.state && region.state != TrackState::tracking) {
    add(to_string(*region.state));
  }
  return text;
}

}  // namespace cltrack::gst
