// SPDX-License-Identifier: LGPL-2.1-or-later
// The model that TLD has learnt of a target, to be kept in a file and used in another video.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "cltrack/export.h"

namespace cltrack {

struct SavedTarget;

// A model that Tracker::save() has returned or text() has written. Tracker::add() takes it as a
// seed. A value: it does not change, and copies are cheap.
//
// Threading: any number of threads at a time.
class CLTRACK_API SavedModel {
 public:
  // For the library itself; `target` is not null.
  explicit SavedModel(std::shared_ptr<const SavedTarget> target) : target_(std::move(target)) {}

  // Reads what text() has written, on whichever machine. Throws Error{invalid_argument} for
  // everything else; the message says what is wrong.
  static SavedModel parse(std::string_view text);

  // As JSON of about 0.5 to 2 MB, kLargest bytes at most. Throws Error{failed} if it would be more.
  std::string text() const;

  // Larger texts are no models: that no memory is wasted on them.
  static constexpr std::size_t kLargest = std::size_t{16} << 20;

  // The contents, for the library itself.
  const SavedTarget& target() const { return *target_; }

 private:
  std::shared_ptr<const SavedTarget> target_;  // never null
};

}  // namespace cltrack
