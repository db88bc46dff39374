// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/ferns/far_candidates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "support/devices.h"
#include "support/errors.h"
#include "support/window_batch.h"

namespace cltrack {
namespace {

using test::noise_image;
using test::WindowBatch;

class FarCandidatesOnDevice : public test::DeviceTest {
 protected:
  // What a target has found, its windows counted from 0, and where it is.
  struct Found {
    CandidateList list;
    BoundingBox box;
    std::uint32_t positives = 0;
  };

  static CandidateList candidates_of(const WindowBatch::Target& target) {
    return target.setup ? target.setup->expected(kPosteriorOne) : CandidateList{};
  }

  static CandidateList first_of(const CandidateList& all, std::size_t count) {
    CandidateList list;
    list.windows.assign(all.windows.begin(), all.windows.begin() + static_cast<int>(count));
    list.codes.assign(all.codes.begin(), all.codes.begin() + 10 * static_cast<int>(count));
    return list;
  }

  // Positives have the codes of candidates, so that many leaves are raised.
  static void write_positives(const Found& found, std::span<std::uint16_t> codes) {
    const CandidateList& list = found.list;
    for (std::uint32_t i = 0; i < found.positives; ++i) {
      for (std::uint32_t f = 0; f < 10; ++f) {
        codes[i * 10 + f] = list.windows.empty()
                                ? std::uint16_t{8191}
                                : list.codes[(i * 7 + f) % list.windows.size() * 10 + f];
      }
    }
  }

  static LearnJob job_of(const WindowBatch::Target& target, const Found& found) {
    LearnJob job = target.job();
    job.positives = found.positives;
    job.room = target.window_count;
    job.x = found.box.x;
    job.y = found.box.y;
    job.width = found.box.width;
    job.height = found.box.height;
    return job;
  }

  // What the host makes of one target alone, whose windows are the only ones.
  struct Expected {
    std::vector<std::uint16_t> codes;
    std::vector<std::uint32_t> places;
    std::uint32_t sample_count = 0, place_count = 0;
  };
  static Expected expected_of(const WindowBatch::Target& target, const Found& found,
                              const FarCandidates& which) {
    ScanWindows windows;
    if (target.setup) windows.assign(target.setup->sizes);
    LearnJob job = job_of(target, found);
    job.first_window = 0;
    job.first_size = 0;
    Expected expected;
    expected.codes.resize((job.positives + job.room) * std::size_t{10});
    expected.places.resize(job.positives + job.room);
    write_positives(found, expected.codes);
    reference::far_candidates(
        found.list, windows.host_view(), 10, 13, job, which,
        {expected.codes, expected.places, expected.sample_count, expected.place_count});
    return expected;
  }

  // Of the targets of these indexes.
  void expect_equals_host(const WindowBatch& batch, const std::vector<Found>& found,
                          const FarCandidates& which, const std::vector<std::size_t>& indexes) {
    CandidateList all;
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (Candidate candidate : found[i].list.windows) {
        candidate.window += batch.targets[i].first_window;
        all.windows.push_back(candidate);
      }
      all.codes.insert(all.codes.end(), found[i].list.codes.begin(), found[i].list.codes.end());
    }
    CandidateArrays candidates;
    candidates.resize(10, batch.count);
    std::ranges::copy(all.windows, candidates.windows.host_write().begin());
    std::ranges::copy(all.codes, candidates.codes.host_write().begin());
    std::ranges::fill(candidates.count.host_write(),
                      static_cast<std::uint32_t>(all.windows.size()));

    std::vector<LearnJob> jobs;
    std::size_t most = 0;
    for (const std::size_t i : indexes) {
      jobs.push_back(job_of(batch.targets[i], found[i]));
      most += jobs.back().positives + jobs.back().room;
    }
    FernSampleArrays got;
    const test::Canary code_room(got.codes, most * 10, *queue_);
    const test::Canary place_room(got.places, most, *queue_);
    const test::Canary count_room(got.sample_count, jobs.size(), *queue_);
    got.assign(10, jobs);
    const auto codes = got.codes.host_update();
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      write_positives(found[indexes[j]],
                      codes.subspan(got.jobs.host_read()[j].first_sample * std::size_t{10}));
    }
    far_candidates(*queue_, candidates, batch.windows, 13, which, got);
    EXPECT_TRUE(code_room.is_intact());
    EXPECT_TRUE(place_room.is_intact());
    EXPECT_TRUE(count_room.is_intact());

