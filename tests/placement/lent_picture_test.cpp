// SPDX-License-Identifier: LGPL-2.1-or-later
// Pictures that a device has already: the same tracks in every bit, and no way around the errors.
#include <fcntl.h>
#include <gmock/gmock.h>

#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "cltrack/color_tracker.h"
#include "cltrack/detection_tracker.h"
#include "cltrack/template_tracker.h"
#include "cltrack/tld_tracker.h"
#include "compute/lent_memory.h"
#include "support/color_image.h"
#include "support/errors.h"
#include "support/fault_sweep.h"
#include "support/lent_frames.h"
#include "support/scene.h"

namespace cltrack {
namespace {

using test::Faults;
using test::Lending;
using testing::HasSubstr;

const std::string kImports = ",IMPORTS=3";

// What is told of a target on a frame: box, confidence, area.
using Seen = std::vector<std::tuple<BoundingBox, float, std::uint64_t>>;
// Of all frames, how many bytes went up to devices meanwhile, and how many came down with the
// planes.
struct Result {
  Seen seen;
  std::uint64_t bytes_up = 0;
  std::uint64_t planes_down = 0;
};

using Lend = std::function<Frame(const Frame&)>;

Frame on_host(const Frame& frame) { return frame; }

std::unique_ptr<Tracker> make(const TldConfig& config, std::shared_ptr<TrackerDevices> devices) {
  return make_tld_tracker(config, std::move(devices));
}
std::unique_ptr<Tracker> make(const TemplateConfig& config,
                              std::shared_ptr<TrackerDevices> devices) {
  return make_template_tracker(config, std::move(devices));
}
std::unique_ptr<Tracker> make(const ColorConfig& config, std::shared_ptr<TrackerDevices> devices) {
  return make_color_tracker(config, std::move(devices));
}

struct Size {
  int width, height;
};

// A target in `format`, or in luma alone, that goes to the right, is covered for a while, and comes
// back elsewhere.
template <typename Config>
Result follow(Config config, const std::string& device, const Seed& seed, const Lend& lend,
              const std::string& format = "NV12", Size size = {160, 120}, int frames = 12) {
  config.placement.device = device;
  const auto devices = open_devices(config);
  devices->wait();
  const std::unique_ptr<Tracker> tracker = make(config, devices);
  tracker->add(seed);
  test::Scene scene(size.width, size.height);
  Result result;
  for (int i = 0; i < frames; ++i) {
    const bool covered = i == 7 || i == 8;
    const int x = i < 7 ? 40 + i : 80 + i;
    const BoundingBox box{static_cast<float>(x), 30, 40, 40};
    Frame frame = scene.draw(covered ? std::nullopt : std::optional(box));
    std::optional<test::ColorImage> colors;
    if (!format.empty()) {
      colors.emplace(test::color_format(format), size.width, size.height, 3);
      const bool is_rgb = colors->picture().space == ColorSpace::rgb;
      for (int y = 0; y < size.height; ++y) {
        for (int at = 0; at < size.width; ++at) {
          const std::uint8_t grey = frame.luma.at(at, y);
          const bool is_target = !covered && at >= x && at < x + 40 && y >= 30 && y < 70;
          colors->at(0, at, y) = is_target && is_rgb ? 250 : grey;
          colors->at(1, at, y) = is_rgb ? grey / 4 : is_target ? 90 : 128;
          colors->at(2, at, y) = is_rgb ? grey / 4 : is_target ? 200 : 128;
        }
      }
      frame.color = colors->picture();
      if (!is_rgb)
        frame.luma = {colors->picture().components[0].data, size.width, size.height,
                      colors->picture().components[0].stride};
    }
    for (const Track& found : tracker->process(lend(frame))) {
      const ColorExtent extent = found.extent.value_or(ColorExtent());
      result.seen.emplace_back(found.box, found.confidence, extent.area);
    }
  }
  for (const StageStats& stage : tracker->stats().stages) {
    result.bytes_up += stage.bytes_up;
    if (stage.name == "planes") result.planes_down += stage.bytes_down;
  }
  return result;
}

constexpr BoundingBox kBox = {40, 30, 40, 40};

TldConfig tld_config(int motion) {
  TldConfig config{.seed = 5, .threads = 2};
  config.motion = motion;
  return config;
}

struct Case {
  std::string name;
  std::function<Result(const std::string& device, const Lend& lend)> follow;
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const char* format : {"NV12", "I420", ""}) {
    for (const Size size : {Size{160, 120}, Size{171, 123}}) {
      const std::string name =
          std::string(format[0] != 0 ? format : "luma") + " " + std::to_string(size.width);
      for (const int motion : {kCorrelation, kMedianFlow}) {
        cases.push_back({"tld " + std::to_string(motion) + " " + name,
                         [=](const std::string& device, const Lend& lend) {
                           return follow(tld_config(motion), device, kBox, lend, format, size);
                         }});
      }
    }
  }
  for (const TemplateSearch search : {TemplateSearch::window, TemplateSearch::frame}) {
    cases.push_back({search == TemplateSearch::frame ? "template frame" : "template window",
                     [=](const std::string& device, const Lend& lend) {
                       return follow(TemplateConfig{.search = search}, device, kBox, lend);
                     }});
  }
  for (const char* format : {"NV12", "RGB", "BGRx"}) {
    for (const int blobs : {0, 2}) {
      cases.push_back({"colour " + std::string(format) + " " + std::to_string(blobs),
                       [=](const std::string& device, const Lend& lend) {
                         return follow(ColorConfig{.blobs = blobs, .trail = 3}, device,
                                       ColorModel::near(250, 40, 40, 60), lend, format);
                       }});
      cases.push_back({"colour of a box " + std::string(format),
                       [=](const std::string& device, const Lend& lend) {
                         return follow(ColorConfig{.blobs = blobs}, device, kBox, lend, format);
                       }});
    }
  }
  return cases;
}

TEST(LentPicture, TracksAreTheSameInEveryBit) {
  CLTRACK_NEEDS_OPENCL();
  for (const std::string kind : {test::kFaultyCpu, test::kFaultyGpu}) {
    Faults faults(kind + kImports);
    for (const auto& [name, follow] : all_cases()) {
      SCOPED_TRACE(kind + " " + name);
      const Result expected = follow("0.0", on_host);
      EXPECT_FALSE(expected.seen.empty());
      const DeviceInfo info = find_device("0.0");
      for (const Lending lending : {Lending::own_buffer, Lending::opaque}) {
        const Lend lend = [&](const Frame& frame) {
          return test::lent_frame(frame, info, lending, 37, 29);
        };
        EXPECT_EQ(follow("0.0", lend).seen, expected.seen);
        EXPECT_EQ(follow("host", lend).seen, follow("host", on_host).seen);
      }
    }
  }
}

TEST(LentPicture, PicturesDoNotGoUp) {
  CLTRACK_NEEDS_OPENCL();
  Faults faults(test::kFaultyGpu + kImports);
  const DeviceInfo info = find_device("0.0");
  constexpr int kFrames = 12;
  for (const auto& [name, follow] : all_cases()) {
    if (name.starts_with("template")) continue;  // looks at pictures on the host
    SCOPED_TRACE(name);
    const Result expected = follow("0.0", on_host);
    const Result lent = follow(
        "0.0", [&](const Frame& frame) { return test::lent_frame(frame, info, Lending::opaque); });
    EXPECT_EQ(lent.seen, expected.seen);
    // Nothing less than all planes of all frames.
    EXPECT_LE(lent.bytes_up + 160 * 120 * kFrames, expected.bytes_up);
    // The rows that the host will look at come with other commands.
    EXPECT_EQ(expected.planes_down, 0);
    if (name.starts_with("tld")) {
      EXPECT_GT(lent.planes_down, 0);
    }
  }
}

TEST(LentPicture, AnotherDeviceGetsACopy) {
  CLTRACK_NEEDS_OPENCL();
  Faults faults(test::kFaultyGpu + kImports);
  if (list_devices().size() < 3) GTEST_SKIP() << "there is one device alone";
  const DeviceInfo other = find_device("0.1");
  EXPECT_EQ(follow(tld_config(kCorrelation), "0.0", kBox,
                   [&](const Frame& frame) {
                     return test::lent_frame(frame, other, Lending::opaque, 5, 3);
                   })
                .seen,
            follow(tld_config(kCorrelation), "0.0", kBox, on_host).seen);
}

TEST(LentPicture, DetectionsAreLookedAtInIt) {
  CLTRACK_NEEDS_OPENCL();
  Faults faults(test::kFaultyGpu + kImports);
  const DeviceInfo info = find_device("0.0");
  const auto track = [&](bool lent) {
    TldConfig config = tld_config(kCorrelation);
    config.placement.device = "0.0";
    const auto tracker = make_detection_tracker(make_tld_tracker(config), {});
    test::Scene scene(160, 120);
    Seen seen;
    for (int i = 0; i < 8; ++i) {
      const BoundingBox box{40 + static_cast<float>(i), 30, 40, 40};
      Frame frame = scene.draw(box);
      if (lent) frame = test::lent_frame(frame, info, Lending::own_buffer);
      const DetectedObject detection{box, "thing", 0.9f};
      const bool detects = i % 3 == 0;
      for (const DetectedTrack& found : tracker->update(
               frame, detects ? std::optional(std::span(&detection, 1)) : std::nullopt)) {
        seen.emplace_back(found.box, found.confidence, 0);
      }
    }
    return seen;
  };
  const Seen expected = track(false);
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(track(true), expected);
}

TEST(LentPicture, NothingStaysOpen) {
  CLTRACK_NEEDS_OPENCL();
  const auto descriptors = [] {
    int open = 0;
    for (int i = 0; i < 1024; ++i) open += fcntl(i, F_GETFD) >= 0 ? 1 : 0;
    return open;
  };
  Faults faults(test::kFaultyGpu + kImports);
  const auto run = [&] {
    const DeviceInfo info = find_device("0.0");
    follow(tld_config(kCorrelation), "0.0", kBox,
           [&](const Frame& frame) { return test::lent_frame(frame, info, Lending::dma_buf); });
  };
  run();
  const int before = descriptors();
  faults.set(test::kFaultyGpu + kImports);
  run();
  EXPECT_EQ(descriptors(), before);
  const auto count = [&](const char* name) { return faults.calls(name); };
  EXPECT_GT(count("clEnqueueAcquireExternalMemObjectsKHR"), 0);
  EXPECT_EQ(count("clEnqueueAcquireExternalMemObjectsKHR"),
            count("clEnqueueReleaseExternalMemObjectsKHR"));
  EXPECT_EQ(
      count("clCreateBuffer") + count("clCreateBufferWithProperties") + count("clRetainMemObject"),
      count("clReleaseMemObject"));
}

// The frame is an error that names the device; the next one, on another device, is none.
TEST(LentPicture, EveryCallThatFailsIsTold) {
  CLTRACK_NEEDS_OPENCL();
  for (const std::string kind : {test::kFaultyCpu, test::kFaultyGpu}) {
    for (const std::string fault :
         {"clEnqueueAcquireExternalMemObjectsKHR@3=-5",
          "clEnqueueReleaseExternalMemObjectsKHR@3=-5",
          "clGetExtensionFunctionAddressForPlatform@3=-5",
          kind == test::kFaultyCpu ? "clEnqueueMapBuffer@4=-5" : "clEnqueueCopyBuffer@3=-5"}) {
      SCOPED_TRACE(kind + fault);
      Faults faults(kind + kImports);
      const DeviceInfo info = find_device("0.0");
      const Lend lend = [&](const Frame& frame) {
        return test::lent_frame(frame, info, Lending::opaque);
      };
      faults.set(kind + kImports + "," + fault);
      const Error error =
          test::error_of([&] { follow(tld_config(kMedianFlow), "0.0", kBox, lend); });
      EXPECT_EQ(error.code(), ErrorCode::device_failed);
      EXPECT_THAT(error.what(), HasSubstr("0.0"));
      faults.set(kind + kImports);
      EXPECT_EQ(follow(tld_config(kMedianFlow), "0.0", kBox, lend).seen,
                follow(tld_config(kMedianFlow), "0.0", kBox, on_host).seen);
    }
  }
}

TEST(LentPicture, AnImportThatFailsSaysWhyAndWhatElse) {
  CLTRACK_NEEDS_OPENCL();
  Faults faults(std::string(test::kFaultyGpu) + ",IMPORTS=1");
  const DeviceInfo info = find_device("0.0");
  EXPECT_TRUE(info.imports_opaque);
  EXPECT_FALSE(info.imports_dma_buf);
  EXPECT_EQ(info.uuid, "6661756c747920696d706f7274732121");
  const test::SharedBytes shared(std::vector<std::uint8_t>(100));
  const auto import = [&](DescriptorKind kind, int descriptor, std::size_t bytes) {
    return [=, &info] { import_memory(info, kind, descriptor, bytes); };
  };
  using enum DescriptorKind;
  test::expect_rejected(import(dma_buf, shared.descriptor(), 100),
                        {"0.0", "DMA-BUF", "cl_khr_external_memory_dma_buf", "on the host"});
  test::expect_rejected(import(opaque, -1, 100), {"descriptor -1", "0 or more"});
  test::expect_rejected(import(opaque, 1023, 100), {"descriptor 1023", "Bad file"});
  test::expect_rejected(import(opaque, shared.descriptor(), 0), {"of 0 bytes", "1 byte or more"});
  test::expect_rejected([] { import_memory(find_device("host"), opaque, 0, 1); }, {"host"});
  faults.set(std::string(test::kFaultyGpu) + ",IMPORTS=1,clCreateBufferWithProperties=-6");
  const Error error = test::error_of(import(opaque, shared.descriptor(), 100));
  EXPECT_EQ(error.code(), ErrorCode::failed);
  EXPECT_THAT(error.what(), HasSubstr("CL_OUT_OF_HOST_MEMORY"));
  // Nobody else has to do without the device for it.
  EXPECT_FALSE(Device::open(info)->has_failed());
}

TEST(LentPicture, BuffersOfOthersAreRefused) {
  CLTRACK_NEEDS_OPENCL();
  Faults faults(test::kFaultyGpu);
  const DeviceInfo info = find_device("0.0");
  test::expect_rejected([&] { lend_buffer(info, nullptr); }, {"0.0", "null", "opencl_context()"});
  test::expect_rejected([&] { lend_buffer(find_device("host"), nullptr); }, {"host"});
  const cl::Context elsewhere(Device::open(info)->cl_device());
  const cl::Buffer foreign(elsewhere, CL_MEM_READ_WRITE, 100);
  test::expect_rejected([&] { lend_buffer(info, foreign()); }, {"another context"});
}

TEST(LentPicture, APictureThatIsNotInItsMemoryIsRefused) {
  CLTRACK_NEEDS_OPENCL();
  Faults faults(test::kFaultyGpu);
  const DeviceInfo info = find_device("0.0");
  const auto memory =
      test::lend_bytes(info, std::vector<std::uint8_t>(160 * 120 * 3 / 2), Lending::own_buffer);
  DevicePicture good{.memory = memory, .space = ColorSpace::yuv, .width = 160, .height = 120};
  good.components = {{{.offset = 0, .stride = 160},
                      {.offset = 19200, .stride = 160, .step = 2, .shift_x = 1, .shift_y = 1},
                      {.offset = 19201, .stride = 160, .step = 2, .shift_x = 1, .shift_y = 1}}};
  TldConfig config;
  config.placement.device = "host";
  const auto tracker = make_tld_tracker(config);
  const auto refused = [&](const std::function<void(Frame&)>& change,
                           const std::vector<std::string>& parts) {
    Frame frame{.luma = {}};
    frame.on_device = good;
    change(frame);
    test::expect_rejected([&] { tracker->process(frame); }, parts);
  };
  refused([](Frame& f) { f.on_device.width = 0; }, {"0x120", "1x1"});
  refused([](Frame& f) { f.on_device.components[1].offset = 28800; }, {"component 1", "28800"});
  refused([](Frame& f) { f.on_device.components[2].offset = 19300; },
          {"component 2", "28899", "28800"});
  refused([](Frame& f) { f.on_device.components[0].stride = 159; }, {"stride of 159", "160"});
  refused([](Frame& f) { f.on_device.components[0].step = 0; }, {"step of 0", "1 to"});
  refused([](Frame& f) { f.on_device.components[1].shift_x = -1; }, {"shifts of -1", "0 to 4"});
  refused(
      [](Frame& f) {
        f.on_device.components[0] = {.offset = 0, .stride = 200, .step = 1, .shift_x = 1};
      },
      {"first component", "subsampled"});
  const Image image(160, 120);
  refused([&](Frame& f) { f.luma = image.view(); }, {"Frame::luma", "empty"});
  Frame frame{.luma = {}};
  frame.on_device = good;
  EXPECT_NO_THROW(tracker->process(frame));
}

TEST(LentMemory, BringsOnlyWhatIsAskedFor) {
  CLTRACK_NEEDS_OPENCL();
  Faults faults(test::kFaultyGpu);
  std::vector<std::uint8_t> bytes(10 * LentMemory::kUnit + 5);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 7 / 3);
  const auto memory = std::dynamic_pointer_cast<ExternalBuffer>(
      test::lend_bytes(find_device("0.0"), bytes, Lending::own_buffer));
  LentMemory lent;
  for (int round = 0; round < 2; ++round) {
    lent.begin(memory, 3, bytes.size() - 3);
    faults.set(test::kFaultyGpu);
    const auto equal = [&](std::size_t first, std::size_t count) {
      lent.load(lent.address() + first, count);
      return std::memcmp(lent.address() + first, bytes.data() + 3 + first, count) == 0;
    };
    EXPECT_TRUE(equal(5, 1));
    EXPECT_TRUE(equal(0, LentMemory::kUnit));
    EXPECT_EQ(faults.calls("clEnqueueReadBuffer"), 1);
    EXPECT_TRUE(equal(4 * LentMemory::kUnit - 1, 2));
    EXPECT_EQ(faults.calls("clEnqueueReadBuffer"), 2);
    EXPECT_TRUE(equal(0, bytes.size() - 3));
    EXPECT_EQ(faults.calls("clEnqueueReadBuffer"), 4) << "before and behind";
    EXPECT_TRUE(equal(0, bytes.size() - 3));
    EXPECT_EQ(faults.calls("clEnqueueReadBuffer"), 4);
    lent.end();
    lent.begin(memory, 3, bytes.size() - 3);
    faults.set(test::kFaultyGpu);
    const std::byte* const base = lent.address();
    const auto units =
        lent.units_around(base + 3 * LentMemory::kUnit + 7, LentMemory::kUnit, base, lent.size());
    EXPECT_EQ(units.data(), base + 3 * LentMemory::kUnit);
    EXPECT_EQ(units.size(), 2 * LentMemory::kUnit);
    // What lies in other memory is not among them, unless nothing does.
    EXPECT_EQ(lent.units_around(base + 7, 1, base + 3, lent.size() - 3).size(), 0);
    EXPECT_EQ(lent.units_around(base + lent.size() - 1, 1, base, lent.size()).size(), 2);
    std::copy_n(reinterpret_cast<const std::byte*>(bytes.data()) + 3 + 3 * LentMemory::kUnit,
                units.size(), units.data());
    lent.set_loaded(units);
    EXPECT_TRUE(equal(3 * LentMemory::kUnit, 2 * LentMemory::kUnit));
    EXPECT_EQ(faults.calls("clEnqueueReadBuffer"), 0);
    EXPECT_TRUE(equal(0, bytes.size() - 3));
    EXPECT_EQ(faults.calls("clEnqueueReadBuffer"), 2);
    lent.end();
  }
}

}  // namespace
}  // namespace cltrack
