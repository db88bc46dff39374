// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/scale_respond.h"

#include "compute/launch.h"
#include "ops/filter/scale_learn.h"
#include "ops/filter/scale_tables.h"

namespace cltrack {

void scale_respond(Queue& queue, const Array<float>& spectra, const Array<ScaleRespondJob>& jobs,
                   const Array<float>& numerators, const Array<float>& denominators,
                   Array<float>& responses) {
  check_scale_filters("scale_respond", spectra, numerators, denominators);
  responses.resize(jobs.size() * kScales);
  if (jobs.size() == 0) return;
  if (queue.is_host()) {
    const auto from = spectra.host_read();
    const auto all = jobs.host_read();
    const auto above = numerators.host_read();
    const auto below = denominators.host_read();
    const auto to = responses.host_write();
    queue.run(static_cast<int>(all.size()), [&](int job) {
      const auto i = static_cast<std::size_t>(job);
      const auto window = static_cast<std::size_t>(all[i].window);
      const auto slot = static_cast<std::size_t>(all[i].slot);
      vector::scale_respond(from.subspan(window * kScaleSpectrum, kScaleSpectrum),
                            above.subspan(slot * kScaleSpectrum, kScaleSpectrum),
                            below.subspan(slot * kScaleBins, kScaleBins),
                            to.subspan(i * kScales, kScales));
    });
    return;
  }
  const KernelName name = {"scale_respond", "scale_respond"};
  const std::uint64_t items = items_of_group(queue, name, 1, kScaleBins * kScaleLanes);
  launch(queue, name, global(items, jobs.size()), local(items, 1), in(spectra), in(jobs),
         in(numerators), in(denominators), out(responses));
}

}  // namespace cltrack
