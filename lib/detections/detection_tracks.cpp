// SPDX-License-Identifier: LGPL-2.1-or-later
#include "detections/detection_tracks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "cltrack/error.h"
#include "core/assignment.h"
#include "core/owners.h"

namespace cltrack {
namespace {

// Intersection over union:
constexpr float kSame = 0.3f;     // of a track and its detection, at least
constexpr float kInPlace = 0.5f;  // of a track and a detection that need not move it
constexpr float kTaken = 0.5f;    // of a track and a detection that starts no other; of two tracks
constexpr float kContained = 0.7f;  // share of the smaller box: a part, or a group
constexpr float kHidden = 0.3f;     // the same: one may hide the other
constexpr float kSameSize = 0.5f;   // of two boxes with one corner

// A detection that overlaps no box of the track may be its own, if it is not too far away.
constexpr float kFarGain = 0.3f;    // of one at the predicted place, as of an overlap
constexpr float kReach = 0.5f;      // shorter sides, and as many each second
constexpr float kLostReach = 1.5f;  // the same of one that the tracker has lost
constexpr float kMostReach = 3.0f;
constexpr float kMostGrowth = 1.6f;  // of the height
constexpr double kMostGuess = 2.0;   // seconds for which a velocity is believed

constexpr float kLikenessWeight = 2.0f;
constexpr float kMostLikeness = 0.2f;  // less is enough to decide between two people
constexpr float kLeastSimilar = 0.8f;  // of what comes back

constexpr float kStartConfidence = 0.5f;  // less sure detections only confirm
constexpr int kMissedRounds = 2;          // from here on a track is unconfirmed
constexpr double kMissedSeconds = 0.5;    // more than a round; a short time
constexpr int kFewHits = 3;               // with fewer, a track ends as soon as it is unconfirmed
constexpr int kMostTurns = 4;             // of two tracks on one object
constexpr double kSparse = 0.9;           // seconds between rounds; then one hit must be enough
constexpr int kHits = 2;
// From the first to the last of them, seconds: a part of an object or a group that a fast detector
// takes for an object once, it takes for one on the next frames as well.
constexpr double kHitSeconds = 0.15;

// A velocity is a mean over about so many seconds: from one frame to the next, a detector's boxes
// move less than they are inaccurate. Where rounds are rare, the latest two count for half at most.
constexpr float kVelocitySeconds = 0.3f;
constexpr float kMostVelocityRate = 0.5f;

constexpr std::ptrdiff_t kMostCandidates = 50;  // tracks that a detection is compared with
constexpr std::size_t kMostLabels = 256;        // of which rounds are known: labels may be anything

std::string crowd_warning(const DetectedFrame& detected) {
  const std::size_t count = detected.detections.size();
  return "a frame has " + std::to_string(count + detected.left_out) + " detections, of which the " +
         std::to_string(count) +
         " most confident ones are used, here and on later frames: fewer count with types, a least "
         "confidence or a region (of cltracker: detection-types, detection-confidence, region)";
}

double seconds_of(std::uint64_t ns) { return static_cast<double>(ns) / 1e9; }

}  // namespace

double DetectionTracks::interval(const Known& track) const {
  const auto found = rounds_.find(track.label);
  return found != rounds_.end() ? found->second.interval() : 0;
}

bool DetectionTracks::is_unconfirmed(const Known& track) const {
  if (!track.is_ours) return false;
  if (track.is_refound && interval(track) > 0) return true;
  return track.misses >= kMissedRounds ||
         (track.misses > 0 && now_ - track.confirmed_at > kMissedSeconds + interval(track));
}

// Where it should be by the velocity of its confirmed boxes.
BoundingBox DetectionTracks::predicted(const Known& track) const {
  const auto [vx, vy] = track.velocity.value_or(TrackPoint{});
  const auto seconds = static_cast<float>(std::clamp(now_ - track.confirmed_at, 0.0, kMostGuess));
  const BoundingBox& box = track.confirmed_box;
  return {box.x + vx * seconds, box.y + vy * seconds, box.width, box.height};
}

// What of a detection can be tracked: detectors find small things, too.
std::optional<BoundingBox> DetectionTracks::inside(const BoundingBox& box) const {
  const BoundingBox inside = clip_to_frame(box, frame_.width, frame_.height);
  if (std::min(inside.width, inside.height) < kMinimumBoxSide) return std::nullopt;
  return inside;
}

// How well `box` fits where the tracker has the track, and where its velocity leads. 0: not at all.
float DetectionTracks::motion_gain(const Known& track, const BoundingBox& box) const {
  float best = track.is_displaced ? kFarGain : 0;
  const auto consider = [&](float same) {
    if (same >= kSame) best = std::max(best, same);
  };
  if (!track.is_lost) consider(overlap(track.box, box));
  if (track.is_displaced) return best;
  const bool is_guess = track.hits > 0;
  // What the application has added is looked for around its latest box.
  const BoundingBox at = is_guess ? predicted(track) : track.box;
  if (!at.is_valid()) return best;
  if (is_guess) consider(overlap(at, box));
  if (!is_guess && !track.is_lost) return best;
  if (std::max(at.height / box.height, box.height / at.height) > kMostGrowth) return best;
  const auto seconds = static_cast<float>(std::max(now_ - track.confirmed_at, 0.0));
  const float reach = std::min((track.is_lost ? kLostReach : kReach) * (1 + seconds), kMostReach);
  const float away = std::hypot(at.center_x() - box.center_x(), at.center_y() - box.center_y()) /
                     std::min(at.width, at.height);
  return std::max(best, kFarGain * (1 - away / reach));
}

// Whether it may be all of what was detected before: boxes that are less sure are often of legs, or
// of somebody and what stands beside, and would draw the track off.
bool DetectionTracks::has_its_size(const Known& track, const BoundingBox& box) const {
  const BoundingBox& known = track.hits > 0 ? track.confirmed_box : track.box;
  return overlap({0, 0, known.width, known.height}, {0, 0, box.width, box.height}) >= kSameSize;
}

// The tracks that are nearest to the detection, and what it looks like beside them.
std::vector<DetectionTracks::Candidate> DetectionTracks::candidates(
    std::size_t detection, std::span<Item* const> tracks) const {
  std::vector<Candidate> near;
  for (std::size_t t = 0; t < tracks.size(); ++t) near.push_back({t, &tracks[t]->second, 0, 0});
  if (near.size() > kMostCandidates) {
    const BoundingBox& box = detections_[detection].box;
    const auto away = [&](const Candidate& one) {
      return std::hypot(one.track->box.center_x() - box.center_x(),
                        one.track->box.center_y() - box.center_y());
    };
    std::ranges::nth_element(near, near.begin() + kMostCandidates, {}, away);
    near.resize(kMostCandidates);
  }
  const std::optional<Appearance>& sample = appearances_[detection];
  if (!sample) return near;
  for (Candidate& one : near) one.similar = one.track->gallery.similarity(*sample);
  for (Candidate& one : near) {
    float other = 0;
    for (const Candidate& rival : near) {
      if (rival.index != one.index) other = std::max(other, rival.similar);
    }
    one.looks = std::clamp(one.similar - other, -kMostLikeness, kMostLikeness);
  }
  return near;
}

// How well a detection fits a track: by motion, and by how much more it looks like this track than
// like any other.
float DetectionTracks::gain(const Candidate& candidate, std::size_t detection) const {
  const auto& [index, track, similar, looks] = candidate;
  if (track->is_ours && track->label != detections_[detection].label) return 0;
  // "start" leaves to the tracker where its tracks are.
  if (config_.use == DetectionUse::start && track->is_lost) return 0;
  const float by_motion = motion_gain(*track, detections_[detection].box);
  if (by_motion <= 0) return 0;
  if (!appearances_[detection] || track->gallery.empty()) {
    return track->is_displaced ? 0 : by_motion;
  }
  const bool comes_back = is_unconfirmed(*track) || track->is_lost || track->is_displaced;
  if (comes_back && (similar < kLeastSimilar || looks < 0)) return 0;
  return std::max(by_motion + kLikenessWeight * looks, 0.0f);
}

// A tentative track beside one that is held: where detections are inaccurate, most likely a second
// one of the same object. Long after the latest round nobody knows where the other one has gone.
bool DetectionTracks::is_beside_another(const Item& item, const DetectionTargets& targets) const {
  const std::uint64_t id = item.first;
  const Known& track = item.second;
  if (!targets.is_tentative(id) || interval(track) > kMissedSeconds) return false;
  const BoundingBox& box = track.confirmed_box;
  return std::ranges::any_of(tracks_, [&](const Item& rival) {
    const auto& [other, held] = rival;
    if (other == id || held.is_lost || (held.is_ours && held.label != track.label)) return false;
    const bool is_beside = share_of_smaller(held.box, box) >= kHidden ||
                           (held.hits > 0 && share_of_smaller(predicted(held), box) >= kHidden);
    return is_beside && !targets.is_tentative(other) && !is_unconfirmed(held);
  });
}

// The assignment of all detections to all tracks, in three stages: tentative tracks beside others
// get what these leave, and detections that are less sure go to tracks that are held and got none
// (the last as in Zhang et al., "ByteTrack", ECCV 2022).
void DetectionTracks::match(const DetectionTargets& targets) {
  std::vector<Item*> tracks;
  std::vector<bool> is_beside;
  for (Item& item : tracks_) {
    tracks.push_back(&item);
    is_beside.push_back(is_beside_another(item, targets));
  }
  std::array<std::vector<AssignmentPair>, 3> stages;
  for (std::size_t d = 0; d < detections_.size(); ++d) {
    const bool sure = detections_[d].confidence >= kStartConfidence;
    for (const Candidate& one : candidates(d, tracks)) {
      const bool is_held = !is_unconfirmed(*one.track);
      if (!sure && !(is_held && has_its_size(*one.track, detections_[d].box))) continue;
      const std::size_t stage = !sure ? 2 : is_beside[one.index] ? 1 : 0;
      stages[stage].push_back({static_cast<int>(one.index), static_cast<int>(d), gain(one, d)});
    }
  }
  std::vector<bool> is_taken(detections_.size());
  for (std::vector<AssignmentPair>& pairs : stages) {
    std::erase_if(pairs, [&](const AssignmentPair& pair) {
      return is_taken[static_cast<std::size_t>(pair.column)] ||
             confirmed_.contains(tracks[static_cast<std::size_t>(pair.row)]->first);
    });
    const auto found =
        assign(pairs, static_cast<int>(tracks.size()), static_cast<int>(detections_.size()));
    for (std::size_t t = 0; t < tracks.size(); ++t) {
      if (!found[t]) continue;
      const auto detection = static_cast<std::size_t>(*found[t]);
      confirmed_[tracks[t]->first] = detection;
      is_taken[detection] = true;
    }
  }
}

// Puts the track where it is detected, as far as that is wanted.
void DetectionTracks::confirm(std::uint64_t id, const DetectedObject& detection,
                              DetectionTargets& targets) {
  Known& track = tracks_[id];
  const std::optional<BoundingBox> box = inside(detection.box);
  if (box && config_.use != DetectionUse::start) {
    const bool is_off = config_.use == DetectionUse::start_and_correct &&
                        (overlap(track.box, *box) < kInPlace || is_unconfirmed(track));
    if ((track.is_lost || is_off) && targets.place(id, *box)) {
      track.correction.reset();
      track.box = *box;
    }
  }
  if (track.is_displaced) track.velocity.reset();
  if (track.hits > 0 && !track.is_displaced && now_ > track.confirmed_at) {
    const auto seconds = static_cast<float>(now_ - track.confirmed_at);
    const BoundingBox& before = track.confirmed_box;
    const TrackPoint now = {(detection.box.center_x() - before.center_x()) / seconds,
                            (detection.box.center_y() - before.center_y()) / seconds};
    const TrackPoint mean = track.velocity.value_or(now);
    const float rate = std::min(1 - std::exp(-seconds / kVelocitySeconds), kMostVelocityRate);
    track.velocity = {mean.x + rate * (now.x - mean.x), mean.y + rate * (now.y - mean.y)};
  }
  if (track.hits == 0) track.started_at = now_;
  track.confirmed_box = detection.box;
  track.confirmed_at = now_;
  track.misses = 0;
  track.is_refound = track.is_displaced = false;
  ++track.hits;
}

// Another detection of the same object, a part of it, or a group with it.
bool DetectionTracks::is_on_a_track(const DetectedObject& detection) const {
  return std::ranges::any_of(tracks_, [&](const Item& item) {
    const auto& [id, track] = item;
    if (track.is_ours && track.label != detection.label) return false;
    if (confirmed_.contains(id)) {
      return overlap(track.confirmed_box, detection.box) >= kTaken ||
             share_of_smaller(track.confirmed_box, detection.box) >= kContained;
    }
    return !track.is_ours && !track.is_lost && overlap(track.box, detection.box) >= kTaken;
  });
}

// False if there is no room for another target.
bool DetectionTracks::start(std::size_t index, DetectionTargets& targets,
                            std::vector<std::string>& warnings) {
  const DetectedObject& detection = detections_[index];
  const std::optional<BoundingBox> box = inside(detection.box);
  if (!box) return true;
  try {
    const std::uint64_t id = targets.start(*box, detection.label);
    Known& track = tracks_[id];
    track.label = detection.label;
    track.box = *box;
    track.is_ours = true;
    confirm(id, detection, targets);
    confirmed_[id] = index;
    is_full_ = false;
    return true;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::invalid_argument) throw;
    if (!is_full_) warnings.push_back(std::string("a detection is not tracked: ") + error.what());
    is_full_ = true;
    return false;
  }
}

