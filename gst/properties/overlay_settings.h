// SPDX-License-Identifier: LGPL-2.1-or-later
// The properties of trackoverlay.
#pragma once

#include <gst/gst.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "overlay/overlay_blend.h"
#include "overlay/overlay_style.h"
#include "properties/property_table.h"

namespace cltrack::gst {

inline constexpr std::int64_t kNoChoice = -1;

// The track that is marked as chosen. Threading: any.
class ChosenTrack {
 public:
  struct Value {
    std::int64_t id = kNoChoice;
    std::string tracker = {};  // the name of its element; "": any

    friend bool operator==(const Value&, const Value&) = default;
  };

  Value get() const {
    const std::lock_guard lock(mutex_);
    return value_;
  }
  void set(const Value& value) {
    const std::lock_guard lock(mutex_);
    value_ = value;
  }
  void set_id(std::int64_t id) {
    const std::lock_guard lock(mutex_);
    value_.id = id;
  }
  void set_tracker(const std::string& tracker) {
    const std::lock_guard lock(mutex_);
    value_.tracker = tracker;
  }
  // Nothing is chosen any more, unless another choice than `value` has been made.
  void drop(const Value& value) {
    const std::lock_guard lock(mutex_);
    if (value_ == value) value_ = {};
  }

 private:
  mutable std::mutex mutex_;
  Value value_;
};

// A value that was not taken.
struct OverlayRefusal {
  std::string reason;
  unsigned number = 0;  // how many there were so far
};

struct OverlaySettings {
  OverlayStyle style;
  std::uint64_t lost_time = GST_SECOND;  // ns of stream time
  unsigned trail_length = 0;             // points of what has no trail; 0: none
  CompositionMode composition = CompositionMode::automatic;
  bool navigation = false;
  // All copies share it, since a click sets it while a picture is drawn.
  std::shared_ptr<ChosenTrack> chosen = std::make_shared<ChosenTrack>();
  OverlayRefusal refusal;
};

const PropertyTable<OverlaySettings>& overlay_properties();

}  // namespace cltrack::gst
