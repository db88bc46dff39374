// SPDX-License-Identifier: LGPL-2.1-or-later
// The object model: patches of the target (positives) and of what is not the target (negatives).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/random.h"
#include "ops/patch.h"
#include "tld/config.h"

namespace cltrack {

// How much a patch looks like the target, TPAMI section 5.1.
struct Similarity {
  float relative = 0;      // Sr = dN / (dN + dP), dN and dP the distances (1 - similarity) to the
                           //   nearest negative and positive; 0 to 1
  float conservative = 0;  // Sc, the same with the oldest half of the positives alone
  bool known_positive = false;  // nearly the same as a positive
  bool known_negative = false;  // nearly the same as a negative
  int nearest_positive = -1;    // index, -1 if there are none
  int nearest_negative = -1;
};

class ObjectModel {
 public:
  explicit ObjectModel(const TldConfig& config);

  const std::vector<Patch>& positives() const { return positives_.patches; }
  const std::vector<Patch>& negatives() const { return negatives_.patches; }

  Similarity similarity(const Patch& patch) const;

  // Learns `positive` unless its relative similarity already exceeds `nn_threshold`; and those of
  // `negatives` whose relative similarity exceeds 0.5, in a random order. A new positive goes right
  // behind its nearest one, so that the first half of the list stays what was learnt early.
  // Beyond its cap, a list forgets the patch that has been nearest to nothing for the longest time;
  // the very first positive is never forgotten.
  void learn(const Patch& positive, std::span<const Patch> negatives, float nn_threshold,
             Random& random);

  // Remembers that this similarity was asked for, so that its nearest patches count as used.
  void touch(const Similarity& similarity);

 private:
  struct List {
    std::vector<Patch> patches;
    std::vector<std::uint64_t> used;  // clock_ when the patch was last the nearest
    std::size_t cap = 0;

    void insert(std::size_t place, const Patch& patch, std::uint64_t now, std::size_t pinned);
  };

  float same_patch_;  // similarity from which patches are the same, 0 to 1
  float conservative_share_;
  List positives_;
  List negatives_;
  std::uint64_t clock_ = 0;  // counts calls of learn() and touch()
};

}  // namespace cltrack
