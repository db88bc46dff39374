// SPDX-License-Identifier: LGPL-2.1-or-later
// Targets that keep what they are told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cltrack/error.h"
#include "detections/detection_targets.h"

namespace cltrack::test {

class RecordingTargets final : public DetectionTargets {
 public:
  // What the application adds; nobody needs to be told.
  std::uint64_t add(const BoundingBox& box, const std::string& label) {
    const std::uint64_t id = start(box, label);
    announce(id);
    return id;
  }

  std::uint64_t start(const BoundingBox& box, const std::string& label) override {
    if (boxes.size() == most) {
      ++refused;
      throw Error(ErrorCode::invalid_argument, "there are enough");
    }
    boxes.push_back(box);
    labels.push_back(label);
    is_tentative_[boxes.size()] = true;
    return boxes.size();
  }
  void announce(std::uint64_t id) override {
    if (std::exchange(is_tentative_.at(id), false)) tell("added ", id);
  }
  bool is_tentative(std::uint64_t id) const override { return has(id) && is_tentative_.at(id); }
  void end(std::uint64_t id, const std::string&) override {
    removed.push_back(id);
    if (!is_tentative(id)) tell("removed ", id);
    is_tentative_.erase(id);
  }
  bool place(std::uint64_t id, const BoundingBox& box) override {
    moved.emplace_back(id, box);
    return true;
  }
  bool has(std::uint64_t id) const override { return is_tentative_.contains(id); }

  std::size_t most = std::numeric_limits<std::size_t>::max();  // that there may be
  int refused = 0;
  std::vector<BoundingBox> boxes;  // of all that were added: the first one has the id 1
  std::vector<std::string> labels;
  std::vector<std::pair<std::uint64_t, BoundingBox>> moved;
  std::vector<std::uint64_t> removed;
  std::vector<std::string> changes;  // of announced ones: "added 1", "removed 1"

 private:
  void tell(const std::string& what, std::uint64_t id) {
    changes.push_back(what + std::to_string(id));
  }

  std::map<std::uint64_t, bool> is_tentative_;
};

}  // namespace cltrack::test
