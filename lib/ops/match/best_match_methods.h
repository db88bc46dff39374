// SPDX-License-Identifier: LGPL-2.1-or-later
// The two methods of best_match.h, and what they keep. For ops/match and its tests alone.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "compute/array.h"
#include "ops/match/best_match.h"
#include "ops/match/match_spectrum.h"
#include "ops/planes/integral.h"

namespace cltrack {

// direct: all places are scored. spectral: a correlation in frequency space bounds the scores, and
// the places that may be the best are scored. best_match() chooses the faster one.
enum class MatchMethod { direct, spectral };

void best_match_by(MatchMethod method, Queue& queue, const Plane& plane, MatchTemplate& pattern,
                   MatchScratch& scratch, Array<MatchFound>& found);

// The methods on the host and on devices. The template is not flat, and fits the plane.
struct HostMatchScratch;
MatchFound best_match_direct(const ImageView& plane, const MatchTemplate& pattern,
                             HostMatchScratch& scratch, Queue& host);
MatchFound best_match_spectral(const ImageView& plane, MatchTemplate& pattern,
                               HostMatchScratch& scratch, Queue& host);
void launch_best_match(MatchMethod method, Queue& queue, const Plane& plane, MatchTemplate& pattern,
                       MatchScratch& scratch, Array<MatchFound>& found);

void check_match_sizes(int plane_width, int plane_height, const MatchTemplate& pattern);

// The best of several; those with x < 0 are none.
MatchFound best_of(const std::vector<MatchFound>& list);
inline constexpr MatchFound kNoMatch = {0, 0, -1, -1};

// The values of a device's spectrum.
struct ComplexPair {
  float re, im;
};

// The template's spectra; sizes are those of the transforms, 0: none yet.
struct MatchTemplate::Kept {
  struct {
    int width = 0, height = 0;
    std::vector<Complex8> spectrum;
  } host;
  struct {
    std::shared_ptr<Device> device;
    Plane padded;  // the template in rows of whole words, filled up with zeros
    int width = 0, height = 0;
    Array<ComplexPair> spectrum;
  } device;
};

// A place that may be the best.
struct MatchCandidate {
  int x, y;
  double upper;  // bound of its score
  std::uint32_t sum;
  std::uint64_t squares;
};

// One for each part that runs.
struct MatchWork {
  SpectrumWork spectrum;
  PatchRows patches;
  std::vector<Complex8> rows;  // as floats
};

struct HostMatchScratch {
  std::unique_ptr<SpectrumShape> shape;
  int width = 0, height = 0;    // of the plane that it is for
  std::vector<Complex8> tiles;  // as floats
  std::vector<double> energies, products;
  std::vector<std::vector<MatchCandidate>> found;
  std::vector<MatchCandidate> candidates;
  std::vector<MatchFound> best;

  // Lends a MatchWork to a part that runs.
  class Loan {
   public:
    explicit Loan(HostMatchScratch& owner);
    ~Loan();
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    MatchWork* operator->() { return work_.get(); }

   private:
    HostMatchScratch& owner_;
    std::unique_ptr<MatchWork> work_;
  };

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<MatchWork>> idle_;
};

// How a device runs transforms of one length.
struct DeviceFft {
  FftStages stages = {};
  double error = 0;
  Array<float> twiddles;
  bool is_long = false;  // too long for local memory
  int items = 0;         // of a work-group

  // Does nothing if it is for `length` already.
  void prepare(int length, const DeviceInfo& device);
};

struct DeviceMatchScratch {
  DeviceFft rows, columns;
  IntegralArrays integrals;
  Array<ComplexPair> spectrum, work;
  Array<float> products, uppers, lowers;
  Array<std::uint32_t> list, count;
  Array<MatchFound> found;
};

struct MatchScratch::Parts {
  HostMatchScratch host;
  DeviceMatchScratch device;
};

}  // namespace cltrack
