// SPDX-License-Identifier: LGPL-2.1-or-later
// What the library allows on one thread at a time, behind a lock that is not waited for with the
// GIL held.
#pragma once

#include <pybind11/pybind11.h>

#include <mutex>

namespace cltrack::python {

class Locked {
 protected:
  // Calls `call` without the GIL and under the lock.
  template <typename Call>
  auto locked(const Call& call) {
    const pybind11::gil_scoped_release release;
    const std::lock_guard lock(mutex_);
    return call();
  }

 private:
  std::mutex mutex_;
};

}  // namespace cltrack::python
