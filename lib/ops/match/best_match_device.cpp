// SPDX-License-Identifier: LGPL-2.1-or-later
// Both methods on devices. The spectral one is as best_match_spectral.cpp does it: a correlation in
// float bounds all scores, a list is made of the places that may be the best, and these are scored
// in integers. All is queued at once: the length of the list stays on the device.
#include <algorithm>
#include <bit>
#include <cmath>

#include "compute/launch.h"
#include "ops/fourier/fft_plan.h"
#include "ops/match/best_match_methods.h"

namespace cltrack {
namespace {

constexpr int kMostItems = 256;
constexpr int kScoreGroups = 1024;  // that share the list

// A power of two, at most `wanted` and what the device allows.
int group_items(const DeviceInfo& device, int wanted) {
  const int most = device.type == DeviceType::cpu ? 16 : kMostItems;
  const auto able = static_cast<unsigned>(
      std::clamp<std::uint64_t>(device.largest_group, 1, static_cast<unsigned>(most)));
  return static_cast<int>(std::bit_floor(std::min(able, static_cast<unsigned>(wanted))));
}

const char* long_option(const DeviceFft& fft) { return fft.is_long ? "-DLONG_TRANSFORMS" : ""; }

// The kernel itself finds OpenCL's extension.
const char* dot_option(const DeviceInfo& device) {
  const bool nvidia = device.vendor.find("NVIDIA") != std::string::npos;
  return nvidia && device.type == DeviceType::gpu ? "-DDOT_PTX" : "";
}

class DeviceSearch {
 public:
  DeviceSearch(Queue& queue, const Plane& plane, MatchTemplate& pattern, MatchScratch& scratch)
      : queue_(queue),
        info_(queue.device().info()),
        plane_(plane),
        pattern_(pattern),
        kept_(pattern.kept().device),
        scratch_(scratch.parts().device) {
    load_template();
    describe();
  }

  void run(MatchMethod method, Array<MatchFound>& found) {
    integrate(queue_, plane_, scratch_.integrals);
    scratch_.list.resize(static_cast<std::size_t>(places()));
    scratch_.count.resize(1);
    if (method == MatchMethod::direct) {
      launch(queue_, {"match_bounds", "list_all"}, global(places()), local(group_items(info_, 256)),
             places(), out(scratch_.list), out(scratch_.count));
    } else {
      prepare_transforms();
      make_spectrum();
      correlate();
      list_places();
    }
    score(found);
  }

 private:
  int places() const { return search_.places_x * search_.places_y; }
  int columns() const { return scratch_.rows.stages.length / 2 + 1; }

  void load_template() {
    // A spectrum's layout depends on the device, and a device that has failed returns nothing.
    if (kept_.device == queue_.shared_device()) return;
    kept_ = {};
    kept_.device = queue_.shared_device();
    const ImageView view = pattern_.view();
    kept_.padded.resize((view.width + 3) / 4 * 4, view.height);
    kept_.padded.layout.width = view.width;
    const auto bytes = kept_.padded.pixels.host_write();
    std::fill(bytes.begin(), bytes.end(), std::uint8_t{0});
    for (int y = 0; y < view.height; ++y) {
      std::copy_n(view.row(y), view.width, bytes.data() + kept_.padded.layout.stride * y);
    }
  }

  void describe() {
    const auto pixels = static_cast<double>(pattern_.pixels());
    const double mean = static_cast<double>(pattern_.sum()) / pixels;
    const auto level = static_cast<int>(std::lround(mean));
    search_.cosine = pattern_.similarity() == Similarity::cosine;
    search_.factor = static_cast<float>(level - mean);
    const double energy_factor = search_.cosine ? 1 : 1 / pixels;
    search_.energy_factor = static_cast<float>(energy_factor);
    search_.template_energy =
        static_cast<float>(energy_factor * static_cast<double>(pattern_.energy()));
    search_.pixels = pattern_.pixels();
    search_.sum = pattern_.sum();
    search_.level = level;
    search_.width = pattern_.width();
    search_.height = pattern_.height();
    search_.row_words = kept_.padded.layout.stride / 4;
    search_.places_x = plane_.width() - pattern_.width() + 1;
    search_.places_y = plane_.height() - pattern_.height() + 1;
  }

