#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Other trackers on the detections of MOT sequences, and the scores of theirs and of cltracker's boxes.

Reads JSON from standard input and prints a table in Markdown; mot_harness.py writes the one and shows the other. With --switches it
prints JSON of the id switches.
The packages are those of mot_requirements.txt: SORT, ByteTrack and OC-SORT of `trackers`, the metrics of `trackeval`.

Boxes are [x, y, width, height]. A sequence is {"name", "rate", "frames", "truth", "detections"}; truth and results are,
for each frame, lists of [id, box], and detections lists of [confidence, box].
"""
import copy
import json
import sys
import warnings

SAME = 0.5  # overlap of two boxes of one object


def overlap(a, b):
    """Intersection over union."""
    width = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    height = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0.0
    return width * height / (a[2] * a[3] + b[2] * b[3] - width * height)


class Shares:
    """What the metrics do not tell apart: boxes on nobody, and boxes of two ids on one place."""

    def __init__(self):
        self.boxes = self.on_nobody = self.doubles = 0

    def see(self, truth, boxes):
        self.boxes += len(boxes)
        for i, box in enumerate(boxes):
            self.on_nobody += all(overlap(box, other) < SAME for other in truth)
            self.doubles += any(overlap(box, other) >= SAME for j, other in enumerate(boxes) if j != i)

    def share(self, count):
        return count / max(self.boxes, 1)


def run_tracker(kind, sequence, every):
    """The boxes that a tracker of the package reports, for each frame.

    It is updated on the frames with detections alone, and told the rate of those: with an empty update on each other
    frame SORT and ByteTrack drop every young track. In between are the predictions of its Kalman filters. What is lost
    is kept for a second, and for two updates at least.
    """
    import numpy as np
    import supervision
    import trackers
    kinds = {'SORT': trackers.SORTTracker, 'ByteTrack': trackers.ByteTrackTracker, 'OC-SORT': trackers.OCSORTTracker}
    tracker = kinds[kind](frame_rate=sequence['rate'] / every,
                          lost_track_buffer=int(np.ceil(max(30, 2 * 30 * every / sequence['rate']))))
    result, seen = [], []
    for frame in range(sequence['frames']):
        ahead, rows = frame % every, []
        if ahead == 0:
            detections = sequence['detections'][frame]
            boxes = np.array([box for _, box in detections], float).reshape(-1, 4)
            found = tracker.update(supervision.Detections(
                xyxy=np.column_stack([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]]),
                confidence=np.array([confidence for confidence, _ in detections], float)))
            rows = [(name, corners) for corners, name in zip(found.xyxy, found.tracker_id) if name >= 0]
            seen = [track for track in tracker.tracks if track.tracker_id >= 0 and track.time_since_update == 0]
        for track in seen if ahead else []:
            state = copy.deepcopy(track.state_estimator)
            state.predict(ahead / every)
            rows.append((track.tracker_id, np.ravel(state.state_to_bbox())[:4]))
        result.append([[int(name), [x, y, right - x, bottom - y]] for name, (x, y, right, bottom) in rows])
    return result


def trackeval_input(truth, result):
    """What the metrics of trackeval take."""
    import numpy as np
    frames = range(len(truth))

    def numbered(rows):
        ids = {name: i for i, name in enumerate(sorted({name for frame in rows for name, _ in frame}))}
        return len(ids), [np.array([ids[name] for name, _ in frame], int) for frame in rows]

    true_count, true_ids = numbered(truth)
    count, ids = numbered(result)
    similar = [np.array([[overlap(box, other) for _, other in result[f]] for _, box in truth[f]], float).reshape(
        len(truth[f]), len(result[f])) for f in frames]
    return {'gt_ids': true_ids, 'tracker_ids': ids, 'similarity_scores': similar, 'num_gt_ids': true_count,
            'num_tracker_ids': count, 'num_timesteps': len(truth), 'num_gt_dets': sum(map(len, true_ids)),
            'num_tracker_dets': sum(map(len, ids))}


def scores(sequences, results):
    """A line of the table: all sequences together. `results`: rows of frames for each of them."""
    from trackeval.metrics import CLEAR, HOTA, Identity
    at_half = {'THRESHOLD': SAME, 'PRINT_CONFIG': False}
    metrics = {'hota': HOTA(), 'clear': CLEAR(at_half), 'identity': Identity(at_half)}
    found, shares = {name: {} for name in metrics}, Shares()
    for sequence, result in zip(sequences, results):
        data = trackeval_input(sequence['truth'], result)
        for name, metric in metrics.items():
            found[name][sequence['name']] = metric.eval_sequence(data)
        for truth, boxes in zip(sequence['truth'], result):
            shares.see([box for _, box in truth], [box for _, box in boxes])
    of = {name: metric.combine_sequences(found[name]) for name, metric in metrics.items()}
    return [f'{100 * of["hota"]["HOTA"].mean():.1f}', f'{100 * of["clear"]["MOTA"]:.1f}',
            f'{100 * of["identity"]["IDF1"]:.1f}', f'{int(of["clear"]["IDSW"])}',
            f'{shares.share(shares.on_nobody):.2f}', f'{shares.share(shares.doubles):.3f}']


def switches(truth, result):
    """The id switches that CLEAR counts: {"frame", "object", "before", "last", "after"}; `last`: the last frame on which the object
    had the id before."""
    import numpy as np
    from scipy.optimize import linear_sum_assignment
    found, latest, matched = [], {}, {}  # latest: by object, [id, frame]; matched: on the frame before
    for frame, (objects, boxes) in enumerate(zip(truth, result)):
        if not objects or not boxes:
            continue
        gains = np.array([[overlap(box, other) for _, other in boxes] for _, box in objects], float)
        known = np.array([[matched.get(name) == other for other, _ in boxes] for name, _ in objects])
        gains = np.where(gains < SAME - np.finfo(float).eps, 0, gains + 1000 * known)
        matched = {}
        for i, j in zip(*linear_sum_assignment(-gains)):
            if gains[i, j] <= 0:
                continue
            name, now = objects[i][0], boxes[j][0]
            before, last = latest.get(name, (now, frame))
            if before != now:
                found.append({'frame': frame, 'object': name, 'before': before, 'last': last, 'after': now})
            latest[name], matched[name] = (now, frame), now
    return found


def all_switches(work):
    """Of the same as table(): {name: {every: for each sequence its switches}}."""
    return {name: {every: [switches(sequence['truth'], result) for sequence, result in zip(work['sequences'], results)]
                   for every, results in of_name.items()} for name, of_name in work['results'].items()}


def table(work):
    """`work`: {"sequences", "results": {name: {every: for each sequence a result}}}."""
    lines = ['| interval | tracker | HOTA | MOTA | IDF1 | id switches | on nobody | doubles |', '|---' * 8 + '|']
    sequences = work['sequences']
    intervals = sorted({int(every) for results in work['results'].values() for every in results})
    for every in intervals:
        rows = {name: results[str(every)] for name, results in work['results'].items()}
        for kind in ('ByteTrack', 'SORT', 'OC-SORT'):
            rows[kind] = [run_tracker(kind, sequence, every) for sequence in sequences]
        for name, results in rows.items():
            lines.append(' | '.join([f'| {every}', name, *scores(sequences, results)]) + ' |')
    return lines


def prepare_packages():
    """Imports them; raises ImportError where one is missing."""
    warnings.filterwarnings('ignore')
    import numpy as np
    for name, kind in (('float', float), ('int', int), ('bool', bool)):
        if name not in np.__dict__:
            setattr(np, name, kind)  # numpy 1.24 has dropped them, trackeval still uses them
    import supervision
    import trackers
    import trackeval
    return supervision, trackers, trackeval


if __name__ == '__main__':
    if '--switches' in sys.argv:
        json.dump(all_switches(json.load(sys.stdin)), sys.stdout)
        sys.exit()
    prepare_packages()
    if '--try' not in sys.argv:
        print('\n'.join(table(json.load(sys.stdin))))
