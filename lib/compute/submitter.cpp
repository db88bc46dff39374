// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/submitter.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <new>
#include <thread>
#include <utility>
#include <variant>

#include "compute/device.h"
#include "compute/queue.h"

namespace cltrack {
namespace {

// One that the device works on, and one that it goes on with. With more of them, each has fewer
// streams, and the device more launches.
constexpr std::size_t kMostInFlight = 2;
// Scratch memory of a batch, if it has several queues' commands.
constexpr std::size_t kMostScratch = 128 << 20;

using Kernels = std::vector<const LaunchedKernel*>;

Kernels kernels_of(const std::vector<Recording::Command>& commands) {
  Kernels all;
  all.reserve(commands.size());
  for (const Recording::Command& command : commands) {
    if (const auto* launch = std::get_if<Recording::Launch>(&command))
      all.push_back(launch->kernel);
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// Whether at least half of the larger set are in both.
bool are_alike(const Kernels& one, const Kernels& other) {
  const auto common = std::ranges::count_if(
      one, [&](const LaunchedKernel* each) { return std::ranges::binary_search(other, each); });
  return 2 * common >= std::max(std::ssize(one), std::ssize(other));
}

// Some drivers wait by asking the device again and again, which takes the core that the work of
// other streams on the host could have. Of a batch of many, which takes milliseconds, that is told
// soon enough by somebody who sleeps in between.
void sleep_until_done(const cl::Event& event) {
  constexpr std::chrono::microseconds kBetween(50);
  while (event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() > CL_COMPLETE) {
    std::this_thread::sleep_for(kBetween);
  }
}

}  // namespace

Submitter::Submitter(Device& device, std::shared_ptr<Arena> arena)
    : device_(device),
      writer_(device, cl::CommandQueue(device.context(), device.cl_device(), 0), std::move(arena)) {
}

Submitter::ClientRef Submitter::join() {
  auto client = std::make_shared<Client>();
  ++queues_;
  return client;
}

LaunchedKernel& Submitter::kernel(std::string_view program, std::string_view kernel,
                                  std::string_view options) {
  std::string key(program);
  key.append("\n").append(kernel).append("\n").append(options);
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = kernels_.find(key); known != kernels_.end()) return known->second;
  }
  LaunchedKernel made = make_launched(device_, program, kernel, options);
  const std::lock_guard lock(mutex_);
  return kernels_.emplace(std::move(key), std::move(made)).first->second;
}

// A client whose commands could not be stored has failed.
void Submitter::hand_over(const ClientRef& client, Recording& recording, std::uint64_t last) {
  std::list<Handed> made;
  try {
    Recording::Taken taken = recording.take();
    Kernels kernels = kernels_of(taken.commands);
    made.push_back({client, std::move(taken), last, std::move(kernels)});
  } catch (const std::bad_alloc&) {
    recording.clear();
  }
  const std::lock_guard lock(mutex_);
  if (client->handed == last) return;
  client->handed = last;
  if (made.empty() && !client->failure) client->failure = no_memory_;
  handed_.splice(handed_.end(), made);
}

bool Submitter::may_lead() const {
  return !leading_ && !handed_.empty() && in_flight_.size() < kMostInFlight;
}

// The first recording that was handed over, and all that have mostly the same kernels, or none, as
// far as there is scratch memory for them. Others would add their launches to those of the batch,
// and wait for them.
std::list<Submitter::Handed> Submitter::take() {
  const std::size_t most = std::min<std::size_t>(kMostScratch, device_.info().largest_allocation);
  std::list<Handed> all;
  const Kernels* kernels = nullptr;  // of the first one that has some
  std::size_t bytes = 0;
  for (auto next = handed_.begin(); next != handed_.end();) {
    const auto handed = next++;
    const bool has_kernels = !handed->kernels.empty() && !handed->client->failure;
    const bool fits = all.empty() || bytes + handed->taken.scratch_bytes <= most;
    if (!fits || (has_kernels && kernels != nullptr && !are_alike(handed->kernels, *kernels))) {
      continue;
    }
    const bool follows_own = std::any_of(handed_.begin(), handed, [&](const Handed& before) {
      return before.client == handed->client;
    });
    if (follows_own) continue;
    if (has_kernels && kernels == nullptr) kernels = &handed->kernels;
    bytes += handed->taken.scratch_bytes;
    all.splice(all.end(), handed_, handed);
  }
  return all;
}

void Submitter::lead(Lock& lock) {
  std::list<Handed> all = take();
  leading_ = true;
  // The driver may have their commands from here on. A client that fails meanwhile waits.
  for (const Handed& handed : all) ++handed.client->in_flight;
  try {
    submit_all(lock, all);
  } catch (const std::bad_alloc&) {
    if (!lock.owns_lock()) lock.lock();
    for (const Handed& handed : all) {
      Client& client = *handed.client;
      if (!client.failure) client.failure = no_memory_;
    }
  }
  for (const Handed& handed : all) {
    --handed.client->in_flight;
    if (handed.client->failure) handed.client->changed.notify_all();
  }
  leading_ = false;
  wake_leader();
}

void Submitter::submit_all(Lock& lock, std::list<Handed>& all) {
  std::list<InFlight> made(1);  // once the driver has it, nothing allocates any more
  InFlight& batch = made.front();
  std::vector<Lane> lanes;
  for (Handed& handed : all) {
    if (handed.client->failure) continue;
    const auto known = std::ranges::find(batch.participants, handed.client, &Participant::client);
    if (known == batch.participants.end()) {
      batch.participants.push_back({handed.client, handed.last, {}});
      lanes.push_back({std::move(handed.taken.commands), handed.taken.scratch_bytes});
    } else {
      known->last = handed.last;
      Lane& lane = lanes[static_cast<std::size_t>(known - batch.participants.begin())];
      std::ranges::move(handed.taken.commands, std::back_inserter(lane.commands));
      // The later commands may overwrite what the earlier ones have.
      lane.scratch_bytes = std::max(lane.scratch_bytes, handed.taken.scratch_bytes);
    }
  }
  lock.unlock();
  if (!lanes.empty()) {
    const auto only_one = lock_for_launch(device_, writer_.commands());
    batch.submitted = writer_.submit(lanes, has_few());
  }
  lock.lock();
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    Participant& participant = batch.participants[i];
    Client& client = *participant.client;
    participant.readbacks = std::move(lanes[i].readbacks);
    client.submitted = participant.last;
    ++client.in_flight;
    if (!client.failure) client.failure = std::move(lanes[i].failure);
  }
  if (!lanes.empty()) {
    batch.lanes = std::move(lanes);
    in_flight_.splice(in_flight_.end(), made);
  }
}

