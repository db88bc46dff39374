// SPDX-License-Identifier: LGPL-2.1-or-later
// Which outlet is chosen, and files and pipes; mqtt_outlet_test.cpp has brokers.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "../../support/temporary_folder.h"
#include "../support/refusal.h"
#include "publish/file_outlet.h"
#include "publish/message_queue.h"
#include "publish/publish_settings.h"

namespace cltrack::gst {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

PublishSettings broker() {
  PublishSettings settings;
  settings.source = "cam";
  settings.mqtt.host = "broker.example";
  return settings;
}

std::string refusal(const PublishSettings& settings) {
  return test::refusal([&] { make_outlet(settings); });
}

TEST(OutletChoice, TakesTheOneThatIsNamed) {
  PublishSettings file;
  file.location = "/tmp/tracks.jsonl";
  EXPECT_EQ(make_outlet(file)->name(), "file /tmp/tracks.jsonl");
  PublishSettings descriptor;
  descriptor.descriptor = 1;
  EXPECT_EQ(make_outlet(descriptor)->name(), "file descriptor 1");
}

TEST(OutletChoice, RefusesNoneAndTwo) {
  EXPECT_THAT(refusal(PublishSettings()),
              AllOf(HasSubstr("Nothing says where"), HasSubstr("set location (a file), fd")));
  PublishSettings both = broker();
  both.descriptor = 1;
  EXPECT_THAT(refusal(both), HasSubstr("More than one of the properties location, fd and address"));
}

TEST(OutletChoice, WithoutASourceItIsTheNameOfTheElement) {
  EXPECT_EQ(source_of(PublishSettings(), "trackpublish0"), "trackpublish0");
  EXPECT_EQ(source_of(broker(), "trackpublish0"), "cam");
}

TEST(OutletChoice, WithoutMqttABrokerIsRefused) {
  if (has_mqtt()) GTEST_SKIP() << "this build knows MQTT";
  EXPECT_THAT(refusal(broker()), AllOf(HasSubstr("libmosquitto-dev"), HasSubstr("-Dmqtt=enabled")));
}

class BrokerChoice : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_mqtt()) GTEST_SKIP() << "built without libmosquitto";
  }
};

TEST_F(BrokerChoice, HasThePortOfTheProtocol) {
  PublishSettings settings = broker();
  EXPECT_EQ(make_outlet(settings)->name(), "MQTT broker broker.example:1883");
  settings.mqtt.tls = true;
  EXPECT_EQ(make_outlet(settings)->name(), "MQTT broker broker.example:8883");
  settings.mqtt.port = 99;
  EXPECT_EQ(make_outlet(settings)->name(), "MQTT broker broker.example:99");
}

TEST_F(BrokerChoice, RefusesWhatIsNoTopic) {
  PublishSettings settings = broker();
  for (const char* topic : {"", "all/#", "+/{source}"}) {
    settings.mqtt.topic = topic;
    EXPECT_THAT(refusal(settings), HasSubstr(std::string("topic = \"") + topic + "\""));
  }
  settings.mqtt.topic = "{source}";
  settings.source = "a+b";
  EXPECT_THAT(refusal(settings), HasSubstr("source = \"a+b\""));
}

TEST_F(BrokerChoice, RefusesWhatBelongsToSomethingThatIsNotSet) {
  PublishSettings settings = broker();
  settings.mqtt.password = "very secret";
  EXPECT_THAT(refusal(settings),
              AllOf(HasSubstr("username is not"), testing::Not(HasSubstr("very secret"))));
  settings = broker();
  settings.mqtt.ca_file = "/etc/hostname";
  EXPECT_THAT(refusal(settings), HasSubstr("set tls=true"));
  settings.mqtt.tls = true;
  settings.mqtt.cert_file = "/etc/hostname";
  EXPECT_THAT(refusal(settings), HasSubstr("belong together"));
}

