// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elements/target_requests.h"

#include "cltrack/error.h"
#include "elements/guard.h"
#include "metadata/track_messages.h"
#include "properties/property_text.h"
#include "scoped.h"

namespace cltrack::gst {

void TargetRequests::refuse(std::uint64_t id, const std::string& reason) const {
  const Scoped<char, g_free> text(g_utf8_make_valid(reason.c_str(), -1));
  GST_ELEMENT_WARNING(element_, RESOURCE, SETTINGS, ("%s", text.get()), ("nothing is changed"));
  post_change(element_, {TargetChange::Action::refused, id, {}, origin_, text.get()}, {});
}

template <typename Request>
bool TargetRequests::attempt(std::uint64_t id, const Request& request) const {
  return guard(element_, false, [&] {
    try {
      request();
      return true;
    } catch (const Error& error) {
      refuse(id, error.what());
      return false;
    }
  });
}

std::uint64_t TargetRequests::add(const TargetSeed& seed, std::string label) const {
  std::uint64_t id = 0;
  attempt(0, [&] {
    if (label.empty()) {
      gchar* text = nullptr;
      g_object_get(element_, "label", &text, nullptr);
      const Scoped<char, g_free> owner(text);
      if (text != nullptr) label = text;
    }
    check_label("label", label);
    id = control_.add(seed, label, origin_);
  });
  return id;
}

bool TargetRequests::move(std::uint64_t id, const TargetPlace& place) const {
  return attempt(id, [&] { control_.move(id, place, origin_); });
}

bool TargetRequests::remove(std::uint64_t id) const {
  return attempt(id, [&] { control_.remove(id, origin_); });
}

bool TargetRequests::clear() const {
  return attempt(0, [&] { control_.clear(origin_); });
}

}  // namespace cltrack::gst
