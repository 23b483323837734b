internal import ByteScan
internal import M3U8
internal import WebVTT

/// Which X-TIMESTAMP-MAP the files of cues get, as `--map` and `--map-from` say.
struct MapRequest {
    private(set) var choice = TimestampMapChoice.auto
    /// The files to read instead of the video's first segment: one, or an init segment and a media segment.
    private(set) var segments: [String] = []
    private var isChosen = false

    /// Takes the value of `--map`.
    mutating func choose(_ text: String) throws(Failure) {
        isChosen = true
        do throws(TimestampMapFault) {
            choice = try Array(text.utf8).withView { text throws(TimestampMapFault) in
                try TimestampMapChoice(spelling: text)
            }
        } catch {
            throw switch error {
            case .ticks:
                .usage(
                    "--map is \(text), which begins with no number of 90 kHz ticks below 2 to the 33rd; "
                        + (Self.ticks(ofSeconds: text).map { "as seconds that would be \($0): --map \($0)" }
                            ?? "write auto, none or MPEGTS[:LOCAL], like 126000 or 900000:00:00:10.000"))
            case .local: .usage("--map is \(text), in which no time like 00:00:10.000 follows the first colon")
            }
        }
    }

    /// How many ticks the seconds `text` are, such as `1.4` or `1.4s`; nil if they are no whole number, or too many.
    private static func ticks(ofSeconds text: String) -> UInt64? {
        guard let time = Array(text.utf8).withView({ DecimalSeconds(clock: $0) }),
            let (ticks, rest) = time.nanoseconds.times(9)?.quotientAndRemainder(dividingBy: 100_000),
            rest == 0, ticks < 1 << 33
        else { return nil }
        return ticks
    }

    /// Takes what a configuration says, over which the options win.
    mutating func take(_ map: TimestampMapChoice) { if !isChosen, segments.isEmpty { choice = map } }

    /// Takes the value of `--map-from`.
    mutating func read(from segment: String) { segments.append(segment) }

    /// Refuses options that exclude each other, and those that do nothing because no file of cues is written.
    func check(writesCues: Bool) throws(Failure) {
        if choice != .auto, !segments.isEmpty { throw .usage("--map-from is for --map auto; leave one of the two out") }
        if !writesCues, isChosen || !segments.isEmpty {
            throw .usage("\(isChosen ? "--map" : "--map-from") is for the tracks' local files, and no track has file=")
        }
    }
}
