internal import ByteScan
internal import M3U8

/// How long a media playlist is: each EXTINF counts with the URI line that it belongs to.
struct PlaylistLength {
    private(set) var duration = DecimalSeconds.zero
    /// What is wrong, if anything.
    private(set) var fault: FetchError.Reason?
    private var hasFirstLine = false
    private var next: DecimalSeconds?

    mutating func note(_ line: PlaylistLine) {
        guard fault == nil else { return }
        if !hasFirstLine {
            hasFirstLine = true
            if PlaylistSignature.matches(line.bytes, isWhole: true) != true { fault = .notPlaylist }
            return
        }
        switch line.kind {
        case .tag(.extInf):
            next = DecimalSeconds(line.value)
            if next == nil { fault = .malformedPlaylist }
        case .uri:
            if let next { duration += next }
            next = nil
        default: break
        }
    }

    mutating func finish() {
        if fault == nil, !hasFirstLine { fault = .notPlaylist }
    }
}
