// SPDX-License-Identifier: LGPL-2.1-or-later
// Natural batching: a device's queues record their commands, and whoever waits first submits those
// of all that wait, as far as they are alike and have the scratch memory that they need. Meanwhile
// others record; the next one to wait takes these. Nobody waits for somebody who is slow, and there
// is no timer.
//
// The life of a command:
//
//   Recording   a queue has a client here, and records its launches and copies
//      |  hand_over()   when the queue waits, or the device has nothing to do
//   Handed      with what the same client recorded before, it waits for a leader
//      |  take(), submit_all()   the client that leads takes all that are alike
//   Lane        the commands of one client in a batch, in their order
//      |  BatchWriter: merge()   next commands of several lanes that are alike
//   Step        one launch, or large copies; its members are commands of the lanes
//      |  BatchWriter: stage(), run()   tables and small uploads go up in one copy first
//   InFlight    the driver has the batch; its participants are the clients, each with the number
//      |        of its last command there
//      |  watch(), finish_oldest()   a client that waits, waits for the oldest batch
//   Readback    a small download that has arrived in the batch's slot
//      |  wait()   each client copies its own to where they belong
//   completed   the client's queue knows that the command is done
//
// A command that fails ends its client: Lane::failure, then Client::failure, which wait() throws.
//
// Threading: safe; each client belongs to one thread at a time.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cltrack/error.h"
#include "compute/batch.h"
#include "compute/cl.h"
#include "compute/recording.h"

namespace cltrack {

class Device;

class Submitter {
 public:
  // The state of a queue. It stays failed once it has failed, because commands are missing.
  class Client {
    friend Submitter;
    std::condition_variable changed;
    bool waiting = false;
    std::uint64_t handed = 0, submitted = 0, completed = 0;  // numbers of commands
    int in_flight = 0;  // batches with commands of it, and recordings that become part of one
    std::vector<Readback> readbacks;
    std::optional<Error> failure;
  };
  using ClientRef = std::shared_ptr<Client>;

  // `device` has this object, and others with the same memory. Throws cl::Error.
  Submitter(Device& device, std::shared_ptr<Arena> arena);

  // For a queue that comes, and leaves again.
  ClientRef join();
  void leave() { --queues_; }
  int queues() const { return queues_; }
  // Few share one submitter: two threads that launch at a time wait for each other in the driver,
  // which pays only where each of them launches for many. Their kernels keep little of a device
  // busy, and run side by side (compute/side_by_side.h).
  bool has_few() const { return queues_ < kFew; }

  // The same object for all queues, so that their launches can be one.
  LaunchedKernel& kernel(std::string_view program, std::string_view kernel,
                         std::string_view options);

  // Takes the commands of a recording, of which the last one has number `last`. They may go after
  // those of others that were handed over later, so submit() may wait for the device.
  void hand_over(const ClientRef& client, Recording& recording, std::uint64_t last);
  // Whether it knows of nothing that the device has to do, so that commands should be submitted
  // before somebody waits.
  bool is_idle();
  // Returns when all that was handed over is submitted. This and wait() throw the Error by which
  // the client has failed.
  void submit(const ClientRef& client);
  // Returns when command `position` is done, and the number of the last one that is.
  std::uint64_t wait(const ClientRef& client, std::uint64_t position);

  const cl::CommandQueue& commands() const { return writer_.commands(); }
  // How many launches the driver has been given.
  std::uint64_t launches() const { return writer_.launches(); }

 private:
  static constexpr int kFew = 8;

  struct Handed {
    ClientRef client;
    Recording::Taken taken;
    std::uint64_t last;
    std::vector<const LaunchedKernel*> kernels;  // that it launches, each once, sorted
  };
  struct Participant {
    ClientRef client;
    std::uint64_t last;
    std::vector<Readback> readbacks;
  };
  struct InFlight {
    std::vector<Participant> participants;
    Submitted submitted;
    std::vector<Lane> lanes;  // their memory is in use until the end
  };
  using Lock = std::unique_lock<std::mutex>;

  bool may_lead() const;
  std::list<Handed> take();
  void lead(Lock& lock);
  void submit_all(Lock& lock, std::list<Handed>& all);
  void watch(Lock& lock);
  InFlight finish_oldest(const std::optional<Error>& failure);
  template <typename Done>
  void advance(Lock& lock, Client& client, const Done& is_done);
  // Whether one of them waits.
  template <typename Owners>
  static bool wake_first(const Owners& owners) {
    const auto first =
        std::ranges::find_if(owners, [](const auto& owner) { return owner.client->waiting; });
    if (first == owners.end()) return false;
    first->client->changed.notify_all();
    return true;
  }
  void wake_leader();
  void wake_watcher();

  Device& device_;
  const Error no_memory_{ErrorCode::out_of_memory, "no memory is left"};  // to tell it needs none
  std::atomic<int> queues_ = 0;
  std::mutex mutex_;
  BatchWriter writer_;  // of the leader
  std::map<std::string, LaunchedKernel, std::less<>> kernels_;
  std::list<Handed> handed_;
  std::list<InFlight> in_flight_;
  bool leading_ = false;   // somebody submits
  bool watching_ = false;  // somebody waits for the oldest batch
};

}  // namespace cltrack
