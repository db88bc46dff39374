// SPDX-License-Identifier: LGPL-2.1-or-later
// A tracker that keeps what it is given, and finds nothing.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "cltrack/error.h"
#include "cltrack/tracker.h"

namespace cltrack::test {

class RecordingTracker final : public Tracker {
 public:
  std::uint64_t add(const Seed&, std::string_view) override {
    ADD_FAILURE() << "ids are given";
    return 0;
  }
  void add(std::uint64_t id, const Seed& seed, std::string_view label) override {
    if (seeds.size() == most) {
      ++refused;
      throw Error(ErrorCode::invalid_argument, "there are enough");
    }
    ids.push_back(id);
    seeds.push_back(seed);
    labels.emplace_back(label);
  }
  void set_id_source(std::function<std::uint64_t()> next) override { next_id = std::move(next); }
  bool move(std::uint64_t id, const BoundingBox& box) override {
    moved.emplace_back(id, box);
    return true;
  }
  bool remove(std::uint64_t id) override {
    removed.push_back(id);
    return true;
  }
  void clear() override { FAIL() << "those of others go as well"; }
  void reset() override { FAIL() << "those of others go as well"; }
  void set_learning(bool) override {}
  std::span<const Track> process(const Frame&) override { return {}; }
  TrackerStats stats() const override { return {}; }

  std::size_t most = std::numeric_limits<std::size_t>::max();  // that it takes
  int refused = 0;
  std::function<std::uint64_t()> next_id;
  std::vector<std::uint64_t> ids;
  std::vector<Seed> seeds;
  std::vector<std::string> labels;
  std::vector<std::pair<std::uint64_t, BoundingBox>> moved;
  std::vector<std::uint64_t> removed;
};

}  // namespace cltrack::test
