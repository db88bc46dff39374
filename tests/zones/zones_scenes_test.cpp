// SPDX-License-Identifier: LGPL-2.1-or-later
// Made-up walks over lines and areas, of which is known who crossed what, when, and in which
// direction. What the zones are told of them is worse: boxes tremble by up to half a box, a part of
// the pictures is missing, others come twice or late, tracks are lost on the edges and found under
// another id, and time steps back.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "cltrack/zones.h"

namespace cltrack {
namespace {

constexpr int kWidth = 1280, kHeight = 720;
constexpr int kWalkers = 6;
constexpr int kLegs = 12;                          // of each walk
constexpr std::int64_t kStep = 1'000'000'000'000;  // ns, by which time steps back

struct Point {
  double x = 0, y = 0;
};

Point operator-(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y}; }
Point on_way(const Point& a, const Point& b, double share) {
  return {a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
}
double length(const Point& a) { return std::hypot(a.x, a.y); }
double cross(const Point& a, const Point& b) { return a.x * b.y - a.y * b.x; }

double distance(const Point& point, const Point& a, const Point& b) {
  const Point along = b - a, to = point - a;
  const double square = along.x * along.x + along.y * along.y;
  const double share = square > 0 ? (along.x * to.x + along.y * to.y) / square : 0;
  return length(point - on_way(a, b, std::clamp(share, 0.0, 1.0)));
}

bool is_in_triangle(const Point& p, const Point& a, const Point& b, const Point& c) {
  const bool left = cross(b - a, p - a) > 0;
  return left == (cross(c - b, p - b) > 0) && left == (cross(a - c, p - c) > 0);
}

// A zone, and the truth about it.
struct Ground {
  Zone zone;
  std::vector<Point> corners;

  bool is_area() const { return zone.kind == ZoneKind::area; }
  std::size_t edges() const { return is_area() ? corners.size() : corners.size() - 1; }
  const Point& corner(std::size_t i) const { return corners[i % corners.size()]; }

  double distance_to(const Point& point) const {
    double least = 1e9;
    for (std::size_t i = 0; i < edges(); ++i) {
      least = std::min(least, distance(point, corner(i), corner(i + 1)));
    }
    return least;
  }

  struct Crossings {
    int count = 0;
    int forward = 0;  // less backward
  };
  // On the way from a to b, by solving for where it meets each edge.
  Crossings crossings(const Point& a, const Point& b) const {
    Crossings found;
    for (std::size_t i = 0; i < edges(); ++i) {
      const Point way = b - a, edge = corner(i + 1) - corner(i), apart = corner(i) - a;
      const double across = cross(way, edge);
      if (across == 0) continue;
      const double on_path = cross(apart, edge) / across, on_edge = cross(apart, way) / across;
      if (on_path < 0 || on_path >= 1 || on_edge < 0 || on_edge >= 1) continue;
      ++found.count;
      // To the right of the edge, where y goes down.
      found.forward += cross(edge, way) > 0 ? 1 : -1;
    }
    return found;
  }

  bool contains(const Point& point) const {
    return is_area() && crossings(point, {-1000.5, -777.25}).count % 2 == 1;
  }
};

Ground ground(const std::string& name, ZoneKind kind, const std::vector<Point>& corners) {
  Ground made{{.name = name, .kind = kind, .in_pixels = true}, corners};
  for (const Point& corner : corners) {
    made.zone.corners.push_back({static_cast<float>(corner.x), static_cast<float>(corner.y)});
  }
  return made;
}

const std::vector<Ground>& grounds() {
  static const std::vector<Ground> all = {
      ground("gate", ZoneKind::line, {{200, 120}, {620, 380}, {1100, 300}}),
      ground("street", ZoneKind::line, {{900, 650}, {840, 150}}),
      ground("yard", ZoneKind::area,
             {{300, 200}, {700, 160}, {760, 420}, {560, 420}, {540, 300}, {460, 560}, {260, 520}}),
      ground("corner", ZoneKind::area, {{800, 380}, {1180, 420}, {1100, 640}, {780, 600}})};
  return all;
}

struct Expected {
  std::string what;  // "cross gate forward", "enter yard"
  std::size_t walker = 0;
  std::size_t first = 0, last = 0;  // pictures between which the walker is over the edge
};

struct Walker {
  double side = 0;    // of the box: the root of its area
  double jitter = 0;  // pixels
  std::vector<Point> path = {};
  std::vector<bool> is_lost = {};
  std::vector<std::uint64_t> ids = {};
};

// What there is to be seen, and what is true.
class Scene {
 public:
  Scene(unsigned seed, bool jitters) : random_(seed) {
    constexpr int kRates[] = {5, 10, 15, 25, 30, 60};
    rate_ = kRates[seed % std::size(kRates)];
    for (int i = 0; i < 60 * 60 * kLegs; ++i) dropped_.push_back(uniform(0, 1) < 0.2);
    for (std::size_t i = 0; i < kWalkers; ++i) {
      const double side = uniform(24, 40);
      walkers_.push_back({side, jitters ? 0.499 * side : 0});
      walk(i);
    }
  }

  int rate() const { return rate_; }
  const std::vector<Walker>& walkers() const { return walkers_; }
  const std::vector<Expected>& expected() const { return expected_; }
  bool is_dropped(std::size_t picture) const { return dropped_[picture]; }
  std::mt19937& random() { return random_; }
  double uniform(double least, double most) {
    return std::uniform_real_distribution<double>(least, most)(random_);
  }

 private:
  Point clear_place(double side) {
    for (;;) {
      const Point place = {uniform(60, kWidth - 60), uniform(100, kHeight - 60)};
      if (std::ranges::all_of(grounds(), [&](const Ground& ground) {
            return ground.distance_to(place) > 1.05 * side + 1;
          })) {
        return place;
      }
    }
  }

  // Who stands on an edge, beside which there is nothing else.
  Point place_on_edge(const Ground& on, double side) {
    for (;;) {
      const auto edge = static_cast<std::size_t>(uniform(0, static_cast<double>(on.edges())));
      const Point place = on_way(on.corner(edge), on.corner(edge + 1), uniform(0.2, 0.8));
      const bool is_apart = std::ranges::all_of(grounds(), [&](const Ground& ground) {
        return &ground == &on || ground.distance_to(place) > 2 * side;
      });
      if (is_apart) return place;
    }
  }

  // Whether it is beyond doubt what a walk from p by x to q does.
  static bool is_clear(const Ground& ground, bool is_over, const Point& p, const Point& x,
                       const Point& q, double side) {
    const double p_length = length(x - p), q_length = length(q - x);
    const double off = is_over ? 2 : 0;
    if (p_length <= off || q_length <= off || ground.distance_to(x) < 0.02) return false;
    const int touched = ground.crossings(p, on_way(p, x, 1 - off / p_length)).count +
                        ground.crossings(on_way(x, q, off / q_length), q).count;
    if (touched > (is_over ? 0 : 1)) return false;
    if (ground.is_area()) return true;
    for (const Point& end : {ground.corners.front(), ground.corners.back()}) {
      const double apart =
          std::min({distance(end, p, x), distance(end, x, q), distance(end, p, q)});
      if (apart < 1.1 * side || is_in_triangle(end, p, x, q)) return false;
    }
    return true;
  }

  void add(Walker& walker, const Point& place, bool is_lost, std::uint64_t id) {
    walker.path.push_back(place);
    walker.is_lost.push_back(is_lost);
    walker.ids.push_back(id);
  }

  bool is_seen(const Walker& walker, std::size_t picture) const {
    return !walker.is_lost[picture] && !dropped_[picture];
  }

  // Stays until it has been seen often enough to be confirmed.
  void stay(Walker& walker, std::uint64_t id) {
    for (int seen = 0; seen < 4;) {
      add(walker, walker.path.back(), false, id);
      if (is_seen(walker, walker.path.size() - 1)) ++seen;
    }
  }

  void go(Walker& walker, const Point& to, double step, std::uint64_t id) {
    const Point from = walker.path.back();
    const int steps = std::max(1, static_cast<int>(length(to - from) / step));
    for (int i = 1; i <= steps; ++i) {
      add(walker, on_way(from, to, static_cast<double>(i) / steps), false, id);
    }
  }

  void walk(std::size_t number) {
    Walker& walker = walkers_[number];
    std::uint64_t id = 1000 * (number + 1);
    add(walker, clear_place(walker.side), false, id);
    stay(walker, id);
    for (const Ground& ground : grounds()) {
      if (ground.contains(walker.path[0])) expect(number, "enter " + ground.zone.name, 0, 0);
    }
    for (int leg = 0; leg < kLegs; ++leg) {
      const Point p = walker.path.back();
      const bool waits = uniform(0, 1) < 0.5;
      const Ground& on = grounds()[static_cast<std::size_t>(uniform(0, 4))];
      Point x, q;
      bool is_good = false;
      for (int i = 0; i < 1000 && !is_good; ++i) {
        q = clear_place(walker.side);
        x = on_way(p, q, 0.5);
        if (waits) {
          // A hair before the edge.
          x = place_on_edge(on, walker.side);
          x = on_way(x, p, 0.5 / length(x - p));
        }
        is_good = std::ranges::all_of(grounds(), [&](const Ground& ground) {
          return is_clear(ground, waits && &ground == &on, p, x, q, walker.side);
        });
      }
      if (!is_good) continue;
      const std::size_t begin = walker.path.size();
      // From a tenth of the box to twice the box on each picture.
      const double step = walker.side * uniform(0.1, 2);
      go(walker, x, step, id);
      if (waits) id = wait(walker, id);
      go(walker, q, step, id);
      stay(walker, id);
      for (const Ground& ground : grounds()) expect(number, ground, begin, {p, x, q});
    }
  }

  // For up to 2 s, then lost for up to 2 s, and found again, perhaps under another id where that is
  // within a second.
  std::uint64_t wait(Walker& walker, std::uint64_t id) {
    const bool is_short = uniform(0, 1) < 0.5;
    const int lost = static_cast<int>(uniform(0, is_short ? 0.5 : 2) * rate_);
    const std::size_t begin = walker.path.size();
    const int before = 3 + static_cast<int>(uniform(0, 2) * rate_);
    for (int i = 0; i < before; ++i) add(walker, walker.path.back(), false, id);
    std::size_t last = walker.path.size() - 1;
    while (!is_seen(walker, last)) --last;
    for (int i = 0; i < lost; ++i) add(walker, walker.path.back(), true, id);
    std::size_t next = walker.path.size();
    while (dropped_[next]) ++next;
    const bool is_here = last >= begin && next < walker.path.size() + 3;
    if (is_short && is_here && static_cast<double>(next - last) < 0.9 * rate_) ++id;
    for (int i = 0; i < 3; ++i) add(walker, walker.path.back(), false, id);
    return id;
  }

  void expect(std::size_t walker, const std::string& what, std::size_t first, std::size_t last) {
    while (!is_seen(walkers_[walker], first)) ++first;
    while (!is_seen(walkers_[walker], last)) ++last;
    expected_.push_back({what, walker, first, last});
  }

  struct Way {
    Point p, x, q;
  };

  void expect(std::size_t number, const Ground& ground, std::size_t begin, const Way& way) {
    const Walker& walker = walkers_[number];
    std::string what;
    if (ground.is_area()) {
      const bool before = ground.contains(way.p), after = ground.contains(way.q);
      if (before != after) what = (after ? "enter " : "leave ") + ground.zone.name;
    } else {
      const int forward =
          ground.crossings(way.p, way.x).forward + ground.crossings(way.x, way.q).forward;
      if (forward != 0) {
        what = "cross " + ground.zone.name + (forward > 0 ? " forward" : " backward");
      }
    }
    if (what.empty()) return;
    // The step that crosses, and between which pictures jitter may hide it.
    std::size_t over = walker.path.size() - 1;
    while (over > begin && ground.crossings(walker.path[over - 1], walker.path[over]).count == 0) {
      --over;
    }
    const auto is_certain = [&](std::size_t i) {
      return is_seen(walker, i) && ground.distance_to(walker.path[i]) > walker.jitter + 5e-4;
    };
    std::size_t first = over, last = over;
    while (!is_certain(first - 1)) --first;
    for (std::size_t i = over; i < walker.path.size(); ++i) {
      if (is_seen(walker, i) && !is_certain(i)) last = i + 1;
    }
    expect(number, what, first, last);
  }

  std::mt19937 random_;
  int rate_ = 0;
  std::vector<bool> dropped_;
  std::vector<Walker> walkers_;
  std::vector<Expected> expected_;
};

struct Seen {
  std::string what;
  std::size_t walker = 0;
  std::size_t picture = 0;
};

class Screening {
 public:
  explicit Screening(Scene& scene) : scene_(scene), zones_({.margin = 0.5f}) {
    std::vector<Zone> all;
    for (const Ground& ground : grounds()) all.push_back(ground.zone);
    zones_.set_zones(all);
  }

  std::vector<Seen> run() {
    std::size_t pictures = 0;
    for (const Walker& walker : scene_.walkers()) {
      pictures = std::max(pictures, walker.path.size());
    }
    const std::int64_t interval = 1'000'000'000 / scene_.rate();
    std::vector<Track> before;
    for (std::size_t picture = 0; picture < pictures; ++picture) {
      if (scene_.is_dropped(picture)) continue;
      // After the first half time begins anew.
      std::int64_t time = static_cast<std::int64_t>(picture) * interval;
      if (picture < pictures / 2) time += kStep;
      pictures_[time] = picture;
      std::vector<Track> tracks = tracks_on(picture);
      show(tracks, {time, kWidth, kHeight});
      const double chance = scene_.uniform(0, 1);
      if (chance < 0.1) show(before, {time, kWidth, kHeight});             // repeated
      if (chance > 0.9) show(before, {time - interval, kWidth, kHeight});  // late
      if (chance > 0.8 && chance < 0.9) {
        show(before, {time + interval / 3, kWidth, kHeight, true});  // a copy at a time of its own
      }
      before = std::move(tracks);
    }
    note(zones_.end("over"));
    return seen_;
  }

 private:
  std::vector<Track> tracks_on(std::size_t number) {
    std::vector<Track> tracks;
    for (const Walker& walker : scene_.walkers()) {
      const std::size_t picture = std::min(number, walker.path.size() - 1);
      const double angle = scene_.uniform(0, 6.28318), off = walker.jitter * scene_.uniform(0, 1);
      const double width = 0.7 * walker.side, height = walker.side / 0.7;
      Track track;
      track.id = walker.ids[picture];
      track.label = "walker" + std::to_string(track.id / 1000);
      if (!walker.is_lost[picture]) {
        track.state = TrackState::tracking;
        track.confidence = 0.5f;
        track.box = {static_cast<float>(walker.path[picture].x + off * std::cos(angle) - width / 2),
                     static_cast<float>(walker.path[picture].y + off * std::sin(angle) - height),
                     static_cast<float>(width), static_cast<float>(height)};
      }
      tracks.push_back(track);
    }
    return tracks;
  }

  void show(const std::vector<Track>& tracks, const ZonePicture& picture) {
    note(zones_.update(tracks, picture));
  }

  void note(const std::vector<ZoneEvent>& events) {
    for (const ZoneEvent& event : events) {
      if (event.kind == ZoneEvent::Kind::count || event.reason == "over") continue;
      ASSERT_TRUE(pictures_.contains(event.time)) << "no picture has this time";

      EXPECT_EQ(event.reason, "");
      std::string what = std::string(to_string(event.kind)) + " " + event.zone;
      if (event.kind == ZoneEvent::Kind::cross) what += event.forward ? " forward" : " backward";
      const std::size_t walker = event.id / 1000 - 1, picture = pictures_.at(event.time);
      std::int64_t& entered = entered_[event.zone + event.label];
      if (event.kind == ZoneEvent::Kind::enter) entered = event.time;
      // Where time steps back nobody knows how long that took.
      if (event.kind == ZoneEvent::Kind::leave && (entered < kStep) == (event.time < kStep)) {
        EXPECT_EQ(event.dwell, event.time - entered);
      }
      seen_.push_back({what, walker, picture});
    }
  }

  Scene& scene_;
  Zones zones_;
  std::map<std::int64_t, std::size_t> pictures_;  // by their times
  std::map<std::string, std::int64_t> entered_;
  std::vector<Seen> seen_;
};

class ZonesScenes : public testing::TestWithParam<unsigned> {};

void check(unsigned seed, bool jitters) {
  Scene scene(seed, jitters);
  std::vector<Seen> seen = Screening(scene).run();
  // Of each walker in its own order.
  std::ranges::stable_sort(seen, {}, [](const Seen& event) {
    return std::tuple(event.walker, event.what.substr(0, 12), event.picture);
  });
  std::vector<Expected> expected = scene.expected();
  std::ranges::stable_sort(expected, {}, [](const Expected& event) {
    return std::tuple(event.walker, event.what.substr(0, 12), event.last);
  });
  EXPECT_GT(expected.size(), 20U);
  ASSERT_EQ(seen.size(), expected.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i].what, expected[i].what);
    EXPECT_EQ(seen[i].walker, expected[i].walker);
    EXPECT_GE(seen[i].picture, expected[i].first) << expected[i].what;
    EXPECT_LE(seen[i].picture, expected[i].last) << expected[i].what;
    EXPECT_TRUE(jitters || expected[i].first == expected[i].last);
  }
}

TEST_P(ZonesScenes, AreCountedExactly) { check(GetParam(), false); }

TEST_P(ZonesScenes, AreCountedExactlyWithJitter) { check(GetParam(), true); }

INSTANTIATE_TEST_SUITE_P(Walks, ZonesScenes, testing::Range(0U, 50U));

}  // namespace
}  // namespace cltrack
