// SPDX-License-Identifier: LGPL-2.1-or-later
// What help() shows.
#pragma once

namespace cltrack::python {

inline constexpr const char* kErrorText =
    R"(What the library cannot do: the text names the value and what is allowed.

code: "invalid-argument", "device-missing", "device-failed", "out-of-memory", "build-failed", "interrupted" or
"failed". details: longer text, such as a compiler's log.)";

inline constexpr const char* kTrackText =
    "What a tracker says of one target on one frame. Does not change.";

inline constexpr const char* kTrackInitText =
    R"(What another tracker says of one target, for Zones.

id: from 1. box: (x, y, width, height) in pixels; None: it is lost. state: "tracking" or "uncertain".)";

inline constexpr const char* kModelText =
    R"(What TLD has learnt about a target, for Tracker.add(), in another video as well.

Keep it in a file with text() and parse().)";

inline constexpr const char* kTrackerText =
    R"(Follows targets that are given to it from frame to frame, and finds them again when they were lost.

    tracker = cltrack.Tracker()
    tracker.add((140, 100, 40, 40), label="ball")
    for frame in frames:
        for track in tracker.update(frame):
            print(track.id, track.state, track.box)

Threads: add(), move(), remove() and clear() on any thread at any time; they take effect with the next frame. What is
called on several threads besides waits for its turn. update() releases the GIL: different trackers work at the same
time. Nobody may write into a frame while update() looks at it.)";

inline constexpr const char* kTrackerInitText =
    R"(algorithm: "tld", "template" (template matching) or "color".
device: "auto" (the fastest, by measurement), "host", "cpu", "gpu", or what devices() lists; or a dict of stages and these.
channels: the order of pictures with several channels, "bgr" (as OpenCV has it) or "rgb".
parameters: fields of TldConfig, TemplateConfig or ColorConfig, such as threads=1 (docs/notes/parameters.md). network, of "tld":
the bytes of a file that tools/convert_network.py has made.
Raises Error for values that are not allowed, TypeError for parameters that there are not.)";

inline constexpr const char* kAddText =
    R"(Adds a target, which is learnt from the next frame. Returns its id.

seed: (x, y, width, height) in pixels of that frame, sides from 8; or a Model (algorithm "tld"); or a picture of it, uint8 of
(height, width), (height, width, 3) or (height, width, 4) (algorithm "template").
id: from 1; None: the next one.
Raises Error if the box is not finite or too small, if the id is in use, and if there are too many targets. What is too far
outside of the frame, or cannot be learnt, is lost; take_warnings() says why.)";

inline constexpr const char* kMoveText =
    R"(Sets the box (x, y, width, height) of a target on the next frame. It keeps its id and what was learnt.

False if there is none with that id. Raises Error if the box is not finite or too small.)";

inline constexpr const char* kUpdateText =
    R"(Follows all targets in the frame. Returns a list of Track, in the order of their ids.

frame: a NumPy array of uint8, (height, width), (height, width, 3) or (height, width, 4), any strides over 0, sides up to
32767. It is not copied; of the fourth channel nothing is read. Frames of another size are of the same scene, resized.
time: seconds; tells that frames are missing. None: frames are evenly spaced.
discontinuity: the frame does not continue the one before (a seek, a cut).
Raises TypeError or ValueError for arrays that are none of these, and Error if the library cannot use it.)";

inline constexpr const char* kSaveText =
    R"(What was learnt about a target up to the latest frame: a Model.

Raises Error if there is no target with that id, if nothing is learnt yet, and of other algorithms than "tld".)";

inline constexpr const char* kRegionText =
    R"(Where lost targets may be found again: polygons of (x, y) from 0 to 1, parts of the frame's width and height.

within: inside any of these; None: everywhere. ignored: inside none of these.)";

inline constexpr const char* kStatsText =
    R"(A dict: frames, the number of frames; stages, a list of dicts with the times of each; targets, with the sizes of their
