// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/ferns/fern_tables.h"

#include <gtest/gtest.h>

#include <numeric>

#include "support/devices.h"

namespace cltrack {
namespace {

class FernTablesOnDevice : public test::DeviceTest {
 protected:
  static FernTables tables_from(int first, int ferns = 3, int pairs = 4) {
    FernTables tables(ferns, pairs);
    std::iota(tables.positives.begin(), tables.positives.end(), first);
    std::iota(tables.negatives.begin(), tables.negatives.end(), first + 1000);
    std::iota(tables.posteriors.begin(), tables.posteriors.end(),
              static_cast<std::uint16_t>(first + 2000));
    return tables;
  }

  static void expect_slot(const FernTableArrays& arrays, int slot, const FernTables& expected) {
    SCOPED_TRACE("slot " + std::to_string(slot));
    FernTables got;
    arrays.read(slot, got);
    EXPECT_EQ(got.ferns, expected.ferns);
    EXPECT_EQ(got.pairs, expected.pairs);
    EXPECT_EQ(got.positives, expected.positives);
    EXPECT_EQ(got.negatives, expected.negatives);
    EXPECT_EQ(got.posteriors, expected.posteriors);
    const PosteriorView view = arrays.host_view(slot);
    EXPECT_TRUE(
        std::equal(expected.posteriors.begin(), expected.posteriors.end(), view.posteriors));
  }

  // A device has the only valid copy.
  void move_to_device(FernTableArrays& arrays) {
    if (queue_->is_host()) return;
    arrays.positives.device_update(*queue_);
    arrays.negatives.device_update(*queue_);
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

TEST_P(FernTablesOnDevice, AnotherKindBeginsEmpty) {
  FernTableArrays arrays;
  arrays.assign(tables_from(7));
  move_to_device(arrays);
  arrays.resize(4, 3, 1);
  expect_slot(arrays, 0, FernTables(4, 3));
}

CLTRACK_ON_EVERY_DEVICE(FernTablesOnDevice);

}  // namespace
}  // namespace cltrack
