# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reports the cases of a test script as TAP, which meson and tools/count_results.py read."""
import sys


class Tap:
    def __init__(self):
        self.count = 0
        self.failed = 0

    def check(self, name, good, detail=''):
        """One case. `detail` is shown if it failed."""
        self.count += 1
        print(f"{'ok' if good else 'not ok'} {self.count} - {name.replace('#', '')}", flush=True)
        if not good:
            self.failed += 1
            # Not as TAP comments: meson shows standard error of what fails.
            print(f'{name}:', *str(detail).splitlines()[-40:], sep='\n    ', file=sys.stderr)
        return good

    def skip(self, name, reason):
        self.count += 1
        print(f"ok {self.count} - {name.replace('#', '')} # SKIP {reason}", flush=True)

    def done(self):
        """Ends the process."""
        print(f'1..{self.count}', flush=True)
        sys.exit(1 if self.failed else 0)


def skip_all(reason):
    print(f'1..0 # SKIP {reason}')
    sys.exit(0)