// Nobody may hide it, or be hidden behind it: one who was missed a moment ago is still there.
bool DetectionTracks::is_alone(std::uint64_t id, const BoundingBox& box) const {
  return std::ranges::none_of(tracks_, [&](const Item& item) {
    const auto& [other, track] = item;
    if (other == id) return false;
    if (confirmed_.contains(other)) return share_of_smaller(track.confirmed_box, box) >= kHidden;
    if (track.hits < kHits || track.is_displaced) return false;
    return share_of_smaller(predicted(track), box) >= kHidden ||
           (!track.is_lost && !is_unconfirmed(track) &&
            share_of_smaller(track.box, box) >= kHidden);
  });
}

void DetectionTracks::sample_appearances() {
  for (const auto& [id, index] : confirmed_) {
    Known& track = tracks_[id];
    if (!appearances_[index]) continue;
    if (track.gallery.empty() || is_alone(id, detections_[index].box)) {
      track.gallery.add(*appearances_[index]);
    }
  }
}

// Counts how often it and an older track on its place have taken turns in being detected. Two
// objects are detected on the same round now and then, and one that hides another takes no turns.
void DetectionTracks::count_turns(std::uint64_t id, Known& track) const {
  const bool is_mine = confirmed_.contains(id);
  for (const auto& [other, rival] : tracks_) {
    if (other >= id) return;  // they are in order
    if (!rival.is_ours || rival.label != track.label) continue;
    if (overlap(rival.confirmed_box, track.confirmed_box) < kSame) continue;
    const bool is_theirs = confirmed_.contains(other);
    if (is_mine && is_theirs) track.turns = 0;
    if (is_mine == is_theirs) continue;
    track.turns += is_mine != track.was_mine;
    track.was_mine = is_mine;
    return;
  }
}

