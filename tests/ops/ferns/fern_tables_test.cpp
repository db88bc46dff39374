// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/ferns/fern_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/random.h"
#include "support/check_op.h"
#include "support/devices.h"
#include "support/errors.h"

namespace cltrack {
namespace {

void expect_slot(const FernTableArrays& arrays, int slot, const FernTables& expected) {
  SCOPED_TRACE("slot " + std::to_string(slot));
  FernTables got;
  arrays.read(slot, got);
  EXPECT_EQ(got.ferns, expected.ferns);
  EXPECT_EQ(got.pairs, expected.pairs);
  EXPECT_EQ(got.counts, expected.counts);
  EXPECT_EQ(got.posteriors, expected.posteriors);
  const PosteriorView view = arrays.host_view(slot);
  EXPECT_TRUE(std::equal(expected.posteriors.begin(), expected.posteriors.end(), view.posteriors));
}

class FernTablesOnDevice : public test::DeviceTest {
 protected:
  static FernTables tables_from(int first, int ferns = 3, int pairs = 4) {
    FernTables tables(ferns, pairs);
    for (std::size_t i = 0; i < tables.counts.size(); ++i) {
      const auto positives = static_cast<std::uint16_t>(static_cast<std::size_t>(first) + i);
      tables.counts[i] = {positives, static_cast<std::uint16_t>(positives + 1000)};
    }
    std::iota(tables.posteriors.begin(), tables.posteriors.end(),
              static_cast<std::uint16_t>(first + 2000));
    return tables;
  }

