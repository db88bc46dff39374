// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/ferns/far_candidates.h"

#include <gtest/gtest.h>

#include "cltrack/error.h"
#include "support/devices.h"
#include "support/scan_setup.h"

namespace cltrack {
namespace {

using test::noise_image;
using test::ScanSetup;

class FarCandidatesOnDevice : public test::DeviceTest {
 protected:
  FarCandidatesOnDevice() : setup_(noise_image(140, 100, 3), 24, 10, 13) {
    windows_.assign(setup_.sizes);
  }

  // Positives have the codes of candidates, so that many leaves are raised.
  FernSampleArrays samples(const CandidateList& list, std::uint32_t positives) {
    FernSampleArrays result;
    result.resize(10, positives, setup_.count());
    const auto codes = result.codes.host_write();
    for (std::uint32_t i = 0; i < positives; ++i) {
      for (std::uint32_t f = 0; f < 10; ++f) {
        codes[i * 10 + f] = list.windows.empty()
                                ? std::uint16_t{8191}
                                : list.codes[(i * 7 + f) % list.windows.size() * 10 + f];
      }
    }
    return result;
  }

  void expect_equals_host(const CandidateList& list, const BoundingBox& box,
                          const FarCandidates& which, std::uint32_t positives) {
    CandidateArrays candidates;
    candidates.resize(10, setup_.count());
    std::copy(list.windows.begin(), list.windows.end(), candidates.windows.host_write().begin());
    std::copy(list.codes.begin(), list.codes.end(), candidates.codes.host_write().begin());
    candidates.count.host_write()[0] = static_cast<std::uint32_t>(list.windows.size());

    FernSampleArrays expected = samples(list, positives);
    const CandidateView view = list;
    far_candidates_host({&view, 1}, windows_, 13, box, which, expected);
    FernSampleArrays got;
    const std::size_t most = positives + setup_.count();
    const test::Canary code_room(got.codes, most * 10, *queue_);
    const test::Canary place_room(got.places, most, *queue_);
    got.resize(10, positives, setup_.count());
    got.codes.assign(samples(list, positives).codes.host_read());
    far_candidates(*queue_, candidates, windows_, 13, box, which, got);
    EXPECT_TRUE(code_room.is_intact());
    EXPECT_TRUE(place_room.is_intact());

    const std::uint32_t count = expected.sample_count.host_read()[0];
    const std::uint32_t places = expected.place_count.host_read()[0];
    ASSERT_EQ(got.sample_count.host_read()[0], count);
    ASSERT_EQ(got.place_count.host_read()[0], places);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(got.places.host_read()[i], expected.places.host_read()[i]) << i;
    }
    for (std::size_t i = 0; i < count * 10; ++i) {
      ASSERT_EQ(got.codes.host_read()[i], expected.codes.host_read()[i]) << i;
    }
    learnt_ += count - positives;
    left_out_ += places - count;
  }

  ScanSetup setup_;
  ScanWindows windows_;
  std::size_t learnt_ = 0;    // candidates in all that are samples
  std::size_t left_out_ = 0;  // and those that are far, but harmless
};

TEST_P(FarCandidatesOnDevice, EqualsHost) {
  const CandidateList list = setup_.expected(kPosteriorOne);
  ASSERT_GT(list.windows.size(), 1000u);
  for (const BoundingBox& box : {BoundingBox{30, 20, 40, 30},
                                 {30.3f, 20.7f, 24.4f, 18.1f},
                                 {-50, -50, 60, 60},
                                 {0, 0, 140, 100},
                                 {500, 500, 10, 10},
                                 {40, 40, 0, 10}}) {
    for (const float maximum : {0.0f, 0.2f, 1.5f}) {
      for (const std::uint32_t positives : {0u, 1u, 100u}) {
        expect_equals_host(list, box, {maximum, 5 * kPosteriorOne}, positives);
      }
    }
  }
  EXPECT_GT(learnt_, 100u);
  EXPECT_GT(left_out_, 100u);
}

TEST_P(FarCandidatesOnDevice, FewCandidates) {
  const CandidateList all = setup_.expected(kPosteriorOne);
  for (const std::size_t count : {0, 1, 32, 255, 256, 257}) {
    CandidateList list;
    list.windows.assign(all.windows.begin(), all.windows.begin() + static_cast<int>(count));
    list.codes.assign(all.codes.begin(), all.codes.begin() + 10 * static_cast<int>(count));
    for (const std::uint32_t score : {0u, 2 * kPosteriorOne, 10 * kPosteriorOne}) {
      expect_equals_host(list, {30, 20, 40, 30}, {0.2f, score}, 3);
    }
  }
}

TEST_P(FarCandidatesOnDevice, RejectsTooLittleRoom) {
  CandidateArrays candidates;
  candidates.resize(10, 100);
  FernSampleArrays samples;
  samples.resize(10, 5, 99);
  EXPECT_THROW(far_candidates(*queue_, candidates, windows_, 13, {0, 0, 9, 9}, {}, samples), Error);
}

CLTRACK_ON_EVERY_DEVICE(FarCandidatesOnDevice);

}  // namespace
}  // namespace cltrack
