// SPDX-License-Identifier: LGPL-2.1-or-later
#include "publish/message_queue.h"

#include <algorithm>
#include <utility>

#include "publish/track_json.h"

namespace cltrack::gst {

bool MessageQueue::is_too_full() const {
  return waiting_.size() + under_way_.size() > most_.messages || bytes_ > most_.bytes;
}

void MessageQueue::drop_surplus() {
  while (waiting_.size() > 1 && is_too_full()) {
    bytes_ -= waiting_.front().message.text.size();
    waiting_.pop_front();
    ++dropped_;
  }
}

void MessageQueue::push(Message message) {
  message.text.shrink_to_fit();  // it was written piece by piece, with room for twice as much
  const std::lock_guard lock(mutex_);
  bytes_ += message.text.size();
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

bool MessageQueue::remove_under_way(Ticket ticket) {
  const auto found = std::ranges::find(under_way_, ticket, &Entry::ticket);
  if (found == under_way_.end()) return false;
  bytes_ -= found->message.text.size();
  under_way_.erase(found);
  return true;
}

void MessageQueue::done(Ticket ticket) {
  const std::lock_guard lock(mutex_);
  sent_ += remove_under_way(ticket);
}

void MessageQueue::refused(Ticket ticket) {
  const std::lock_guard lock(mutex_);
  dropped_ += remove_under_way(ticket);
}

void MessageQueue::give_back() {
  const std::lock_guard lock(mutex_);
  while (!under_way_.empty()) {
    std::string& text = under_way_.back().message.text;
    bytes_ -= text.size();
    mark_again(text);
    bytes_ += text.size();
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
  bytes_ = 0;
}

QueueCounts MessageQueue::counts() const {
  const std::lock_guard lock(mutex_);
  return {waiting_.size(), under_way_.size(), sent_, dropped_, bytes_};
}

}  // namespace cltrack::gst
