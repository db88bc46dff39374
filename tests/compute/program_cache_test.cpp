// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/program_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string>
#include <thread>

#include "cltrack/error.h"
#include "cltrack/log.h"
#include "support/devices.h"
#include "support/errors.h"
#include "support/temporary_folder.h"
#include "support/variables.h"

namespace cltrack {
namespace {

using test::Variables;
using testing::HasSubstr;

namespace fs = std::filesystem;
using test::TemporaryFolder;

std::string content(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void overwrite(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

BinaryStore::Bytes bytes(std::string_view text) { return {text.begin(), text.end()}; }

class WarningCount {
 public:
  WarningCount() {
    set_log_handler([this](LogLevel level, std::string_view) {
      if (level == LogLevel::warning) ++count_;
    });
  }
  ~WarningCount() { set_log_handler({}); }
  int count() const { return count_; }

 private:
  std::atomic<int> count_ = 0;
};

TEST(BinaryStore, GivesBackWhatWasSaved) {
  const TemporaryFolder folder;
  BinaryStore store(folder.path() / "made" / "when needed");
  EXPECT_FALSE(store.load("a"));
  store.save("a", bytes(std::string_view("x\0y", 3)));
  store.save("b", bytes("other"));
  EXPECT_EQ(store.load("a"), bytes(std::string_view("x\0y", 3)));
  EXPECT_EQ(store.load("b"), bytes("other"));
  // Nothing is left of the temporary files.
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path() / "made" / "when needed"), {}), 2);
}

TEST(BinaryStore, IgnoresAndReplacesBrokenAndForeignFiles) {
  const TemporaryFolder folder;
  BinaryStore store(folder.path());
  store.save("key", bytes("program"));
  const std::string good = content(store.path("key"));
  std::string flipped = good;
  flipped.back() ^= 1;
  store.save("another key", bytes("program"));
  const std::string foreign = content(store.path("another key"));
  for (const std::string& bad :
       {std::string(), std::string("#!/bin/sh"), good.substr(0, good.size() - 1), good + "x",
        good.substr(0, 20), flipped, foreign}) {
    overwrite(store.path("key"), bad);
    EXPECT_FALSE(store.load("key")) << bad;
    store.save("key", bytes("program"));
    EXPECT_EQ(store.load("key"), bytes("program"));
  }
}

// What cannot be read is missing, whatever it is: nothing hangs, grows or throws.
TEST(BinaryStore, WhatIsNoFileIsMissingAndOneLine) {
  const TemporaryFolder folder;
  BinaryStore store(folder.path());
  fs::create_directory(store.path("folder"));
  ASSERT_EQ(mkfifo(store.path("pipe").c_str(), 0600), 0) << strerror(errno);
  fs::create_symlink("/dev/zero", store.path("endless"));
  fs::create_symlink(store.path("loop"), store.path("loop"));
  overwrite(store.path("huge"), "sparse");
  fs::resize_file(store.path("huge"), std::uintmax_t{1} << 40);
  std::vector<std::string> lines;
  set_log_handler([&](LogLevel level, std::string_view message) {
    if (level == LogLevel::info) lines.emplace_back(message);
  });
  alarm(60);  // ends the program where it would hang
  for (const char* key : {"folder", "pipe", "endless", "loop", "huge"}) {
    SCOPED_TRACE(key);
    lines.clear();
    EXPECT_FALSE(store.load(key));
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_NE(lines[0].find(store.path(key).string()), std::string::npos) << lines[0];
  }
  alarm(0);
  set_log_handler({});
  const WarningCount warnings;
  for (const char* key : {"pipe", "endless", "loop", "huge", "folder", "other"}) {
    store.save(key, bytes("program"));
  }
  for (const char* key : {"pipe", "endless", "loop", "huge", "other"}) {
    EXPECT_EQ(store.load(key), bytes("program")) << key;
  }
  EXPECT_EQ(warnings.count(), 0);
}

TEST(BinaryStore, AnUnusableFolderIsNoCacheAndOneLine) {
  const TemporaryFolder folder;
  overwrite(folder.path() / "file", "not a folder");
  const WarningCount warnings;
  BinaryStore store(folder.path() / "file");
  for (int i = 0; i < 3; ++i) {
    store.save("key", bytes("program"));
    EXPECT_FALSE(store.load("key"));
  }
  EXPECT_EQ(warnings.count(), 1);
  BinaryStore none({});
  none.save("key", bytes("program"));
  EXPECT_FALSE(none.load("key"));
  EXPECT_EQ(warnings.count(), 1);
}

TEST(BinaryStore, AFolderThatMayNotBeWrittenIsNoCache) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  const TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
  const WarningCount warnings;
  BinaryStore store(folder.path());
  store.save("key", bytes("program"));
  store.save("key", bytes("program"));
  EXPECT_FALSE(store.load("key"));
  EXPECT_EQ(warnings.count(), 1);
}

