// SPDX-License-Identifier: LGPL-2.1-or-later
// A network that TLD may ask where its targets are: see TldConfig::network and docs/network.md.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "cltrack/export.h"

namespace cltrack {

struct NetworkModel;

// A value: it does not change, and copies are cheap.
//
// Threading: any number of threads at a time.
class CLTRACK_API Network {
 public:
  // For the library itself; `model` is not null.
  explicit Network(std::shared_ptr<const NetworkModel> model) : model_(std::move(model)) {}

  // Reads what tools/convert_network.py has written. Throws Error{invalid_argument} for everything
  // else; the message says what is wrong.
  static Network parse(std::string_view bytes);

  // "NanoTrack v3", as the file has it.
  const std::string& name() const;

  // Larger files are no networks: that no memory is wasted on them.
  static constexpr std::size_t kLargest = std::size_t{32} << 20;

  // For the library itself.
  const std::shared_ptr<const NetworkModel>& model() const { return model_; }

 private:
  std::shared_ptr<const NetworkModel> model_;  // never null
};

}  // namespace cltrack
