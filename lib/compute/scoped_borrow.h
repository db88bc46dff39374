// SPDX-License-Identifier: LGPL-2.1-or-later
// Borrows a picture for a Plane, or another class with borrow() and release(), until the end of a
// scope (RAII).
#pragma once

namespace cltrack {

template <typename Planes>
class ScopedBorrow {
 public:
  // Throws what planes.borrow(picture) throws; then nothing is borrowed.
  template <typename Picture>
  ScopedBorrow(Planes& planes, const Picture& picture) : planes_(planes) {
    try {
      planes_.borrow(picture);
    } catch (...) {
      release();
      throw;
    }
  }
  ~ScopedBorrow() { release(); }
  ScopedBorrow(const ScopedBorrow&) = delete;
  ScopedBorrow& operator=(const ScopedBorrow&) = delete;

 private:
  void release() noexcept {
    try {
      planes_.release();
    } catch (...) {  // a failed device: it no longer reads the picture
    }
  }

  Planes& planes_;
};

}  // namespace cltrack