TEST(BinaryStore, FollowsXdg) {
  const auto folder = [](const char* cache, const char* home) {
    const test::Variables variables{{"XDG_CACHE_HOME", cache}, {"HOME", home}};
    return BinaryStore::default_folder();
  };
  EXPECT_EQ(folder("/somewhere", "/home/someone"), "/somewhere/cltrack");
  EXPECT_EQ(folder("relative", "/home/someone"), "/home/someone/.cache/cltrack");
  EXPECT_TRUE(folder(nullptr, nullptr).empty());
}

class ProgramCacheOnDevice : public test::DeviceTest {
 protected:
  void SetUp() override {
    if (device_->is_host()) GTEST_SKIP() << "the host builds nothing";
  }
  std::unique_ptr<ProgramCache> make_cache(const fs::path& folder) {
    return std::make_unique<ProgramCache>(device_->info(), device_->context(), device_->cl_device(),
                                          folder);
  }
  const TemporaryFolder folder_;
};

TEST_P(ProgramCacheOnDevice, CompilesOnceAndLoadsFromThenOn) {
  const auto first = make_cache(folder_.path());
  first->program("integral", "-DTEST=1");
  first->program("integral", "-DTEST=1");
  EXPECT_EQ(first->builds(), 1);
  EXPECT_EQ(first->loads(), 0);
  const auto second = make_cache(folder_.path());
  const cl::Program program = second->program("integral", "-DTEST=1");
  EXPECT_EQ(second->builds(), 0);
  EXPECT_EQ(second->loads(), 1);
  EXPECT_NO_THROW(cl::Kernel(program, "integral_columns"));
  second->program("integral", "-DTEST=2");
  EXPECT_EQ(second->builds(), 1);
}

TEST_P(ProgramCacheOnDevice, RewritesWhatIsBroken) {
  make_cache(folder_.path())->program("integral", {});
  for (const auto& entry : fs::directory_iterator(folder_.path())) {
    overwrite(entry.path(), content(entry.path()).substr(0, 100));
  }
  const auto second = make_cache(folder_.path());
  second->program("integral", {});
  EXPECT_EQ(second->builds(), 1);
  const auto third = make_cache(folder_.path());
  third->program("integral", {});
  EXPECT_EQ(third->loads(), 1);
}

TEST_P(ProgramCacheOnDevice, CompilesWhatTheDriverDoesNotTake) {
  // The file is whole, but the program in it is nothing that a driver knows.
  const auto cache = make_cache(folder_.path());
  cache->program("integral", {});
  const fs::path file = fs::directory_iterator(folder_.path())->path();
  // The key stands between the first two numbers: see BinaryStore.
  const std::string text = content(file);
  const std::size_t size = std::stoul(text.substr(text.find('\n') + 1, 16), nullptr, 16);
  const std::string key = text.substr(text.find('\n') + 18, size);
  BinaryStore(folder_.path()).save(key, bytes("no program at all"));
  const auto second = make_cache(folder_.path());
  EXPECT_NO_THROW(cl::Kernel(second->program("integral", {}), "integral_rows"));
  EXPECT_EQ(second->builds(), 1);
}

TEST_P(ProgramCacheOnDevice, WorksWithoutAFolder) {
  const auto cache = make_cache({});
  cache->program("integral", {});
  EXPECT_EQ(cache->builds(), 1);
}

