// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/random.h"
#include "ops/ferns/fern_tables.h"
#include "support/devices.h"

namespace cltrack {
namespace {

class FernUpdateOnDevice : public test::DeviceTest {
 protected:
  struct SampleSet {
    std::uint32_t codes_each = 2;  // so few different codes that samples meet in their leaves
    std::size_t positives = 0;
    std::size_t count = 0;
    std::size_t place_count = 0;
    int slot = 0;
    std::uint32_t positive_score = 0;
  };

  FernSampleArrays make_samples(int ferns, const std::vector<SampleSet>& sets) {
    std::vector<LearnJob> jobs;
    for (const SampleSet& set : sets) {
      LearnJob job = {};
      job.positives = static_cast<std::uint32_t>(set.positives);
      job.room = static_cast<std::uint32_t>(set.count - set.positives);
      job.tables = set.slot;
      job.positive_score = set.positive_score;
      jobs.push_back(job);
    }
    FernSampleArrays samples;
    samples.assign(ferns, jobs);
    const auto each = static_cast<std::size_t>(ferns);
    for (std::size_t j = 0; j < sets.size(); ++j) {
      const SampleSet& set = sets[j];
      const std::size_t first = samples.jobs.host_read()[j].first_sample * each;
      const std::size_t count = set.count * each;
      for (std::uint16_t& code : samples.codes.host_update().subspan(first, count)) {
        code = static_cast<std::uint16_t>(random_.below(set.codes_each));
      }
      std::vector<std::uint32_t> places(set.place_count);
      std::iota(places.begin(), places.end(), 0u);
      random_.shuffle(places);
      places.resize(set.count);
      std::ranges::sort(places);
      std::ranges::copy(
          places, samples.places.host_update().begin() + samples.jobs.host_read()[j].first_sample);
      samples.sample_count.host_update()[j] = static_cast<std::uint32_t>(set.count);
      samples.place_count.host_update()[j] = static_cast<std::uint32_t>(set.place_count);
    }
    return samples;
  }

  // As the learner has always taken them.
  static std::vector<std::uint32_t> expected_order(const FernSampleArrays& samples,
                                                   std::size_t blocks, std::size_t job = 0) {
    constexpr std::uint32_t none = UINT32_MAX;
    const auto places =
        samples.places.host_read().subspan(samples.jobs.host_read()[job].first_sample);
    std::vector<std::uint32_t> row(samples.place_count.host_read()[job], none);
    const std::uint32_t count = samples.sample_count.host_read()[job];
    for (std::uint32_t i = 0; i < count; ++i) row[places[i]] = i;
    std::vector<std::uint32_t> order;
    const std::size_t block = (row.size() + blocks - 1) / blocks;
    for (std::size_t start = 0; start < block; ++start) {
      for (std::size_t i = start; i < row.size(); i += block) {
        if (row[i] != none) order.push_back(row[i]);
      }
    }
    return order;
  }

  // update_ferns() of a job on the host.
  static void learn(FernTables& tables, const FernSampleArrays& samples, std::size_t j, int passes,
                    std::uint32_t negative_score) {
    const LearnJob& job = samples.jobs.host_read()[j];
    std::vector<std::uint8_t> positive(samples.sample_count.host_read()[j]);
    std::fill_n(positive.begin(), job.positives, std::uint8_t{1});
    const auto codes = samples.codes.host_read().subspan(job.first_sample *
                                                         static_cast<std::size_t>(samples.ferns));
    const std::vector<std::uint32_t> order = expected_order(samples, 10, j);
    for (int pass = 0; pass < passes; ++pass) {
      reference::update_ferns(tables, {codes, positive}, order, job.positive_score, negative_score);
    }
  }

  static void expect_equal(const FernTables& got, const FernTables& expected) {
    ASSERT_EQ(got.positives, expected.positives);
    ASSERT_EQ(got.negatives, expected.negatives);
    ASSERT_EQ(got.posteriors, expected.posteriors);
  }

  void expect_equals_host(int ferns, int pairs, std::vector<SampleSet> sets) {
    const std::uint32_t half = static_cast<std::uint32_t>(ferns) * kPosteriorOne / 2;
    int slots = 1;
    for (SampleSet& set : sets) {
      set.positive_score += half;
      slots = std::max(slots, set.slot + 1);
    }
    const FernSampleArrays samples = make_samples(ferns, sets);
    Array<std::uint32_t> order;
    order_samples(*queue_, samples, 10, order);

    FernTableArrays tables;
    tables.resize(ferns, pairs, slots);
    std::vector<FernTables> expected(static_cast<std::size_t>(slots), FernTables(ferns, pairs));
    for (const int passes : {1, 2, 1}) {
      for (std::size_t j = 0; j < sets.size(); ++j) {
        learn(expected[static_cast<std::size_t>(sets[j].slot)], samples, j, passes, half);
      }
      update_ferns(*queue_, samples, order, half, passes, tables);
      for (int slot = 0; slot < slots; ++slot) {
        SCOPED_TRACE("slot " + std::to_string(slot) + ", passes " + std::to_string(passes));
        FernTables got;
        tables.read(slot, got);
        expect_equal(got, expected[static_cast<std::size_t>(slot)]);
      }
    }
  }

  void expect_equals_host(int ferns, int pairs, std::uint32_t codes_each, std::size_t positives,
                          std::size_t count) {
    SCOPED_TRACE(std::to_string(count) + " samples of " + std::to_string(ferns) + " ferns");
    expect_equals_host(ferns, pairs, {{codes_each, positives, count, 2 * count, 0, 1000}});
  }

