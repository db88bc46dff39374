// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/match/best_match.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "cltrack/error.h"
#include "core/processor.h"
#include "ops/match/best_match_methods.h"
#include "ops/vector_lanes.h"

namespace cltrack {

namespace {

template <typename Lanes>
[[gnu::always_inline]] inline void add_products(const std::uint8_t* f, const std::uint8_t* t,
                                                const typename Lanes::Bytes& mask,
                                                typename Lanes::Ints& even,
                                                typename Lanes::Ints& odd) {
  using Words = typename Lanes::Words;
  typename Lanes::Bytes a, b;
  std::memcpy(&a, f, sizeof(a));
  std::memcpy(&b, t, sizeof(b));
  const Words words = __builtin_convertvector(a, Words) * __builtin_convertvector(b & mask, Words);
  typename Lanes::Ints pairs;
  std::memcpy(&pairs, &words, sizeof(pairs));
  even += pairs & 0xffff;
  odd += pairs >> 16;
}

// Products of bytes fit words; those at even and odd places are added up separately, 65536 times at
// most. The width is at least a vector's; the last vector of a row overlaps the one before.
template <typename Lanes>
[[gnu::always_inline]] inline std::uint64_t product_of(const std::uint8_t* f,
                                                       std::ptrdiff_t f_stride,
                                                       const std::uint8_t* t,
                                                       std::ptrdiff_t t_stride, int width,
                                                       int height) {
  using Bytes = typename Lanes::Bytes;
  using Ints = typename Lanes::Ints;
  constexpr int kLanes = sizeof(Bytes);
  constexpr int kMost = 1 << 15;
  Bytes all, last;
  for (int i = 0; i < kLanes; ++i) {
    all[i] = 255;
    last[i] = i >= kLanes - width % kLanes ? 255 : 0;
  }
  std::uint64_t total = 0;
  int vectors = 0;
  Ints even = {}, odd = {};
  for (int y = 0; y < height; ++y, f += f_stride, t += t_stride) {
    for (int x = 0; x + kLanes <= width; x += kLanes) {
      add_products<Lanes>(f + x, t + x, all, even, odd);
    }
    if (width % kLanes != 0) {
      add_products<Lanes>(f + width - kLanes, t + width - kLanes, last, even, odd);
    }
    vectors += width / kLanes + 1;  // at most 8193 in a row
    if (vectors > kMost || y + 1 == height) {
      for (unsigned i = 0; i < sizeof(Ints) / 4; ++i) total += std::uint64_t{even[i]} + odd[i];
      even = odd = Ints{};
      vectors = 0;
    }
  }
  return total;
}

[[gnu::always_inline]] inline std::uint64_t product(const std::uint8_t* f, std::ptrdiff_t f_stride,
                                                    const std::uint8_t* t, std::ptrdiff_t t_stride,
                                                    int width, int height) {
  if (width >= 16) return product_of<Wide>(f, f_stride, t, t_stride, width, height);
  if (width >= 8) return product_of<Narrow>(f, f_stride, t, t_stride, width, height);
  std::uint64_t total = 0;
  for (int y = 0; y < height; ++y, f += f_stride, t += t_stride) {
    for (int x = 0; x < width; ++x) total += static_cast<std::uint32_t>(f[x] * t[x]);
  }
  return total;
}

[[gnu::always_inline]] inline void slide_rows(const std::uint8_t* in, const std::uint8_t* out,
                                              int width, std::uint32_t* sums,
                                              std::uint32_t* squares) {
  for (int x = 0; x < width; ++x) {
    const std::uint32_t a = in[x], b = out ? out[x] : 0;
    sums[x] += a - b;
    squares[x] += a * a - b * b;
  }
}

// Adds the row `in` to the columns and subtracts the row `out`, if there is one.
[[gnu::always_inline]] inline void slide(const std::uint8_t* in, const std::uint8_t* out, int width,
                                         std::uint32_t* sums, std::uint32_t* squares) {
  if (out) {
    slide_rows(in, out, width, sums, squares);
  } else {
    slide_rows(in, nullptr, width, sums, squares);
  }
}

}  // namespace

std::uint64_t match_product(const ImageView& plane, const ImageView& pattern, int x, int y) {
  return kFastest<product>(plane.row(y) + x, plane.stride, pattern.data, pattern.stride,
                           pattern.width, pattern.height);
}

void PatchRows::begin(const ImageView& plane, int width, int height, int y) {
  plane_ = plane;
  width_ = width;
  height_ = height;
  y_ = y;
  const auto columns = static_cast<std::size_t>(plane.width);
  column_sums_.assign(columns, 0);
  column_squares_.assign(columns, 0);
  sums_.resize(columns - static_cast<std::size_t>(width) + 1);
  squares_.resize(sums_.size());
  for (int row = y; row < y + height; ++row) {
    kFastest<slide>(plane.row(row), nullptr, plane.width, column_sums_.data(),
                    column_squares_.data());
  }
  sum_up();
}

void PatchRows::next() {
  kFastest<slide>(plane_.row(y_ + height_), plane_.row(y_), plane_.width, column_sums_.data(),
                  column_squares_.data());
  ++y_;
  sum_up();
}

void PatchRows::sum_up() {
  std::uint32_t sum = 0;
  std::uint64_t squares = 0;
  for (int x = 0; x < width_; ++x) {
    sum += column_sums_[static_cast<std::size_t>(x)];
    squares += column_squares_[static_cast<std::size_t>(x)];
  }
  const std::uint32_t* s = column_sums_.data();
  const std::uint32_t* q = column_squares_.data();
  const int places = plane_.width - width_ + 1;
  for (int x = 0; x < places; ++x) {
    sums_[static_cast<std::size_t>(x)] = sum;
    squares_[static_cast<std::size_t>(x)] = squares;
    if (x + 1 == places) break;
    sum += s[x + width_] - s[x];
    squares += static_cast<std::uint64_t>(q[x + width_]) - q[x];
  }
}

namespace reference {

namespace {

PatchSums sums_of(const ImageView& plane, const ImageView& pattern, int x, int y) {
  PatchSums sums;
  for (int row = 0; row < pattern.height; ++row) {
    const std::uint8_t* f = plane.row(y + row) + x;
    const std::uint8_t* t = pattern.row(row);
    std::uint32_t sum = 0, squares = 0, product = 0;  // 65536 * 255 * 255 < 2^32
    for (int i = 0; i < pattern.width; ++i) {
      sum += f[i];
      squares += std::uint32_t{f[i]} * f[i];
      product += std::uint32_t{f[i]} * t[i];
    }
    sums.sum += sum;
    sums.squares += squares;
    sums.product += product;
  }
  return sums;
}

template <typename Visit>
void visit_places(const ImageView& plane, const MatchTemplate& pattern, const Visit& visit) {
  check_match_sizes(plane.width, plane.height, pattern);
  for (int y = 0; y <= plane.height - pattern.height(); ++y) {
    for (int x = 0; x <= plane.width - pattern.width(); ++x) {
      visit(match_fraction(pattern.similarity(), pattern.pixels(), pattern.sum(),
                           sums_of(plane, pattern.view(), x, y), x, y));
    }
  }
}

}  // namespace

void match_map(const ImageView& plane, const MatchTemplate& pattern, float* map,
               std::ptrdiff_t stride) {
  visit_places(plane, pattern, [&](const MatchFound& found) {
    map[found.y * stride + found.x] = match_score(found, pattern.energy());
  });
}

MatchPlace best_match(const ImageView& plane, const MatchTemplate& pattern) {
  MatchFound best = kNoMatch;
  visit_places(plane, pattern, [&](const MatchFound& found) {
    if (best.x < 0 || is_better_match(found, best)) best = found;
  });
  return match_place(best, pattern);
}

}  // namespace reference

namespace {

// Products of pixels that take as long as one value of a transform in both directions.
constexpr double kProductsPerValueOnHost = 24;
constexpr double kProductsPerValueOnDevice = 60;
constexpr double kMostPlanePixels = 1 << 24;  // of kernels: their sums over a plane fit 32 bits

MatchMethod faster_method(const Queue& queue, const Plane& plane, const MatchTemplate& pattern) {
  const double places = static_cast<double>(plane.width() - pattern.width() + 1) *
                        static_cast<double>(plane.height() - pattern.height() + 1);
  const double products = places * static_cast<double>(pattern.pixels());
  const double values = static_cast<double>(plane.width()) * static_cast<double>(plane.height());
  const bool direct =
      queue.is_host() ? products < kProductsPerValueOnHost * values
                      : values > kMostPlanePixels || products < kProductsPerValueOnDevice * values;
  return direct ? MatchMethod::direct : MatchMethod::spectral;
}

}  // namespace

MatchScratch::MatchScratch() : parts_(std::make_shared<Parts>()) {}

HostMatchScratch::Loan::Loan(HostMatchScratch& owner) : owner_(owner) {
  const std::lock_guard lock(owner.mutex_);
  if (owner.idle_.empty()) {
    work_ = std::make_unique<MatchWork>();
  } else {
    work_ = std::move(owner.idle_.back());
    owner.idle_.pop_back();
  }
}

HostMatchScratch::Loan::~Loan() {
  const std::lock_guard lock(owner_.mutex_);
  owner_.idle_.push_back(std::move(work_));
}

MatchFound best_of(const std::vector<MatchFound>& list) {
  MatchFound best = kNoMatch;
  for (const MatchFound& found : list) {
    if (found.x >= 0 && (best.x < 0 || is_better_match(found, best))) best = found;
  }
  return best;
}

void check_match_sizes(int plane_width, int plane_height, const MatchTemplate& pattern) {
  if (pattern.width() <= plane_width && pattern.height() <= plane_height) return;
  const auto size = [](int width, int height) {
    return std::to_string(width) + "x" + std::to_string(height);
  };
  throw Error(ErrorCode::invalid_argument,
              "template of " + size(pattern.width(), pattern.height()) + " in a plane of " +
                  size(plane_width, plane_height) + ": must not be larger than the plane");
}

MatchPlace match_place(const MatchFound& found, const MatchTemplate& pattern) {
  return {found.x, found.y, match_score(found, pattern.energy())};
}

void best_match(Queue& queue, const Plane& plane, MatchTemplate& pattern, MatchScratch& scratch,
                Array<MatchFound>& found) {
  best_match_by(faster_method(queue, plane, pattern), queue, plane, pattern, scratch, found);
}

void best_match_by(MatchMethod method, Queue& queue, const Plane& plane, MatchTemplate& pattern,
                   MatchScratch& scratch, Array<MatchFound>& found) {
  check_match_sizes(plane.width(), plane.height(), pattern);
  const bool flat = pattern.energy() == 0;  // all places are equal
  if (!queue.is_host() && !flat) {
    launch_best_match(method, queue, plane, pattern, scratch, found);
    return;
  }
  found.resize(1);
  MatchFound& best = found.host_write().front();
  if (flat) {
    best = {0, 0, 0, 0};
  } else if (method == MatchMethod::direct) {
    best = best_match_direct(plane.host_view(), pattern, scratch.parts().host, queue);
  } else {
    best = best_match_spectral(plane.host_view(), pattern, scratch.parts().host, queue);
  }
}

// All places, on vectors: for small templates and planes.

namespace {

// Calls visit(fraction) for the places of the rows [begin, end).
template <typename Visit>
void visit_rows(const ImageView& plane, const MatchTemplate& pattern, int begin, int end,
                PatchRows& rows, const Visit& visit) {
  const ImageView view = pattern.view();
  for (int y = begin; y < end; ++y) {
    if (y == begin) {
      rows.begin(plane, view.width, view.height, y);
    } else {
      rows.next();
    }
    for (int x = 0; x <= plane.width - view.width; ++x) {
      const PatchSums sums = {rows.sums()[x], rows.squares()[x], match_product(plane, view, x, y)};
      visit(match_fraction(pattern.similarity(), pattern.pixels(), pattern.sum(), sums, x, y));
    }
  }
}

}  // namespace

void vector::match_map(const ImageView& plane, const MatchTemplate& pattern, float* map,
                       std::ptrdiff_t stride) {
  check_match_sizes(plane.width, plane.height, pattern);
  PatchRows rows;
  visit_rows(plane, pattern, 0, plane.height - pattern.height() + 1, rows,
             [&](const MatchFound& found) {
               map[found.y * stride + found.x] = match_score(found, pattern.energy());
             });
}

MatchFound best_match_direct(const ImageView& plane, const MatchTemplate& pattern,
                             HostMatchScratch& scratch, Queue& host) {
  const int places = plane.height - pattern.height() + 1;
  const int parts = std::min(places, host.threads() == 1 ? 1 : 4 * host.threads());
  scratch.best.assign(static_cast<std::size_t>(parts), kNoMatch);
  host.run(parts, [&](int part) {
    HostMatchScratch::Loan work(scratch);
    MatchFound best = kNoMatch;
    const auto begin = static_cast<int>(std::int64_t{places} * part / parts);
    const auto end = static_cast<int>(std::int64_t{places} * (part + 1) / parts);
    visit_rows(plane, pattern, begin, end, work->patches, [&](const MatchFound& found) {
      if (best.x < 0 || scores_more(found, best)) best = found;  // visited in reading order
    });
    scratch.best[static_cast<std::size_t>(part)] = best;
  });
  return best_of(scratch.best);
}

}  // namespace cltrack
