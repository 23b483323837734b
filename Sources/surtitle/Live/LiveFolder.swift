internal import Delivery

// What is written as the stream goes on.
//
//     version of the video's playlist ──▶ FollowedVideo: spans, maps      one for each thing that cue time 0 is
//     cues that have come ──────────────▶ LiveTrack: segments, playlist
//                                              └──▶ OutputDirectory: all of it whole, then by its names
//
// Segments come before the playlist that names them, and the master comes last.

/// The directory that gets the tracks of a live stream.
final class LiveFolder {
    /// Where it is, and what of it may be replaced.
    struct Place {
        let directory: String
        let master: LiveMaster
        let earlier: EarlierResult
        let isForced: Bool
        /// The files that must stay, whatever they are called.
        let inputs: [String]
    }

    private let place: Place
    private let tracks: [LiveTrack]
    private let videos: [FollowedVideo]
    /// The encoder's master, and whether it waits to be written.
    private var master: [UInt8]
    private var isMasterNew = true
    private var hasBegun = false
    /// How many versions have been written.
    private(set) var versionCount = 0

    /// The directory at `place` with these tracks, which refer to these videos.
    init(_ place: Place, _ tracks: [LiveTrack], _ videos: [FollowedVideo], master: [UInt8]) {
        self.place = place
        self.tracks = tracks
        self.videos = videos
        self.master = master
        for track in tracks { track.adopt(from: place.directory, of: place.earlier) }
    }

    /// Whether the stream has ended.
    var isEnded: Bool { videos.contains { $0.channel.isEnded } }

    /// Takes a master of the encoder's, which is written with the next version. One that cannot be used is not: it is
    /// about to be written, and will be read again.
    func take(master text: [UInt8]) {
        if (try? place.master.check(text)) != nil { (master, isMasterNew) = (text, true) }
    }

    /// Reads the cues that have come.
    func readCues() throws(Failure) { for track in tracks { try track.followed?.read() } }

    /// Takes a version of the video's playlist, and writes what it brings.
    ///
    /// - Throws: A refusal of what cannot be written, or as the first version cannot be used. The version before goes
    ///   on being served where a later one cannot.
    func take(_ version: [UInt8], of playlist: String) throws(Failure) {
        var (isNew, hasBegunAnew) = (false, false)
        for video in videos {
            do throws(LiveError) {
                let change = try video.take(version)
                isNew = isNew || change.isNew
                hasBegunAnew = hasBegunAnew || change == .restarted
            } catch {
                guard hasBegun else { throw .refused(playlist, "\(error)") }
                Console.tell("\(playlist): \(error); the version before goes on being served")
                return
            }
        }
        guard isNew else { return }
        if isEnded {
            try readCues()
            for track in tracks { track.followed?.end() }
        }
        for track in tracks { track.followed?.seal(track.video.channel) }
        try write(hasBegunAnew: hasBegunAnew)
        for video in videos { video.tellNotes() }
    }

    private func write(hasBegunAnew: Bool) throws(Failure) {
        let output = OutputDirectory(
            place.directory, otherwise: "give the track another uri=, another directory with -o, or --name",
            replacing: hasBegun || place.isForced ? .everything : .own(place.earlier.contains))
        // Somebody may have removed the directory, or one in it.
        let isGone = hasBegun && FileStatus(at: "\(place.directory)/\(place.master.name)") == nil
        for track in tracks {
            let isGone = isGone || track.isGone(from: place.directory)
            try track.stage(in: output, hasBegunAnew: hasBegunAnew || isGone)
        }
        if isMasterNew || isGone { try place.master.stage(master, in: output) }
        ReadFiles.beginAgain(with: place.inputs)
        try output.commit()
        (isMasterNew, hasBegun) = (false, true)
        versionCount += 1
        for steps in tracks.flatMap({ $0.takeGone() }) {
            _ = unsafe unlink("\(place.directory)/\(steps.joined(separator: "/"))")
        }
    }

    /// - Throws: A refusal of a file of which cues were left out: which, has been told when it came.
    func checkCues() throws(Failure) {
        for case let followed? in tracks.map({ $0.followed }) where followed.hasFailed {
            throw .refused(followed.name, "cues were left out")
        }
    }
}

extension LiveChange {
    /// Whether there is something to be written.
    var isNew: Bool {
        switch self {
        case .unchanged, .stale, .suspect, .needsFull: false
        default: true
        }
    }
}
