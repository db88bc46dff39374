// SPDX-License-Identifier: LGPL-2.1-or-later
// Brokers that are not there, go away, come back and move: the pipeline goes on.
#include <set>

#include <nlohmann/json.hpp>

#include "../support/broker.h"
#include "../support/matchers.h"
#include "../support/publish_harness.h"

namespace cltrack::test {
namespace {

using Json = nlohmann::json;

class TrackPublishBroker : public BrokerTest {
 protected:
  static std::string properties(const Broker& broker) {
    return "source=cam mode=every-frame events=false address=127.0.0.1 port=" +
           std::to_string(broker.port()) + " ";
  }

  static std::vector<int> sequences(Listener& listener) {
    std::vector<int> numbers;
    for (const std::string& text : listener.texts(kTracks)) {
      numbers.push_back(Json::parse(text)["cltrack"]["sequence"]);
    }
    return numbers;
  }

  // Every number up to `count` was heard, in order but for those that came again with a mark.
  static void expect_all(Listener& listener, int count) {
    std::set<int> known;
    for (const std::string& text : listener.texts(kTracks)) {
      const Json json = Json::parse(text)["cltrack"];
      const int number = json["sequence"];
      if (known.contains(number)) {
        EXPECT_TRUE(json.contains("again")) << number << " came twice without a mark";
      } else {
        EXPECT_EQ(number, static_cast<int>(known.size()));
        known.insert(number);
      }
    }
    EXPECT_EQ(static_cast<int>(known.size()), count);
  }

  static bool wait_for_number(Listener& listener, int number) {
    return listener.wait([&](const std::vector<Listener::Heard>& heard) {
      return std::ranges::any_of(heard, [&](const Listener::Heard& one) {
        return one.topic == kTracks && Json::parse(one.text)["cltrack"]["sequence"] == number;
      });
    });
  }

