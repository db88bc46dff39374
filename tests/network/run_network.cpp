// SPDX-License-Identifier: LGPL-2.1-or-later
// Says what a model of a network is, and runs it on the host, for tests that compare it.
//
// Usage: run-network MODEL [TEMPLATE SEARCH ANSWER]
// TEMPLATE, SEARCH: pictures, floats of this machine; ANSWER: written, scores and then boxes.
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "compute/device.h"
#include "network/siamese_network.h"

namespace {

using namespace cltrack;

std::string read(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(std::string("cannot read ") + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<float> floats_of(const std::string& bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  bytes.copy(reinterpret_cast<char*>(values.data()), values.size() * sizeof(float));
  return values;
}

void run(SiameseNetwork& network, char** arguments) {
  const auto queue = Device::host()->make_queue();
  const Array<float> pictures(floats_of(read(arguments[0]))), window(floats_of(read(arguments[1])));
  const Array<float> templates(network.make_templates(*queue, pictures));
  const std::vector<std::int32_t> slots(1);
  NetworkAnswers answers;
  network.search(*queue, window, templates, Array<std::int32_t>(slots), answers);
  std::ofstream file(arguments[2], std::ios::binary);
  for (const Array<float>* values : {&answers.scores, &answers.boxes}) {
    const auto all = values->host_read();
    file.write(reinterpret_cast<const char*>(all.data()),
               static_cast<std::streamsize>(all.size_bytes()));
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2 && count != 5) {
    std::cerr << "usage: run-network MODEL [TEMPLATE SEARCH ANSWER]\n";
    return 2;
  }
  try {
    SiameseNetwork network(std::make_shared<NetworkModel>(NetworkModel::parse(read(arguments[1]))));
    const NetworkModel& model = network.model();
    std::cout << model.name << ": pictures of " << model.template_side << " and "
              << model.search_side << ", features of "
              << model.channels[static_cast<std::size_t>(model.features)] << " channels, "
              << network.answer_side() << " places a side, " << network.template_values()
              << " values of a template\n";
    if (count == 5) run(network, arguments + 2);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