TEST_P(ProgramCacheOnDevice, ThreadsShareOneBuild) {
  const auto cache = make_cache(folder_.path());
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) threads.emplace_back([&] { cache->program("integral", {}); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(cache->builds(), 1);
}

TEST_P(ProgramCacheOnDevice, AFailedBuildFailsForAllWhoWaitAndIsTriedAgain) {
  const auto cache = make_cache(folder_.path());
  std::atomic<int> failures = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      try {
        cache->program_from_source("broken", "kernel void f(", {});
      } catch (const Error& error) {
        if (error.code() == ErrorCode::build_failed && !error.details().empty()) ++failures;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 4);
  EXPECT_NO_THROW(cache->program_from_source("broken", "kernel void f() {}", {}));
}

CLTRACK_ON_EVERY_DEVICE(ProgramCacheOnDevice);

DeviceInfo pocl() {
  DeviceInfo device;
  device.platform = "Portable Computing Language";
  device.spec = "3.1";
  device.name = "pthread";
  return device;
}

TEST(CompilerDiskSpace, IsLookedForWherePoclCompiles) {
  EXPECT_EQ(compiler_folder(find_device("host")), "");
  DeviceInfo other = pocl();
  other.platform = "Some GPU's";
  EXPECT_EQ(compiler_folder(other), "");
  const auto with = [](const char* pocl_dir, const char* cache, const char* home) {
    const Variables variables{
        {"POCL_CACHE_DIR", pocl_dir}, {"XDG_CACHE_HOME", cache}, {"HOME", home}};
    return compiler_folder(pocl());
  };
  EXPECT_EQ(with("/a", "/b", "/c"), "/a");
  EXPECT_EQ(with(nullptr, "/b", "/c"), "/b/pocl");
  EXPECT_EQ(with(nullptr, "", "/c"), "/c/.cache/pocl");
  EXPECT_EQ(with(nullptr, nullptr, nullptr), "/tmp/pocl");
}

TEST(CompilerDiskSpace, IsThatOfTheFolderThatIsThereAlready) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(free_disk_space(folder.path()));
  EXPECT_TRUE(free_disk_space(folder.path() / "none" / "yet"));
  EXPECT_FALSE(free_disk_space("/proc/none")) << "no blocks are counted there";
}

// A folder with room for 200 kB.
class SmallFolder : public testing::Test {
 protected:
  void SetUp() override {
    const char* path = folder_.path().c_str();
    if (mount("none", path, "tmpfs", 0, "size=200k") != 0) {
      GTEST_SKIP() << "NO SMALL FILE SYSTEM: mount() says " << std::strerror(errno);
    }
    mounted_ = true;
  }
  ~SmallFolder() override {
    if (mounted_) umount2(folder_.path().c_str(), MNT_DETACH);
  }
  bool mounted_ = false;
  const test::TemporaryFolder folder_;
};

TEST_F(SmallFolder, IsAnErrorThatSaysWhatToDo) {
  const std::string path = (folder_.path() / "pocl").string();
  const Variables variables{{"POCL_CACHE_DIR", path.c_str()}};
  const Error error = test::error_of([] { require_compiler_disk_space(pocl()); });
  EXPECT_EQ(error.code(), ErrorCode::build_failed);
  EXPECT_THAT(error.what(), HasSubstr("device 3.1 (pthread)"));
  EXPECT_THAT(error.what(), HasSubstr(path + ", where 200 kB are free"));
  EXPECT_THAT(error.what(), HasSubstr("POCL_CACHE_DIR"));
  EXPECT_NO_THROW(require_compiler_disk_space(find_device("host")));
  ASSERT_EQ(mount(nullptr, folder_.path().c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr), 0);
  EXPECT_NO_THROW(require_compiler_disk_space(pocl())) << "the driver says what it says";
}

TEST_F(SmallFolder, IsNotCompiledIn) {
  for (const DeviceInfo& info : list_devices()) {
    if (compiler_folder(info).empty()) continue;
    const auto device = Device::open(info);
    const Variables variables{{"POCL_CACHE_DIR", folder_.path().c_str()}};
    ProgramCache cache(info, device->context(), device->cl_device(), {});
    const Error error = test::error_of([&] { cache.program("integral", "-DTEST=room"); });
    EXPECT_THAT(error.what(), HasSubstr("200 kB are free"));
    return;
  }
  GTEST_SKIP() << "NO POCL: no compiler needs room";
}

}  // namespace
}  // namespace cltrack