  // With the error bounds of best_match_spectral.cpp.
  void prepare_transforms() {
    scratch_.rows.prepare(fft_length(plane_.width()), info_);
    scratch_.columns.prepare(fft_length(plane_.height()), info_);
    const int width = scratch_.rows.stages.length, height = scratch_.columns.stages.length;
    const double error = scratch_.rows.error + scratch_.columns.error + 4 * kFloatUnit;
    const auto pixels = static_cast<double>(pattern_.pixels());
    const double norm = std::sqrt(static_cast<double>(pattern_.squares()) -
                                  2.0 * search_.level * static_cast<double>(pattern_.sum()) +
                                  pixels * search_.level * search_.level);
    search_.forward_error = static_cast<float>(1.1 * (2 * error + 3 * kFloatUnit) * norm);
    search_.inverse_error = static_cast<float>(1.1 * error * std::sqrt(2.0 * width * height));
    // Columns of a work-group: so many that local memory has room for several groups at a time.
    // Four make up a memory transaction.
    const auto bytes = static_cast<std::uint64_t>(height) * 2 * sizeof(ComplexPair);
    most_columns_ =
        static_cast<int>(std::clamp<std::uint64_t>(info_.local_memory / 2 / bytes, 1, 4));
    if (scratch_.columns.is_long) most_columns_ = 1;
  }

  int column_groups() const { return (columns() + most_columns_ - 1) / most_columns_; }

  // Calls run() with the memory that the kernels of a transform work in, local or global.
  template <typename Run>
  void with_work(const DeviceFft& fft, int groups, int count, const Run& run) {
    const std::size_t values = 2 * static_cast<std::size_t>(fft.stages.length * count);
    if (fft.is_long) {
      scratch_.work.resize(values * static_cast<std::size_t>(groups));
      run(out(scratch_.work));
    } else {
      run(local_memory<ComplexPair>(values));
    }
  }

  void transform_rows(const Plane& plane, int fixed_level) {
    DeviceFft& fft = scratch_.rows;
    const int rows = scratch_.columns.stages.length;
    const int groups = (rows + 1) / 2;
    scratch_.spectrum.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns()));
    with_work(fft, groups, 1, [&](const auto& work) {
      launch(queue_, {"match_spectrum", "spectrum_rows", long_option(fft)},
             global(groups * fft.items), local(fft.items), in(plane.pixels), plane.layout,
             in(scratch_.integrals.sums), fixed_level, fft.stages, rows, in(fft.twiddles),
             out(scratch_.spectrum), work);
    });
  }

  void make_spectrum() {
    const int width = scratch_.rows.stages.length, height = scratch_.columns.stages.length;
    if (kept_.width == width && kept_.height == height) return;
    transform_rows(kept_.padded, search_.level);
    DeviceFft& fft = scratch_.columns;
    kept_.spectrum.resize(scratch_.spectrum.size());
    const float scale = 1 / (static_cast<float>(width) * static_cast<float>(height));
    with_work(fft, column_groups(), most_columns_, [&](const auto& work) {
      launch(queue_, {"match_spectrum", "template_columns", long_option(fft)},
             global(column_groups() * fft.items), local(fft.items), in(scratch_.spectrum),
             columns(), most_columns_, fft.stages, in(fft.twiddles), scale, out(kept_.spectrum),
             work);
    });
    kept_.width = width;
    kept_.height = height;
  }

  void correlate() {
    transform_rows(plane_, -1);
    DeviceFft& fft = scratch_.columns;
    const int rows = std::min((search_.places_y + 1) / 2 * 2, fft.stages.length);
    scratch_.products.resize(static_cast<std::size_t>(column_groups()));
    with_work(fft, column_groups(), most_columns_, [&](const auto& work) {
      launch(queue_, {"match_spectrum", "correlate_columns", long_option(fft)},
             global(column_groups() * fft.items), local(fft.items), inout(scratch_.spectrum),
             columns(), most_columns_, fft.stages, in(fft.twiddles), in(kept_.spectrum), rows,
             out(scratch_.products), work,
             local_memory<float>(static_cast<std::size_t>(fft.items)));
    });
  }

