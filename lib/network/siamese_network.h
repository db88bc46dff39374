// SPDX-License-Identifier: LGPL-2.1-or-later
// A Siamese network (Bertinetto et al., ECCV 2016 workshops; the heads are NanoTrack's): where in a
// search window there is what a template shows. For all targets at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cltrack/bounding_box.h"
#include "compute/array.h"
#include "compute/queue.h"
#include "kernels/network_types.h"
#include "network/model_file.h"

namespace cltrack {

// A place of the search window that the network has looked at.
struct NetworkPlace {
  BoundingBox box;  // in pixels of the search window, from its centre
  float score = 0;  // 0 to 1: that the target is there; 0 if the box is none
};

// What a search has left for each target, one behind the other: as the network has them, place by
// place, 2 and 4 values each.
struct NetworkAnswers {
  Array<float> scores, boxes;
};

class SiameseNetwork {
 public:
  explicit SiameseNetwork(std::shared_ptr<const NetworkModel> model);

  const NetworkModel& model() const { return *model_; }

  // Values of a picture, of side * side places with blue, green, red less the model's means.
  std::size_t template_pixels() const { return map_values(model_->template_side, 3); }
  std::size_t search_pixels() const { return map_values(model_->search_side, 3); }
  // Of what is kept of a template.
  std::size_t template_values() const { return template_values_; }
  // Places along a side of an answer.
  int answer_side() const { return answer_side_; }

  // What is kept of templates whose pictures lie one behind the other: template_values() of each.
  // Waits. Throws Error; Error{invalid_argument} if `pictures` does not hold whole ones.
  std::vector<float> make_templates(Queue& queue, const Array<float>& pictures);

  // Looks at search windows, one behind the other. `templates` has slots of template_values(),
  // target i's is slots[i], one of these. Does not wait: fetch() the answers and finish the queue.
  // Throws Error; Error{invalid_argument} if an array does not hold so many.
  void search(Queue& queue, const Array<float>& pictures, const Array<float>& templates,
              const Array<std::int32_t>& slots, NetworkAnswers& answers);

  // The places of one target's answer, row by row.
  std::vector<NetworkPlace> places(std::span<const float> scores,
                                   std::span<const float> boxes) const;

 private:
  // Where a tensor lies: in one of the arrays that layers use in turn, or where it is kept.
  enum class Storage { pictures, turns, kept };
  struct Place {
    Storage storage = Storage::turns;
    std::size_t index = 0;
  };
  struct Step {
    LayerKind kind;
    LayerShape shape;
    Place input, output;
    std::optional<Place> gates = {};  // by which the input is multiplied first
  };
  // Layers that run one after the other. Arrays are used again when what is in them is not needed
  // any more.
  struct Program {
    std::vector<Step> steps;
    std::vector<Array<float>> turns;
  };

  Program plan(const NetworkParts& parts, std::span<const TensorShape> shapes,
               std::span<const int> kept) const;
  LayerShape shape_of(const NetworkLayer& layer, std::span<const TensorShape> shapes) const;
  void run(Queue& queue, Program& program, const Array<float>& pictures,
           const Array<float>& templates, const Array<std::int32_t>& slots,
           std::span<Array<float>* const> kept);
  void share_weights(Queue& queue);
  void check(const char* what, const Array<float>& values, std::size_t each,
             std::size_t count) const;

  std::shared_ptr<const NetworkModel> model_;
  std::shared_ptr<const Array<float>> shared_weights_;  // of the model
  Array<float> weights_;                                // the same memory
  std::shared_ptr<Device> weights_device_;              // where it is
  std::vector<int> kernels_;                            // tensors that are kept of a template,
  std::vector<std::size_t> kernel_places_;              // where in it,
  std::vector<Array<float>> made_kernels_;              // and as they are made
  std::size_t template_values_ = 0;
  int answer_side_ = 0;
  Program template_, search_;
};

}  // namespace cltrack
