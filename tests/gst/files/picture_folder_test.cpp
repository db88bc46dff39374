// SPDX-License-Identifier: LGPL-2.1-or-later
#include "files/picture_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <vector>

#include "../../support/temporary_folder.h"
#include "../support/refusal.h"
#include "cltrack/error.h"

namespace cltrack::gst {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::int64_t kTime = 1'795'970'122'000'042;  // us

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

std::string name_of(int number) {
  return picture_name(kTime + number * 1'000'000, std::to_string(number));
}

std::vector<std::string> names_of(std::initializer_list<int> numbers) {
  std::vector<std::string> names;
  for (const int number : numbers) names.push_back(name_of(number));
  return names;
}

TEST(PictureFolder, NamesSayWhen) {
  EXPECT_EQ(picture_name(kTime, "door-cross-7"), "20261129T163522.000042Z-door-cross-7.jpg");
}

TEST(PictureFolder, TheOldestGoFirst) {
  const TemporaryFolder folder;
  PictureFolder pictures(folder.path() / "a/b", {.files = 2});
  for (const int number : {1, 2, 3, 4}) pictures.write(name_of(number), "jpeg");
  EXPECT_EQ(names_in(folder.path() / "a/b"), names_of({3, 4}));
  EXPECT_EQ(fs::file_size(folder.path() / "a/b" / name_of(4)), 4U);
}

TEST(PictureFolder, BytesAreLimitedAsWell) {
  const TemporaryFolder folder;
  PictureFolder pictures(folder.path(), {.bytes = 10});
  for (const int number : {1, 2, 3}) pictures.write(name_of(number), "jpeg");
  EXPECT_EQ(names_in(folder.path()), names_of({2, 3}));
  pictures.write(name_of(4), "ten bytes.");
  EXPECT_EQ(names_in(folder.path()), names_of({4}));
  EXPECT_THROW(pictures.write(name_of(5), "ten bytes and one"), Error);
  EXPECT_EQ(names_in(folder.path()), names_of({4})) << "nothing goes for what is not taken";
}

TEST(PictureFolder, PicturesOfEarlierRunsCount) {
  const TemporaryFolder folder;
  PictureFolder(folder.path(), {}).write(name_of(2), "jpeg");
  PictureFolder(folder.path(), {}).write(name_of(1), "jpeg");
  folder.write("holiday.jpg", "not ours");
  folder.write("20261129T163522.000042Z-notes.txt", "not ours either");
  PictureFolder pictures(folder.path(), {.files = 2});
  pictures.write(name_of(3), "jpeg");
  EXPECT_THAT(names_in(folder.path()), ElementsAre("20261129T163522.000042Z-notes.txt", name_of(2),
                                                   name_of(3), "holiday.jpg"));
  // One that was taken away is gone.
  fs::remove(folder.path() / name_of(2));
  pictures.write(name_of(4), "jpeg");
  EXPECT_TRUE(fs::exists(folder.path() / name_of(4)));
}

TEST(PictureFolder, WhatAKilledProgramHasLeftIsRemoved) {
  const TemporaryFolder folder;
  const fs::path old = folder.write(name_of(1) + ".AbC123", "half");
  const fs::path now = folder.write(name_of(2) + ".AbC123", "half");
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(1));
  PictureFolder pictures(folder.path(), {.files = 1});
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(now)) << "somebody may be writing it";
}

TEST(PictureFolder, FailuresSayWhyAndLeaveNothing) {
  const TemporaryFolder folder;
  const std::string file = folder.write("file", "");
  EXPECT_THAT(test::refusal([&] { PictureFolder(file + "/x", {}); }),
              HasSubstr("picture-folder \"" + file + "/x\": Not a directory"));
  PictureFolder pictures(folder.path() / "gone", {});
  fs::remove(folder.path() / "gone");
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(test::refusal([&] { pictures.write(name_of(1), "jpeg"); }),
              "No such file or directory");
  }
  // Others may put something in its way.
  fs::create_directories(folder.path() / "gone" / name_of(2));
  EXPECT_THROW(pictures.write(name_of(2), "jpeg"), Error);
  EXPECT_EQ(names_in(folder.path() / "gone"), names_of({2}));
}

}  // namespace
}  // namespace cltrack::gst
