// SPDX-License-Identifier: LGPL-2.1-or-later
// Helper programs that fail, as scripts.
#include "compute/child_process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <iterator>
#include <thread>

#include "support/temporary_folder.h"

namespace cltrack {
namespace {

namespace fs = std::filesystem;
using End = ChildOutcome::End;
using test::TemporaryFolder;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::size_t open_files() {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator("/proc/self/fd"), {}));
}

// Ends what the script has started but for the file that it is to write.
void wait_for(const fs::path& file) {
  while (!fs::exists(file)) std::this_thread::yield();
}

class RunChild : public testing::Test {
 protected:
  // No file stays open, and no child process is left.
  RunChild() : files_(open_files()) {}
  ~RunChild() override {
    EXPECT_EQ(open_files(), files_);
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
  }

  fs::path script(const std::string& text) {
    const fs::path path = folder_.path() / "script";
    std::ofstream(path) << "#!/bin/sh\n" << text << "\n";
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
  ChildOutcome run(const std::string& text, const std::vector<std::string>& arguments = {},
                   const std::stop_token& stop = {}) {
    return run_child(script(text), arguments, {}, stop);
  }
  std::string written() const {
    std::ifstream file(folder_.path() / "out");
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string out() const { return (folder_.path() / "out").string(); }

  const std::size_t files_;
  const TemporaryFolder folder_;
};

TEST_F(RunChild, IsDoneWhenItSaysSo) {
  EXPECT_EQ(run("echo noise; echo more >&2; echo done >&3").end, End::done);
  // Even if it does not end, and nor does what it has started.
  EXPECT_EQ(run("sleep 1000 & echo done >&3; sleep 1000").end, End::done);
}

TEST_F(RunChild, HasTheEnvironmentWithWhatIsReplaced) {
  setenv("CLTRACK_TEST_KEPT", "kept", 1);
  setenv("CLTRACK_TEST_CUT", "a", 1);
  const ChildOutcome outcome =
      run_child(script("echo \"$CLTRACK_TEST_KEPT $CLTRACK_TEST_CUT\" >&2; exit 1"), {},
                {"CLTRACK_TEST_CUT=a:b"}, {});
  unsetenv("CLTRACK_TEST_KEPT");
  unsetenv("CLTRACK_TEST_CUT");
  EXPECT_THAT(outcome.how, HasSubstr("kept a:b"));
}

TEST_F(RunChild, FailsWithItsLastWords) {
  const ChildOutcome exited = run("echo first >&2; echo 'LLVM ERROR: no space' >&2; exit 1");
  EXPECT_EQ(exited.end, End::failed);
  EXPECT_EQ(exited.how, "it exited with status 1: LLVM ERROR: no space");
  const ChildOutcome killed = run("kill -KILL $$");
  EXPECT_EQ(killed.end, End::failed);
  EXPECT_THAT(killed.how, StartsWith("it was ended by signal 9"));
  EXPECT_EQ(run("exit 0").end, End::failed) << "it has not said that it is done";
  EXPECT_EQ(run("echo nonsense >&3; sleep 1000").end, End::failed);
  const ChildOutcome talks = run("head -c 1000000 /dev/zero >&2; echo >&2; echo end >&2; exit 7");
  EXPECT_EQ(talks.how, "it exited with status 7: end");
}

TEST_F(RunChild, ThatCannotBeStartedIsAFailure) {
  const ChildOutcome missing = run_child(folder_.path() / "missing", {}, {}, {});
  EXPECT_EQ(missing.end, End::failed);
  EXPECT_THAT(missing.how, HasSubstr("cannot be started"));
  fs::permissions(script("exit 0"), fs::perms::owner_read);
  EXPECT_EQ(run_child(folder_.path() / "script", {}, {}, {}).end, End::failed);
}

TEST_F(RunChild, IsKilledWhenAStopIsRequested) {
  std::stop_source stop;
  std::thread stopper([&] {
    wait_for(out());
    stop.request_stop();
  });
  EXPECT_EQ(
      run("trap '' TERM; sleep 1000 & touch '" + out() + "'; sleep 1000", {}, stop.get_token()).end,
      End::stopped);
  stopper.join();
  EXPECT_EQ(run("sleep 1000", {}, stop.get_token()).end, End::stopped);
}

TEST_F(RunChild, GetsItsArgumentsAndNothingElse) {
  const int inherited = fcntl(STDIN_FILENO, F_DUPFD, 50);  // without FD_CLOEXEC
  ASSERT_EQ(inherited, 50);
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  EXPECT_EQ(run("{ echo \"$1|$2|\"; ls /proc/$$/fd; grep SigBlk /proc/self/status; } > '" + out() +
                    "'; echo done >&3",
                {"a b", "*"})
                .end,
            End::done);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  close(inherited);
  // The shell has its script open as well, and keeps its output elsewhere.
  EXPECT_THAT(written(), StartsWith("a b|*|\n0\n1\n"));
  EXPECT_THAT(written(), Not(HasSubstr("\n50\n")));
  EXPECT_THAT(written(), HasSubstr("SigBlk:\t0000000000000000"));
}

// Applications that do not want to hear of children, or wait for all of them.
TEST_F(RunChild, WorksWhereSigchldIsIgnored) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(run("echo done >&3").end, End::done);
  const ChildOutcome outcome = run("echo why >&2; exit 1");
  EXPECT_EQ(outcome.end, End::failed);
  EXPECT_EQ(outcome.how, "it ended: why");
  std::signal(SIGCHLD, before);
}

void reap_all(int) {
  const int error = errno;
  while (waitpid(-1, nullptr, WNOHANG) > 0) {
  }
  errno = error;
}

TEST_F(RunChild, WorksWhereTheApplicationWaitsForAllChildren) {
  const auto before = std::signal(SIGCHLD, reap_all);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(run("echo done >&3").end, End::done);
    EXPECT_EQ(run("exit 1").end, End::failed);
  }
  std::signal(SIGCHLD, before);
}

