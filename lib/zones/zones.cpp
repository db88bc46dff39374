// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/zones.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "cltrack/error.h"
#include "core/timing.h"
#include "zones/zone_shape.h"
#include "zones/zone_transitions.h"

namespace cltrack {
namespace {

// Decoders may confuse the order of pictures: as of stream_time.h in the plugin.
constexpr std::int64_t kLeastStepBack = 200'000'000;  // ns
constexpr int kDisorder = 5;                          // intervals between pictures
constexpr std::int64_t kLatest = std::numeric_limits<std::int64_t>::max() / 8;

// A track that is seen, or was at most lost_time ago.
struct Entry {
  std::uint64_t after = 0;
  std::string label;
  BoundingBox box;  // the last one
  float confidence = 0;
  bool is_trusted = false;
  ZoneInstant seen;           // when
  std::uint64_t picture = 0;  // on which
  // One for each zone; empty where its label does not count.
  std::vector<std::optional<ZoneTransitions>> zones;
};

using Entries = std::map<std::uint64_t, Entry>;

// What belongs to one zone, besides its tracks.
struct ZoneCount {
  int inside = 0;
  int told = 0;  // of `inside`, by an event
  bool is_crowded = false;
};

float side_of(const BoundingBox& box) { return std::sqrt(box.area()); }

bool counts_label(const Zone& zone, const std::string& label) {
  return zone.labels.empty() || std::ranges::find(zone.labels, label) != zone.labels.end();
}

}  // namespace

const char* to_string(ZoneEvent::Kind kind) {
  switch (kind) {
    case ZoneEvent::Kind::enter:
      return "enter";
    case ZoneEvent::Kind::leave:
      return "leave";
    case ZoneEvent::Kind::cross:
      return "cross";
    case ZoneEvent::Kind::dwell:
      return "dwell";
    case ZoneEvent::Kind::count:
      return "count";
    case ZoneEvent::Kind::crowded:
      return "crowded";
  }
  return "";
}

struct Zones::State {
  ZonesConfig config;
  std::vector<Zone> zones;
  std::vector<ZoneShape> shapes;  // of pictures of this size; none before the first picture
  int width = 0;
  int height = 0;
  std::vector<ZoneCount> counts;
  std::vector<ZoneTotals> totals;
  std::vector<ZoneTotals> absent;  // the latest last
  Entries entries;
  std::uint64_t picture = 0;  // how many there were
  ZoneInstant now;
  FramePace pace;