  static constexpr const char* kTracks = "cltrack/cam/tracks";
};

TEST_F(TrackPublishBroker, IsAbsentAtTheStart) {
  Broker broker;
  PublishHarness harness(properties(broker));
  ASSERT_TRUE(harness.start());
  harness.pass_pictures(5);
  const StructurePtr failed = harness.wait_for_connection("failed");
  ASSERT_TRUE(failed);
  EXPECT_THAT(gst_structure_get_string(failed.get(), "reason"), HasSubstr("refused"));
  broker.start();
  Listener listener(broker.port());
  harness.pass_pictures(5);
  ASSERT_TRUE(harness.wait_for_connection("connected"));
  ASSERT_TRUE(wait_for_number(listener, 9));
}

TEST_F(TrackPublishBroker, IsStoppedAndComesBack) {
  RunningBroker broker;
  PublishHarness harness(properties(broker));
  ASSERT_TRUE(harness.start() && harness.wait_for_connection("connected"));
  Listener listener(broker.port());
  harness.pass_pictures(5);
  ASSERT_TRUE(wait_for_number(listener, 4));
  broker.stop();
  ASSERT_TRUE(harness.wait_for_connection("lost"));
  harness.pass_pictures(5);
  EXPECT_GT(harness.stat("waiting"), 0u);
  broker.start();
  ASSERT_TRUE(harness.wait_for_connection("connected"));
  Listener again(broker.port());
  harness.pass_pictures(1);
  ASSERT_TRUE(wait_for_number(again, 10));
}

TEST_F(TrackPublishBroker, IsKilledWhileMessagesFlow) {
  RunningBroker broker;
  PublishHarness harness(properties(broker));
  ASSERT_TRUE(harness.start() && harness.wait_for_connection("connected"));
  harness.pass_pictures(500);
  broker.kill();
  harness.pass_pictures(500);
  ASSERT_TRUE(harness.wait_for_connection("lost"));
  broker.start();
  ASSERT_TRUE(harness.wait_for_connection("connected"));
  Listener listener(broker.port());
  harness.pass_pictures(1);
  ASSERT_TRUE(wait_for_number(listener, 1000));
  EXPECT_EQ(harness.stat("dropped"), 0u);
}

TEST_F(TrackPublishBroker, MovesToAnotherPort) {
  RunningBroker broker;
  RunningBroker other;
  PublishHarness harness(properties(broker));
  ASSERT_TRUE(harness.start() && harness.wait_for_connection("connected"));
  broker.stop();
  ASSERT_TRUE(harness.wait_for_connection("lost"));
  harness.pass_pictures(10);
  Listener listener(other.port());
  g_object_set(harness.element(), "port", static_cast<guint>(other.port()), nullptr);
  ASSERT_TRUE(harness.wait_for_connection("connected"));
  ASSERT_TRUE(wait_for_number(listener, 9));
  expect_all(listener, 10);
}

TEST_F(TrackPublishBroker, LeavesOneThatStillRunsForAnother) {
  RunningBroker broker;
  RunningBroker other;
  PublishHarness harness(properties(broker));
  ASSERT_TRUE(harness.start() && harness.wait_for_connection("connected"));
  Listener left(broker.port());
  g_object_set(harness.element(), "port", static_cast<guint>(other.port()), nullptr);
  ASSERT_TRUE(harness.wait_for_connection("connected"));
  EXPECT_TRUE(left.wait([](const auto& heard) {
    return std::ranges::any_of(heard, [](const auto& one) { return one.text == "offline"; });
  }));
}

// mosquitto takes 20 messages of QoS 2 under way, and refuses or hangs up at more.
TEST_F(TrackPublishBroker, GetsAllOfALongBacklog) {
  for (const char* options : {"", "\nmax_queued_messages 0", "\nmax_inflight_messages 3"}) {
    for (const int qos : {1, 2}) {
      const Broker nowhere;
      RunningBroker broker(std::string("allow_anonymous true") + options);
      Listener listener(broker.port());
      PublishHarness harness(properties(nowhere) + "mqtt-qos=" + std::to_string(qos));
      ASSERT_TRUE(harness.start());
      harness.pass_pictures(500);
      g_object_set(harness.element(), "port", static_cast<guint>(broker.port()), nullptr);
      ASSERT_TRUE(wait_for_number(listener, 499));
      expect_all(listener, 500);
      EXPECT_EQ(harness.stat("dropped"), 0u);
    }
  }
}

TEST_F(TrackPublishBroker, WhatItRefusesIsDroppedAndNotSent) {
  for (const int qos : {1, 2}) {
    const TemporaryFolder folder;
    const std::string file = folder.write("acl", "topic write cltrack/cam/available\n");
    RunningBroker broker("allow_anonymous true\nacl_file " + file);
    PublishHarness harness(properties(broker) + "mqtt-qos=" + std::to_string(qos));
    ASSERT_TRUE(harness.start() && harness.wait_for_connection("connected"));
    harness.pass_pictures(3);
    const StructurePtr dropped = harness.wait_for_dropped();
    ASSERT_TRUE(dropped);
    EXPECT_STREQ(gst_structure_get_string(dropped.get(), "reason"),
                 "the broker has refused them: Not authorized");
    EXPECT_EQ(harness.stat("sent"), 0u);
    EXPECT_TRUE(harness.is_connected());
  }
}

TEST_F(TrackPublishBroker, StaysAwayForLongerThanTheQueueHolds) {
  Broker broker;
  PublishHarness harness(properties(broker) + "queue-size=10");
  ASSERT_TRUE(harness.start());
  harness.pass_pictures(30);
  const StructurePtr dropped = harness.wait_for_dropped();
  ASSERT_TRUE(dropped);
  EXPECT_EQ(harness.stat("dropped"), 20u);
  EXPECT_EQ(harness.stat("waiting"), 10u);
}

TEST_F(TrackPublishBroker, GetsWhatIsThereBeforeTheElementStops) {
  RunningBroker broker;
  Listener listener(broker.port());
  PublishHarness harness(properties(broker) + "flush-timeout=60000000000");
  ASSERT_TRUE(harness.start());
  harness.pass_pictures(200);
  harness.stop();
  ASSERT_TRUE(wait_for_number(listener, 199));
  expect_all(listener, 200);
  ASSERT_TRUE(listener.wait([](const auto& heard) { return heard.back().text == "offline"; }));
}

TEST_F(TrackPublishBroker, AWrongPasswordIsAWarningWithoutThePassword) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "passwords";
  ASSERT_EQ(std::system(("mosquitto_passwd -b -c " + file + " someone rightword").c_str()), 0);
  RunningBroker broker("allow_anonymous false\npassword_file " + file);
  PublishHarness harness(properties(broker) + "username=someone password=wrongword");
  ASSERT_TRUE(harness.start());
  // Pictures pass while it tries.
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(harness.pass({}));
  std::vector<std::string> texts;
  while (texts.empty()) {
    g_usleep(1000);
    texts = harness.texts();
  }
  EXPECT_THAT(texts[0], HasSubstr("see the properties username and password"));
  EXPECT_THAT(texts[0], Not(HasSubstr("wrongword")));
}

}  // namespace
}  // namespace cltrack::test
