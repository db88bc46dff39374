// SPDX-License-Identifier: LGPL-2.1-or-later
// As if the system allowed no more threads.
#pragma once

#include <gtest/gtest.h>
#include <pthread.h>

#include <cstddef>

namespace cltrack::test {

// While it lives no thread can be started, by anybody: pthread_create() returns EAGAIN, because new
// threads want a stack that is larger than the address space. Root has no other limit.
class NoThreads {
 public:
  NoThreads() {
    EXPECT_EQ(pthread_getattr_default_np(&before_), 0);
    pthread_attr_t huge = before_;
    EXPECT_EQ(pthread_attr_setstacksize(&huge, std::size_t{1} << 60), 0);
    EXPECT_EQ(pthread_setattr_default_np(&huge), 0);
  }
  ~NoThreads() {
    EXPECT_EQ(pthread_setattr_default_np(&before_), 0);
    pthread_attr_destroy(&before_);
  }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;

 private:
  pthread_attr_t before_ = {};
};

}  // namespace cltrack::test