  void keep(const ZoneTotals& of_absent);
  bool advance(std::int64_t time);
  void resize(int new_width, int new_height);
  void cut();
  Entry make_entry(const Track& track);
  std::vector<Entries::iterator> see(std::span<const Track> tracks);
  ZoneSight sight_of(const Entry& entry) const;
  ZoneEvent event(ZoneEvent::Kind kind, std::size_t zone, const Entries::value_type& item) const;
  ZoneEvent leave(std::size_t zone, const Entries::value_type& item, const ZoneInstant& when);
  void observe_zone(std::size_t zone, const Entries::value_type& item, ZoneTransitions& transitions,
                    const ZoneSight& sight, std::vector<ZoneEvent>& events);
  void dwell(std::size_t zone, const Entries::value_type& item, ZoneTransitions& transitions,
             std::vector<ZoneEvent>& events);
  void tell_count(std::size_t zone, std::vector<ZoneEvent>& events);
  std::vector<ZoneEvent> drop(std::span<const Entries::iterator> gone, const std::string& reason);
};

void Zones::State::keep(const ZoneTotals& of_absent) {
  std::erase_if(absent, [&](const ZoneTotals& known) { return known.name == of_absent.name; });
  if (absent.size() == kMostAbsent) absent.erase(absent.begin());
  absent.push_back(of_absent);
}

// Takes the time of the next picture; false if it is a repeated or a late one.
bool Zones::State::advance(std::int64_t time) {
  if (time < 0) {
    throw Error(ErrorCode::invalid_argument,
                "zones: the picture's time is " + std::to_string(time) + "; allowed: 0 ns or more");
  }
  const bool is_first = now.given == kNoTimestamp;
  const std::int64_t step = is_first ? 0 : time - now.given;
  const std::int64_t usual = pace.interval();
  if (!is_first && step <= 0 && step >= -std::max(kLeastStepBack, kDisorder * usual)) return false;
  now = {time, std::min(now.clock, kLatest) + std::min(step > 0 ? step : usual, kLatest)};
  pace.observe(now.clock, step >= 0);
  return true;
}

void Zones::State::resize(int new_width, int new_height) {
  if (new_width <= 0 || new_height <= 0) {
    throw Error(ErrorCode::invalid_argument, "zones: the picture is " + std::to_string(new_width) +
                                                 " x " + std::to_string(new_height) +
                                                 " pixels; allowed: 1 or more");
  }
  const bool is_other = new_width != width || new_height != height;
  if (!is_other && shapes.size() == zones.size()) return;
  if (is_other && width > 0) {
    const float x = static_cast<float>(new_width) / static_cast<float>(width);
    const float y = static_cast<float>(new_height) / static_cast<float>(height);
    for (auto& [id, entry] : entries) {
      const BoundingBox& box = entry.box;
      entry.box = {box.x * x, box.y * y, box.width * x, box.height * y};
      for (auto& transitions : entry.zones) {
        if (transitions) transitions->rescale(x, y);
      }
    }
  }
  width = new_width;
  height = new_height;
  shapes.clear();
  for (const Zone& zone : zones) shapes.emplace_back(zone, width, height);
}

void Zones::State::cut() {
  for (auto& [id, entry] : entries) {
    for (auto& transitions : entry.zones) {
      if (transitions) transitions->cut();
    }
  }
}

// In the place of one that was just lost, or with nothing behind it.
Entry Zones::State::make_entry(const Track& track) {
  const auto distance = [&](const Entry& entry) {
    return std::hypot(entry.box.center_x() - track.box.center_x(),
                      entry.box.center_y() - track.box.center_y());
  };
  auto nearest = entries.end();
  for (auto item = entries.begin(); item != entries.end(); ++item) {
    const Entry& entry = item->second;
    const float reach = std::max(side_of(entry.box), side_of(track.box));
    if (entry.picture == picture || entry.label != track.label || distance(entry) > reach ||
        config.takeover_time <= 0 || now.clock - entry.seen.clock > config.takeover_time) {
      continue;
    }
    if (nearest == entries.end() || distance(entry) < distance(nearest->second)) nearest = item;
  }
  if (nearest != entries.end()) {
    Entry entry = std::move(nearest->second);
    entry.after = nearest->first;
    entries.erase(nearest);
    return entry;
  }
  Entry entry;
  entry.label = track.label;
  for (const Zone& zone : zones) {
    entry.zones.emplace_back();
    if (counts_label(zone, track.label)) entry.zones.back().emplace();
  }
  return entry;
}

// Those of the tracks that have a box, in the order of their ids.
std::vector<Entries::iterator> Zones::State::see(std::span<const Track> tracks) {
  ++picture;
  std::vector<const Track*> begun;
  std::vector<Entries::iterator> seen;
  const auto update = [&](const Entries::iterator& item, const Track& track) {
    Entry& entry = item->second;
    entry.box = track.box;
    entry.confidence = track.confidence;
    entry.seen = now;
    entry.picture = picture;
    entry.is_trusted = track.state == TrackState::tracking;
    seen.push_back(item);
  };
  for (const Track& track : tracks) {
    if (!track.has_box() || !track.box.is_valid()) continue;
    const auto known = entries.find(track.id);
    if (known == entries.end()) {
      begun.push_back(&track);
    } else if (known->second.picture != picture) {
      update(known, track);
    }
  }
  for (const Track* track : begun) {
    if (entries.size() < kMostTracks && !entries.contains(track->id)) {
      Entry entry = make_entry(*track);
      update(entries.emplace(track->id, std::move(entry)).first, *track);
    }
  }
  std::ranges::sort(seen, {}, [](const Entries::iterator& item) { return item->first; });
  return seen;
}

ZoneSight Zones::State::sight_of(const Entry& entry) const {
  // Whoever is seen in part is at the picture's border, inside.
  constexpr float kInside = 0.5f;  // pixels
  const BoundingBox& box = entry.box;
  const auto clamped = [&](float value, int size) {
    return std::clamp(value, 0.0f, static_cast<float>(size) - kInside);
  };
  return {now,
          {clamped(box.x + config.anchor.x * box.width, width),
           clamped(box.y + config.anchor.y * box.height, height)},
          box,
          config.margin * side_of(box),
          entry.is_trusted};
}

ZoneEvent Zones::State::event(ZoneEvent::Kind kind, std::size_t zone,
                              const Entries::value_type& item) const {
  const auto& [id, entry] = item;
  ZoneEvent event;
  event.kind = kind;
  event.zone = zones[zone].name;
  event.time = now.given;
  event.inside = counts[zone].inside;
  event.id = id;
  event.after = entry.after;
  event.label = entry.label;
  event.box = entry.box;
  event.confidence = entry.confidence;
  return event;
}

ZoneEvent Zones::State::leave(std::size_t zone, const Entries::value_type& item,
                              const ZoneInstant& when) {
  --counts[zone].inside;
  ++totals[zone].left;
  ZoneEvent left = event(ZoneEvent::Kind::leave, zone, item);
  left.time = when.given;
  left.dwell = when.clock - item.second.zones[zone]->entered().clock;
  return left;
}

void Zones::State::observe_zone(std::size_t zone, const Entries::value_type& item,
                                ZoneTransitions& transitions, const ZoneSight& sight,
                                std::vector<ZoneEvent>& events) {
  const bool is_area = zones[zone].kind == ZoneKind::area;
  const ZoneShape& shape = shapes[zone];
  const int change = is_area ? transitions.observe_area(shape, config, sight)
                             : transitions.observe_line(shape, config, sight);
  if (change == 0) return;
  ZoneTotals& total = totals[zone];
  if (!is_area) {
    ++(change > 0 ? total.forward : total.backward);
    events.push_back(event(ZoneEvent::Kind::cross, zone, item));
    events.back().forward = change > 0;
  } else if (change > 0) {
    ++counts[zone].inside;
    ++total.entered;
    total.most = std::max(total.most, static_cast<std::uint64_t>(counts[zone].inside));
    events.push_back(event(ZoneEvent::Kind::enter, zone, item));
  } else {
    events.push_back(leave(zone, item, transitions.since()));
  }
  events.back().time = transitions.since().given;
  events.back().box = transitions.since_box();
}

void Zones::State::dwell(std::size_t zone, const Entries::value_type& item,
                         ZoneTransitions& transitions, std::vector<ZoneEvent>& events) {
  const std::int64_t own = zones[zone].dwell_time;
  const std::int64_t limit = own != Zone::kNoLimit ? own : config.dwell_time;
  if (limit == Zone::kNoLimit || !transitions.has_dwelt(limit, now)) return;
  ++totals[zone].dwelled;
  events.push_back(event(ZoneEvent::Kind::dwell, zone, item));
  events.back().dwell = now.clock - transitions.entered().clock;
}

void Zones::State::tell_count(std::size_t zone, std::vector<ZoneEvent>& events) {
  ZoneCount& count = counts[zone];
  const auto tell = [&](ZoneEvent::Kind kind) {
    ZoneEvent& event = events.emplace_back();
    event.kind = kind;
    event.zone = zones[zone].name;
    event.time = now.given;
    event.inside = count.inside;
  };
  if (std::exchange(count.told, count.inside) != count.inside) tell(ZoneEvent::Kind::count);
  const int own = zones[zone].crowd_limit;
  const int limit = own != Zone::kNoLimit ? own : config.crowd_limit;
  const bool is_crowded = limit != Zone::kNoLimit && count.inside > limit;
  if (std::exchange(count.is_crowded, is_crowded) || !is_crowded) return;
  ++totals[zone].crowded;
  tell(ZoneEvent::Kind::crowded);
}

std::vector<ZoneEvent> Zones::State::drop(std::span<const Entries::iterator> gone,
                                          const std::string& reason) {
  std::vector<ZoneEvent> events;
  for (std::size_t zone = 0; zone < zones.size(); ++zone) {
    for (const auto& item : gone) {
      const auto& transitions = item->second.zones[zone];
      if (!transitions || !transitions->is_inside()) continue;
      events.push_back(leave(zone, *item, item->second.seen));
      events.back().reason = reason;
    }
  }
  for (const auto& item : gone) entries.erase(item);
  return events;
}

Zones::Zones(const ZonesConfig& config) : state_(std::make_unique<State>()) { set_config(config); }
Zones::~Zones() = default;
Zones::Zones(Zones&&) noexcept = default;
Zones& Zones::operator=(Zones&&) noexcept = default;

const std::vector<Zone>& Zones::zones() const { return state_->zones; }
const std::vector<ZoneTotals>& Zones::totals() const { return state_->totals; }
bool Zones::knows(std::uint64_t id) const { return state_->entries.contains(id); }

void Zones::set_config(const ZonesConfig& config) {
  validate(config);
  // Who is somewhere else now has not walked there.
  if (config.anchor != state_->config.anchor) state_->cut();
  state_->config = config;
}

std::vector<int> Zones::inside() const {
  std::vector<int> inside;
  for (const ZoneCount& count : state_->counts) inside.push_back(count.inside);
  return inside;
}

const std::vector<ZoneTotals>& Zones::absent_totals() const { return state_->absent; }

void Zones::set_totals(std::span<const ZoneTotals> totals) {
  for (const ZoneTotals& given : totals) {
    const auto own = std::ranges::find(state_->totals, given.name, &ZoneTotals::name);
    if (own != state_->totals.end()) {
      *own = given;
    } else {
      state_->keep(given);
    }
  }
}

void Zones::set_zones(std::vector<Zone> zones) {
  validate(zones);
  State& state = *state_;
  std::vector<ZoneCount> counts(zones.size());
  std::vector<ZoneTotals> totals(zones.size());
  std::vector<std::optional<std::size_t>> before(zones.size());
  for (std::size_t i = 0; i < zones.size(); ++i) {
    const Zone& zone = zones[i];
    const auto old = std::ranges::find(state.zones, zone.name, &Zone::name);
    totals[i].name = zone.name;
    if (old == state.zones.end()) {
      const auto known = std::ranges::find(state.absent, zone.name, &ZoneTotals::name);
      if (known != state.absent.end()) totals[i] = *known;
      continue;
    }
    if (old->kind != zone.kind) continue;
    before[i] = static_cast<std::size_t>(old - state.zones.begin());
    counts[i] = state.counts[*before[i]];
    counts[i].inside = 0;
    totals[i] = state.totals[*before[i]];
  }
  for (auto& [id, entry] : state.entries) {
    std::vector<std::optional<ZoneTransitions>> transitions(zones.size());
    for (std::size_t i = 0; i < zones.size(); ++i) {
      if (!counts_label(zones[i], entry.label)) continue;
      if (before[i]) transitions[i] = entry.zones[*before[i]];
      if (!transitions[i]) transitions[i].emplace();
      const bool is_same = before[i] && state.zones[*before[i]] == zones[i];
      if (!is_same) transitions[i]->cut();
      if (transitions[i]->is_inside()) ++counts[i].inside;
    }
    entry.zones = std::move(transitions);
  }
  for (const ZoneTotals& former : state.totals) {
    if (std::ranges::find(zones, former.name, &Zone::name) == zones.end()) state.keep(former);
  }
  std::erase_if(state.absent, [&](const ZoneTotals& known) {
    return std::ranges::find(zones, known.name, &Zone::name) != zones.end();
  });
  state.zones = std::move(zones);
  state.shapes.clear();
  state.counts = std::move(counts);
  state.totals = std::move(totals);
}

std::vector<ZoneEvent> Zones::update(std::span<const Track> tracks, const ZonePicture& picture) {
  State& state = *state_;
  state.resize(picture.width, picture.height);
  if (!state.advance(picture.time)) return {};
  if (picture.cut) state.cut();
  // Of a copy nobody says what is to be seen: those that were are still there.
  std::vector<Entries::iterator> seen;
  if (picture.repeated) {
    for (auto item = state.entries.begin(); item != state.entries.end(); ++item) {
      if (item->second.picture != state.picture) continue;
      item->second.seen = state.now;
      seen.push_back(item);
    }
  } else {
    seen = state.see(tracks);
  }
  std::vector<Entries::iterator> gone;
  for (auto item = state.entries.begin(); item != state.entries.end(); ++item) {
    const std::int64_t missing = state.now.clock - item->second.seen.clock;
    if (missing > state.config.lost_time) gone.push_back(item);
  }
  std::vector<ZoneEvent> events = state.drop(gone, "lost");
  std::vector<ZoneSight> sights;
  for (const auto& item : seen) {
    sights.push_back(state.sight_of(item->second));
  }
  for (std::size_t zone = 0; zone < state.zones.size(); ++zone) {
    for (std::size_t i = 0; i < seen.size(); ++i) {
      auto& transitions = seen[i]->second.zones[zone];
      if (!transitions) continue;
      if (!picture.repeated) state.observe_zone(zone, *seen[i], *transitions, sights[i], events);
      if (transitions->is_inside()) state.dwell(zone, *seen[i], *transitions, events);
    }
    state.tell_count(zone, events);
  }
  // In the order of the zones; what is of lost tracks goes first in each.
  std::ranges::stable_sort(events, {}, [&](const ZoneEvent& event) {
    return std::ranges::find(state.zones, event.zone, &Zone::name) - state.zones.begin();
  });
  return events;
}

std::vector<ZoneEvent> Zones::remove(std::uint64_t id, const std::string& reason) {
  const auto item = state_->entries.find(id);
  if (item == state_->entries.end()) return {};
  std::vector<ZoneEvent> events = state_->drop(std::span(&item, 1), reason);
  for (std::size_t zone = 0; zone < state_->zones.size(); ++zone) state_->tell_count(zone, events);
  return events;
}

std::vector<ZoneEvent> Zones::end(const std::string& reason) {
  std::vector<Entries::iterator> all;
  for (auto item = state_->entries.begin(); item != state_->entries.end(); ++item) {
    all.push_back(item);
  }
  std::vector<ZoneEvent> events = state_->drop(all, reason);
  for (std::size_t zone = 0; zone < state_->zones.size(); ++zone) state_->tell_count(zone, events);
  return events;
}

}  // namespace cltrack
