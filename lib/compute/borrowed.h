// SPDX-License-Identifier: LGPL-2.1-or-later
// Lends a picture to a Plane, or to whatever else borrows and releases, for as long as a call
// takes: however it ends, nothing of the picture is in use afterwards.
#pragma once

namespace cltrack {

template <typename Planes>
class Borrowed {
 public:
  // Throws what planes.borrow(picture) throws; then nothing is borrowed.
  template <typename Picture>
  Borrowed(Planes& planes, const Picture& picture) : planes_(planes) {
    try {
      planes_.borrow(picture);
    } catch (...) {
      release();
      throw;
    }
  }
  ~Borrowed() { release(); }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;

 private:
  void release() noexcept {
    try {
      planes_.release();
    } catch (...) {  // a device that failed: it reads nothing any more
    }
  }

  Planes& planes_;
};

}  // namespace cltrack
