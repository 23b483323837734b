import Delivery
import Foundation
import NIOCore

/// A file that grows, whose cues are those of a track: what has been appended is read whenever somebody looks.
final class CuesFile {
    private let path: String
    private let tracks: LiveTracks
    private let track: Int
    private let pipes: CuesPipes
    private let file = LooseDescriptor()
    /// What it is read from if it is no regular file.
    private var pipe: CuesPipe?
    private var lastGrowth: NIODeadline?
    private var lastTrouble: Int32 = 0
    /// Whether what is there already has been read.
    private var hasBegun = false
    /// Whether its cues have no times of their own.
    private let showsWhenItComes: Bool

    /// For how long versions of the video are asked for after the last cue.
    private static let growth = TimeAmount.seconds(60)

    /// The file of a track; nil if its cues do not come from one that grows.
    init?(_ track: Int, of router: Router, for tracks: LiveTracks, _ pipes: CuesPipes) {
        let configuration = router.tracks[track].configuration
        guard let path = configuration.cuesFile else { return nil }
        self.path = path
        self.track = track
        self.tracks = tracks
        self.pipes = pipes
        showsWhenItComes = configuration.anchor == nil
    }

    /// Whether it has grown lately.
    func isComing(at now: NIODeadline) -> Bool { lastGrowth.map { now - $0 < Self.growth } ?? false }

    /// Reads what has come since the last call.
    func read() {
        let found = find()
        var next = pipe
        if let found {
            next = found.isPipe ? pipes.pipe(at: path, found.identity) : nil
            if found.isPipe, next == nil { return trouble(errno) }
        }
        // That goes to all who follow it.
        next?.read()
        tracks.followFile(of: track) { cues in
            let isAnother = found.map { cues.isAnother($0.identity, size: $0.size) } ?? false
            if let next {
                if next !== pipe { follow(next, &cues) }
            } else {
                pipe = nil
                if found != nil, isAnother || !file.isOpen { open() }
                if file.read(into: { cues.append($0) }) > 0 { lastGrowth = .now() }
                // Cues without times of their own that stood there before anybody was there to see them have been said
                // long ago.
                if !hasBegun, showsWhenItComes { cues.forgetCues() }
            }
            hasBegun = true
            tell(&cues)
        }
    }

    /// Takes what has come out of a pipe.
    func take(_ bytes: UnsafeRawBufferPointer, from pipe: CuesPipe) {
        guard self.pipe === pipe else { return }
        lastGrowth = .now()
        tracks.followFile(of: track) { cues in
            cues.append(bytes)
            tell(&cues)
        }
    }

    /// Takes note that a writer to a pipe has gone.
    func end(_ pipe: CuesPipe) {
        guard self.pipe === pipe else { return }
        tracks.followFile(of: track) { cues in
            cues.end()
            _ = cues.isAnother(pipe.identity, size: nil)
            tell(&cues)
        }
    }

    /// Follows a pipe from what has come out of it before.
    private func follow(_ next: CuesPipe, _ cues: inout FollowedCues) {
        pipe = next
        lastTrouble = 0
        file.close()
        let isOld = next.isFollowed
        next.add(self) { bytes, isWhole in
            bytes.withUnsafeBytes { cues.append($0) }
            guard isWhole else { return }
            cues.end()
            _ = cues.isAnother(next.identity, size: nil)
        }
        if isOld, showsWhenItComes { cues.forgetCues() }
    }

    private struct Found {
        let identity: FollowedCues.Identity
        /// In bytes; nil if it is no regular file.
        let size: Int?

        var isPipe: Bool { size == nil }
    }

    /// What is at the path; nil if nothing that can be read.
    private func find() -> Found? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            // One that is not there yet will be.
            if errno != ENOENT { trouble(errno) }
            return nil
        }
        let kind = status.st_mode & S_IFMT
        guard kind != S_IFDIR else {
            trouble(EISDIR)
            return nil
        }
        let identity = FollowedCues.Identity(
            device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
        return Found(identity: identity, size: kind == S_IFREG ? Int(status.st_size) : nil)
    }

    private func open() { if file.open(path) { lastTrouble = 0 } else { trouble(errno) } }

    /// Tells of an error once.
    private func trouble(_ code: Int32) {
        guard code != lastTrouble else { return }
        lastTrouble = code
        tell(String(cString: strerror(code)))
    }

    private func tell(_ cues: inout FollowedCues) { if let note = cues.takeNote() { tell("\(note)") } }

    private func tell(_ words: String) { StandardError.say("\(path): \(words)") }
}

/// A file that is read without waiting, if it is open.
final class LooseDescriptor {
    private var number: Int32?

    /// The most that is read at once, so that other channels are not held up.
    private static let most = 4 << 20

    deinit { close() }

    var isOpen: Bool { number != nil }

    /// Opens it in place of the one before; errno tells why not.
    func open(_ path: String) -> Bool {
        close()
        let opened = Foundation.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else { return false }
        number = opened
        return true
    }

    /// Hands out what is there, and returns how many bytes that were.
    ///
    /// - Parameter atEnd: Called if nothing stands behind them: a file may grow, and of a pipe the writer has gone.
    func read(into body: (UnsafeRawBufferPointer) -> Void, atEnd: () -> Void = {}) -> Int {
        guard let number else { return 0 }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var total = 0
        while total < Self.most {
            let count = buffer.withUnsafeMutableBytes { Foundation.read(number, $0.baseAddress, $0.count) }
            guard count > 0 else {
                if count == 0 { atEnd() }
                break
            }
            buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            total += count
        }
        return total
    }

    func close() {
        if let number { _ = Foundation.close(number) }
        number = nil
    }
}
