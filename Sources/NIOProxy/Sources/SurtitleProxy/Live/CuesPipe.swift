import Delivery

// Named pipes. Unlike those of a file, the bytes of a pipe are there once. So one descriptor reads them for all tracks
// that follow the path, and they are kept for those that come later: another playlist with the same track, or all of
// them after the configuration has been read again.
//
//     writer ──▶ CuesPipe ─┬─▶ CuesFile of one video, and of another
//                          └─▶ kept: what each writer has written, of the latest up to 1 MiB

/// A pipe that is read for all who follow it.
final class CuesPipe {
    private struct Follower {
        weak var file: CuesFile?
    }

    let identity: FollowedCues.Identity
    /// Whether somebody has followed it.
    private(set) var isFollowed = false
    private let descriptor = LooseDescriptor()
    private var followers: [Follower] = []
    /// What each writer has written, the present one last, and how many bytes that is.
    private var kept: [[UInt8]] = [[]]
    private var keptBytes = 0

    /// How many bytes are kept.
    static let mostBytes = 1 << 20

    /// Nil if it cannot be opened; errno tells why.
    init?(_ path: String, _ identity: FollowedCues.Identity) {
        self.identity = identity
        guard descriptor.open(path) else { return nil }
    }

    /// Has `file` follow it, after `body` has been called with what each writer has written, and whether that is whole.
    func add(_ file: CuesFile, _ body: ([UInt8], _ isWhole: Bool) -> Void) {
        isFollowed = true
        for index in kept.indices { body(kept[index], index < kept.count - 1) }
        followers.removeAll { $0.file == nil }
        followers.append(Follower(file: file))
    }

    /// Hands on what has come.
    func read() {
        var isAtEnd = false
        _ = descriptor.read { bytes in
            keep(bytes)
            for follower in followers { follower.file?.take(bytes, from: self) }
        } atEnd: {
            isAtEnd = true
        }
        guard isAtEnd, kept.last?.isEmpty == false else { return }
        kept.append([])
        for follower in followers { follower.file?.end(self) }
    }

    private func keep(_ bytes: UnsafeRawBufferPointer) {
        kept[kept.count - 1] += bytes
        keptBytes += bytes.count
        while keptBytes > Self.mostBytes, kept.count > 1 { keptBytes -= kept.removeFirst().count }
        guard keptBytes > Self.mostBytes else { return }
        kept[0] = Self.end(of: kept[0], Self.mostBytes / 2)
        keptBytes = kept[0].count
    }

    /// The last `count` bytes of cues at most, from where one begins, in their form. Nothing if none begins there.
    static func end(of cues: [UInt8], _ count: Int) -> [UInt8] {
        let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        let first = cues.first { $0 > UInt8(ascii: " ") }
        let isLines = first == UInt8(ascii: "{")
        var header: [UInt8] = []
        if first == UInt8(ascii: "W") || first == 0xEF { header = Array("WEBVTT\n\n".utf8) }
        var index = max(cues.count - count, 0)
        while let feed = cues[index...].firstIndex(of: lineFeed) {
            index = feed + 1
            // A block ends with an empty line.
            let next = cues[index...].first { $0 != carriageReturn }
            if isLines || next == lineFeed { return header + cues[index...] }
        }
        return header
    }
}

/// The pipes that are read, by their paths.
final class CuesPipes {
    private var all: [String: CuesPipe] = [:]

    var isEmpty: Bool { all.isEmpty }

    /// The pipe at this path; nil if it cannot be opened, and errno tells why.
    func pipe(at path: String, _ identity: FollowedCues.Identity) -> CuesPipe? {
        if let pipe = all[path], pipe.identity == identity { return pipe }
        all[path] = CuesPipe(path, identity)
        return all[path]
    }

    /// Reads from all.
    func read() { for pipe in all.values { pipe.read() } }

    /// Closes all but those at these paths.
    func keep(_ paths: Set<String>) { all = all.filter { paths.contains($0.key) } }
}
