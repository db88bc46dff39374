// SPDX-License-Identifier: LGPL-2.1-or-later
// What becomes of a device whose programs another process is to build, and of that process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "build_programs/tracker_kinds.h"
#include "cltrack/color_tracker.h"
#include "cltrack/log.h"
#include "cltrack/template_tracker.h"
#include "cltrack/tld_tracker.h"
#include "color/color_stages.h"
#include "compute/program_cache.h"
#include "match/template_stages.h"
#include "placement/candidate_devices.h"
#include "support/errors.h"
#include "support/no_threads.h"
#include "support/random_network.h"
#include "support/temporary_folder.h"
#include "tld/tld_stages.h"

namespace cltrack {
namespace {

using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

class CandidateBuilder : public testing::Test {
 protected:
  CandidateBuilder() {
    if (const char* path = std::getenv("CLTRACK_BUILD_PROGRAMS")) real_ = path;
    set_log_handler([this](LogLevel, std::string_view message) {
      const std::lock_guard lock(mutex_);
      log_.append(message).append("\n");
    });
  }
  ~CandidateBuilder() override {
    set_log_handler({});
    setenv("CLTRACK_BUILD_PROGRAMS", real_.c_str(), 1);
  }
  void SetUp() override {
    ASSERT_FALSE(real_.empty()) << "CLTRACK_BUILD_PROGRAMS must name the program";
    if (list_devices().size() == 1) GTEST_SKIP() << "NO OPENCL DEVICE: nothing is built";
  }

  void use_script(const std::string& text) {
    const auto path = folder_.path() / "build";
    std::ofstream(path) << "#!/bin/sh\n" << text << "\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    setenv("CLTRACK_BUILD_PROGRAMS", path.c_str(), 1);
  }

  // How many devices become ready.
  template <typename Config = TldConfig>
  std::size_t prepare(const Config& config = {}) {
    const auto devices = open_devices(config);
    devices->candidates().start();
    while (!devices->candidates().is_complete()) std::this_thread::yield();
    return devices->candidates().ready_count();
  }
  std::string log() {
    const std::lock_guard lock(mutex_);
    return log_;
  }

  std::string real_;
  const test::TemporaryFolder folder_;

