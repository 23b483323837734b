internal import ByteScan
internal import WebVTT

/// When the cues of a file end: the last one in the file, and the latest of those that show.
struct CueEndReader {
    private var scanner = CueTimingScanner()
    private(set) var final: Timestamp?
    private(set) var latest: Timestamp?

    mutating func scan(_ bytes: ByteView) {
        var (final, latest) = (final, latest)
        unsafe scanner.scan(bytes.buffer) { timing in
            final = timing.end
            if timing.isShown { latest = max(latest ?? timing.end, timing.end) }
        }
        (self.final, self.latest) = (final, latest)
    }

    mutating func finish() {
        var (final, latest) = (final, latest)
        scanner.finish { timing in
            final = timing.end
            if timing.isShown { latest = max(latest ?? timing.end, timing.end) }
        }
        (self.final, self.latest) = (final, latest)
    }
}
