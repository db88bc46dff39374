// SPDX-License-Identifier: LGPL-2.1-or-later
// Says what a model of a network is. Usage: describe-network MODEL
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "network/model_file.h"

int main(int count, char** arguments) {
  using namespace cltrack;
  if (count != 2) {
    std::cerr << "usage: describe-network MODEL\n";
    return 2;
  }
  try {
    std::ifstream file(arguments[1], std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    const NetworkModel model = NetworkModel::parse(bytes);
    const auto of_template = tensor_shapes(model, template_parts(model), model.template_side, {});
    const auto of_search =
        tensor_shapes(model, search_parts(model), model.search_side, of_template);
    std::cout << model.name << ": pictures of " << model.template_side << " and "
              << model.search_side << ", features of "
              << model.channels[static_cast<std::size_t>(model.features)] << " channels, "
              << of_search[static_cast<std::size_t>(model.scores)].side << " places a side, "
              << model.weights.size() << " weights\n";
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
