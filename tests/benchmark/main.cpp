// SPDX-License-Identifier: LGPL-2.1-or-later
// cltrack-benchmark: times stages, whole trackers and elements on real frames. Takes the options of
// Google Benchmark and a few of its own.
#include <benchmark/benchmark.h>
#include <gst/gst.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <deque>
#include <exception>
#include <iostream>
#include <span>
#include <string>
#include <string_view>

#include "benchmarks.h"
#include "cltrack/error.h"

namespace {

namespace fs = std::filesystem;
using namespace cltrack;
using namespace cltrack::accuracy;

constexpr const char* kHelp =
    "cltrack-benchmark --data DIR [--sequences A,B] [--max-frames N] [--network FILE] "
    "[options of Google Benchmark]\n"
    "  --data DIR        sequences as cltrack-evaluate takes them (default: $CLTRACK_DATA/tld)\n"
    "  --sequences A,B   which of them (default: car,david,pedestrian3, or the first three)\n"
    "  --max-frames N    of each (default: 300; 0 for all)\n"
    "  --network FILE    a model of a network, made by tools/convert_network.py; any number\n"
    "stage/: ops on the host; motion/: a correlation filter's frame, on the host; op/, module/: "
    "ops with kernels, on every device; tracker/, placed/:\n"
    "whole trackers; frame/: one frame in library and element; targets/: many targets; streams/: "
    "many streams at a time; auto/: `auto` against the best;\n"
    "element/: the element against the library and cvtracker; color/: tracking by colour; "
    "network/: networks and their ops; zones/: counting;\n"
    "match/: template matching against OpenCV and the paper's kernels, on the first sequence.\n"
    "docs/notes/speed.md says more.\n"
    "  --benchmark_filter=REGEX, --benchmark_list_tests, --benchmark_repetitions=N,\n"
    "  --benchmark_format=json, --benchmark_out=FILE and so on: see Google Benchmark\n";

struct Options {
  std::vector<fs::path> data;
  std::vector<std::string> sequences;
  std::vector<fs::path> networks;
  std::size_t max_frames = 300;
};

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> items;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    items.emplace_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return items;
}

[[noreturn]] void fail(const std::string& message) {
  throw Error(ErrorCode::invalid_argument, message);
}

// Takes our options, as `--name value` or `--name=value`, out of `arguments`.
Options take_options(std::vector<char*>& arguments) {
  Options options;
  const auto set = [&options](std::string_view name, std::string_view value) {
    if (name == "--data") {
      options.data.emplace_back(value);
    } else if (name == "--sequences") {
      options.sequences = split(value);
    } else if (name == "--network") {
      options.networks.emplace_back(value);
    } else {
      const auto [end, error] =
          std::from_chars(value.data(), value.data() + value.size(), options.max_frames);
      if (error != std::errc{} || end != value.data() + value.size()) {
        fail("--max-frames: \"" + std::string(value) + "\" is not a whole number");
      }
    }
  };
  for (std::size_t i = 1; i < arguments.size();) {
    const std::string_view argument = arguments[i];
    const std::size_t equals = argument.find('=');
    const std::string_view name = argument.substr(0, equals);
    if (name != "--data" && name != "--sequences" && name != "--max-frames" &&
        name != "--network") {
      ++i;
      continue;
    }
    std::size_t used = 1;
    if (equals != std::string_view::npos) {
      set(name, argument.substr(equals + 1));
    } else if (i + 1 < arguments.size()) {
      set(name, arguments[i + 1]);
      used = 2;
    } else {
      fail(std::string(name) + ": a value must follow");
    }
    const auto first = arguments.begin() + static_cast<std::ptrdiff_t>(i);
    arguments.erase(first, first + static_cast<std::ptrdiff_t>(used));
  }
  if (options.data.empty()) {
    const char* root = std::getenv("CLTRACK_DATA");
    if (root) options.data.emplace_back(fs::path(root) / "tld");
  }
  return options;
}

std::vector<Sequence> choose_sequences(const Options& options) {
  if (options.data.empty()) return {};
  if (!options.sequences.empty()) return find_sequences(options.data, options.sequences);
  const auto all = find_sequences(options.data);
  std::vector<Sequence> chosen;
  for (const char* name : {"car", "david", "pedestrian3"}) {
    const auto found = std::ranges::find(all, name, &Sequence::name);
    if (found != all.end()) chosen.push_back(*found);
  }
  if (!chosen.empty()) return chosen;
  return {all.begin(), all.begin() + std::min<std::ptrdiff_t>(3, std::ssize(all))};
}

void register_benchmarks_of(std::span<const Clip> clips, std::span<const fs::path> networks) {
  register_stage_benchmarks(clips);
  register_motion_benchmarks(clips);
  register_op_benchmarks(clips);
  register_tracker_benchmarks(clips);
  register_placed_benchmarks(clips);
  register_match_benchmarks(clips);
  register_frame_benchmarks(clips);
  register_targets_benchmarks(clips);
  register_streams_benchmarks(clips, networks);
  register_auto_benchmarks(clips);
  register_element_benchmarks(clips);
}

int run(int argc, char** argv) {
  std::vector<char*> arguments(argv, argv + argc);
  if (argc > 1 && (std::string_view(argv[1]) == "--help" || std::string_view(argv[1]) == "-h")) {
    std::cout << kHelp;
    return 0;
  }
  const Options options = take_options(arguments);
  int count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  gst_init(nullptr, nullptr);
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) {
    std::cerr << kHelp;
    return 2;
  }
  std::vector<Clip> clips;
  if (options.data.empty()) {
    if (!options.sequences.empty()) fail("--sequences: where are they? Give --data DIR");
    std::cerr << "no sequences, so color/, network/ and zones/ alone: give --data DIR, or set "
                 "CLTRACK_DATA\n";
  }
  for (Sequence& sequence : choose_sequences(options)) {
    Footage footage(sequence, options.max_frames);
    if (footage.size() == 0) fail(sequence.name + ": no frames");
    if (!footage.in_memory()) {
      fail(sequence.name + ": too large to be held in memory; lower --max-frames");
    }
    clips.push_back({std::move(sequence), std::move(footage)});
  }
  register_color_benchmarks();
  register_network_benchmarks(options.networks);
  register_zones_benchmarks();
  if (!clips.empty()) register_benchmarks_of(clips, options.networks);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace

namespace cltrack::accuracy {

BoundingBox Clip::box() const {
  const auto& first = *footage.frames().front();
  const BoundingBox inside = clip_to_frame(sequence.first_box, first.width(), first.height());
  return {std::floor(inside.x), std::floor(inside.y), std::floor(inside.width),
          std::floor(inside.height)};
}

}  // namespace cltrack::accuracy

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "cltrack-benchmark: " << error.what() << '\n';
    return 2;
  }
}
