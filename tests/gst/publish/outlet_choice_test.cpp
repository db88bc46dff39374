// SPDX-License-Identifier: LGPL-2.1-or-later
#include "publish/publish_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../../support/errors.h"

namespace cltrack::gst {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

PublishSettings broker() {
  PublishSettings settings;
  settings.source = "cam";
  settings.mqtt.host = "broker.example";
  return settings;
}

std::string refusal(const PublishSettings& settings) {
  return test::error_of([&] { make_outlet(settings); }).what();
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

}  // namespace
}  // namespace cltrack::gst
