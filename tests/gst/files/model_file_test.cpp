// SPDX-License-Identifier: LGPL-2.1-or-later
#include "files/model_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "../../support/errors.h"
#include "../../support/temporary_folder.h"
#include "../support/scene.h"
#include "cltrack/tld_tracker.h"

namespace cltrack::gst {
namespace {

using test::error_of;
using ::testing::AllOf;
using ::testing::HasSubstr;

SavedModel model(float width) {
  const Image picture = test::draw_scene(160, 120, {50, 40, width, 40});
  const auto tracker = make_tld_tracker({.threads = 1});
  const std::uint64_t id = tracker->add({50, 40, width, 40});
  tracker->process({.luma = picture.view()});
  return tracker->save(id);
}

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string refusal(const std::filesystem::path& path) {
  return error_of([&] { load_model(path); }).what();
}

TEST(ModelFile, IsReadAsItWasWritten) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "a model of däta.json";
  save_model(model(40), path);
  EXPECT_EQ(load_model(path).text(), model(40).text());
}

TEST(ModelFile, ReplacesWhatWasThereAndLeavesNothingElse) {
  const test::TemporaryFolder folder;
  const auto path = folder.write("model", "something long ago");
  save_model(model(40), path);
  save_model(model(50), path);
  EXPECT_EQ(load_model(path).text(), model(50).text());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(ModelFile, KeepsTheModeAndTheLinkOfWhatWasThere) {
  namespace fs = std::filesystem;
  const test::TemporaryFolder folder;
  const auto path = folder.write("model", "secret"), link = folder.path() / "link";
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("model", link);
  save_model(model(40), link);
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(load_model(path).text(), model(40).text());
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  fs::remove(path);
  EXPECT_THAT(error_of([&] { save_model(model(40), link); }).what(), HasSubstr("link to a file"));
}

TEST(ModelFile, WhatCannotBeWrittenIsLeftAlone) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("file", "precious");
  for (const auto& path : {folder.path(), file / "model", folder.path() / "no" / "model"}) {
    const Error error = error_of([&] { save_model(model(40), path); });
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_THAT(error.what(), AllOf(HasSubstr("save-model"), HasSubstr(path.string())));
  }
  EXPECT_EQ(content(file), "precious");
  // Root may rename a file to there.
  EXPECT_THROW(save_model(model(40), "/dev/null"), Error);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(ModelFile, RefusesWhatIsNoModel) {
  const test::TemporaryFolder folder;
  EXPECT_THAT(refusal(folder.path() / "none"), AllOf(HasSubstr("none\""), HasSubstr("opened")));
  EXPECT_THAT(refusal(folder.path()), HasSubstr("not a regular file"));
  EXPECT_THAT(refusal("/dev/zero"), HasSubstr("not a regular file"));
  EXPECT_THAT(refusal(folder.write("empty", "")), HasSubstr("not a saved model"));
  const std::string text = model(40).text();
  EXPECT_THAT(refusal(folder.write("half", text.substr(0, text.size() / 2))),
              HasSubstr("not all of it"));
}

// Nobody writes to this pipe.
TEST(ModelFile, DoesNotWaitForAPipe) {
  const test::TemporaryFolder folder;
  const auto pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(refusal(pipe), HasSubstr("not a regular file"));
  EXPECT_THROW(save_model(model(40), pipe), Error);
}

// A sparse file, of which no more is read than a model may have.
TEST(ModelFile, ReadsNoMoreThanAModelMayHave) {
  const test::TemporaryFolder folder;
  const auto path = folder.write("large", " ");
  std::filesystem::resize_file(path, std::uintmax_t{1} << 40);
  EXPECT_THAT(refusal(path), HasSubstr("bytes; at most"));
}

}  // namespace
}  // namespace cltrack::gst
