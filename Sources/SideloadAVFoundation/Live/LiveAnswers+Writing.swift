#if canImport(AVFoundation) && !os(watchOS)
internal import Delivery
internal import Foundation

// Cues that the app appends: they come in by the lock, from any thread.
extension LiveAnswers {
    /// Lets a writer begin.
    func beginCues(_ format: GrowingConfiguration.Format, of track: Int) throws(SubtitleLoaderError) {
        let hasBegun = locked {
            let group = group(of: track)
            guard !hasEnded, group.tracks.beginCues(format, of: track) else { return false }
            if group.follower == nil { group.follower = follow(group) }
            return true
        }
        guard hasBegun else { throw SubtitleLoaderError(.isWritten, router.tracks[track].name) }
    }

    /// Takes bytes of cues; they are in the next answer.
    func appendCues(_ bytes: UnsafeRawBufferPointer, of track: Int) throws(SubtitleLoaderError) {
        try changing(track) { (tracks) throws(GrowingError) in try unsafe tracks.appendCues(bytes, of: track) }
    }

    /// Ends a writer.
    func finishCues(of track: Int) throws(SubtitleLoaderError) {
        try changing(track) { (tracks) throws(GrowingError) in try tracks.finishCues(of: track) }
    }

    func abandonCues(of track: Int) {
        lock.withLock { if !hasEnded { group(of: track).tracks.abandonCues(of: track) } }
    }

    private func changing(
        _ track: Int, _ body: (LiveTracks) throws(GrowingError) -> Void
    ) throws(SubtitleLoaderError) {
        let failure = locked { () -> SubtitleLoaderError.Kind? in
            if hasEnded { return .released }
            do throws(GrowingError) { try body(group(of: track).tracks) } catch { return .cues(error) }
            return nil
        }
        if let failure { throw SubtitleLoaderError(failure, router.tracks[track].name) }
    }

    /// Asks for versions while cues come, so that these are sealed in time though the player asks for nothing.
    private func follow(_ group: LiveGroup) -> Task<Void, Never> {
        let followed = ObjectIdentifier(group)
        return Task { [weak self] in
            while let pause = self?.followOnce(followed) {
                try? await Task.sleep(for: .milliseconds(pause))
            }
        }
    }

    /// How many milliseconds later to come again; nil if nobody writes any more.
    private func followOnce(_ followed: ObjectIdentifier) -> Int64? {
        locked {
            guard !hasEnded, let group = groups.first(where: { ObjectIdentifier($0) == followed }) else { return nil }
            guard group.tracks.isBeingWritten else {
                group.follower = nil
                return nil
            }
            if let fetching = group.tracks.follow(at: now()) { begin(fetching, group) }
            return group.followPause
        }
    }
}
#endif