// Why it ends on a round that has missed it; null: it does not.
const char* DetectionTracks::end_of(const Known& track, bool is_tentative) const {
  const bool has_timeout = config_.timeout > 0;
  // Of a fast detector a few hits take no time and prove little: then it ends as soon as it has
  // been missed for longer than it was detected.
  const double detected = track.confirmed_at - track.started_at;
  const bool is_short = detected < kMissedSeconds && now_ - track.confirmed_at > detected;
  const bool is_weak = (track.hits < kFewHits || is_short) && track.misses >= kMissedRounds;
  const bool is_over = config_.hits > 0 || track.hits < kHits || is_weak;
  if ((is_tentative && is_over) || (is_weak && has_timeout)) {
    return "the next detections have not confirmed it";
  }
  if (has_timeout && track.turns >= kMostTurns) return "another track is of the same object";
  if (has_timeout && now_ - track.confirmed_at > seconds_of(config_.timeout)) {
    return "no detection has confirmed it for detection-timeout";
  }
  return nullptr;
}

// A round in which these labels were looked for.
void DetectionTracks::miss(const std::set<std::string>& labels, DetectionTargets& targets) {
  for (auto entry = tracks_.begin(); entry != tracks_.end();) {
    auto& [id, track] = *entry;
    const char* end = nullptr;
    const bool is_round = track.is_ours && labels.contains(track.label);
    if (is_round) count_turns(id, track);
    if (is_round && !confirmed_.contains(id)) {
      ++track.misses;
      end = end_of(track, targets.is_tentative(id));
    }
    if (end != nullptr) targets.end(id, end);
    entry = end != nullptr ? tracks_.erase(entry) : std::next(entry);
  }
}