  void list_places() {
    DeviceFft& fft = scratch_.rows;
    const int groups = (search_.places_y + 1) / 2;
    scratch_.uppers.resize(static_cast<std::size_t>(places()));
    scratch_.lowers.resize(static_cast<std::size_t>(groups));
    IntegralArrays& integrals = scratch_.integrals;
    with_work(fft, groups, 1, [&](const auto& work) {
      launch(queue_, {"match_bounds", "bound_rows", long_option(fft)}, global(groups * fft.items),
             local(fft.items), in(scratch_.spectrum), fft.stages, scratch_.columns.stages.length,
             in(fft.twiddles), in(scratch_.products), column_groups(), in(integrals.sums),
             in(integrals.squares), plane_.width(), plane_.height(), search_, out(scratch_.uppers),
             out(scratch_.lowers), out(scratch_.count), work,
             local_memory<float>(static_cast<std::size_t>(fft.items)));
    });
    const int items = group_items(info_, 256);
    const int list_groups = std::clamp(places() / (4 * items), 1, 512);
    launch(queue_, {"match_bounds", "list_places"}, global(list_groups * items), local(items),
           in(scratch_.uppers), places(), in(scratch_.lowers), groups, out(scratch_.list),
           inout(scratch_.count), local_memory<float>(static_cast<std::size_t>(items)));
  }

  void score(Array<MatchFound>& found) {
    const int words = search_.row_words * search_.height;
    const int items = group_items(
        info_, std::max(32, static_cast<int>(std::bit_ceil(static_cast<unsigned>(words) / 8 + 1))));
    const int groups = std::min(places(), kScoreGroups);
    scratch_.found.resize(static_cast<std::size_t>(groups));
    found.resize(1);
    IntegralArrays& integrals = scratch_.integrals;
    launch(queue_, {"match_exact", "score_places", dot_option(info_)}, global(groups * items),
           local(items), in(scratch_.list), in(scratch_.count), in(plane_.pixels), plane_.layout,
           in(kept_.padded.pixels), in(integrals.sums), in(integrals.squares), search_,
           out(scratch_.found), local_memory<cl_ulong>(static_cast<std::size_t>(items)));
    const int last_items = group_items(info_, 128);
    launch(queue_, {"match_exact", "best_place", dot_option(info_)}, global(last_items),
           local(last_items), in(scratch_.found), groups, out(found),
           local_memory<MatchFound>(static_cast<std::size_t>(last_items)));
  }

  Queue& queue_;
  const DeviceInfo& info_;
  const Plane& plane_;
  MatchTemplate& pattern_;
  decltype(MatchTemplate::Kept::device)& kept_;
  DeviceMatchScratch& scratch_;
  MatchSearch search_ = {};
  int most_columns_ = 1;
};

}  // namespace

void DeviceFft::prepare(int length, const DeviceInfo& device) {
  if (stages.length == length) return;
  const FftPlan plan(length);
  stages.count = static_cast<int>(plan.radices.size());
  std::copy(plan.radices.begin(), plan.radices.end(), stages.radices);
  error = plan.error;
  twiddles.assign(plan.twiddles);
  // Besides the values, local memory has a float for each item.
  is_long = 2 * static_cast<std::uint64_t>(length) * sizeof(ComplexPair) + 4 * kMostItems >
            device.local_memory;
  items =
      group_items(device, static_cast<int>(std::bit_ceil(static_cast<unsigned>(length) / 4 + 1)));
  stages.length = length;
}

void launch_best_match(MatchMethod method, Queue& queue, const Plane& plane, MatchTemplate& pattern,
                       MatchScratch& scratch, Array<MatchFound>& found) {
  DeviceSearch(queue, plane, pattern, scratch).run(method, found);
}

std::vector<ProgramName> match_programs(const Device& device) {
  return {{"integral", ""},
          {"match_spectrum", ""},
          {"match_bounds", ""},
          {"match_exact", dot_option(device.info())}};
}

}  // namespace cltrack
