// SPDX-License-Identifier: LGPL-2.1-or-later
// cltrack-build-programs: libcltrack starts it to build the programs of a device that `auto` may
// choose, so that a crash of the compiler ends this process only. Its output goes to the log of the
// process that has started it.
#include <sys/resource.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "build_programs/tracker_kinds.h"
#include "compute/child_process.h"
#include "placement/candidate_devices.h"

int main(int argc, char** argv) {
  try {
    if (!cltrack::follow_parent()) {
      std::fprintf(stderr, "%s is a part of libcltrack, which starts it when it is needed\n",
                   argv[0]);
      return 2;
    }
    // Lowest priority.
    constexpr int kNice = 15;
    setpriority(PRIO_PROCESS, 0, kNice);
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    cltrack::build_and_warm_up(cltrack::from_arguments(arguments, cltrack::make_tracker_kind), {});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  cltrack::end_as_done();
}
