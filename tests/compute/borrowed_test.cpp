// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/borrowed.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace cltrack {
namespace {

struct Lending {
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

TEST(Borrowed, LastsAsLongAsTheBlock) {
  Lending lending;
  {
    const Borrowed borrowed(lending, 1);
    EXPECT_EQ(lending.borrowed, 1);
  }
  EXPECT_EQ(lending.borrowed, 0);
}

TEST(Borrowed, IsReleasedAfterAThrow) {
  Lending lending;
  const auto work = [&] {
    const Borrowed borrowed(lending, 1);
    throw std::logic_error("of the work");
  };
  EXPECT_THROW(work(), std::logic_error);
  EXPECT_EQ(lending.borrowed, 0);
  lending.fails_to_release = true;
  EXPECT_THROW(work(), std::logic_error) << "the first error is the one that is told";
  EXPECT_EQ(lending.borrowed, 0);
}

TEST(Borrowed, LeavesNothingOfWhatCouldNotBeBorrowed) {
  Lending lending{.fails_to_borrow = true};
  EXPECT_THROW(Borrowed(lending, 1), std::runtime_error);
  EXPECT_EQ(lending.borrowed, 0);
}

}  // namespace
}  // namespace cltrack
