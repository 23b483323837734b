import Delivery
import Foundation
import NIOCore

/// A file that grows, whose cues are those of a track: what has been appended is read whenever somebody looks.
final class CuesFile {
    private let path: String
    private let tracks: LiveTracks
    private let track: Int
    private let file = LooseDescriptor()
    private var lastGrowth: NIODeadline?
    private var lastTrouble: Int32 = 0
    /// Whether what is there already has been read.
    private var hasBegun = false
    private let showsWhenItComes: Bool

    /// The most that is read at once, so that other channels are not held up.
    private static let most = 4 << 20
    /// For how long versions of the video are asked for after the last cue.
    private static let growth = TimeAmount.seconds(60)

    /// - Parameter showsWhenItComes: Whether its cues have no times of their own.
    init(_ path: String, _ track: Int, of tracks: LiveTracks, showsWhenItComes: Bool) {
        self.path = path
        self.track = track
        self.tracks = tracks
        self.showsWhenItComes = showsWhenItComes
    }

    /// Whether it has grown lately.
    var isComing: Bool { lastGrowth.map { NIODeadline.now() - $0 < Self.growth } ?? false }

    /// Reads what has come since the last call.
    func read() { tracks.followFile(of: track) { read(into: &$0) } }

    private func read(into cues: inout FollowedCues) {
        open(for: &cues)
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var total = 0
        while total < Self.most, let count = file.read(into: &buffer) {
            if count == 0 {
                // A writer to a pipe has gone; a file may grow.
                if !file.isRegular, cues.position > 0 { cues.end() }
                break
            }
            buffer.withUnsafeBytes { cues.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            total += count
        }
        if total > 0 { lastGrowth = .now() }
        // Cues without times of their own that stood there before anybody was there to see them have been said long ago.
        if !hasBegun, showsWhenItComes, file.isRegular { cues.forgetCues() }
        hasBegun = true
        if let note = cues.takeNote() { tell("\(note)") }
    }

    /// Opens the file if it is there, and another one than before.
    private func open(for cues: inout FollowedCues) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            // One that is not there yet will be.
            if errno != ENOENT { trouble(errno) }
            return
        }
        let kind = status.st_mode & S_IFMT
        guard kind != S_IFDIR else { return trouble(EISDIR) }
        let identity = FollowedCues.Identity(
            device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
        let size = kind == S_IFREG ? Int(status.st_size) : nil
        guard cues.isAnother(identity, size: size) || !file.isOpen else { return }
        if file.open(path) { lastTrouble = 0 } else { trouble(errno) }
    }

    /// Tells of an error once.
    private func trouble(_ code: Int32) {
        guard code != lastTrouble else { return }
        lastTrouble = code
        tell(String(cString: strerror(code)))
    }

    private func tell(_ words: String) {
        FileHandle.standardError.write(Data("surtitle-proxy: \(path): \(words)\n".utf8))
    }
}

/// A file that is read without waiting, if it is open.
private final class LooseDescriptor {
    private var number: Int32?
    private(set) var isRegular = false

    deinit { close() }

    var isOpen: Bool { number != nil }

    /// Opens it in place of the one before; errno tells why not.
    func open(_ path: String) -> Bool {
        close()
        let opened = Foundation.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else { return false }
        number = opened
        var status = stat()
        isRegular = fstat(opened, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        return true
    }

    /// How many bytes have been read; 0 at the end, nil if none are there.
    func read(into buffer: inout [UInt8]) -> Int? {
        guard let number else { return nil }
        let count = buffer.withUnsafeMutableBytes { Foundation.read(number, $0.baseAddress, $0.count) }
        return count < 0 ? nil : count
    }

    private func close() {
        if let number { _ = Foundation.close(number) }
        number = nil
    }
}
