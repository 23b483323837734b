internal import M3U8
internal import Sideload
internal import WebVTT

/// Tells what of tracks is done as it was asked for, and will hardly show what was meant.
struct TrackNotes {
    private let plan: TrackPlan
    private let directory: String
    /// Where the master will be.
    private let place: String
    private let video: VideoClock.Located?

    /// The notes on the tracks of `plan`, which are put beside the master called `master` in `directory`.
    init(_ plan: TrackPlan, directory: String, master: String, video: VideoClock.Located?) {
        self.plan = plan
        self.directory = directory
        place = "\(directory)/\(master)"
        self.video = video
    }

    /// Notes what keeps cues of the file called `name` from showing; `note` is added to locations in it.
    func note(_ inventory: CueInventory, of name: String, _ note: String = "") {
        inventory.noteFaults(of: name, note)
        guard let end = inventory.latestEnd, let duration = video?.facts.duration, duration > .zero else { return }
        let played = duration.millisecondsRoundedUp
        guard end.milliseconds / 10 >= played else { return }
        Console.note(
            "\(name): its last cue ends at \(end.seconds) s, and the video at \(Timestamp(milliseconds: played).seconds) s; "
                + "perhaps it belongs to another video")
    }

    /// Notes which tracks refer to nothing.
    func noteReferences() {
        for entry in plan.entries where entry.copy == nil {
            guard let path = LocalReference.path(entry.spec.uri, in: place), FileStatus(at: path) == nil else {
                continue
            }
            Console.note(
                "track \(entry.number): \(entry.spec.uri) is not in \(directory), so the track shows nothing there; put it there, "
                    + "or give its uri= as it is reached from the master")
        }
    }
}

extension TrackPlan {
    /// Notes which tracks of a master at `place` have a language that no player knows, or are no subtitles.
    func noteTracks(besideMasterAt place: String) {
        for entry in entries {
            if let language = entry.spec.track.language, let advice = LanguageAdvice.advice(on: language) {
                Console.note("track \(entry.number): language=\(language) \(advice)")
            }
            guard entry.copy == nil, entry.playlist == nil else { continue }
            let uri = entry.spec.uri
            let isFetched = unsafe Web.isURL(uri) && Web.shared.access.followsReferences
            guard let operand = LocalReference.path(uri, in: place) ?? (isFetched ? uri : nil),
                Self.isMultivariant(operand)
            else { continue }
            Console.note(
                "track \(entry.number): \(uri) is a multivariant playlist, of which no player shows subtitles; give the media "
                    + "playlist of the subtitles")
        }
    }

    private static func isMultivariant(_ operand: String) -> Bool {
        guard let file = try? InputFile(operand), let size = file.size, size < 1 << 20,
            let bytes = try? file.whole(upTo: 1 << 20, otherwise: "")
        else { return false }
        return PlaylistFacts(of: bytes).verdict == .multivariant
    }
}
