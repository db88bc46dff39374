// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/ferns/select_best.h"

#include <algorithm>

namespace cltrack {

void reference::select_best(std::vector<Candidate>& candidates, std::size_t count) {
  const auto better = [](const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score > b.score : a.window < b.window;
  };
  const auto kept = static_cast<std::ptrdiff_t>(std::min(count, candidates.size()));
  std::partial_sort(candidates.begin(), candidates.begin() + kept, candidates.end(), better);
  candidates.resize(static_cast<std::size_t>(kept));
}

}  // namespace cltrack
