#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""evaluation_page.py, on rows that nobody had to measure. TAP.

  evaluation_page_test.py SOURCE_FOLDER
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

sys.path.insert(0, str(pathlib.Path(sys.argv[1], 'tests/support')))
from tap import Tap, skip_all  # noqa: E402

sys.path.insert(0, str(pathlib.Path(sys.argv[1], 'tests')))
try:
    import evaluation_page
except ImportError as error:
    skip_all(f'EVALUATION_PAGE.PY IS NOT TESTED: {error}')

SCRIPT = str(pathlib.Path(sys.argv[1], 'tests/evaluation_page.py'))
NAMES = ['p25', 'r25', 'f25', 'f50', 'auc', 'p20', 'absent_fp', 'p25_tracking', 'p25_uncertain', 'tracking_share',
         'calibration_error', 'tpr50', 'tnr', 'gm50', 'fps_median', 'fps_mean', 'ms_p99', 'ms_init']


def run(tracker, sequence, seed=0, auc=0.5, start='given', **more):
    return {'tracker': tracker, 'sequence': sequence, 'seed': seed, 'start': start, 'first_frame': 0, 'frames': 10,
            'attributes': [], **dict.fromkeys(NAMES), 'auc': auc, 'success': [1, auc, 0], 'near': [0, 1], **more}


def words(svg):
    """The texts of a picture; fails if it is no XML."""
    return [''.join(element.itertext()).strip() for element in xml.fromstring(svg).iter('{http://www.w3.org/2000/svg}text')]


tap = Tap()
text, pictures = evaluation_page.page([run('tld', 'Car', 0, 1.0), run('tld', 'Car', 1, 0.5), run('tld', 'Ape', 0, 0.25),
                                       run('cv-kcf', 'Ape', 0, 0.125), run('cv-kcf', 'Ape', 0, 0.0625, 'left'),
                                       {'tracker': 'cv-kcf', 'sequence': 'Car', 'seed': 0, 'start': 'given',
                                        'first_frame': 0, 'error': 'no <video>'}])
tap.check('a mean is over seeds, then over sequences', '0.500 tld' in words(pictures['success.svg']), pictures['success.svg'])
tap.check('a tracker that failed on some says on how many it ran',
          '0.125 cv-kcf (1 sequences)' in words(pictures['success.svg']), pictures['success.svg'])
tap.check('shifted first boxes count in their own table alone',
          '<td>cv-kcf</td><td>0.125</td><td>0.062</td><td>0.062</td>' in text and
          '<td>cv-kcf</td><td>mean</td><td>-</td><td>-</td><td>-</td><td>-</td><td>0.125</td>' in text, text[-3000:])
tap.check('bars say their figures', {'0.750', '0.250', '0.125', '-'} <= set(words(pictures['auc.svg'])),
          words(pictures['auc.svg']))
tap.check('what failed is told', 'cv-kcf on Car, seed 0: no &lt;video&gt;' in text)
tap.check('an attribute has a line for each tracker', '<td>blur</td><td>1</td><td>tld</td><td>0.750</td>' in
          evaluation_page.page([run('tld', 'Car', auc=0.75, attributes=['blur']), run('tld', 'Ape')])[0])

hostile = '<script>$x$ & "\x1b[2J\ud800'
text, pictures = evaluation_page.page([run(hostile, hostile, attributes=[hostile])])
tap.check('names run nothing, and start no formula', '<script' not in text and '\x1b' not in text and
          any('<script>$x$' in word for word in words(pictures['auc.svg'])), words(pictures['auc.svg']))
tap.check('a page without any run is a page', evaluation_page.page([])[0].endswith('</html>\n'))

with tempfile.TemporaryDirectory() as folder:
    runs, out = pathlib.Path(folder, 'runs.jsonl'), pathlib.Path(folder, 'new', 'page')
    runs.write_text(json.dumps(run('tld', 'Car')) + '\n' + json.dumps(run('tld', 'Ape')) + '\n', encoding='utf-8')
    made = subprocess.run([sys.executable, SCRIPT, runs, out], capture_output=True, text=True)
    tap.check('the page and its pictures are written', made.returncode == 0 and
              sorted(path.name for path in out.iterdir()) ==
              ['auc.svg', 'f.svg', 'index.html', 'precision.svg', 'success.svg'], made)
    for name, content in {'no JSON': '{', 'other JSON': '{"a": 1}\n', 'a number': '3\n'}.items():
        runs.write_text(content, encoding='utf-8')
        made = subprocess.run([sys.executable, SCRIPT, runs, out], capture_output=True, text=True)
        tap.check(f'{name} is refused', made.returncode == 1 and 'is not what cltrack-evaluate' in made.stderr, made)
    made = subprocess.run([sys.executable, SCRIPT, pathlib.Path(folder, 'none'), out], capture_output=True, text=True)
    tap.check('so is a file that is not there', made.returncode == 1 and 'No such file' in made.stderr, made)
tap.done()
