// SPDX-License-Identifier: LGPL-2.1-or-later
// A target of template matching: a learnt one, or a fixed template.
#pragma once

#include <cstdint>
#include <memory>

#include "cltrack/bounding_box.h"
#include "cltrack/image_view.h"
#include "cltrack/search_region.h"
#include "cltrack/template_config.h"
#include "cltrack/track.h"
#include "match/template_model.h"
#include "match/window_search.h"
#include "ops/match/best_match.h"

namespace cltrack {

class FrameSearch;

// One target of template matching. For each frame: follow(), search_frame() if wants_frame(), and
// learn(); or move_to().
class MatchTarget {
 public:
  virtual ~MatchTarget() = default;

  // Searches around the expected place. Without `motion`, this picture does not follow on from the
  // one before. What is lost is found again in `region` alone. Threading: different targets at the
  // same time; the other functions are for one thread at a time.
  virtual void follow(const ImageView& picture, bool motion, const SearchRegion& region) = 0;
  // Whether the whole frame is to be searched as well; and whether that can wait for another one.
  virtual bool wants_frame() const = 0;
  virtual bool can_wait() const = 0;
  virtual void search_frame(const ImageView& picture, FrameSearch& search) = 0;
  virtual void learn(const ImageView& picture) = 0;
  // The target is at `box`; it keeps its aspect ratio. Returns false if its template came from a
  // frame and is nothing like this place: then it would lead back, and a new one is needed.
  virtual bool move_to(const ImageView& picture, const BoundingBox& box) = 0;

  // Where it was found on this frame is another target's place: it is lost.
  virtual void yield() = 0;

  // All frames are of another size from now on.
  virtual void rescale(float scale_x, float scale_y) = 0;

  virtual std::uint64_t templates() const = 0;

  TrackState state() const { return state_; }
  const BoundingBox& box() const { return box_; }  // where it was last, while it is lost
  float confidence() const { return confidence_; }
  const char* loss() const { return loss_; }  // why it was lost; see Track::reason

 protected:
  TrackState state_ = TrackState::lost;
  BoundingBox box_;
  float confidence_ = 0;
  const char* loss_ = "not-found";
};

// A target that consists of its first template alone and is searched for in whole frames
// (TemplateSearch::frame). It always has a box, if it fits into the frame and
// is found in the search region.
class FixedTarget final : public MatchTarget {
 public:
  // The target is the part of `picture` in `box`, rounded to whole pixels. `is_there`: `picture` is
  // the first frame. Throws Error{invalid_argument} if that part is flat.
  FixedTarget(const ImageView& picture, const BoundingBox& box, bool is_there,
              const TemplateConfig& config);

  void follow(const ImageView&, bool, const SearchRegion&) override {}
  bool wants_frame() const override { return true; }
  bool can_wait() const override { return false; }
  void search_frame(const ImageView& picture, FrameSearch& search) override;
  void learn(const ImageView&) override {}
  // Each frame is searched without a prior place.
  bool move_to(const ImageView&, const BoundingBox&) override { return true; }
  void yield() override {}
  void rescale(float scale_x, float scale_y) override;
  std::uint64_t templates() const override { return 1; }

 private:
  void prepare(const ImageView& pixels);

  const TemplateConfig& config_;
  Image original_;
  float width_;  // of original_ in frames of the present size
  float height_;
  std::unique_ptr<MatchTemplate> pattern_;
  std::unique_ptr<MatchTemplate> ncc_;  // if pattern_ compares by something else
};

// A target that is followed within a search window, at changing sizes, by a template that never
// changes and a running one. Once it is lost, whole frames are searched (TemplateSearch::window).
class TemplateTarget final : public MatchTarget {
 public:
  // The target is the part of `picture` in `box`. `is_there`: `picture` is the first frame; or else
  // the target is searched for from the first frame on. Throws Error{invalid_argument} if that part
  // is flat.
  TemplateTarget(const ImageView& picture, const BoundingBox& box, bool is_there,
                 const TemplateConfig& config);

  void follow(const ImageView& picture, bool motion, const SearchRegion& region) override;
  bool wants_frame() const override { return wants_frame_; }
  bool can_wait() const override { return true; }
  void search_frame(const ImageView& picture, FrameSearch& search) override;
  void learn(const ImageView& picture) override;
  bool move_to(const ImageView& picture, const BoundingBox& box) override;
  void yield() override;
  void rescale(float scale_x, float scale_y) override;
  std::uint64_t templates() const override { return model_.templates(); }

 private:
  bool accepts(const FoundBox& found, float least, float likeness) const;
  void lose(const char* reason);
  void take(const FoundBox& found);

  const TemplateConfig& config_;
  TemplateModel model_;
  WindowSearch search_;
  bool is_of_frame_;  // and not of a picture that was given
  float first_width_ = 0;
  float velocity_x_ = 0;  // pixels per frame
  float velocity_y_ = 0;
  float baseline_ = 1;  // likeness on frames that are trusted
  int distrusted_ = 0;  // frames in a row with a box that is not trusted
  int missing_ = 0;     // frames since it was found
  Likeness likeness_;
  bool wants_frame_ = false;
  bool clear_ = true;  // no other place has nearly its score
};

}  // namespace cltrack
