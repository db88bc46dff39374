// SPDX-License-Identifier: LGPL-2.1-or-later
// Pictures are written on another thread: who hands them in never waits.
#include "counting/picture_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <latch>

#include "cltrack/error.h"

namespace cltrack::gst {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::shared_ptr<const Cutout> cutout_of(std::size_t bytes) {
  auto cutout = std::make_shared<Cutout>();
  cutout->pixels.resize(bytes);
  return cutout;
}

// One that takes as long as the test wants.
class SlowDisk {
 public:
  PictureWriter::Write write() {
    return [this](const std::string& name, const Cutout&) {
      if (names.empty()) begun_.count_down();
      released_.wait();
      names.push_back(name);
    };
  }
  void wait_until_it_writes() { begun_.wait(); }
  void release() { released_.count_down(); }

  std::vector<std::string> names;  // to be read after the stop

 private:
  std::latch begun_{1}, released_{1};
};

TEST(PictureWriter, DropsWhatThereIsNoRoomFor) {
  SlowDisk disk;
  PictureWriter writer(disk.write());
  EXPECT_TRUE(writer.push("first", cutout_of(4)));
  disk.wait_until_it_writes();
  for (std::size_t i = 0; i < PictureWriter::kMostWaiting; ++i) {
    EXPECT_TRUE(writer.push(std::to_string(i), cutout_of(4)));
  }
  EXPECT_FALSE(writer.push("too many", cutout_of(4)));
  EXPECT_FALSE(writer.push("too many", cutout_of(4)));
  EXPECT_EQ(writer.counts().dropped, 2U);
  EXPECT_EQ(writer.counts().written, 0U);
  EXPECT_THAT(writer.take_warnings(),
              ElementsAre(HasSubstr("there are more than can be written in time")));
  EXPECT_THAT(writer.take_warnings(), IsEmpty());
  disk.release();
  writer.stop();
  EXPECT_EQ(writer.counts().written, PictureWriter::kMostWaiting + 1);
  ASSERT_EQ(disk.names.size(), PictureWriter::kMostWaiting + 1);
  EXPECT_EQ(disk.names[0], "first");
  EXPECT_EQ(disk.names[1], "0");
}

TEST(PictureWriter, BytesCountToo) {
  SlowDisk disk;
  PictureWriter writer(disk.write());
  writer.push("first", cutout_of(4));
  disk.wait_until_it_writes();
  EXPECT_TRUE(writer.push("large", cutout_of(PictureWriter::kMostBytes + 1)));
  EXPECT_FALSE(writer.push("small", cutout_of(1)));
  disk.release();
  writer.stop();
  EXPECT_THAT(disk.names, ElementsAre("first", "large"));
}

TEST(PictureWriter, FailuresAreToldOnceForEachReason) {
  PictureWriter writer([](const std::string& name, const Cutout&) {
    if (name != "good") throw Error(ErrorCode::failed, name);
  });
  for (const char* name : {"full", "full", "good", "gone", "full"}) writer.push(name, cutout_of(1));
  writer.stop();
  EXPECT_EQ(writer.counts().written, 1U);
  EXPECT_EQ(writer.counts().dropped, 4U);
  EXPECT_THAT(writer.take_warnings(),
              ElementsAre(HasSubstr("are dropped: full."), HasSubstr("are dropped: gone.")));
}

}  // namespace
}  // namespace cltrack::gst