 private:
  std::mutex mutex_;
  std::string log_;
};

TEST_F(CandidateBuilder, MakesDevicesReady) {
  EXPECT_EQ(prepare(), list_devices().size() - 1) << log();
  EXPECT_THAT(log(), Not(HasSubstr("left out")));
  EXPECT_THAT(log(), Not(HasSubstr("compiles in this process")));
}

TEST_F(CandidateBuilder, ServesAllKindsOfTrackers) {
  EXPECT_EQ(prepare(TemplateConfig{}), list_devices().size() - 1) << log();
  EXPECT_EQ(prepare(ColorConfig{.area_ratio = 0.3f}), list_devices().size() - 1) << log();
  EXPECT_EQ(prepare(ColorConfig{.blobs = 2}), list_devices().size() - 1) << log();
  EXPECT_THAT(log(), Not(HasSubstr("left out")));
}

TEST_F(CandidateBuilder, ThatFailsLeavesTheDeviceOut) {
  use_script("echo 'LLVM ERROR: No space left' >&2; exit 1");
  EXPECT_EQ(prepare(), 0u);
  EXPECT_THAT(log(), HasSubstr("is left out: building its programs in a process of its own: it "
                               "exited with status 1: LLVM ERROR: No space left"));
  use_script("kill -9 $$");
  EXPECT_EQ(prepare(), 0u);
  EXPECT_THAT(log(), HasSubstr("ended by signal 9"));
}

// The real one, with a compiler that cannot write what it has made.
TEST_F(CandidateBuilder, WhoseCompilerEndsItLeavesTheDeviceOut) {
  if (compiler_folder(list_devices().back()).empty()) GTEST_SKIP() << "NO POCL: others do not end";
  const std::string cache = (folder_.path() / "cache").string();
  use_script("export POCL_CACHE_DIR='" + cache + "' XDG_CACHE_HOME='" + cache +
             "'; ulimit -f 16; exec '" + real_ + "' \"$@\"");
  EXPECT_EQ(prepare(), 0u);
  EXPECT_THAT(log(), HasSubstr("is left out: building its programs in a process of its own: it "));
}

TEST_F(CandidateBuilder, ThatIsNotThereIsDoneWithout) {
  setenv("CLTRACK_BUILD_PROGRAMS", "/nonexistent", 1);
  EXPECT_EQ(prepare(), list_devices().size() - 1) << log();
  EXPECT_THAT(log(), HasSubstr("compiles in this process"));
}

TEST_F(CandidateBuilder, WithoutAThreadLeavesAllOnTheHost) {
  const test::NoThreads none;
  EXPECT_EQ(prepare(), 0u);
  EXPECT_THAT(log(), HasSubstr("all stages stay on the host, because no thread can be started"));
}

TEST_F(CandidateBuilder, ThatHangsDoesNotHoldAnybodyUp) {
  const std::string number = (folder_.path() / "number").string();
  use_script("trap '' TERM; echo $$ > '" + number + ".new'; mv '" + number + ".new' '" + number +
             "'; sleep 1000");
  {
    const auto devices = open_devices(TldConfig{});
    devices->candidates().start();
    while (!std::filesystem::exists(number)) std::this_thread::yield();
  }
  pid_t process = 0;
  std::ifstream(number) >> process;
  ASSERT_GT(process, 0);
  EXPECT_NE(kill(process, 0), 0) << "it is still there";
  EXPECT_THAT(log(), Not(HasSubstr("left out")));
}

BuildRequest request() {
  TldConfig config;
  config.ferns = 7;
  config.pairs = 11;
  config.max_candidates = 33;
  config.max_positive_patches = 44;
  config.max_negative_patches = 55;
  config.flow_points = 6;
  config.flow_window_min = 5;
  config.flow_window_max = 21;
  config.flow_levels = 3;
  config.scale_step = 1.1f;
  config.first_warps.angle = 1.0f / 3;
  config.learning = false;
  config.network = Network::parse(test::RandomNetwork::make(1).bytes());
  BuildRequest request{tld_kind(config), {}};
  const std::vector<DeviceInfo> devices = list_devices();
  for (const StageInfo& stage : kTldStages) {
    // The host, and a device where there is one.
    const bool automatic = stage.name != "nn";
    request.placement.push_back({.stage = stage,
                                 .automatic = automatic,
                                 .device = automatic ? devices.back() : devices.front()});
  }
  return request;
}

TEST(BuildRequest, ComesOutOfItsArgumentsAsItWas) {
  const BuildRequest sent = request();
  const BuildRequest got = from_arguments(to_arguments(sent), make_tracker_kind);
  EXPECT_EQ(to_arguments(got), to_arguments(sent));
  EXPECT_EQ(got.kind.name, "tld");
  const auto settings = got.kind.settings;
  EXPECT_THAT(settings, IsSupersetOf({"ferns=7", "flow_window_max=21", "scale_step=1.1",
                                      "learning=false", "first_warps.angle=0.33333334"}));
  ASSERT_EQ(got.placement.size(), sent.placement.size());
  for (std::size_t i = 0; i < got.placement.size(); ++i) {
    EXPECT_EQ(got.placement[i].stage, sent.placement[i].stage);
    EXPECT_EQ(got.placement[i].automatic, sent.placement[i].automatic);
    EXPECT_EQ(got.placement[i].device.spec, sent.placement[i].device.spec);
  }
  EXPECT_EQ(got.placement.back().stage.name, "network");
  EXPECT_FALSE(got.kind.programs(got.placement.size() - 1, *Device::host()).empty());
}

TEST(BuildRequest, IsOfAnyTracker) {
  for (const TrackerKind& kind : {template_kind(TemplateConfig{}), color_kind(ColorConfig{})}) {
    const BuildRequest sent{kind, resolve({.device = "host"}, kind.stages)};
    const BuildRequest got = from_arguments(to_arguments(sent), make_tracker_kind);
    EXPECT_EQ(got.kind.name, kind.name);
    EXPECT_EQ(to_arguments(got), to_arguments(sent));
  }
}

TEST(BuildRequest, IsOfThisVersionAndKnown) {
  const std::vector<std::string> good = to_arguments(request());
  const auto error_with = [&](std::size_t index, const std::string& argument) {
    std::vector<std::string> bad = good;
    bad[index] = argument;
    return test::error_of([&] { from_arguments(bad, make_tracker_kind); });
  };
  EXPECT_EQ(error_with(0, "version=0.0.0").code(), ErrorCode::invalid_argument);
  EXPECT_THAT(error_with(0, "version=0.0.0").what(), HasSubstr("version=0.0.0"));
  const auto ferns = static_cast<std::size_t>(std::ranges::find(good, "ferns=7") - good.begin());
  for (const char* bad : {"", "ferns", "ferns=", "ferns=many", "ferns=1000", "birds=7"}) {
    EXPECT_EQ(error_with(ferns, bad).code(), ErrorCode::invalid_argument) << bad;
  }
  for (const char* bad : {"", "tracker=", "tracker=birds", "tracker=color"}) {
    EXPECT_EQ(error_with(1, bad).code(), ErrorCode::invalid_argument) << bad;
  }
  EXPECT_EQ(error_with(good.size() - 1, "match-device=auto 0.0 Abacus").code(),
            ErrorCode::invalid_argument);
  EXPECT_EQ(error_with(good.size() - 1, "network-device=auto 7.7 Abacus").code(),
            ErrorCode::device_missing);
  EXPECT_EQ(test::error_of([] { from_arguments({}, make_tracker_kind); }).code(),
            ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace cltrack
