// SPDX-License-Identifier: LGPL-2.1-or-later
#include "batch.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <mutex>
#include <thread>

#include "progress.h"

namespace cltrack::accuracy {
namespace {

// The footage of one sequence: decoded by the first run that needs it, dropped after the last.
class SharedFootage {
 public:
  void add_user() { ++users_; }

  // Throws what Footage throws, again for each run.
  std::shared_ptr<const Footage> get(const Sequence& sequence, std::size_t max_frames,
                                     Progress& progress) {
    const std::lock_guard lock(mutex_);
    if (!footage_) {
      footage_ = std::make_shared<const Footage>(sequence, max_frames);
      warn_of_count(sequence, max_frames, progress);
    }
    return footage_;
  }

  void release() {
    const std::lock_guard lock(mutex_);
    if (--users_ == 0) footage_.reset();
  }

 private:
  void warn_of_count(const Sequence& sequence, std::size_t max_frames, Progress& progress) const {
    const std::size_t frames = footage_->size();
    const std::size_t rows = sequence.truth.size();
    if (frames == rows || (max_frames > 0 && frames == max_frames && rows > frames)) return;
    progress.say("WARNING: " + sequence.name + ": " + std::to_string(frames) +
                 " frames decoded, but " + std::to_string(rows) +
                 " rows of ground truth; the first " + std::to_string(std::min(frames, rows)) +
                 " count, and may not belong together (another decoder may give all frames)");
  }

  std::mutex mutex_;
  std::size_t users_ = 0;
  std::shared_ptr<const Footage> footage_;
};

struct Run {
  const Sequence* sequence;
  SharedFootage* footage;
  std::string tracker;
  Start start;
  std::uint64_t seed;
};

std::uint64_t seeds_of(const std::string& tracker, const BatchOptions& options) {
  if (!find_tracker(tracker).uses_seed) return 1;
  return tracker.starts_with("cv-") ? options.cv_seeds : options.seeds;
}

std::string summary(const Row& row) {
  const std::string what = row.sequence + " " + row.tracker + row.particulars();
  if (!row.error.empty()) return what + ": FAILED: " + row.error;
  char text[128];
  std::snprintf(text, sizeof(text), " seed %llu: F25 %.3f F50 %.3f, %.1f fps",
                static_cast<unsigned long long>(row.seed), row.scores.at25.f, row.scores.at50.f,
                row.fps_median());
  return what + text;
}

class Batch {
 public:
  Batch(std::span<const Sequence> sequences, const BatchOptions& options, const RunHandler& handler)
      : options_(options), handler_(handler), footage_(sequences.size()) {
    for (std::size_t i = 0; i < sequences.size(); ++i) {
      // Neither seeds nor boxes make a difference to a sequence that cannot be read.
      const bool readable = sequences[i].error.empty();
      const auto starts = starts_of(sequences[i], readable ? options.starts : StartOptions{});
      for (const std::string& tracker : options.trackers) {
        const std::uint64_t seeds = readable ? seeds_of(tracker, options) : 1;
        for (const Start& start : starts) {
          for (std::uint64_t seed = 0; seed < seeds; ++seed) {
            runs_.push_back({&sequences[i], &footage_[i], tracker, start, seed});
            footage_[i].add_user();
          }
        }
      }
    }
    rows_.resize(runs_.size());
  }

  std::vector<Row> run() {
    Progress progress(runs_.size());
    std::vector<std::jthread> threads;
    for (unsigned i = 1; i < options_.jobs; ++i) {
      threads.emplace_back([this, &progress] { work(progress); });
    }
    work(progress);
    threads.clear();
    if (failure_) std::rethrow_exception(failure_);
    return std::move(rows_);
  }

 private:
  void work(Progress& progress) {
    while (true) {
      const std::size_t index = next_++;
      if (index >= runs_.size()) return;
      Observations observations;
      Row row = run_one(runs_[index], observations, progress);
      runs_[index].footage->release();
      const std::lock_guard lock(mutex_);
      if (failure_) return;
      progress.run_done(summary(row));
      try {
        handler_(row, observations);
      } catch (...) {
        failure_ = std::current_exception();
        next_ = runs_.size();
      }
      rows_[index] = std::move(row);
    }
  }

  Row run_one(const Run& run, Observations& observations, Progress& progress) {
    try {
      const std::size_t decoded = options_.starts.every > 0 ? 0 : options_.max_frames;
      const auto footage = run.footage->get(*run.sequence, decoded, progress);
      const auto tracker = make_tracker(run.tracker, options_.configs);
      const std::string what = run.sequence->name + " " + run.tracker;
      observations = run_tracker(
          *tracker, *footage, run.start, run.seed, [&] { progress.frame_done(what); },
          options_.max_frames, options_.pace);
      return make_row(run.tracker, *run.sequence, run.seed, observations, options_.pace, run.start);
    } catch (const std::exception& error) {
      Row row = row_of(run.tracker, *run.sequence, run.seed, run.start);
      row.error = error.what();
      return row;
    }
  }

  const BatchOptions& options_;
  const RunHandler& handler_;
  std::vector<SharedFootage> footage_;
  std::vector<Run> runs_;
  std::vector<Row> rows_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace

std::vector<Row> run_batch(std::span<const Sequence> sequences, const BatchOptions& options,
                           const RunHandler& handler) {
  return Batch(sequences, options, handler).run();
}

}  // namespace cltrack::accuracy