void DetectionTracks::tell(DetectionTargets& targets) {
  for (auto& [id, track] : tracks_) {
    if (!targets.is_tentative(id)) continue;
    const double usual = interval(track);
    const bool is_sparse = usual <= 0 || usual > kSparse;
    const bool is_fixed = config_.hits > 0;
    const int needed = is_fixed ? config_.hits : is_sparse ? 1 : kHits;
    const bool took_time =
        is_fixed || is_sparse || track.confirmed_at - track.started_at >= kHitSeconds;
    if (track.hits >= needed && took_time) targets.announce(id);
  }
}

// The same scene in pictures of another size.
void DetectionTracks::resize(int width, int height) {
  if (frame_.width == 0 || (width == frame_.width && height == frame_.height)) return;
  const float x = static_cast<float>(width) / static_cast<float>(frame_.width);
  const float y = static_cast<float>(height) / static_cast<float>(frame_.height);
  for (auto& [id, track] : tracks_) {
    for (BoundingBox* box : {&track.box, &track.confirmed_box}) {
      *box = {box->x * x, box->y * y, box->width * x, box->height * y};
    }
    if (track.velocity) track.velocity = {track.velocity->x * x, track.velocity->y * y};
  }
}

// The labels of which this frame is a round.
std::set<std::string> DetectionTracks::rounds_now(const DetectedFrame& detected) {
  if (rounds_.size() > kMostLabels) {
    std::erase_if(rounds_, [&](const auto& entry) {
      return std::ranges::none_of(
          tracks_, [&](const Item& item) { return item.second.label == entry.first; });
    });
  }
  for (const std::string& label : detected.labels) rounds_[label];
  std::set<std::string> labels;
  for (auto& [label, rounds] : rounds_) {
    const bool ran = detected.is_round || detected.labels.contains(label);
    if (!ran && !detected.infers_rounds) continue;
    if (rounds.see(now_, ran, detected.interval)) labels.insert(label);
  }
  return labels;
}

