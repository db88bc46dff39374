// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <vector>

#include "../../support/errors.h"
#include "../../support/no_threads.h"
#include "cltrack/error.h"
#include "publish/message_queue.h"
#include "publish/publisher.h"

namespace cltrack::gst {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// As a message ends.
std::string text(int number) {
  return R"({"cltrack":{"sequence":)" + std::to_string(number) + "}}";
}
std::string again(int number) {
  return R"({"cltrack":{"sequence":)" + std::to_string(number) + R"(,"again":true}})";
}

QueueLimits messages(std::size_t most) { return {most, 1 << 30}; }

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
  MessageQueue queue(messages(10));
  push(queue, 1, 3);
  EXPECT_THAT(take_all(queue), ElementsAre(text(1), text(2), text(3)));
}

TEST(MessageQueue, DropsTheOldestFirst) {
  MessageQueue queue(messages(3));
  push(queue, 1, 5);
  EXPECT_EQ(queue.counts().dropped, 2u);
  EXPECT_THAT(take_all(queue), ElementsAre(text(3), text(4), text(5)));
}

TEST(MessageQueue, CountsWhatIsUnderWayAndWhatHasArrived) {
  MessageQueue queue(messages(10));
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
  MessageQueue queue(messages(10));
  push(queue, 1, 4);
  const std::vector<Ticket> tickets = take(queue, 3);
  queue.done(tickets[1]);
  queue.give_back();
  EXPECT_THAT(take_all(queue), ElementsAre(again(1), again(3), text(4)));
}

TEST(MessageQueue, WhatIsGivenBackTwiceHasOneMark) {
  MessageQueue queue(messages(10));
  push(queue, 1, 1);
  take(queue, 1);
  queue.give_back();
  take(queue, 1);
  queue.give_back();
  EXPECT_THAT(take_all(queue), ElementsAre(again(1)));
}

TEST(MessageQueue, WhatIsUnderWayCountsToo) {
  MessageQueue queue(messages(4));
  push(queue, 1, 3);
  take(queue, 2);
  push(queue, 4, 5);
  EXPECT_EQ(queue.counts().dropped, 1u);
  queue.give_back();
  EXPECT_EQ(queue.counts().dropped, 1u) << "there is room for what comes back";
  EXPECT_THAT(take_all(queue), ElementsAre(again(1), again(2), text(4), text(5)));
}

TEST(MessageQueue, TheLatestMayAlwaysWait) {
  MessageQueue queue(messages(1));
  push(queue, 1, 1);
  take(queue, 1);
  push(queue, 2, 3);
  EXPECT_EQ(queue.counts().dropped, 1u);
  queue.give_back();
  EXPECT_THAT(take_all(queue), ElementsAre(text(3)));
}

TEST(MessageQueue, DropsTheOldestBeyondItsBytes) {
  MessageQueue queue({10, 2 * text(1).size()});
  push(queue, 1, 4);
  EXPECT_EQ(queue.counts().dropped, 2u);
  EXPECT_EQ(queue.counts().bytes, 2 * text(1).size());
  take(queue, 1);
  push(queue, 5, 5);
  EXPECT_EQ(queue.counts().dropped, 3u) << "what is under way has bytes, too";
  EXPECT_THAT(take_all(queue), ElementsAre(text(5)));
}

TEST(MessageQueue, TheLatestMayWaitHoweverLongItIs) {
  MessageQueue queue({10, 100});
  push(queue, 1, 2);
  queue.push({Message::Kind::tracks, std::string(1000, 'x')});
  EXPECT_EQ(queue.counts().dropped, 2u);
  EXPECT_EQ(queue.counts().bytes, 1000u);
  push(queue, 3, 3);
  EXPECT_THAT(take_all(queue), ElementsAre(text(3)));
}

TEST(MessageQueue, CountsTheBytesOfWhatHasNotArrived) {
  MessageQueue queue(messages(10));
  push(queue, 1, 3);
  const std::vector<Ticket> tickets = take(queue, 2);
  queue.done(tickets[0]);
  EXPECT_EQ(queue.counts().bytes, 2 * text(1).size());
  queue.give_back();
  EXPECT_EQ(queue.counts().bytes, again(2).size() + text(3).size());
}

TEST(MessageQueue, WhatIsRefusedIsDropped) {
  MessageQueue queue(messages(10));
  push(queue, 1, 2);
  const std::vector<Ticket> tickets = take(queue, 2);
  queue.refused(tickets[0]);
  queue.refused(tickets[0]);  // once counts
  EXPECT_EQ(queue.counts().dropped, 1u);
  EXPECT_EQ(queue.counts().sent, 0u);
  EXPECT_EQ(queue.counts().bytes, text(2).size());
}

TEST(MessageQueue, DiscardsAll) {
  MessageQueue queue(messages(10));
  push(queue, 1, 3);
  take(queue, 1);
  queue.discard();
  EXPECT_EQ(queue.counts().dropped, 3u);
  EXPECT_EQ(queue.counts().bytes, 0u);
  EXPECT_THAT(take_all(queue), IsEmpty());
}

