// SPDX-License-Identifier: LGPL-2.1-or-later
// Presence: the evidence for places of a target, and the probability that it is there.
#pragma once

#include <optional>
#include <span>

#include "cltrack/bounding_box.h"
#include "identity/identity.h"
#include "motion/motion_estimator.h"

namespace cltrack {

// The mean response of a target's correlation filter where that is right. Some targets have
// responses of 0.7 and others of 0.3, so responses are compared with the target's earlier ones.
class ResponseBaseline {
 public:
  struct Ratios {
    float filter = 1;
    float color = 1;
    float color_psr = 1;
    // How well the colours distinguish the target from its surroundings, 0 to 1: from the baseline
    // of their peak-to-sidelobe ratio.
    float color_weight = 1;
  };

  // A frame on which the filter was believed. The first hundred count alike, then older ones less
  // and less: slowly, as a target that is hidden bit by bit must not take the mean down with it.
  void add(const FilterQuality& quality);

  // `quality` as multiples of the baseline; before the first frame, of most filters' responses.
  Ratios compare(const FilterQuality& quality) const;

 private:
  class Mean {
   public:
    explicit Mean(float expected) : value_(expected) {}
    void add(float value);
    float ratio(float value) const { return value_ > 0 ? value / value_ : 1; }
    float value() const { return value_; }

   private:
    float value_;
    int count_ = 0;  // of values, as far as they count alike
  };

  // The medians of the first responses to 120 targets, the last one about. The responses of colours
  // differ too much for that.
  Mean filter_{0.44f};
  Mean color_{0};
  Mean color_psr_{4};
};

// The presence with which a place is believed at once, and others than motion need not look for the
// target on each frame.
inline constexpr float kSurePresence = 0.9f;

// How probable it is that a box shows the target, from all that is known of the box: a logistic
// regression. presence_terms() is what it is made of.

struct Evidence {
  // The filter's response, as a multiple of the ResponseBaseline. The response itself says little:
  // a filter that has learnt background responds to that as well as it did to the target.
  float filter_ratio = 1;
  float filter_psr = 20;  // how far the response stands out, see filter_response.h
  // How far that of the colours does, as a multiple of the baseline; and how much that says, 0 to
  // 1: nothing if the target has the colours of its surroundings.
  float color_ratio = 1;
  float color_weight = 1;
  // The response of the colours, as a multiple of the baseline, while the target is not surely
  // here, or of another place: there the highest response of a window stands out whatever it is.
  // Where the target was a moment ago, its colours are changed by light and shadow alone, and this
  // is 1.
  float color_level = 1;
  float conservative = 0;  // similarity of the box's patch to the object model
  int support = 0;         // windows that passed the ferns and overlap the box by more than half
  // Frames in a row, this one included, on which the box was more like what is not the target.
  int negative_frames = 0;
  float inside = 1;  // share of the box that is in the picture
  // How far the filter's response has fallen lately, of the box that motion has carried on: the
  // logarithm of the baseline's multiple of it, 0 to 2, fading by a hundredth a frame.
  float response_drop = 0;
  // Frames since somebody said where the target is, of the box that motion has carried on from
  // there: it cannot be far, and its baseline is not known yet.
  int age = kWarmupFrames;

  // The highest score that a network has given to a place much like the box; nothing if it was not
  // asked.
  std::optional<float> network_score = {};

  // Who it is; of the box that motion has carried on, smoothed over the latest frames.
  IdentityEvidence identity = {};
  // Motion has led there; else it is another place.
  bool is_here = true;
  // The target may have come to the box from anywhere: it is another place, or was lost for long.
  bool is_elsewhere = false;

  static constexpr int kWarmupFrames = 12;  // from here on, all are alike
};

// One term of the regression: it adds weight * value(evidence) to the logarithm of the odds.
struct PresenceTerm {
  const char* name;
  const char* reason;  // what fallen_evidence() calls it; null if its fall explains nothing
  double (*value)(const Evidence& evidence);
  double weight;
  // Fitted to what the tracker itself met on sequences, on what was made of them, and on videos
  // with pasted targets that vanish; else set by hand, by what it is worth in runs of the tracker.
  // docs/notes/tld-experiments.md has both.
  bool is_fitted;
  // Where a network was asked: of other places, and of where motion has led as compared with those.
  // There the network tells what the filter tells elsewhere. Fitted.
  double other_weight = 0, compared_weight = 0;
};
std::span<const PresenceTerm> presence_terms();

// The sum of all terms.
double log_odds(const Evidence& evidence);

// 0 to 1: the share of such boxes that overlap the target by at least a quarter.
float presence(const Evidence& evidence);

// The same for what is reported. It is less after the filter's response has fallen, and while it is
// ambiguous who is who: then appearance has to speak for the target, which filter, ferns and object
// model cannot do.
float reported_presence(const Evidence& evidence);

// Whether a network is so sure of it that what is reported does not fall.
bool is_sure_network(const Evidence& evidence);

// Whether motion may have gone over to somebody else. It does so where two meet and one hides the
// other, and that takes the filter's response down.
bool may_have_switched(const Evidence& evidence);

// The reason whose terms have made presence() fall most since the frame of `before`: "filter" (its
// response, or how far that stands out), "colors", "object-model", "detector", "background" (the
// box is more like that), "appearance" (it looks like somebody else) or "outside".
const char* fallen_evidence(const Evidence& before, const Evidence& now);

// A place where the target may be.
struct Hypothesis {
  BoundingBox box;
  float presence = 0;  // probability, see presence()
  Evidence evidence = {};
};

// Of where motion has led, as compared with other places: at most its presence, and less where a
// network is less sure of it. The filter has learnt what it follows, and is sure of it whatever
// that is.
float compared_presence(const Hypothesis& here);

}  // namespace cltrack