void DetectionTracks::before(const DetectionConfig& config, const DetectedFrame& detected,
                             const DetectionFrame& frame, DetectionTargets& targets,
                             std::vector<std::string>& warnings) {
  confirmed_.clear();
  resize(frame.width, frame.height);
  frame_ = frame;
  config_ = config;
  detections_ = detected.detections;
  now_ = seconds_of(frame.time);
  if (config.use == DetectionUse::ignore) return;
  if (detected.left_out > 0 && !is_crowded_) warnings.push_back(crowd_warning(detected));
  is_crowded_ = is_crowded_ || detected.left_out > 0;
  std::erase_if(tracks_, [&](const Item& item) { return !targets.has(item.first); });
  if (!frame.follows) {
    for (auto& [id, track] : tracks_) track.is_displaced = true;
  }
  const std::set<std::string> labels = rounds_now(detected);
  appearances_.clear();
  for (const DetectedObject& detection : detections_) {
    appearances_.push_back(Appearance::of(frame.picture, detection.box));
  }
  if (!detections_.empty()) match(targets);
  std::set<std::size_t> taken;
  for (const auto& [id, index] : confirmed_) {
    confirm(id, detections_[index], targets);
    taken.insert(index);
  }
  for (std::size_t i = 0; i < detections_.size(); ++i) {
    const bool starts = !taken.contains(i) && detections_[i].confidence >= kStartConfidence &&
                        !is_on_a_track(detections_[i]);
    if (starts && !start(i, targets, warnings)) break;
  }
  sample_appearances();
  miss(labels, targets);
  tell(targets);
}

