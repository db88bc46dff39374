// SPDX-License-Identifier: LGPL-2.1-or-later
// Fuzz test: elements get random input, and must still work afterwards. A failure or a crash prints
// the seed, the step and the action; repeat it with
//   CLTRACK_RANDOM_SEED   the seed, or the first and the last of several: 5 or 10-59
//   CLTRACK_RANDOM_STEPS  how many steps are done with each
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "random_walk.h"

namespace cltrack::test {
namespace {

constexpr int kSteps = 600;

std::string variable(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

std::vector<int> seeds() {
  const std::string range = variable("CLTRACK_RANDOM_SEED", "1-4");
  const std::size_t dash = range.find('-');
  const int first = std::atoi(range.c_str());
  const int last = dash == std::string::npos ? first : std::atoi(range.c_str() + dash + 1);
  std::vector<int> all;
  for (int seed = first; seed <= last; ++seed) all.push_back(seed);
  return all;
}

int steps() {
  return std::atoi(variable("CLTRACK_RANDOM_STEPS", std::to_string(kSteps).c_str()).c_str());
}

class RandomStream : public testing::TestWithParam<std::tuple<Subject, int>> {};

TEST_P(RandomStream, LeavesTheElementAsGoodAsNew) {
  const auto& [subject, seed] = GetParam();
  RandomWalk walk(subject, static_cast<std::uint64_t>(seed));
  walk.run(steps());
  TrackerHarness unharmed(subject.factory, subject.properties);
  prepare_sink(unharmed, subject);
  EXPECT_EQ(known_answer(walk.harness(), subject), known_answer(unharmed, subject));
}

INSTANTIATE_TEST_SUITE_P(Elements, RandomStream,
                         testing::Combine(testing::ValuesIn(hostile_subjects()),
                                          testing::ValuesIn(seeds())),
                         [](const auto& tested) {
                           return std::get<0>(tested.param).name + "_seed_" +
                                  std::to_string(std::get<1>(tested.param));
                         });

}  // namespace
}  // namespace cltrack::test