    for (std::size_t j = 0; j < jobs.size(); ++j) {
      SCOPED_TRACE("job " + std::to_string(j));
      const Expected expected = expected_of(batch.targets[indexes[j]], found[indexes[j]], which);
      const std::uint32_t count = expected.sample_count;
      ASSERT_EQ(got.sample_count.host_read()[j], count);
      ASSERT_EQ(got.place_count.host_read()[j], expected.place_count);
      const std::size_t first = got.jobs.host_read()[j].first_sample;
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(got.places.host_read()[first + i], expected.places[i]) << i;
      }
      for (std::size_t i = 0; i < count * 10; ++i) {
        ASSERT_EQ(got.codes.host_read()[first * 10 + i], expected.codes[i]) << i;
      }
      learnt_ += count - jobs[j].positives;
      left_out_ += expected.place_count - count;
    }
  }

  std::size_t learnt_ = 0;    // candidates in all that are samples
  std::size_t left_out_ = 0;  // and those that are far, but harmless
};

TEST_P(FarCandidatesOnDevice, EqualsHost) {
  const WindowBatch batch(noise_image(140, 100, 3), std::array{24}, 10, 13);
  const CandidateList list = candidates_of(batch.targets[0]);
  ASSERT_GT(list.windows.size(), 1000u);
  for (const BoundingBox& box : {BoundingBox{30, 20, 40, 30},
                                 {30.3f, 20.7f, 24.4f, 18.1f},
                                 {-50, -50, 60, 60},
                                 {0, 0, 140, 100},
                                 {500, 500, 10, 10},
                                 {40, 40, 0, 10}}) {
    for (const float maximum : {0.0f, 0.2f, 1.5f}) {
      for (const std::uint32_t positives : {0u, 1u, 100u}) {
        expect_equals_host(batch, {{list, box, positives}}, {maximum, 5 * kPosteriorOne}, {0});
      }
    }
  }
  EXPECT_GT(learnt_, 100u);
  EXPECT_GT(left_out_, 100u);
}

TEST_P(FarCandidatesOnDevice, FewCandidates) {
  const WindowBatch batch(noise_image(140, 100, 3), std::array{24}, 10, 13);
  const CandidateList all = candidates_of(batch.targets[0]);
  for (const std::size_t count : {0, 1, 32, 255, 256, 257}) {
    for (const std::uint32_t score : {0u, 2 * kPosteriorOne, 10 * kPosteriorOne}) {
      expect_equals_host(batch, {{first_of(all, count), {30, 20, 40, 30}, 3}}, {0.2f, score}, {0});
    }
  }
}

TEST_P(FarCandidatesOnDevice, Batches) {
  for (const std::vector<int>& sides : test::batches_of_sides()) {
    SCOPED_TRACE(std::to_string(sides.size()) + " targets");
    const WindowBatch batch(noise_image(90, 70, 3), sides, 10, 13);
    std::vector<Found> found;
    std::vector<std::size_t> indexes;
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const auto offset = static_cast<float>(5 * i);
      found.push_back({candidates_of(batch.targets[i]),
                       {offset, 20 - offset, 30 + offset, 25},
                       static_cast<std::uint32_t>(7 * i % 20)});
      indexes.push_back(i);
    }
    if (sides.size() == 7) found[3].list = {};  // it has windows, but found nothing
    const FarCandidates which = {0.2f, 4 * kPosteriorOne};
    expect_equals_host(batch, found, which, indexes);
    // Each job alone, among the candidates of all.
    for (const std::size_t i : indexes) expect_equals_host(batch, found, which, {i});
    std::ranges::reverse(indexes);
    expect_equals_host(batch, found, which, indexes);
  }
  EXPECT_GT(learnt_, 100u);
  EXPECT_GT(left_out_, 100u);
}

TEST_P(FarCandidatesOnDevice, StayInTheirRoom) {
  const WindowBatch batch(noise_image(140, 100, 3), std::array{24, 30}, 10, 13);
  const CandidateList list = candidates_of(batch.targets[0]);
  CandidateArrays candidates;
  candidates.assign(10, list);
  LearnJob job = batch.targets[0].job();
  job.room = static_cast<std::uint32_t>(list.windows.size());
  LearnJob empty = {};
  FernSampleArrays samples;
  samples.assign(10, std::vector{empty, job});
  EXPECT_NO_THROW(far_candidates(*queue_, candidates, batch.windows, 13, {}, samples));
  job.room /= 2;
  samples.assign(10, std::vector{empty, job});
  const auto search = [&] { far_candidates(*queue_, candidates, batch.windows, 13, {}, samples); };
  if (queue_->is_host()) {
    test::expect_rejected(search);
  } else {
    search();
    EXPECT_LE(samples.place_count.host_read()[1], job.positives + job.room);
  }
}

CLTRACK_ON_EVERY_DEVICE(FarCandidatesOnDevice);

}  // namespace
}  // namespace cltrack
