// SPDX-License-Identifier: LGPL-2.1-or-later
// A cache that keeps the values that the latest frame used.
#pragma once

#include <map>

namespace cltrack::gst {

template <typename Key, typename Value>
class FrameCache {
 public:
  // The value of `key`; make() is called for one that the frame before did not have. The reference
  // holds until end_frame() or clear().
  template <typename Make>
  const Value& get(const Key& key, Make make) {
    auto found = entries_.find(key);
    if (found == entries_.end()) found = entries_.emplace(key, Entry{make(), true}).first;
    found->second.is_used = true;
    return found->second.value;
  }

  // Drops values that were not used since the last call.
  void end_frame() {
    std::erase_if(entries_, [](const auto& item) { return !item.second.is_used; });
    for (auto& item : entries_) item.second.is_used = false;
  }

  void clear() { entries_.clear(); }
  auto size() const { return entries_.size(); }

 private:
  struct Entry {
    Value value;
    bool is_used;
  };
  std::map<Key, Entry> entries_;
};

}  // namespace cltrack::gst
