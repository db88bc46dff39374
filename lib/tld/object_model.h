// SPDX-License-Identifier: LGPL-2.1-or-later
// The object model (patches), detections, and their refinement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/tld_config.h"
#include "compute/array.h"
#include "core/random.h"
#include "ops/patches/extract_patches.h"
#include "ops/patches/nearest_patches.h"

namespace cltrack {

// The object model: patches of the target (positives) and of what is not the target (negatives).

// How much a patch looks like the target, TPAMI section 5.1.
struct PatchSimilarity {
  float relative = 0;      // Sr = dN / (dN + dP), dN and dP the distances (1 - similarity) to the
                           //   nearest negative and positive; 0 to 1
  float conservative = 0;  // Sc, the same with the oldest half of the positives alone
  bool known_positive = false;  // nearly the same as a positive
  bool known_negative = false;  // nearly the same as a negative
  NearestPatches nearest;
};

class ObjectModel {
 public:
  explicit ObjectModel(const TldConfig& config);

  const std::vector<Patch>& positives() const { return positives_.patches; }
  const std::vector<Patch>& negatives() const { return negatives_.patches; }

  PatchSimilarity similarity(const Patch& patch) const;
  // The same for somebody who has looked for the nearest patches elsewhere, among as many of the
  // oldest positives as conservative_count() says.
  PatchSimilarity similarity(const NearestPatches& nearest) const;
  std::size_t conservative_count() const;

  // Change whenever the patches do; from 1 on.
  std::uint64_t positives_version() const { return positives_.version; }
  std::uint64_t negatives_version() const { return negatives_.version; }

  // Learns `positive` unless its relative similarity already exceeds `nn_threshold`; and those of
  // `negatives` whose relative similarity exceeds 0.5, in a random order. A new positive goes right
  // behind its nearest one, so that the first half of the list stays what was learnt early.
  // Beyond its cap, a list forgets the patch that has been nearest to nothing for the longest time;
  // the very first positive is never forgotten. `negatives` are their similarities to this model as
  // it is now; patch_of(i) is called when there is something to learn, and must then
  // remain valid.
  void learn(const Patch& positive, std::span<const PatchSimilarity> negatives,
             const std::function<const Patch&(std::size_t)>& patch_of, float nn_threshold,
             Random& random);

  // The same for patches whose similarity is not known.
  void learn_patches(const Patch& positive, std::span<const Patch> negatives, float nn_threshold,
                     Random& random);

  // Replaces all patches by those of another model, in its order; at most as many as the limits.
  void restore(std::span<const Patch> positives, std::span<const Patch> negatives);

  // Remembers that this similarity was used, and with it the patches that are nearest to it.
  void touch(const PatchSimilarity& similarity);

  friend bool operator==(const ObjectModel&, const ObjectModel&) = default;

 private:
  struct List {
    std::vector<Patch> patches;
    std::vector<std::uint64_t> used;  // clock_ when the patch was last the nearest
    std::size_t cap = 0;
    std::uint64_t version = 1;

    // Returns true if another patch had to be forgotten for it.
    bool insert(std::size_t place, const Patch& patch, std::uint64_t now, std::size_t pinned);

    // How often it changed does not matter.
    friend bool operator==(const List& a, const List& b) {
      return a.patches == b.patches && a.used == b.used && a.cap == b.cap;
    }
  };

  float same_patch_;  // similarity from which patches are the same, 0 to 1
  float conservative_share_;
  List positives_;
  List negatives_;
  std::uint64_t clock_ = 0;  // counts calls of learn() and touch()
};

// A window that passed the ferns, and how much it looks like the target.
struct Detection {
  std::uint32_t window = 0;  // of the target's grid
  BoundingBox box;           // the window's, until it is refined
  PatchSimilarity similarity;
  bool counts = true;  // the target may be found again there
};

// Moves detections from the windows of the grid to where they look most like the target: the grid
// is a tenth of the window coarse, and a fifth in size, which alone can cost a patch its likeness.

// The detections that are worth refining: the config.refined_detections best ones of those within
// config.refine_margin of `nn_threshold`, the most similar one first.
std::vector<Detection*> promising(std::vector<Detection>& detections, float nn_threshold,
                                  const TldConfig& config);

// Climbs from a detection to a local maximum of the relative similarity: steps of a twentieth of
// the box, then a fortieth, and larger ones before them where the detection's window is further
// from its neighbours: `shift`, fraction of the shorter side. Replaces its box and similarity.
// Several threads may refine a detection each.
void refine(Detection& detection, const Plane& luma, const ObjectModel& model, float shift);

}  // namespace cltrack