  Random random_{8};
};

TEST_P(FernUpdateOnDevice, EqualsHost) {
  expect_equals_host(10, 13, 8192, 100, 300);
  expect_equals_host(10, 13, 5, 100, 300);
  expect_equals_host(10, 13, 2, 150, 300);
  expect_equals_host(16, 13, 3, 40, 100);
  expect_equals_host(1, 1, 2, 20, 40);
  expect_equals_host(3, 4, 16, 30, 77);
  expect_equals_host(10, 13, 4, 0, 50);
  expect_equals_host(10, 13, 4, 50, 50);
  expect_equals_host(10, 13, 40, 100, 2500);
}

TEST_P(FernUpdateOnDevice, FewSamples) {
  for (const std::size_t count : {0, 1, 2, 15, 16, 17, 33, 511, 512, 513}) {
    expect_equals_host(10, 13, 3, count / 2, count);
  }
}

TEST_P(FernUpdateOnDevice, SmallGroups) {
  allow_small_groups_only();
  for (const std::size_t count : {255, 256, 257, 1000}) {
    expect_equals_host(10, 13, 30, count / 3, count);
  }
}

TEST_P(FernUpdateOnDevice, LargeCounts) {
  FernTables expected(2, 2);
  std::fill(expected.positives.begin(), expected.positives.end(), 2000000000);
  std::fill(expected.negatives.begin(), expected.negatives.end(), 2000000000);
  FernTableArrays tables;
  tables.assign(expected);
  const FernSampleArrays samples = make_samples(2, {{4, 10, 20, 20, 0, 2 * kPosteriorOne}});
  Array<std::uint32_t> order;
  order_samples(*queue_, samples, 10, order);
  learn(expected, samples, 0, 1, 0);
  update_ferns(*queue_, samples, order, 0, 1, tables);
  FernTables got;
  tables.read(0, got);
  expect_equal(got, expected);
}

TEST_P(FernUpdateOnDevice, Batches) {
  const std::vector<SampleSet> all = {{5, 100, 300, 600, 3, 1000}, {2, 0, 0, 0, 7, 0},
                                      {3, 30, 31, 200, 0, 5000},   {2, 10, 10, 10, 6, 0},
                                      {40, 20, 700, 900, 1, 0},    {4, 0, 50, 77, 5, 0},
                                      {3, 1, 1, 1, 4, 20000}};
  expect_equals_host(10, 13, all);
  expect_equals_host(3, 4, {all[0], all[2]});
  expect_equals_host(10, 13, {});
  for (const SampleSet& set : all) expect_equals_host(10, 13, {set});
}

TEST_P(FernUpdateOnDevice, RejectsSlotsThatAreNotThere) {
  FernTableArrays tables;
  tables.resize(2, 3, 2);
  Array<std::uint32_t> order;
  for (const int slot : {-1, 2}) {
    const FernSampleArrays samples = make_samples(2, {{4, 0, 2, 2, 0, 0}, {4, 1, 2, 2, slot, 0}});
    order_samples(*queue_, samples, 10, order);
    EXPECT_THROW(update_ferns(*queue_, samples, order, 0, 1, tables), Error);
  }
}

TEST_P(FernUpdateOnDevice, OrderOfAnyNumberOfPlaces) {
  for (std::size_t places = 0; places < 40; ++places) {
    for (const std::size_t blocks : {1, 3, 10}) {
      const FernSampleArrays samples = make_samples(1, {{2, 0, places / 2, places, 0, 0}});
      Array<std::uint32_t> order;
      const test::Canary room(order, places / 2, *queue_);
      order_samples(*queue_, samples, static_cast<int>(blocks), order);
      EXPECT_TRUE(room.is_intact());
      const auto got = order.host_read();
      const auto expected = expected_order(samples, blocks);
      ASSERT_TRUE(std::equal(got.begin(), got.end(), expected.begin(), expected.end())) << places;
    }
  }
  const FernSampleArrays samples = make_samples(1, {{2, 0, 777, 2001, 0, 0}});
  Array<std::uint32_t> order;
  order_samples(*queue_, samples, 10, order);
  const auto got = order.host_read();
  const auto expected = expected_order(samples, 10);
  EXPECT_TRUE(std::equal(got.begin(), got.end(), expected.begin(), expected.end()));
}

TEST_P(FernUpdateOnDevice, OrderOfBatches) {
  const std::vector<SampleSet> all = {
      {2, 0, 0, 0, 0, 0}, {2, 3, 20, 40, 0, 0}, {2, 5, 5, 5, 0, 0},    {2, 0, 300, 777, 0, 0},
      {2, 2, 3, 9, 0, 0}, {2, 1, 1, 1, 0, 0},   {2, 40, 90, 100, 0, 0}};
  for (const std::size_t count : {1, 2, 7}) {
    const FernSampleArrays samples =
        make_samples(1, {all.begin(), all.begin() + static_cast<int>(count)});
    Array<std::uint32_t> order;
    order_samples(*queue_, samples, 10, order);
    for (std::size_t j = 0; j < count; ++j) {
      const auto expected = expected_order(samples, 10, j);
      const auto got =
          order.host_read().subspan(samples.jobs.host_read()[j].first_sample, expected.size());
      ASSERT_TRUE(std::equal(got.begin(), got.end(), expected.begin())) << j << " of " << count;
    }
  }
}

CLTRACK_ON_EVERY_DEVICE(FernUpdateOnDevice);

}  // namespace
}  // namespace cltrack
