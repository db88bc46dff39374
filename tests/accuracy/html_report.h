// SPDX-License-Identifier: LGPL-2.1-or-later
// The report of an evaluation as a page for a browser, which needs nothing else: no scripts, no
// other files, no network.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "run.h"

namespace cltrack::accuracy {

// What was typed, so that a shell takes it again.
std::string command_line(const std::vector<std::string>& arguments);

std::string html_report(std::span<const Row> rows, const std::string& command);

// Writes index.html, and its pictures as success.svg, precision.svg, auc.svg and f.svg. Throws as
// LineFile does.
void write_report(const std::filesystem::path& folder, std::span<const Row> rows,
                  const std::string& command);

}  // namespace cltrack::accuracy