TEST_F(BrokerChoice, RefusesFilesThatCannotBeRead) {
  PublishSettings settings = broker();
  settings.mqtt.tls = true;
  settings.mqtt.ca_file = "/nonexistent/ca.pem";
  EXPECT_THAT(refusal(settings),
              HasSubstr("ca-file: \"/nonexistent/ca.pem\": it cannot be opened"));
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

class FileOutletTest : public testing::Test {
 protected:
  // Returns how many have arrived.
  std::size_t send(Outlet& outlet, const std::vector<std::string>& texts) {
    std::size_t arrived = 0;
    Ticket ticket = 0;
    for (const std::string& text : texts) outlet.send(ticket++, {Message::Kind::tracks, text});
    for (int i = 0; i < 1000 && arrived < texts.size(); ++i) {
      outlet.wait(wake_.descriptor(), milliseconds(0));
      arrived += outlet.take_sent().size();
    }
    return arrived;
  }

  const test::TemporaryFolder folder_;
  const Wake wake_;
};

// As logrotate does.
TEST_F(FileOutletTest, GoesOnInANewFileWhereTheOldOneWasMovedOrRemoved) {
  const std::filesystem::path path = folder_.path() / "tracks.jsonl", old = folder_.path() / "old";
  const auto outlet = make_file_outlet(path);
  outlet->open();
  EXPECT_EQ(send(*outlet, {"{1}"}), 1u);
  std::filesystem::rename(path, old);
  EXPECT_EQ(send(*outlet, {"{2}", "{3}"}), 2u);
  EXPECT_EQ(read_file(old), "{1}\n");
  EXPECT_EQ(read_file(path), "{2}\n{3}\n");
  std::filesystem::remove(path);
  EXPECT_EQ(send(*outlet, {"{4}"}), 1u);
  EXPECT_EQ(read_file(path), "{4}\n");
  std::filesystem::rename(old, path);
  EXPECT_EQ(send(*outlet, {"{5}"}), 1u);
  EXPECT_EQ(read_file(path), "{1}\n{5}\n");
}

TEST_F(FileOutletTest, AppendsLines) {
  const std::string path = folder_.write("tracks.jsonl", "before\n");
  const auto outlet = make_file_outlet(path);
  outlet->open();
  EXPECT_TRUE(outlet->is_open());
  EXPECT_EQ(send(*outlet, {"{1}", "{2}"}), 2u);
  EXPECT_EQ(read_file(path), "before\n{1}\n{2}\n");
}

// What a process was writing when it was killed.
TEST_F(FileOutletTest, EndsAHalfLineOfAnotherRun) {
  const std::string path = folder_.write("tracks.jsonl", "{1}\n{22");
  const auto outlet = make_file_outlet(path);
  outlet->open();
  EXPECT_EQ(send(*outlet, {"{3}"}), 1u);
  EXPECT_EQ(read_file(path), "{1}\n{22\n{3}\n");
}

TEST_F(FileOutletTest, MakesTheFile) {
  const std::string path = folder_.path() / "new.jsonl";
  const auto outlet = make_file_outlet(path);
  outlet->open();
  EXPECT_EQ(send(*outlet, {"{1}"}), 1u);
  EXPECT_EQ(read_file(path), "{1}\n");
}

TEST_F(FileOutletTest, TakesNoMoreThanItCanWriteSoon) {
  const auto outlet = make_file_outlet(folder_.path() / "new.jsonl");
  outlet->open();
  outlet->send(1, {Message::Kind::tracks, std::string(70000, 'x')});
  EXPECT_FALSE(outlet->is_ready());
  outlet->wait(wake_.descriptor(), milliseconds(0));
  EXPECT_THAT(outlet->take_sent(), SizeIs(0)) << "a part of it";
  outlet->wait(wake_.descriptor(), milliseconds(0));
  EXPECT_THAT(outlet->take_sent(), SizeIs(1));
  EXPECT_TRUE(outlet->is_ready());
}

TEST_F(FileOutletTest, SaysWhyAFileCannotBeWritten) {
  const auto outlet = make_file_outlet("/nonexistent/tracks.jsonl");
  EXPECT_THAT(test::refusal([&] { outlet->open(); }),
              HasSubstr("file /nonexistent/tracks.jsonl cannot be written: No such file"));
  EXPECT_FALSE(outlet->is_open());
}

TEST_F(FileOutletTest, APipeWithoutAReaderIsRefused) {
  const std::string path = folder_.path() / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const auto outlet = make_file_outlet(path);
  EXPECT_THAT(test::refusal([&] { outlet->open(); }), HasSubstr("nobody reads this pipe"));
}

// Files cannot grow beyond that, as on a disk that is full then.
class FullDisk {
 public:
  explicit FullDisk(rlim_t size) {
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{size, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, SIG_DFL);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
};

class FullDiskTest : public FileOutletTest {
 protected:
  FullDiskTest() : outlet_(make_file_outlet(path_)) { outlet_->open(); }

  // Writes a line, then the first half of a second one.
  void fill_disk() {
    EXPECT_EQ(send(*outlet_, {"{1}"}), 1u);
    const FullDisk full(10);
    outlet_->send(2, {Message::Kind::tracks, kLong});
    outlet_->wait(wake_.descriptor(), milliseconds(0));
    EXPECT_EQ(read_file(path_), "{1}\n{22222");
    EXPECT_THAT(test::refusal([&] { outlet_->wait(wake_.descriptor(), milliseconds(0)); }),
                HasSubstr("File too large"));
  }

  static constexpr const char* kLong = "{2222222222}";
  const std::filesystem::path path_ = folder_.path() / "tracks.jsonl";
  const std::unique_ptr<Outlet> outlet_;
};

TEST_F(FullDiskTest, TheHalfLineIsTakenBack) {
  fill_disk();
  outlet_->close();
  EXPECT_EQ(read_file(path_), "{1}\n");
  outlet_->open();
  EXPECT_EQ(send(*outlet_, {kLong}), 1u);
  EXPECT_EQ(read_file(path_), "{1}\n{2222222222}\n");
}

TEST_F(FullDiskTest, AFileThatIsRenamedThenAndTheNewOneHaveWholeLines) {
  const std::filesystem::path old = folder_.path() / "old";
  fill_disk();
  std::filesystem::rename(path_, old);
  outlet_->close();
  outlet_->open();
  EXPECT_EQ(send(*outlet_, {kLong}), 1u);
  EXPECT_EQ(read_file(old), "{1}\n");
  EXPECT_EQ(read_file(path_), "{2222222222}\n");
}

TEST_F(FullDiskTest, WhatOthersHaveWrittenBehindItStays) {
  fill_disk();
  std::ofstream(path_, std::ios::app) << "by another\n";
  outlet_->close();
  outlet_->open();
  EXPECT_EQ(send(*outlet_, {kLong}), 1u);
  EXPECT_EQ(read_file(path_), "{1}\n{22222by another\n\n{2222222222}\n");
}

TEST_F(FileOutletTest, AFullDiskIsAnError) {
  const auto outlet = make_file_outlet("/dev/full");
  outlet->open();
  outlet->send(1, {Message::Kind::tracks, "{1}"});
  EXPECT_THAT(test::refusal([&] { outlet->wait(wake_.descriptor(), milliseconds(0)); }),
              HasSubstr("No space left"));
}

class PipeOutletTest : public FileOutletTest {
 protected:
  PipeOutletTest() {
    EXPECT_EQ(pipe2(ends_.data(), O_CLOEXEC), 0);
    signal(SIGPIPE, SIG_IGN);  // as the publisher's thread does
  }
  ~PipeOutletTest() override {
    close_reader();
    close(ends_[1]);
    signal(SIGPIPE, SIG_DFL);
  }
  void close_reader() {
    if (ends_[0] >= 0) close(ends_[0]);
    ends_[0] = -1;
  }

  std::array<int, 2> ends_{};
};

TEST_F(PipeOutletTest, WritesLinesAndLeavesThePipeOpen) {
  {
    const auto outlet = make_descriptor_outlet(ends_[1]);
    outlet->open();
    EXPECT_EQ(send(*outlet, {"{1}"}), 1u);
  }
  std::array<char, 16> text{};
  EXPECT_EQ(read(ends_[0], text.data(), text.size()), 4);
  EXPECT_STREQ(text.data(), "{1}\n");
  EXPECT_EQ(write(ends_[1], "x", 1), 1);
}

TEST_F(PipeOutletTest, NeverWaitsForAReader) {
  const auto outlet = make_descriptor_outlet(ends_[1]);
  outlet->open();
  const std::vector<std::string> texts(40, std::string(9999, 'x'));  // a pipe holds 64 KB
  std::size_t arrived = send(*outlet, texts);
  EXPECT_LT(arrived, texts.size());
  // As soon as somebody reads it goes on where it was.
  std::string got;
  std::vector<char> part(65536);
  while (arrived < texts.size()) {
    got.append(part.data(), static_cast<std::size_t>(read(ends_[0], part.data(), part.size())));
    outlet->wait(wake_.descriptor(), milliseconds(0));
    arrived += outlet->take_sent().size();
  }
  while (got.size() < 40 * 10000u) {
    got.append(part.data(), static_cast<std::size_t>(read(ends_[0], part.data(), part.size())));
  }
  EXPECT_EQ(got.size(), 40 * 10000u);
}

TEST_F(PipeOutletTest, ABrokenLineStandsAlone) {
  const auto outlet = make_descriptor_outlet(ends_[1]);
  outlet->open();
  outlet->send(1, {Message::Kind::tracks, std::string(5000, 'x')});
  outlet->wait(wake_.descriptor(), milliseconds(0));  // the first 4096 bytes
  outlet->close();
  outlet->open();
  EXPECT_EQ(send(*outlet, {"{1}"}), 1u);
  std::vector<char> text(8192);
  const ssize_t size = read(ends_[0], text.data(), text.size());
  EXPECT_EQ(std::string(text.data(), static_cast<std::size_t>(size)).substr(4095), "x\n{1}\n");
}

TEST_F(PipeOutletTest, APipeThatNobodyReadsIsAnError) {
  const auto outlet = make_descriptor_outlet(ends_[1]);
  outlet->open();
  close_reader();
  outlet->send(1, {Message::Kind::tracks, "{1}"});
  EXPECT_THAT(test::refusal([&] { outlet->wait(wake_.descriptor(), milliseconds(0)); }),
              HasSubstr("Broken pipe"));
}

TEST_F(PipeOutletTest, WhatIsNoDescriptorForWritingIsRefused) {
  const auto reader = make_descriptor_outlet(ends_[0]);
  EXPECT_THAT(test::refusal([&] { reader->open(); }), HasSubstr("reading only"));
  const auto none = make_descriptor_outlet(99999);
  EXPECT_THAT(test::refusal([&] { none->open(); }), HasSubstr("Bad file descriptor"));
}

}  // namespace
}  // namespace cltrack::gst
