// SPDX-License-Identifier: LGPL-2.1-or-later
#include "publish/message_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace cltrack::gst {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// As a message ends.
std::string text(int number) {
  return R"({"cltrack":{"sequence":)" + std::to_string(number) + "}}";
}
std::string again(int number) {
  return R"({"cltrack":{"sequence":)" + std::to_string(number) + R"(,"again":true}})";
}

void push(MessageQueue& queue, int first, int last) {
  for (int i = first; i <= last; ++i) queue.push({Message::Kind::tracks, text(i)});
}

std::vector<Ticket> take(MessageQueue& queue, int count) {
  std::vector<Ticket> tickets;
  for (int i = 0; i < count; ++i) tickets.push_back(queue.take().value().ticket);
  return tickets;
}

std::vector<std::string> take_all(MessageQueue& queue) {
  std::vector<std::string> texts;
  while (const auto sending = queue.take()) texts.push_back(sending->message->text);
  return texts;
}

TEST(MessageQueue, KeepsTheOrder) {
  MessageQueue queue(10);
  push(queue, 1, 3);
  EXPECT_THAT(take_all(queue), ElementsAre(text(1), text(2), text(3)));
}

TEST(MessageQueue, DropsTheOldestFirst) {
  MessageQueue queue(3);
  push(queue, 1, 5);
  EXPECT_EQ(queue.counts().dropped, 2u);
  EXPECT_THAT(take_all(queue), ElementsAre(text(3), text(4), text(5)));
}

TEST(MessageQueue, CountsWhatIsUnderWayAndWhatHasArrived) {
  MessageQueue queue(10);
  push(queue, 1, 3);
  const std::vector<Ticket> tickets = take(queue, 2);
  queue.done(tickets[1]);
  queue.done(tickets[1]);  // once counts
  const QueueCounts counts = queue.counts();
  EXPECT_EQ(counts.waiting, 1u);
  EXPECT_EQ(counts.under_way, 1u);
  EXPECT_EQ(counts.sent, 1u);
  EXPECT_EQ(counts.dropped, 0u);
}

TEST(MessageQueue, WhatWasUnderWayComesFirstAndIsMarked) {
  MessageQueue queue(10);
  push(queue, 1, 4);
  const std::vector<Ticket> tickets = take(queue, 3);
  queue.done(tickets[1]);
  queue.give_back();
  EXPECT_THAT(take_all(queue), ElementsAre(again(1), again(3), text(4)));
}

TEST(MessageQueue, WhatIsGivenBackTwiceHasOneMark) {
  MessageQueue queue(10);
  push(queue, 1, 1);
  take(queue, 1);
  queue.give_back();
  take(queue, 1);
  queue.give_back();
  EXPECT_THAT(take_all(queue), ElementsAre(again(1)));
}

TEST(MessageQueue, WhatIsUnderWayCountsToo) {
  MessageQueue queue(4);
  push(queue, 1, 3);
  take(queue, 2);
  push(queue, 4, 5);
  EXPECT_EQ(queue.counts().dropped, 1u);
  queue.give_back();
  EXPECT_EQ(queue.counts().dropped, 1u) << "there is room for what comes back";
  EXPECT_THAT(take_all(queue), ElementsAre(again(1), again(2), text(4), text(5)));
}

TEST(MessageQueue, TheLatestMayAlwaysWait) {
  MessageQueue queue(1);
  push(queue, 1, 1);
  take(queue, 1);
  push(queue, 2, 3);
  EXPECT_EQ(queue.counts().dropped, 1u);
  queue.give_back();
  EXPECT_THAT(take_all(queue), ElementsAre(text(3)));
}

TEST(MessageQueue, DiscardsAll) {
  MessageQueue queue(10);
  push(queue, 1, 3);
  take(queue, 1);
  queue.discard();
  EXPECT_EQ(queue.counts().dropped, 3u);
  EXPECT_THAT(take_all(queue), IsEmpty());
}

}  // namespace
}  // namespace cltrack::gst
