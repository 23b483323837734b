/// The boxes around the next one, as far as boxes are looked into (ISO 14496-12 4.2).
///
///     file ─ moov ─ trak ─ mdia        mdhd, hdlr
///          │      │      ├ edts        elst
///          │      │      └ (its own)   tkhd
///          │      └ mvex               trex
///          └ moof ─ traf               tfhd, tfdt, trun
struct BoxPath {
    enum Place {
        case file, movie, track, media, edits, defaults, fragment, trackFragment

        fileprivate var parent: Place {
            switch self {
            case .file, .movie, .fragment: .file
            case .track, .defaults: .movie
            case .media, .edits: .track
            case .trackFragment: .fragment
            }
        }

        fileprivate var depth: Int {
            switch self {
            case .file: 0
            case .movie, .fragment: 1
            case .track, .defaults, .trackFragment: 2
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

/// The types of the boxes that are looked at: four letters, the first in the highest bits.
enum BoxType: UInt32 {
    case moov = 0x6D6F_6F76
    case trak = 0x7472_616B
    case tkhd = 0x746B_6864
    case mdia = 0x6D64_6961
    case mdhd = 0x6D64_6864
    case hdlr = 0x6864_6C72
    case edts = 0x6564_7473
    case elst = 0x656C_7374
    case mvex = 0x6D76_6578
    case trex = 0x7472_6578
    case moof = 0x6D6F_6F66
    case traf = 0x7472_6166
    case tfhd = 0x7466_6864
    case tfdt = 0x7466_6474
    case trun = 0x7472_756E
}
