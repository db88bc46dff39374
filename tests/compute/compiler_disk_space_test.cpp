// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/program_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "cltrack/error.h"
#include "support/devices.h"
#include "support/errors.h"
#include "support/temporary_folder.h"
#include "support/variables.h"

namespace cltrack {
namespace {

using test::Variables;
using testing::HasSubstr;

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
