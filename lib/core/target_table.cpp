// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/target_table.h"

#include <array>

#include "cltrack/error.h"
#include "cltrack/tracker.h"

namespace cltrack {
namespace {

// In the order of Seed's alternatives.
constexpr std::array kSeedNames = {"a box", "a picture", "a colour", "a saved model"};
static_assert(kSeedNames.size() == std::variant_size_v<Seed>, "each kind of seed has a name");

}  // namespace

TargetLimit TargetLimit::of_config(int max_targets) {
  return {max_targets, "max_targets is " + std::to_string(max_targets) +
                           ": remove one first, or allow more, each of which costs time on every "
                           "frame"};
}

void TargetLimit::check(std::size_t count) const {
  if (count < static_cast<std::size_t>(most)) return;
  throw Error(ErrorCode::invalid_argument,
              "there are " + std::to_string(count) + " targets already, and " + advice);
}

void refuse_seed(const Seed& seed, std::string_view algorithm, std::string_view allowed) {
  throw Error(ErrorCode::invalid_argument, "a target of tracking by " + std::string(algorithm) +
                                               " cannot be given as " + kSeedNames[seed.index()] +
                                               ": give " + std::string(allowed));
}

void refuse_id(std::uint64_t id) {
  throw Error(ErrorCode::invalid_argument,
              id == 0 ? "0 cannot be the id of a target: ids are from 1"
                      : "there is a target with the id " + std::to_string(id) + " already");
}

}  // namespace cltrack