bool DetectionTracks::will_find_again() const {
  return config_.use == DetectionUse::start_and_correct &&
         std::ranges::all_of(tracks_, [&](const Item& item) {
           const auto rounds = rounds_.find(item.second.label);
           return item.second.is_ours && rounds != rounds_.end() && rounds->second.is_at_work(now_);
         });
}

// Where it is, and how sure that is, from what was detected.
void DetectionTracks::put_right(Track& track, Known& known) const {
  const BoundingBox& from = track.box;
  const auto found = confirmed_.find(track.id);
  if (found != confirmed_.end() && config_.use == DetectionUse::start_and_correct) {
    const BoundingBox& box = detections_[found->second].box;
    if (!known.is_lost && overlap(box, from) >= kInPlace) {
      known.correction = {(box.center_x() - from.center_x()) / from.width,
                          (box.center_y() - from.center_y()) / from.height, box.width / from.width,
                          box.height / from.height};
    }
    track.box = box;
    track.state = TrackState::tracking;
    track.confidence = std::max(track.confidence, detections_[found->second].confidence);
    track.reason = "";
    return;
  }
  if (known.is_lost) return;
  if (known.correction) {
    const auto& [x, y, width, height] = *known.correction;
    const float w = from.width * width, h = from.height * height;
    track.box = {from.center_x() + x * from.width - w / 2,
                 from.center_y() + y * from.height - h / 2, w, h};
  }
  if (!is_unconfirmed(known)) return;
  track.state = TrackState::uncertain;
  track.confidence = std::min(track.confidence, 0.5f / static_cast<float>(known.misses + 1));
  track.reason = "unconfirmed";
}

// Of two tracks on one place, the one that owns it is reported as `tracking`; see core/owners.h.
void DetectionTracks::share_no_place(std::vector<Track>& tracks, const DetectionTargets& targets) {
  const auto claim = [&](const Track& track) {
    const Known& known = tracks_[track.id];
    return PlaceClaim{std::tuple(!known.is_ours, known.confirmed_at, track.confidence),
                      !targets.is_tentative(track.id)};
  };
  for (Track& a : tracks) {
    const Known& one = tracks_[a.id];
    if (!one.is_ours || a.state != TrackState::tracking || confirmed_.contains(a.id)) continue;
    const bool yields_to_another = std::ranges::any_of(tracks, [&](const Track& b) {
      return b.id != a.id && b.state == TrackState::tracking && tracks_[b.id].label == one.label &&
             overlap(a.box, b.box) >= kTaken && yields(claim(a), claim(b));
    });
    if (!yields_to_another) continue;
    a.state = TrackState::uncertain;
    a.reason = "unconfirmed";
  }
}

void DetectionTracks::after(std::vector<Track>& tracks, DetectionTargets& targets) {
  std::erase_if(tracks_, [&](const Item& item) { return !targets.has(item.first); });
  for (Track& track : tracks) {
    const auto [entry, is_new] = tracks_.try_emplace(track.id);
    Known& known = entry->second;
    if (is_new) known.label = track.label;
    const bool returns = known.is_lost && track.has_box() && !confirmed_.contains(track.id);
    known.is_refound = known.is_refound || returns;
    known.is_lost = !track.has_box();
    if (!known.is_lost) known.box = track.box;
    if (!known.is_ours) {
      if (!known.is_lost) known.confirmed_at = now_;
      continue;
    }
    put_right(track, known);
    if (track.has_box() && !is_in_region(config_.region, track.box, frame_.width, frame_.height)) {
      track.box = {};
      track.confidence = 0;
      track.state = TrackState::lost;
      track.reason = "region";
    }
  }
  share_no_place(tracks, targets);
  std::erase_if(tracks, [&](const Track& track) { return targets.is_tentative(track.id); });
}

}  // namespace cltrack
