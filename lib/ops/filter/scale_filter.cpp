// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/scale_filter.h"

#include <cstring>
#include <string>

#include "cltrack/error.h"
#include "compute/launch.h"
#include "core/processor.h"
#include "ops/job_parts.h"

namespace cltrack {

namespace reference {

void scale_spectra(std::span<const float> features, std::span<float> spectrum) {
  for (std::size_t k = 0; k < kScaleBins; ++k) {
    for (std::size_t v = 0; v < kScaleValues; ++v) {
      float re = 0, im = 0;
      for (std::size_t s = 0; s < kScales; ++s) {
        const float feature = features[s * kScaleValues + v];
        re += kScaleHann[s] * kScaleCos[k][s] * feature;
        im += -(kScaleHann[s] * kScaleSin[k][s]) * feature;
      }
      spectrum[2 * k * kScaleValues + v] = re;
      spectrum[(2 * k + 1) * kScaleValues + v] = im;
    }
  }
}

}  // namespace reference

namespace vector {

namespace {

using Floats4 [[gnu::vector_size(16)]] = float;
using Floats8 [[gnu::vector_size(32)]] = float;

template <typename Floats>
constexpr int kLanes = sizeof(Floats) / sizeof(float);
constexpr int kVectors = 2;             // of values that are made at a time
constexpr std::size_t kBinsAtOnce = 2;  // so that all sums of a block stay in registers

// weights[part * kScaleBins + bin]: real parts first.
constexpr auto make_weights() {
  std::array<std::array<float, kScales>, 2 * std::size_t{kScaleBins}> weights = {};
  for (std::size_t k = 0; k < kScaleBins; ++k) {
    for (std::size_t s = 0; s < kScales; ++s) {
      weights[k][s] = kScaleHann[s] * kScaleCos[k][s];
      weights[kScaleBins + k][s] = -(kScaleHann[s] * kScaleSin[k][s]);
    }
  }
  return weights;
}
constexpr auto kWeights = make_weights();

// One vector at a time: gcc copies several in halves, through memory.
template <typename Floats>
[[gnu::always_inline]] inline void load(Floats* to, const float* from) {
  for (int i = 0; i < kVectors; ++i) std::memcpy(&to[i], from + kLanes<Floats> * i, sizeof(*to));
}
template <typename Floats>
[[gnu::always_inline]] inline void store(const Floats* from, float* to) {
  for (int i = 0; i < kVectors; ++i) std::memcpy(to + kLanes<Floats> * i, &from[i], sizeof(*from));
}

// `count` bins of a block of values.
template <typename Floats, std::size_t count>
[[gnu::always_inline]] inline void transform(const float* features, std::size_t bin,
                                             float* spectrum) {
  Floats re[count][kVectors] = {}, im[count][kVectors] = {};
  for (std::size_t s = 0; s < kScales; ++s) {
    Floats values[kVectors];
    load(values, features + s * kScaleValues);
    for (std::size_t k = 0; k < count; ++k) {
      for (int i = 0; i < kVectors; ++i) {
        re[k][i] += kWeights[bin + k][s] * values[i];
        im[k][i] += kWeights[kScaleBins + bin + k][s] * values[i];
      }
    }
  }
  for (std::size_t k = 0; k < count; ++k) {
    float* to = spectrum + 2 * (bin + k) * kScaleValues;
    store(re[k], to);
    store(im[k], to + kScaleValues);
  }
}

template <typename Floats>
[[gnu::always_inline]] inline void make_spectrum(const float* features, float* spectrum) {
  constexpr int kBlock = kVectors * kLanes<Floats>;
  static_assert(kScaleValues % kBlock == 0);
  constexpr std::size_t kRest = kScaleBins % kBinsAtOnce;
  for (int v = 0; v < kScaleValues; v += kBlock) {
    for (std::size_t k = 0; k + kRest < kScaleBins; k += kBinsAtOnce) {
      transform<Floats, kBinsAtOnce>(features + v, k, spectrum + v);
    }
    transform<Floats, kRest>(features + v, kScaleBins - kRest, spectrum + v);
  }
}

void make_narrow(const float* features, float* spectrum) {
  make_spectrum<Floats4>(features, spectrum);
}
CLTRACK_AVX2 void make_wide(const float* features, float* spectrum) {
  make_spectrum<Floats8>(features, spectrum);
}

}  // namespace

void scale_spectra(std::span<const float> features, std::span<float> spectrum) {
  static const auto body = fastest_body(make_narrow, make_wide);
  body(features.data(), spectrum.data());
}

}  // namespace vector

namespace {

constexpr int kItems = 64;  // of a work-group

}  // namespace

void scale_spectra(Queue& queue, const Array<float>& features, Array<float>& spectra) {
  if (features.size() % kScaleFeatures != 0) {
    throw Error(ErrorCode::invalid_argument,
                "scale_spectra: " + std::to_string(features.size()) +
                    " features; allowed: " + std::to_string(kScaleFeatures) + " for each target");
  }
  const std::size_t targets = features.size() / kScaleFeatures;
  spectra.resize(targets * kScaleSpectrum);
  if (targets == 0) return;
  if (queue.is_host()) {
    const auto from = features.host_read();
    const auto to = spectra.host_write();
    queue.run(static_cast<int>(targets), [&](int i) {
      vector::scale_spectra(entry_at(from, i, kScaleFeatures), entry_at(to, i, kScaleSpectrum));
    });
    return;
  }
  launch(queue, {"scale_spectra", "scale_spectra"}, global(kScaleValues, kScaleBins, targets),
         local(kItems, 1, 1), in(features), out(spectra));
}

namespace reference {

void scale_respond(std::span<const float> spectrum, std::span<const float> numerators,
                   std::span<const float> denominators, std::span<float> responses) {
  float sums_re[kScaleBins], sums_im[kScaleBins];
  for (std::size_t k = 0; k < kScaleBins; ++k) {
    const std::size_t first = 2 * k * kScaleValues;
    float lanes_re[kScaleLanes] = {}, lanes_im[kScaleLanes] = {};
    for (std::size_t v = 0; v < kScaleValues; ++v) {
      const float re = spectrum[first + v], im = spectrum[first + kScaleValues + v];
      const float by_re = numerators[first + v], by_im = numerators[first + kScaleValues + v];
      lanes_re[v % kScaleLanes] += by_re * re - by_im * im;
      lanes_im[v % kScaleLanes] += by_re * im + by_im * re;
    }
    const float scale = denominators[k] + CLTRACK_SCALE_FLOOR;
    sums_re[k] = sum_of_lanes(lanes_re) / scale;
    sums_im[k] = sum_of_lanes(lanes_im) / scale;
  }
  for (std::size_t s = 0; s < kScales; ++s) {
    float sum = sums_re[0];
    for (std::size_t k = 1; k < kScaleBins; ++k) {
      sum += 2 * (sums_re[k] * kScaleCos[k][s] - sums_im[k] * kScaleSin[k][s]);
    }
    responses[s] = sum * (1.0f / kScales);
  }
}

}  // namespace reference

namespace vector {

namespace {

[[gnu::always_inline]] inline void respond(const float* spectrum, const float* numerators,
                                           const float* denominators, float* responses) {
  float sums[kScales] = {};
  for (std::size_t k = 0; k < kScaleBins; ++k) {
    const float* x = spectrum + 2 * k * kScaleValues;
    const float* by = numerators + 2 * k * kScaleValues;
    float lanes_re[kScaleLanes] = {}, lanes_im[kScaleLanes] = {};
    for (int v = 0; v < kScaleValues; v += kScaleLanes) {
      for (int lane = 0; lane < kScaleLanes; ++lane) {
        const float re = x[v + lane], im = x[kScaleValues + v + lane];
        const float by_re = by[v + lane], by_im = by[kScaleValues + v + lane];
        lanes_re[lane] += by_re * re - by_im * im;
        lanes_im[lane] += by_re * im + by_im * re;
      }
    }
    const float scale = denominators[k] + CLTRACK_SCALE_FLOOR;
    const float re = sum_of_lanes(lanes_re) / scale, im = sum_of_lanes(lanes_im) / scale;
    if (k == 0) {
      for (float& sum : sums) sum = re;
    } else {
      for (std::size_t s = 0; s < kScales; ++s) {
        sums[s] += 2 * (re * kScaleCos[k][s] - im * kScaleSin[k][s]);
      }
    }
  }
  for (std::size_t s = 0; s < kScales; ++s) responses[s] = sums[s] * (1.0f / kScales);
}

}  // namespace

void scale_respond(std::span<const float> spectrum, std::span<const float> numerators,
                   std::span<const float> denominators, std::span<float> responses) {
  kFastest<respond>(spectrum.data(), numerators.data(), denominators.data(), responses.data());
}

}  // namespace vector

void scale_respond(Queue& queue, const Array<float>& spectra, const Array<ScaleRespondJob>& jobs,
                   const Array<float>& numerators, const Array<float>& denominators,
                   Array<float>& responses) {
  check_scale_filters("scale_respond", spectra, numerators, denominators);
  responses.resize(jobs.size() * kScales);
  if (jobs.size() == 0) return;
  if (queue.is_host()) {
    const auto from = spectra.host_read();
    const auto above = numerators.host_read();
    const auto below = denominators.host_read();
    const auto to = responses.host_write();
    for_each_job(queue, jobs.host_read(), [&](const auto& job, std::size_t i) {
      vector::scale_respond(entry_at(from, job.window, kScaleSpectrum),
                            entry_at(above, job.slot, kScaleSpectrum),
                            entry_at(below, job.slot, kScaleBins), entry_at(to, i, kScales));
    });
    return;
  }
  const KernelName name = {"scale_respond", "scale_respond"};
  const std::uint64_t items = items_of_group(queue, name, 1, kScaleBins * kScaleLanes);
  launch(queue, name, global(items, jobs.size()), local(items, 1), in(spectra), in(jobs),
         in(numerators), in(denominators), out(responses));
}

namespace reference {

namespace {

float mixed(float old, float latest, float rate) {
  return rate == 1 ? latest : (1 - rate) * old + rate * latest;
}

}  // namespace

void scale_learn(std::span<const float> spectrum, float rate, std::span<float> numerators,
                 std::span<float> denominators) {
  for (std::size_t k = 0; k < kScaleBins; ++k) {
    const std::size_t first = 2 * k * kScaleValues;
    float lanes[kScaleLanes] = {};
    for (std::size_t v = 0; v < kScaleValues; ++v) {
      const float re = spectrum[first + v], im = spectrum[first + kScaleValues + v];
      float& to_re = numerators[first + v];
      float& to_im = numerators[first + kScaleValues + v];
      to_re = mixed(to_re, kScaleLabelRe[k] * re + kScaleLabelIm[k] * im, rate);
      to_im = mixed(to_im, kScaleLabelIm[k] * re - kScaleLabelRe[k] * im, rate);
      lanes[v % kScaleLanes] += re * re + im * im;
    }
    denominators[k] = mixed(denominators[k], sum_of_lanes(lanes), rate);
  }
}

}  // namespace reference

namespace vector {

namespace {

// `mixed(old, latest)`: what is kept of both.
template <typename Mixed>
[[gnu::always_inline]] inline void learn_all(const float* spectrum, float* numerators,
                                             float* denominators, const Mixed& mixed) {
  for (std::size_t k = 0; k < kScaleBins; ++k) {
    const float label_re = kScaleLabelRe[k], label_im = kScaleLabelIm[k];
    const float* from = spectrum + 2 * k * kScaleValues;
    float* to = numerators + 2 * k * kScaleValues;
    float lanes[kScaleLanes] = {};
    for (int v = 0; v < kScaleValues; v += kScaleLanes) {
      for (int lane = 0; lane < kScaleLanes; ++lane) {
        const float re = from[v + lane], im = from[kScaleValues + v + lane];
        float& to_re = to[v + lane];
        float& to_im = to[kScaleValues + v + lane];
        to_re = mixed(to_re, label_re * re + label_im * im);
        to_im = mixed(to_im, label_im * re - label_re * im);
        lanes[lane] += re * re + im * im;
      }
    }
    denominators[k] = mixed(denominators[k], sum_of_lanes(lanes));
  }
}

[[gnu::always_inline]] inline void learn(const float* spectrum, float rate, float* numerators,
                                         float* denominators) {
  if (rate == 1) {
    learn_all(spectrum, numerators, denominators, [](float, float latest) { return latest; });
  } else {
    learn_all(spectrum, numerators, denominators,
              [=](float old, float latest) { return (1 - rate) * old + rate * latest; });
  }
}

}  // namespace

void scale_learn(std::span<const float> spectrum, float rate, std::span<float> numerators,
                 std::span<float> denominators) {
  kFastest<learn>(spectrum.data(), rate, numerators.data(), denominators.data());
}

}  // namespace vector

void check_scale_filters(const char* op, const Array<float>& spectra,
                         const Array<float>& numerators, const Array<float>& denominators) {
  if (spectra.size() % kScaleSpectrum != 0 || denominators.size() % kScaleBins != 0 ||
      numerators.size() != denominators.size() / kScaleBins * kScaleSpectrum) {
    throw Error(ErrorCode::invalid_argument,
                std::string(op) + ": " + std::to_string(spectra.size()) + " values of spectra, " +
                    std::to_string(numerators.size()) + " numerators, " +
                    std::to_string(denominators.size()) +
                    " denominators; allowed: " + std::to_string(kScaleSpectrum) +
                    " values and numerators for " + std::to_string(kScaleBins) + " denominators");
  }
}

void scale_learn(Queue& queue, const Array<float>& spectra, const Array<ScaleLearnJob>& jobs,
                 Array<float>& numerators, Array<float>& denominators) {
  check_scale_filters("scale_learn", spectra, numerators, denominators);
  if (jobs.size() == 0) return;
  if (queue.is_host()) {
    const auto from = spectra.host_read();
    const auto above = numerators.host_update();
    const auto below = denominators.host_update();
    for_each_job(queue, jobs.host_read(), [&](const ScaleLearnJob& job, std::size_t) {
      vector::scale_learn(entry_at(from, job.window, kScaleSpectrum), job.rate,
                          entry_at(above, job.slot, kScaleSpectrum),
                          entry_at(below, job.slot, kScaleBins));
    });
    return;
  }
  launch(queue, {"scale_learn", "scale_learn"}, global(kScaleLanes, kScaleBins, jobs.size()),
         local(kScaleLanes, 1, 1), in(spectra), in(jobs), inout(numerators), inout(denominators));
}

}  // namespace cltrack
