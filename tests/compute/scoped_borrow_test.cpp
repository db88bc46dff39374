// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/array.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace cltrack {
namespace {

struct FakePlane {
  int borrowed = 0;
  bool fails_to_borrow = false;
  bool fails_to_release = false;

  void borrow(int pictures) {
    borrowed += pictures;
    if (fails_to_borrow) throw std::runtime_error("half of it");
  }
  void release() {
    borrowed = 0;
    if (fails_to_release) throw std::runtime_error("a device that failed");
  }
};

TEST(ScopedBorrow, LastsAsLongAsTheBlock) {
  FakePlane plane;
  {
    const ScopedBorrow borrowed(plane, 1);
    EXPECT_EQ(plane.borrowed, 1);
  }
  EXPECT_EQ(plane.borrowed, 0);
}

TEST(ScopedBorrow, IsReleasedAfterAThrow) {
  FakePlane plane;
  const auto work = [&] {
    const ScopedBorrow borrowed(plane, 1);
    throw std::logic_error("of the work");
  };
  EXPECT_THROW(work(), std::logic_error);
  EXPECT_EQ(plane.borrowed, 0);
  plane.fails_to_release = true;
  EXPECT_THROW(work(), std::logic_error) << "the first error is the one that is told";
  EXPECT_EQ(plane.borrowed, 0);
}

TEST(ScopedBorrow, LeavesNothingOfWhatCouldNotBeBorrowed) {
  FakePlane plane{.fails_to_borrow = true};
  EXPECT_THROW(ScopedBorrow(plane, 1), std::runtime_error);
  EXPECT_EQ(plane.borrowed, 0);
}

}  // namespace
}  // namespace cltrack