  // A device has the only valid copy.
  void move_to_device(FernTableArrays& arrays) {
    if (queue_->is_host()) return;
    arrays.counts.device_update(*queue_);
    arrays.posteriors.device_update(*queue_);
  }
};

TEST_P(FernTablesOnDevice, SlotsAreApart) {
  FernTableArrays arrays;
  arrays.resize(3, 4, 3);
  arrays.assign(2, tables_from(7));
  move_to_device(arrays);
  arrays.assign(0, tables_from(100));
  expect_slot(arrays, 0, tables_from(100));
  expect_slot(arrays, 1, FernTables(3, 4));
  expect_slot(arrays, 2, tables_from(7));
}

TEST_P(FernTablesOnDevice, GrowingKeepsWhatIsThere) {
  FernTableArrays arrays;
  arrays.assign(tables_from(7));
  EXPECT_EQ(arrays.slots, 1);
  move_to_device(arrays);
  arrays.resize(3, 4, 5);
  expect_slot(arrays, 0, tables_from(7));
  for (int slot = 1; slot < 5; ++slot) expect_slot(arrays, slot, FernTables(3, 4));
  arrays.assign(4, tables_from(9));
  move_to_device(arrays);
  arrays.resize(3, 4, 2);
  expect_slot(arrays, 0, tables_from(7));
  arrays.resize(3, 4, 5);
  expect_slot(arrays, 4, FernTables(3, 4));
}

TEST_P(FernTablesOnDevice, OneSlotMayBeFetched) {
  FernTableArrays arrays, fetched;
  arrays.resize(3, 4, 3);
  for (int slot = 0; slot < 3; ++slot) arrays.assign(slot, tables_from(10 + slot));
  for (const int slot : {2, 0}) {
    move_to_device(arrays);
    const std::uint64_t before = queue_->count().bytes_down;
    arrays.fetch(slot, fetched);
    expect_slot(fetched, 0, tables_from(10 + slot));
    EXPECT_EQ(fetched.slots, 1);
    if (queue_->is_host() || device_->is_zero_copy()) continue;
    EXPECT_EQ(queue_->count().bytes_down - before, arrays.entries() * (4 + 2)) << "no other";
  }
}

TEST_P(FernTablesOnDevice, AnotherKindBeginsEmpty) {
  FernTableArrays arrays;
  arrays.assign(tables_from(7));
  move_to_device(arrays);
  arrays.resize(4, 3, 1);
  expect_slot(arrays, 0, FernTables(4, 3));
}

CLTRACK_ON_EVERY_DEVICE(FernTablesOnDevice);

constexpr std::uint32_t kHalf = kPosteriorOne / 2;
const std::vector<std::uint32_t> kFirst = {0};

TEST(FernUpdate, CountsOnlyMistakes) {
  FernTables tables(2, 3);                          // 2 ferns of 8 codes
  const std::vector<std::uint16_t> codes = {1, 2,   // learnt: nothing is known of it
                                            1, 2,   // known by now
                                            1, 5,   // negative, score 1 of 2: a mistake
                                            1, 2,   // score 1/2 + 1: known
                                            6, 7};  // negative with a low score
  const std::vector<std::uint8_t> positive = {1, 1, 0, 1, 0};
  const std::vector<std::uint32_t> order = {0, 1, 2, 3, 4};
  reference::update_ferns(tables, {codes, positive}, order, kPosteriorOne, kPosteriorOne);
  EXPECT_EQ(tables.counts[1].positives, 1);
  EXPECT_EQ(tables.counts[1].negatives, 1);
  EXPECT_EQ(tables.posteriors[1], kHalf);
  EXPECT_EQ(tables.posteriors[8 + 2], kPosteriorOne);
  EXPECT_EQ(tables.counts[8 + 5].negatives, 1);
  EXPECT_EQ(tables.posteriors[8 + 5], 0);
  EXPECT_EQ(tables.counts[6].negatives, 0);
}

TEST(FernUpdate, LimitsAreInclusive) {
  FernTables tables(1, 2);
  const std::vector<std::uint16_t> code = {3};
  const std::vector<std::uint8_t> yes = {1}, no = {0};
  reference::update_ferns(tables, {code, yes}, kFirst, 0, 0);
  EXPECT_EQ(tables.counts[3].positives, 1) << "a positive of score 0 is learnt up to 0";
  reference::update_ferns(tables, {code, yes}, kFirst, kPosteriorOne - 1, 0);
  EXPECT_EQ(tables.counts[3].positives, 1);
  reference::update_ferns(tables, {code, no}, kFirst, 0, kPosteriorOne);
  EXPECT_EQ(tables.counts[3].negatives, 1)
      << "a negative of full score is learnt from full score on";
  reference::update_ferns(tables, {code, no}, kFirst, 0, kPosteriorOne);
  EXPECT_EQ(tables.counts[3].negatives, 1) << "its score has fallen";
}

TEST(FernUpdate, TheOrderDecides) {
  // The second sample is only a mistake after the first one has been learnt.
  const std::vector<std::uint16_t> codes = {0, 0};
  const std::vector<std::uint8_t> positive = {1, 0};
  FernTables ahead(1, 1), behind(1, 1);
  reference::update_ferns(ahead, {codes, positive}, std::vector<std::uint32_t>{0, 1}, 0,
                          kPosteriorOne);
  reference::update_ferns(behind, {codes, positive}, std::vector<std::uint32_t>{1, 0}, 0,
                          kPosteriorOne);
  EXPECT_EQ(ahead.counts[0].negatives, 1);
  EXPECT_EQ(behind.counts[0].negatives, 0);
  EXPECT_EQ(behind.counts[0].positives, 1);
}

TEST(FernUpdate, PosteriorsAreRoundedDown) {
  FernTables tables(1, 1);
  tables.counts[0] = {65535, 0};
  const std::vector<std::uint16_t> code = {0};
  const std::vector<std::uint8_t> no = {0};
  reference::update_ferns(tables, {code, no}, kFirst, 0, 0);
  EXPECT_EQ(tables.posteriors[0], kPosteriorOne - 1) << "not certain any more";
}

TEST(FernUpdate, CountsAreHalvedBeforeTheyOverflow) {
  EXPECT_EQ(leaf_count(65535, 65535), (LeafCount{65535, 65535}));
  EXPECT_EQ(leaf_count(65536, 1), (LeafCount{32768, 1})) << "what was observed stays observed";
  EXPECT_EQ(leaf_count(0, 65537), (LeafCount{0, 32769}));
  EXPECT_EQ(leaf_count(2000000000, 1000000000), (LeafCount{61036, 30518}));
  FernTables tables(1, 1);
  tables.counts[0] = {65535, 21845};
  const std::vector<std::uint16_t> code = {0};
  const std::vector<std::uint8_t> yes = {1};
  reference::update_ferns(tables, {code, yes}, kFirst, kPosteriorOne, 0);
  EXPECT_EQ(tables.counts[0], (LeafCount{32768, 10923}));
  EXPECT_EQ(tables.posteriors[0], kPosteriorOne * 3 / 4 - 1);
}

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
  static std::vector<std::uint32_t> expected_order(const FernSampleArrays& samples, int blocks,
                                                   std::size_t job = 0) {
    constexpr std::uint32_t none = UINT32_MAX;
    const auto places =
        samples.places.host_read().subspan(samples.jobs.host_read()[job].first_sample);
    std::vector<std::uint32_t> row(samples.place_count.host_read()[job], none);
    const std::uint32_t count = samples.sample_count.host_read()[job];
    for (std::uint32_t i = 0; i < count; ++i) row[places[i]] = i;
    std::vector<std::uint32_t> order;
    const std::size_t parts = static_cast<std::size_t>(blocks);
    const std::size_t block = (row.size() + parts - 1) / parts;
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

  void check(int ferns, int pairs, std::vector<SampleSet> sets) {
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
        SCOPED_TRACE("passes " + std::to_string(passes));
        expect_slot(tables, slot, expected[static_cast<std::size_t>(slot)]);
      }
    }
  }