using Kind = PublishReport::Kind;

// What the outlets of a test have in common: a world that is there or not, and what it has
// received.
struct World {
  std::mutex mutex;
  std::condition_variable changed;
  bool is_there = true;
  bool takes_messages = true;
  bool acknowledges = true;
  std::vector<std::chrono::steady_clock::time_point> tries;  // to open it
  std::vector<std::string> received;
  std::vector<PublishReport> reports;

  template <typename Change>
  void change(Change&& change) {
    {
      const std::lock_guard lock(mutex);
      change();
    }
    changed.notify_all();
  }

  // False after a time in which it surely would have come.
  bool wait(const std::function<bool()>& condition) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, std::chrono::seconds(60), condition);
  }

  std::ptrdiff_t reported(Kind kind) const {
    return std::ranges::count(reports, kind, &PublishReport::kind);
  }
};

class FakeOutlet : public Outlet {
 public:
  FakeOutlet(World& world, std::string name) : world_(world), name_(std::move(name)) {}
  std::string name() const override { return name_; }
  void open() override {
    world_.change([&] { world_.tries.push_back(std::chrono::steady_clock::now()); });
    check();
    is_open_ = true;
  }
  bool is_open() const override { return is_open_; }
  bool is_ready() const override { return is_open_ && under_way_ < 2; }
  void send(Ticket ticket, const Message& message) override {
    check();
    if (!takes_messages()) throw Error(ErrorCode::failed, "no room");
    world_.change([&] {
      world_.received.push_back(message.text);
      if (world_.acknowledges) sent_.push_back(ticket);
      under_way_ += !world_.acknowledges;
    });
  }
  void wait(int wake, milliseconds) override {
    if (!sent_.empty()) return;
    pollfd waited = {wake, POLLIN, 0};
    poll(&waited, 1, 1);
    check();
  }
  std::vector<Ticket> take_sent() override { return std::exchange(sent_, {}); }
  void close() noexcept override {
    is_open_ = false;
    under_way_ = 0;
  }

 private:
  void check() const {
    const std::lock_guard lock(world_.mutex);
    if (!world_.is_there) throw Error(ErrorCode::failed, "nobody there");
  }
  bool takes_messages() const {
    const std::lock_guard lock(world_.mutex);
    return world_.takes_messages;
  }

  World& world_;
  const std::string name_;
  bool is_open_ = false;
  int under_way_ = 0;
  std::vector<Ticket> sent_;
};

class PublisherTest : public testing::Test {
 protected:
  std::unique_ptr<Outlet> make(const std::string& name) {
    return std::make_unique<FakeOutlet>(world_, name);
  }
  void start(std::size_t queue_size) {
    publisher_ = std::make_unique<Publisher>(
        make("one"), messages(queue_size), [this](const PublishReport& report) {
          world_.change([&] { world_.reports.push_back(report); });
        });
  }
  void publish(int first, int last) {
    for (int i = first; i <= last; ++i) publisher_->publish({Message::Kind::tracks, text(i)});
  }
  bool wait_for(Kind kind) {
    return world_.wait([&] { return world_.reported(kind) > 0; });
  }
  bool wait_for_received(std::size_t count) {
    return world_.wait([&] { return world_.received.size() >= count; });
  }

  World world_;
  std::unique_ptr<Publisher> publisher_;
};

TEST_F(PublisherTest, SaysThatThereIsNoThread) {
  const test::NoThreads none;
  EXPECT_STREQ(test::error_of([&] { start(10); }).what(),
               "no thread can be started that sends messages (Resource temporarily unavailable): "
               "allow more of them (ulimit -u, TasksMax)");
}

TEST_F(PublisherTest, SendsAndReportsThatItIsConnected) {
  start(10);
  publish(1, 3);
  ASSERT_TRUE(wait_for_received(3));
  publisher_->stop(milliseconds(60000));
  EXPECT_THAT(world_.received, ElementsAre(text(1), text(2), text(3)));
  EXPECT_EQ(publisher_->counts().sent, 3u);
  ASSERT_EQ(world_.reports.size(), 1u);
  EXPECT_EQ(world_.reports[0].kind, Kind::connected);
  EXPECT_EQ(world_.reports[0].outlet, "one");
}

TEST_F(PublisherTest, SendsLaterWhatWasPublishedWhileNobodyWasThere) {
  world_.is_there = false;
  start(10);
  publish(1, 3);
  ASSERT_TRUE(wait_for(Kind::failed));
  world_.change([&] { world_.is_there = true; });
  ASSERT_TRUE(wait_for_received(3));
  EXPECT_THAT(world_.received, ElementsAre(text(1), text(2), text(3)));
}

TEST_F(PublisherTest, ReportsAFailureOnce) {
  world_.is_there = false;
  start(10);
  ASSERT_TRUE(world_.wait([&] { return world_.tries.size() >= 3; }));
  publisher_->stop(milliseconds(0));
  EXPECT_EQ(world_.reports.size(), 1u);
  EXPECT_EQ(world_.reports[0].reason, "nobody there");
}

