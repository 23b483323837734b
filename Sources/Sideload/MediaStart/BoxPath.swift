/// The boxes around the next one, as far as boxes are looked into (ISO 14496-12 4.2).
///
///     file ─ moov ─ trak ─ mdia        mdhd, hdlr
///          │      │      └ edts        elst
///          │      └ (fields of mvhd)   tkhd
///          └ moof ─ traf               tfhd, tfdt, trun
struct BoxPath {
    enum Place {
        case file, movie, track, media, edits, fragment, trackFragment

        fileprivate var parent: Place {
            switch self {
            case .file, .movie, .fragment: .file
            case .track: .movie
            case .media, .edits: .track
            case .trackFragment: .fragment
            }
        }

        fileprivate var depth: Int {
            switch self {
            case .file: 0
            case .movie, .fragment: 1
            case .track, .trackFragment: 2
            case .media, .edits: 3
            }
        }
    }

    /// The innermost box.
    private(set) var place = Place.file
    /// Where the boxes end, by depth. A file ends where it likes.
    private var ends = SIMD4<UInt64>(repeating: .max)

    /// The position at which the innermost box ends.
    var end: UInt64 { ends[place.depth] }

    /// Enters a box in the innermost one.
    mutating func enter(_ inner: Place, endingAt end: UInt64) {
        place = inner
        ends[inner.depth] = end
    }

    /// Leaves the innermost box.
    mutating func leave() { place = place.parent }
}
