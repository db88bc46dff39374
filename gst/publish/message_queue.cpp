// SPDX-License-Identifier: LGPL-2.1-or-later
#include "publish/message_queue.h"

#include <algorithm>
#include <utility>

#include "publish/track_json.h"

namespace cltrack::gst {

void MessageQueue::drop_surplus() {
  while (waiting_.size() + under_way_.size() > most_ && waiting_.size() > 1) {
    waiting_.pop_front();
    ++dropped_;
  }
}

void MessageQueue::push(Message message) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back({next_++, std::move(message)});
  drop_surplus();
}

std::optional<MessageQueue::Sending> MessageQueue::take() {
  const std::lock_guard lock(mutex_);
  if (waiting_.empty()) return std::nullopt;
  under_way_.push_back(std::move(waiting_.front()));
  waiting_.pop_front();
  return Sending{under_way_.back().ticket, &under_way_.back().message};
}

void MessageQueue::done(Ticket ticket) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(under_way_, ticket, &Entry::ticket);
  if (found == under_way_.end()) return;
  under_way_.erase(found);
  ++sent_;
}

void MessageQueue::give_back() {
  const std::lock_guard lock(mutex_);
  while (!under_way_.empty()) {
    mark_again(under_way_.back().message.text);
    waiting_.push_front(std::move(under_way_.back()));
    under_way_.pop_back();
  }
  drop_surplus();
}

void MessageQueue::discard() {
  const std::lock_guard lock(mutex_);
  dropped_ += waiting_.size() + under_way_.size();
  waiting_.clear();
  under_way_.clear();
}

QueueCounts MessageQueue::counts() const {
  const std::lock_guard lock(mutex_);
  return {waiting_.size(), under_way_.size(), sent_, dropped_};
}

}  // namespace cltrack::gst
