// SPDX-License-Identifier: LGPL-2.1-or-later
// cltrack-devices: lists the devices that trackers can run on, as the `device` properties name
// them, and runs a self-test on each.
//
//   cltrack-devices [--json]
//
// Exit status: 0 if every device passes its self-test, 1 if one fails, 2 for wrong arguments.
#include <algorithm>
#include <exception>
#include <iostream>
#include <string_view>
#include <vector>

#include "cltrack/device_info.h"
#include "cltrack/log.h"
#include "report.h"
#include "self_test.h"

namespace {

constexpr std::string_view kUsage =
    "Usage: cltrack-devices [--json]\n"
    "Lists the devices that trackers can run on, and tests each of them.\n"
    "The first column is a value for the property \"device\" of cltracker; a type (cpu, gpu) or\n"
    "part of a name works as well, if it matches only one device.\n"
    "Exit status: 0 if all devices pass, 1 if one fails, 2 for wrong arguments.\n";

int list(bool json) {
  std::vector<cltrack_devices::TestedDevice> tested;
  for (const cltrack::DeviceInfo& info : cltrack::list_devices()) {
    tested.push_back({info, cltrack_devices::self_test(info)});
  }
  if (json) {
    cltrack_devices::write_json(std::cout, tested);
  } else {
    cltrack_devices::write_table(std::cout, tested);
  }
  const bool passed =
      std::all_of(tested.begin(), tested.end(), [](const auto& one) { return one.fault.empty(); });
  return passed && std::cout.flush() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  const bool json = arguments.size() == 1 && arguments.front() == "--json";
  if (arguments.size() == 1 && (arguments.front() == "--help" || arguments.front() == "-h")) {
    std::cout << kUsage;
    return 0;
  }
  if (!arguments.empty() && !json) {
    std::cerr << kUsage;
    return 2;
  }
  // The log says why a driver or a device is not in the list.
  cltrack::set_log_handler([](cltrack::LogLevel level, std::string_view message) {
    if (level == cltrack::LogLevel::warning) std::cerr << "cltrack-devices: " << message << '\n';
  });
  try {
    return list(json);
  } catch (const std::exception& error) {
    std::cerr << "cltrack-devices: " << error.what() << '\n';
    return 1;
  }
}