  void check(int ferns, int pairs, std::uint32_t codes_each, std::size_t positives,
             std::size_t count) {
    SCOPED_TRACE(std::to_string(count) + " samples of " + std::to_string(ferns) + " ferns");
    check(ferns, pairs, {{codes_each, positives, count, 2 * count, 0, 1000}});
  }

  Random random_{8};
};

TEST_P(FernUpdateOnDevice, EqualsHost) {
  check(10, 13, 8192, 100, 300);
  check(10, 13, 5, 100, 300);
  check(10, 13, 2, 150, 300);
  check(16, 13, 3, 40, 100);
  check(1, 1, 2, 20, 40);
  check(3, 4, 16, 30, 77);
  check(10, 13, 4, 0, 50);
  check(10, 13, 4, 50, 50);
  check(10, 13, 40, 100, 2500);
}

TEST_P(FernUpdateOnDevice, FewSamples) {
  for (const std::size_t count : {0, 1, 2, 15, 16, 17, 33, 511, 512, 513}) {
    check(10, 13, 3, count / 2, count);
  }
}

TEST_P(FernUpdateOnDevice, SmallGroups) {
  allow_small_groups_only();
  for (const std::size_t count : {255, 256, 257, 1000}) {
    check(10, 13, 30, count / 3, count);
  }
}

TEST_P(FernUpdateOnDevice, LargeCounts) {
  FernTables expected(2, 2);
  expected.counts = {{65535, 0}, {65534, 65535}, {3, 65535}, {65530, 65530},
                     {0, 65535}, {65535, 65535}, {65535, 1}, {1, 65534}};
  FernTableArrays tables;
  tables.assign(expected);
  const FernSampleArrays samples = make_samples(2, {{4, 10, 20, 20, 0, 2 * kPosteriorOne}});
  Array<std::uint32_t> order;
  order_samples(*queue_, samples, 10, order);
  learn(expected, samples, 0, 1, 0);
  update_ferns(*queue_, samples, order, 0, 1, tables);
  expect_slot(tables, 0, expected);
}

TEST_P(FernUpdateOnDevice, Batches) {
  const std::vector<SampleSet> all = {{5, 100, 300, 600, 3, 1000}, {2, 0, 0, 0, 7, 0},
                                      {3, 30, 31, 200, 0, 5000},   {2, 10, 10, 10, 6, 0},
                                      {40, 20, 700, 900, 1, 0},    {4, 0, 50, 77, 5, 0},
                                      {3, 1, 1, 1, 4, 20000}};
  check(10, 13, all);
  check(3, 4, {all[0], all[2]});
  check(10, 13, {});
  for (const SampleSet& set : all) check(10, 13, {set});
}

TEST_P(FernUpdateOnDevice, RejectsSlotsThatAreNotThere) {
  FernTableArrays tables;
  tables.resize(2, 3, 2);
  Array<std::uint32_t> order;
  for (const int slot : {-1, 2}) {
    const FernSampleArrays samples = make_samples(2, {{4, 0, 2, 2, 0, 0}, {4, 1, 2, 2, slot, 0}});
    order_samples(*queue_, samples, 10, order);
    test::expect_rejected([&] { update_ferns(*queue_, samples, order, 0, 1, tables); });
  }
}

TEST_P(FernUpdateOnDevice, OrderOfAnyNumberOfPlaces) {
  const auto check_order = [&](std::size_t count, std::size_t places, int blocks) {
    SCOPED_TRACE(places);
    const FernSampleArrays samples = make_samples(1, {{2, 0, count, places, 0, 0}});
    const auto op = [&](auto& order) { order_samples(*queue_, samples, blocks, order); };
    test::check_op(*queue_, 1, op, test::Output{expected_order(samples, blocks)});
  };
  for (std::size_t places = 0; places < 40; ++places) {
    for (const int blocks : {1, 3, 10}) check_order(places / 2, places, blocks);
  }
  check_order(777, 2001, 10);
}

CLTRACK_ON_EVERY_DEVICE(FernUpdateOnDevice);

}  // namespace
}  // namespace cltrack
