# SPDX-License-Identifier: LGPL-2.1-or-later
"""The sources that structure_test.py looks at."""
import pathlib
import re

# Where quoted includes are looked for, after the folder of the file itself.
INCLUDE_FOLDERS = ['lib', 'include', 'gst', '.', 'kernels', 'tests', 'tests/accuracy']
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]')


class Tree:
    """The sources, by their path from the root."""

    def __init__(self, root):
        self.root = pathlib.Path(root)

    def files(self, folders, suffixes):
        """Those with one of these suffixes, or all if `suffixes` is None."""
        found = [path for folder in folders for path in (self.root / folder).rglob('*')
                 if (suffixes is None or path.suffix in suffixes) and path.is_file()]
        return sorted(str(path.relative_to(self.root)) for path in found)

    def has(self, path):
        return (self.root / path).is_file()

    def text(self, path):
        return (self.root / path).read_text(encoding='utf-8')

    def includes(self, path):
        """Line, '"' or '<', and name of each include."""
        for number, line in enumerate(self.text(path).splitlines(), 1):
            if match := INCLUDE.match(line):
                yield number, match[1], match[2]

    def resolve(self, path, name):
        """Which of our files `path` means by "name"; none if there is no such file."""
        for folder in [str(pathlib.PurePath(path).parent), *INCLUDE_FOLDERS]:
            whole = (self.root / folder / name).resolve()
            if whole.is_file() and whole.is_relative_to(self.root.resolve()):
                return str(whole.relative_to(self.root.resolve()))
        return None


def lies_in(path, folder):
    return path == folder or path.startswith(folder + '/')
