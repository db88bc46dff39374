// SPDX-License-Identifier: LGPL-2.1-or-later
#include "report.h"

#include <algorithm>
#include <cstdio>
#include <iomanip>
#include <string_view>

namespace cltrack_devices {
namespace {

std::string gibibytes(std::uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GiB", static_cast<double>(bytes) / (1 << 30));
  return text;
}

// Texts of drivers may contain any characters.
std::string json_string(std::string_view text) {
  std::string quoted(1, '"');
  for (const char c : text) {
    char escaped[8];
    if (c == '"' || c == '\\') {
      quoted.append(1, '\\').append(1, c);
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
      quoted += escaped;
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

const char* json_bool(bool value) { return value ? "true" : "false"; }

}  // namespace

void write_table(std::ostream& out, const std::vector<TestedDevice>& devices) {
  std::size_t width = 4;
  for (const TestedDevice& one : devices) width = std::max(width, one.info.name.size());
  const auto row = [&](std::string_view spec, std::string_view type, std::string_view name,
                       std::string_view units, std::string_view memory, std::string_view test) {
    out << std::left << std::setw(7) << spec << std::setw(13) << type
        << std::setw(static_cast<int>(width) + 2) << name << std::right << std::setw(5) << units
        << std::setw(12) << memory << "  " << test << '\n';
  };
  row("device", "type", "name", "units", "memory", "self-test");
  for (const TestedDevice& one : devices) {
    const cltrack::DeviceInfo& info = one.info;
    row(info.spec, to_string(info.type), info.name, std::to_string(info.units),
        gibibytes(info.memory), one.fault.empty() ? "passed" : "FAILED");
  }
  for (const TestedDevice& one : devices) {
    const cltrack::DeviceInfo& info = one.info;
    if (info.type == cltrack::DeviceType::host) continue;
    out << '\n'
        << info.spec << ": " << info.name << " (" << info.vendor << ")\n"
        << "  platform " << info.platform << ", " << info.platform_version << '\n'
        << "  device " << info.device_version << ", driver " << info.driver_version << '\n'
        << "  largest buffer " << gibibytes(info.largest_allocation)
        << (info.unified_memory ? ", in the host's memory\n" : ", memory of its own\n");
    if (!one.fault.empty()) out << "  self-test FAILED: " << one.fault << '\n';
  }
}

void write_json(std::ostream& out, const std::vector<TestedDevice>& devices) {
  out << '[';
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const cltrack::DeviceInfo& info = devices[i].info;
    const std::string& fault = devices[i].fault;
    out << (i == 0 ? "\n" : ",\n") << "  {\"device\": " << json_string(info.spec)
        << ", \"type\": " << json_string(to_string(info.type))
        << ", \"name\": " << json_string(info.name)
        << ",\n   \"vendor\": " << json_string(info.vendor)
        << ", \"platform\": " << json_string(info.platform)
        << ",\n   \"platform_version\": " << json_string(info.platform_version)
        << ", \"device_version\": " << json_string(info.device_version)
        << ", \"driver_version\": " << json_string(info.driver_version)
        << ",\n   \"units\": " << info.units << ", \"memory\": " << info.memory
        << ", \"largest_allocation\": " << info.largest_allocation
        << ", \"unified_memory\": " << json_bool(info.unified_memory)
        << ",\n   \"self_test\": " << json_bool(fault.empty());
    if (!fault.empty()) out << ", \"fault\": " << json_string(fault);
    out << '}';
  }
  out << "\n]\n";
}

}  // namespace cltrack_devices
