// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/random.h"
#include "ops/ferns/fern_update.h"
#include "support/devices.h"

namespace cltrack {
namespace {

class FernUpdateOnDevice : public test::DeviceTest {
 protected:
  // `codes_each`: so few different codes that samples meet in their leaves.
  FernSampleArrays make_samples(int ferns, std::uint32_t codes_each, std::size_t positives,
                                std::size_t count, std::size_t place_count) {
    FernSampleArrays samples;
    samples.resize(ferns, positives, place_count);
    for (std::uint16_t& code : samples.codes.host_write()) {
      code = static_cast<std::uint16_t>(random_.below(codes_each));
    }
    std::vector<std::uint32_t> places(place_count);
    std::iota(places.begin(), places.end(), 0u);
    random_.shuffle(places);
    places.resize(count);
    std::ranges::sort(places);
    samples.set_places(places, static_cast<std::uint32_t>(place_count));
    return samples;
  }

  // As the learner has always taken them.
  static std::vector<std::uint32_t> expected_order(FernSampleArrays& samples, std::size_t blocks) {
    constexpr std::uint32_t none = UINT32_MAX;
    std::vector<std::uint32_t> row(samples.place_count.host_read()[0], none);
    const std::uint32_t count = samples.sample_count.host_read()[0];
    for (std::uint32_t i = 0; i < count; ++i) row[samples.places.host_read()[i]] = i;
    std::vector<std::uint32_t> order;
    const std::size_t block = (row.size() + blocks - 1) / blocks;
    for (std::size_t start = 0; start < block; ++start) {
      for (std::size_t i = start; i < row.size(); i += block) {
        if (row[i] != none) order.push_back(row[i]);
      }
    }
    return order;
  }

  void expect_equals_host(int ferns, int pairs, std::uint32_t codes_each, std::size_t positives,
                          std::size_t count) {
    SCOPED_TRACE(std::to_string(count) + " samples of " + std::to_string(ferns) + " ferns");
    FernSampleArrays samples = make_samples(ferns, codes_each, positives, count, 2 * count);
    const std::vector<std::uint32_t> order = expected_order(samples, 10);
    Array<std::uint32_t> got_order;
    order_samples(*queue_, samples, 10, got_order);

    FernTables expected(ferns, pairs);
    FernTableArrays tables;
    tables.assign(expected);
    const std::uint32_t half = static_cast<std::uint32_t>(ferns) * kPosteriorOne / 2;
    std::vector<std::uint8_t> positive(samples.codes.size() / static_cast<std::size_t>(ferns));
    std::fill_n(positive.begin(), positives, std::uint8_t{1});
    for (const int passes : {1, 2, 1}) {
      for (int pass = 0; pass < passes; ++pass) {
        update_ferns(expected, {samples.codes.host_read(), positive}, order, half + 1000, half);
      }
      update_ferns(*queue_, tables, samples, got_order, half + 1000, half, passes);
      tables.positives.fetch();
      const auto p = tables.positives.host_read();
      const auto n = tables.negatives.host_read();
      const auto posteriors = tables.posteriors.host_read();
      ASSERT_TRUE(std::equal(p.begin(), p.end(), expected.positives.begin())) << passes;
      ASSERT_TRUE(std::equal(n.begin(), n.end(), expected.negatives.begin())) << passes;
      ASSERT_TRUE(std::equal(posteriors.begin(), posteriors.end(), expected.posteriors.begin()));
    }
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
  FernSampleArrays samples = make_samples(2, 4, 10, 20, 20);
  Array<std::uint32_t> order;
  order_samples(*queue_, samples, 10, order);
  std::vector<std::uint8_t> positive(30);
  std::fill_n(positive.begin(), 10, std::uint8_t{1});
  update_ferns(expected, {samples.codes.host_read(), positive}, expected_order(samples, 10),
               2 * kPosteriorOne, 0);
  update_ferns(*queue_, tables, samples, order, 2 * kPosteriorOne, 0, 1);
  const auto posteriors = tables.posteriors.host_read();
  EXPECT_TRUE(std::equal(posteriors.begin(), posteriors.end(), expected.posteriors.begin()));
  const auto p = tables.positives.host_read();
  EXPECT_TRUE(std::equal(p.begin(), p.end(), expected.positives.begin()));
}

TEST_P(FernUpdateOnDevice, OrderOfAnyNumberOfPlaces) {
  for (std::size_t places = 0; places < 40; ++places) {
    for (const std::size_t blocks : {1, 3, 10}) {
      FernSampleArrays samples = make_samples(1, 2, 0, places / 2, places);
      Array<std::uint32_t> order;
      const test::Canary room(order, places / 2, *queue_);
      order_samples(*queue_, samples, static_cast<int>(blocks), order);
      EXPECT_TRUE(room.is_intact());
      const auto got = order.host_read();
      const auto expected = expected_order(samples, blocks);
      ASSERT_TRUE(std::equal(got.begin(), got.end(), expected.begin(), expected.end())) << places;
    }
  }
  FernSampleArrays samples = make_samples(1, 2, 0, 777, 2001);
  Array<std::uint32_t> order;
  order_samples(*queue_, samples, 10, order);
  const auto got = order.host_read();
  const auto expected = expected_order(samples, 10);
  EXPECT_TRUE(std::equal(got.begin(), got.end(), expected.begin(), expected.end()));
}

CLTRACK_ON_EVERY_DEVICE(FernUpdateOnDevice);

}  // namespace
}  // namespace cltrack
