// SPDX-License-Identifier: LGPL-2.1-or-later
// Chooses the frames of the contact sheet while the video runs: the first and the last one, those
// on which a target is lost or found again, and others evenly between them. Keeps some dozens of
// small pictures, however long the video is.
#pragma once

#include <cairo.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace track_video {

using Picture = std::shared_ptr<cairo_surface_t>;

enum class Change { none, lost, found };

struct Moment {
  std::uint64_t frame = 0;
  double seconds = -1;  // below 0: the frame has no time
  Change change = Change::none;
  std::size_t turn = 0;  // the change is its target's first one: 1, its second one: 2, ...
  std::string text;      // what happened
  Picture picture = {};
};

class Moments {
 public:
  // A sheet has kUsual moments, more if targets changed more often, at most kMost.
  static constexpr std::size_t kUsual = 12;
  static constexpr std::size_t kMost = 24;

  // The next frame. `take` makes its picture: at once, later if this turns out to be the last
  // frame, or never.
  void add(Moment moment, std::function<Picture()> take);

  // In the order of the frames. Of too many changes the first ones of each target are there. Calls
  // the `take` of the last frame.
  std::vector<Moment> chosen();

 private:
  // The first changes of all targets come before anybody's second ones.
  using Rank = std::pair<std::size_t, std::uint64_t>;  // turn, frame

  bool is_wanted(const Moment& moment) const;
  void keep_change(const Moment& moment);
  void keep_even(const Moment& moment);
  void complete_latest();

  std::map<Rank, Moment> changes_;
  std::vector<Moment> even_;  // every even_step_-th frame, the first one among them
  std::uint64_t even_step_ = 1;
  std::uint64_t frames_ = 0;
  std::optional<Moment> latest_;
  std::function<Picture()> take_latest_;
};

}  // namespace track_video