// The application's own standard files may be closed: ours then get their numbers.
TEST_F(RunChild, WorksWithoutStandardFiles) {
  const int in = dup(STDIN_FILENO), errors = dup(STDERR_FILENO);
  close(STDIN_FILENO);
  close(STDERR_FILENO);
  const ChildOutcome good = run("echo done >&3"), bad = run("echo words >&2; exit 1");
  dup2(in, STDIN_FILENO);
  dup2(errors, STDERR_FILENO);
  close(in);
  close(errors);
  EXPECT_EQ(good.end, End::done);
  EXPECT_EQ(bad.how, "it exited with status 1: words");
}

TEST(FindProgram, IsWhatTheVariableNames) {
  setenv("CLTRACK_TEST_PROGRAM", "/bin/sh", 1);
  EXPECT_EQ(find_program("none", "CLTRACK_TEST_PROGRAM"), "/bin/sh");
  for (const char* bad : {"", "/nonexistent", "/etc", "/etc/passwd"}) {
    setenv("CLTRACK_TEST_PROGRAM", bad, 1);
    EXPECT_TRUE(find_program("sh", "CLTRACK_TEST_PROGRAM").empty()) << bad;
  }
  unsetenv("CLTRACK_TEST_PROGRAM");
  EXPECT_TRUE(find_program("cltrack-no-such-program", "CLTRACK_TEST_PROGRAM").empty());
}

TEST(FindProgram, LiesInTheFolderOfTheVersion) {
  const char* soversion = std::getenv("CLTRACK_TEST_SOVERSION");
  if (soversion == nullptr) GTEST_SKIP() << "CLTRACK_TEST_SOVERSION is not set, as meson test does";
  const fs::path folder =
      fs::read_symlink("/proc/self/exe").parent_path() / (std::string("cltrack-") + soversion);
  fs::create_directory(folder);
  const fs::path program = folder / "cltrack-test-program";
  fs::create_symlink("/bin/sh", program);
  const fs::path found = find_program("cltrack-test-program", "CLTRACK_TEST_PROGRAM");
  EXPECT_TRUE(fs::equivalent(found, program)) << found;
  fs::remove_all(folder);
}

}  // namespace
}  // namespace cltrack
