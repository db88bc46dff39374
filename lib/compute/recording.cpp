// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/recording.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <utility>

#include "compute/device.h"

namespace cltrack {
namespace {

constexpr std::size_t kAlignment = 8;

// Most launches have no more: a recording has some forty of them for each frame.
constexpr std::size_t kReservedBytes = 256, kReservedPieces = 16;

constexpr std::size_t kMostSpread = 32 << 20;

// Whether the command writes the memory, or `reads` it at least.
bool uses(const Recording::Command& command, const PieceRef& piece, bool reads) {
  if (const auto* copy = std::get_if<Recording::Copy>(&command)) {
    return copy->piece == piece && (reads || copy->to == nullptr);
  }
  return std::ranges::any_of(std::get<Recording::Launch>(command).pieces,
                             [&](const Recording::UsedPiece& used) {
                               return used.piece == piece && (reads || used.is_written);
                             });
}

}  // namespace

LaunchedKernel make_launched(Device& device, std::string_view program, std::string_view kernel,
                             std::string_view options) {
  LaunchedKernel made{device.kernel(program, kernel, options), std::string(kernel)};
  made.largest_group = made.kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device.cl_device());
  return made;
}

void Recording::Launch::add(const void* value, std::size_t bytes) {
  if (arguments.empty()) arguments.reserve(kReservedBytes);
  const std::size_t at = arguments.size();
  arguments.resize(at + rounded_up(bytes, kAlignment));
  std::memcpy(arguments.data() + at, value, bytes);
}

void Recording::Launch::add(const PieceRef& piece, bool is_written) {
  const std::uint64_t address = piece->address();
  if (pieces.empty()) pieces.reserve(kReservedPieces);
  pieces.push_back({piece, is_written, arguments.size()});
  add(&address, sizeof(address));
}

bool Recording::Launch::conflicts_with(const Launch& other) const {
  return std::ranges::any_of(pieces, [&](const UsedPiece& own) {
    return std::ranges::any_of(other.pieces, [&](const UsedPiece& its) {
      return (own.is_written || its.is_written) && own.piece->overlaps(*its.piece);
    });
  });
}

void Recording::add(Launch launch) { commands_.push_back(std::move(launch)); }

void Recording::add_uploads(std::vector<Copy> uploads) {
  if (uploads.empty()) return;
  const PieceRef& piece = uploads.front().piece;
  const bool goes_first =
      !piece->is_scratch() && std::ranges::find(first_, piece, &Copy::piece) == first_.end() &&
      std::ranges::none_of(commands_, [&](const Command& c) { return uses(c, piece, true); });
  for (Copy& upload : uploads) {
    if (goes_first) {
      first_.push_back(std::move(upload));
    } else {
      commands_.push_back(std::move(upload));
    }
  }
}

void Recording::add_download(Copy download) { commands_.push_back(std::move(download)); }

// The first gap that is large enough, or what is behind all.
PieceRef Recording::scratch(std::size_t bytes) {
  const std::size_t size = rounded_up(bytes, Arena::kGranule);
  const bool behind = spread_ && scratch_bytes_ + size <= kMostSpread;
  std::size_t begin = behind ? scratch_bytes_ : 0;
  auto next = behind ? scratch_.end() : scratch_.begin();
  for (; next != scratch_.end() && (*next)->offset < begin + size; ++next) {
    begin = (*next)->offset + (*next)->bytes;
  }
  scratch_bytes_ = std::max(scratch_bytes_, begin + size);
  return *scratch_.insert(next, std::make_shared<const Arena::Piece>(nullptr, 0, begin, size));
}

void Recording::give_back(const PieceRef& scratch) { std::erase(scratch_, scratch); }

bool Recording::has(const PieceRef& scratch) const {
  return std::ranges::find(scratch_, scratch) != scratch_.end();
}

bool Recording::has_all_scratch(const Launch& launch) const {
  return std::ranges::all_of(launch.pieces, [this](const UsedPiece& used) {
    return !used.piece->is_scratch() || has(used.piece);
  });
}

Recording::Taken Recording::take() {
  std::vector<Command> all, last;
  all.reserve(first_.size() + commands_.size());
  last.reserve(commands_.size());  // nothing is half taken
  // Small ones are one launch.
  std::stable_partition(first_.begin(), first_.end(), std::mem_fn(&Copy::is_small));
  std::ranges::move(std::exchange(first_, {}), std::back_inserter(all));
  for (auto command = commands_.begin(); command != commands_.end(); ++command) {
    const auto* const copy = std::get_if<Copy>(&*command);
    const bool goes_last = copy != nullptr && copy->to != nullptr && !copy->piece->is_scratch() &&
                           std::none_of(command + 1, commands_.end(), [&](const Command& later) {
                             return uses(later, copy->piece, false);
                           });
    (goes_last ? last : all).push_back(std::move(*command));
  }
  commands_.clear();
  std::ranges::move(last, std::back_inserter(all));
  scratch_.clear();
  return {std::move(all), std::exchange(scratch_bytes_, 0)};
}

void Recording::clear() noexcept {
  first_.clear();
  commands_.clear();
  scratch_.clear();
  scratch_bytes_ = 0;
}

}  // namespace cltrack