// Like a full disk, or a broker that hangs up at the first message.
TEST_F(PublisherTest, ReportsOnceThatWhatCanBeOpenedTakesNothing) {
  world_.takes_messages = false;
  start(10);
  publish(1, 1);
  ASSERT_TRUE(world_.wait([&] { return world_.tries.size() >= 4; }));
  world_.change([&] {
    EXPECT_EQ(world_.reported(Kind::connected), 1);
    EXPECT_EQ(world_.reported(Kind::lost), 1);
    EXPECT_EQ(world_.reported(Kind::failed), 0);
    world_.takes_messages = true;
  });
  ASSERT_TRUE(world_.wait([&] { return world_.reported(Kind::connected) == 2; }))
      << "once a message has arrived";
  EXPECT_EQ(publisher_->counts().sent, 1u);
}

TEST_F(PublisherTest, WaitsLongerAndLongerForWhatCanBeOpenedButTakesNothing) {
  world_.takes_messages = false;
  start(10);
  publish(1, 1);
  ASSERT_TRUE(world_.wait([&] { return world_.tries.size() >= 5; }));
  const std::lock_guard lock(world_.mutex);
  EXPECT_GE(world_.tries[4] - world_.tries[0], milliseconds(100 + 200 + 400 + 800));
}

TEST_F(PublisherTest, ReportsEachEndOfAConnectionWhereThereWasNothingToSend) {
  start(10);
  for (int i = 1; i <= 3; ++i) {
    ASSERT_TRUE(world_.wait([&] { return world_.reported(Kind::connected) == i; }));
    world_.change([&] { world_.is_there = false; });
    ASSERT_TRUE(world_.wait([&] { return world_.reported(Kind::lost) == i; }));
    world_.change([&] { world_.is_there = true; });
  }
}

TEST_F(PublisherTest, SendsAgainWithAMarkWhatWasUnderWay) {
  world_.acknowledges = false;
  start(10);
  publish(1, 3);
  ASSERT_TRUE(wait_for_received(2));
  world_.change([&] { world_.is_there = false; });
  ASSERT_TRUE(wait_for(Kind::lost));
  world_.change([&] {
    world_.is_there = true;
    world_.acknowledges = true;
    world_.received.clear();
  });
  ASSERT_TRUE(wait_for_received(3));
  EXPECT_THAT(world_.received, ElementsAre(again(1), again(2), text(3)));
}

TEST_F(PublisherTest, DropsTheOldestAndReportsIt) {
  world_.is_there = false;
  start(2);
  publish(1, 5);
  ASSERT_TRUE(wait_for(Kind::dropped));
  world_.change([&] { world_.is_there = true; });
  ASSERT_TRUE(wait_for_received(2));
  EXPECT_THAT(world_.received, ElementsAre(text(4), text(5)));
  publisher_->stop(milliseconds(60000));
  std::uint64_t dropped = 0;
  for (const PublishReport& report : world_.reports) dropped += report.count;
  EXPECT_EQ(dropped, 3u);
}

TEST_F(PublisherTest, MovesToAnotherOutletWithAllThatWaits) {
  world_.acknowledges = false;
  start(10);
  publish(1, 3);
  ASSERT_TRUE(wait_for_received(2));
  world_.change([&] {
    world_.acknowledges = true;
    world_.received.clear();
  });
  publisher_->move_to(make("two"));
  ASSERT_TRUE(wait_for_received(3));
  EXPECT_THAT(world_.received, ElementsAre(again(1), again(2), text(3)));
  EXPECT_EQ(world_.reports.back().outlet, "two");
}

TEST_F(PublisherTest, DropsAtTheEndWhatItCannotSend) {
  world_.is_there = false;
  start(10);
  publish(1, 3);
  publisher_->stop(milliseconds(1));
  ASSERT_FALSE(world_.reports.empty());
  EXPECT_EQ(world_.reports.back().kind, Kind::dropped);
  EXPECT_EQ(world_.reports.back().count, 3u);
}

TEST_F(PublisherTest, WaitsAtTheEndForWhatIsUnderWay) {
  world_.acknowledges = false;
  start(10);
  publish(1, 1);
  ASSERT_TRUE(wait_for_received(1));
  publisher_->stop(milliseconds(1));
  EXPECT_EQ(publisher_->counts().dropped, 1u) << "nobody has said that it has arrived";
}

TEST(Backoff, GrowsUpToABound) {
  Backoff backoff;
  EXPECT_EQ(backoff.next(), milliseconds(100));
  EXPECT_EQ(backoff.next(), milliseconds(200));
  for (int i = 0; i < 10; ++i) backoff.next();
  EXPECT_EQ(backoff.next(), Backoff::kLongest);
  backoff.reset();
  EXPECT_EQ(backoff.next(), Backoff::kFirst);
}

}  // namespace
}  // namespace cltrack::gst