// Waits for the oldest batch.
void Submitter::watch(Lock& lock) {
  const cl::Event end = in_flight_.front().submitted.end;
  watching_ = true;
  lock.unlock();
  std::optional<Error> failure;
  try {
    translate_errors(
        &device_, [&] { return "waiting for " + device_.label(); },
        [&] {
          if (end() != nullptr) {
            if (!has_few()) sleep_until_done(end);
            end.wait();
          } else {
            writer_.commands().finish();
          }
        });
  } catch (const Error& error) {
    failure = error;
  } catch (const std::bad_alloc&) {
    failure = no_memory_;
  }
  // An end may have failed because one command has, while others of the batch are at work.
  if (failure) writer_.finish();
  lock.lock();
  watching_ = false;
  std::optional<InFlight> done = finish_oldest(failure);
  wake_leader();
  lock.unlock();
  done.reset();  // gives memory back
  lock.lock();
}

Submitter::InFlight Submitter::finish_oldest(const std::optional<Error>& failure) {
  InFlight batch = std::move(in_flight_.front());
  in_flight_.pop_front();
  for (const Participant& participant : batch.participants) {
    Client& client = *participant.client;
    client.completed = participant.last;
    --client.in_flight;
    if (failure && !client.failure) client.failure = failure;
    try {
      if (!client.failure) {
        client.readbacks.insert(client.readbacks.end(), participant.readbacks.begin(),
                                participant.readbacks.end());
      }
    } catch (const std::bad_alloc&) {
      client.failure = no_memory_;
    }
    client.changed.notify_all();
  }
  return batch;
}

// Wakes one who can submit what has been handed over.
void Submitter::wake_leader() {
  if (may_lead()) wake_first(handed_);
}

// Wakes one who can wait for the oldest batch: its owner may have left without waiting.
void Submitter::wake_watcher() {
  if (watching_ || in_flight_.empty()) return;
  for (const InFlight& batch : in_flight_) {
    if (wake_first(batch.participants)) return;
  }
  wake_first(handed_);
}

// Leads and watches, or lets others do so, until is_done().
template <typename Done>
void Submitter::advance(Lock& lock, Client& client, const Done& is_done) {
  while (!is_done() && !(client.failure && client.in_flight == 0)) {
    if (may_lead() && client.handed > client.submitted) {
      lead(lock);
    } else if (!watching_ && !in_flight_.empty()) {
      watch(lock);
    } else {
      client.waiting = true;
      client.changed.wait(lock);
      client.waiting = false;
    }
  }
  wake_leader();
  wake_watcher();
  if (client.failure) throw Error(*client.failure);
}

bool Submitter::is_idle() {
  const Lock lock(mutex_);
  return !leading_ && handed_.empty() && in_flight_.empty();
}

void Submitter::submit(const ClientRef& client) {
  Lock lock(mutex_);
  advance(lock, *client, [&] { return client->submitted == client->handed; });
}

std::uint64_t Submitter::wait(const ClientRef& client, std::uint64_t position) {
  std::vector<Readback> readbacks;
  std::uint64_t done = 0;
  {
    Lock lock(mutex_);
    advance(lock, *client, [&] { return client->completed >= position; });
    readbacks.swap(client->readbacks);
    done = client->completed;
  }
  for (const Readback& readback : readbacks) readback.copy_to_host();
  return done;
}

}  // namespace cltrack
