/// Where a cue stands in a file and when it is shown: enough to tell it from any other.
struct CuePlace: Equatable {
    /// The offset of its first byte.
    let position: Int
    /// Milliseconds.
    let start: Int64
    let end: Int64
    let identifierCount: Int
    let textCount: Int

    /// A number that differs if anything does.
    var digest: UInt64 {
        @inline(__always) get {
            let place = UInt64(truncatingIfNeeded: position ^ identifierCount &<< 40 ^ textCount &<< 48)
            return place &+ Self.timingDigest(start, end)
        }
    }

    /// The same of its times alone.
    var timingDigest: UInt64 { Self.timingDigest(start, end) }

    @inline(__always)
    static func timingDigest(_ start: Int64, _ end: Int64) -> UInt64 {
        UInt64(truncatingIfNeeded: start &+ end &<< 32)
    }
}
