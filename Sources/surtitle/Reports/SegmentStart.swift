internal import M3U8
internal import Sideload

/// What `surtitle inspect` tells of a media segment: its first time stamp, or why that is not known.
struct SegmentStart {
    private let found: Result<UInt64, MediaStartError>

    /// What `answer` tells; nil of what is no segment, or cannot be told from noise.
    init?(_ answer: MediaStartScanner.Answer) {
        switch answer {
        case .found(let ticks): found = .success(ticks)
        case .needsMoreBytes, .unsupported(.notMedia), .unsupported(.encrypted): return nil
        case .unsupported(let error): found = .failure(error)
        }
    }

    /// The time stamp for people, as a timestamp map and as a clock have it: `126000 (1.400 s)`.
    var words: String {
        switch found {
        case .success(let ticks):
            // A tick is 11,111 1/9 ns; what is below a microsecond would only look exact.
            "\(ticks) (\(DecimalSeconds(nanoseconds: ticks * 100 / 9 * 1000).exactSeconds) s)"
        case .failure(let error): "unknown: \(error)"
        }
    }

    /// The time stamp in ticks of 1/90000 s; nil if it is not known.
    var ticks: Int64? { try? Int64(found.get()) }
}