models.)";

inline constexpr const char* kWarningsText =
    "Warnings for users, a list of str; each is returned once.";

inline constexpr const char* kDetectionTrackerText =
    R"(Makes tracks of the boxes of a detector that need not run on every frame.

    tracker = cltrack.DetectionTracker()
    for number, frame in enumerate(frames):
        boxes = detect(frame) if number % 5 == 0 else None
        for track in tracker.update(frame, boxes):
            print(track.id, track.box)

Threads: as Tracker.)";

inline constexpr const char* kDetectionInitText =
    R"(algorithm, device, channels, parameters: as of Tracker; "tld" or "template".
use: "start": detections start tracks; "start-and-correct": and put tracks where they are detected; "when-lost": and put lost
tracks there.
types: labels that count; empty: all. least_confidence: of detections that count, 0 to 1.
timeout: seconds without a detection after which a track ends, while the detector runs; 0: never.
hits: detections that a track needs before it is reported; 0: two that are 0.15 s apart, or one if it runs less than once a second.
region, ignored: polygons in which detections count, as of Tracker.set_region().
Raises Error for values that are not allowed.)";

inline constexpr const char* kDetectionUpdateText =
    R"(Follows all tracks in the frame. Returns a list of Track, in the order of their ids.

frame, time, discontinuity: as of Tracker.update().
boxes: (N, 4) numbers: x, y, width, height in pixels; empty: the detector has found nothing; None: it has not run on this frame.
scores: N numbers from 0 to 1; None: 1. Under 0.5 a detection starts no track.
labels: N str, or one for all boxes of all frames; None: "object". A track has detections of one label.
Raises ValueError if their numbers differ, and Error for boxes that are not finite.)";

inline constexpr const char* kZoneEventText = "What happened in a zone. Does not change.";

inline constexpr const char* kZonesText =
    R"(Counts tracks: who crosses which line, in which direction, and who is in which area, for how long (docs/counting.md).

    zones = cltrack.Zones("door: line 0.2,0.5 0.8,0.5; room: area 0,0.5 1,0.5 1,1 0,1")
    for event in zones.update(tracker.update(frame), time, frame.shape[1::-1]):
        print(event.time, event.zone, event.kind, event.id)

Threads: what is called on several threads waits for its turn.)";

inline constexpr const char* kZonesInitText =
    R"(zones: as of set_zones(). anchor: which point of a box is where the track is, (0, 0) its top left corner, (1, 1) the bottom
right one. margin: how far beyond an edge a track has to be to count, in sides of its box. confirm_frames, confirm_time: on
how many frames, and for how many seconds. lost_time: seconds for which a lost track stays where it was. takeover_time:
seconds for which a new track may take the place of a lost one. dwell_time: seconds; longer stays are events. crowd_limit:
more tracks than that in an area are one. 0: none.
Raises Error or ValueError for values that are not allowed.)";

inline constexpr const char* kSetZonesText =
    R"(Takes the place of the zones so far; what has the name of one of them goes on with its totals, and the tracks in it.

zones: text, such as "door: line 0.2,0.5 0.8,0.5", or JSON; empty: none. Raises Error that names the zone and what is wrong
with it; the zones so far then stay.)";

inline constexpr const char* kZonesUpdateText =
    R"(The tracks of the next frame. Returns a list of ZoneEvent: what is sure now.

tracks: as update() of a tracker returns them, or Track made of what another tracker says. A track that is not among them is
lost. time: seconds. size: (width, height) of the frame in pixels.
repeated: it is a copy of the frame before. cut: another place or time than the frame before, nobody walked here.
Raises TypeError for what is no Track, ValueError for a time or a size of another form, Error for no size.)";

inline constexpr const char* kTotalsText =
    R"(A dict of dicts: what happened in each zone so far.

entered, left, dwelled, crowded, most (at a time) of areas; forward, backward of lines.)";

}  // namespace cltrack::python
