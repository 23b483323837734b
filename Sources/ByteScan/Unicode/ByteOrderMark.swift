/// What the first bytes of a file say about its encoding.
///
///     EF BB BF              UTF-8
///     FE FF, FF FE          UTF-16, high byte first or low byte first
///     FF FE 00 00           UTF-32, which is not read: as if there were no mark
///     anything else         no mark
package enum ByteOrderMark: Equatable {
    /// There is none, or that of UTF-32.
    case absent
    case utf8
    case utf16(UTF16Order)

    /// How many bytes decide, at most.
    package static var decidingByteCount: Int { 4 }

    /// How many bytes the mark has.
    package var count: Int {
        switch self {
        case .absent: 0
        case .utf8: 3
        case .utf16: 2
        }
    }

    /// The mark at the `head` of a file; nil if more of it is needed.
    package init?(head: ByteView, isWhole: Bool) {
        switch (head.byte(0), head.byte(1), head.byte(2), head.byte(3)) {
        case (0xEF, 0xBB, 0xBF, _): self = .utf8
        case (0xFE, 0xFF, _, _): self = .utf16(.bigEndian)
        case (0xFF, 0xFE, 0, 0): self = .absent
        case (0xFF, 0xFE, 0, nil), (0xFF, 0xFE, nil, _):
            guard isWhole else { return nil }
            self = .utf16(.littleEndian)
        case (0xFF, 0xFE, _, _): self = .utf16(.littleEndian)
        case (0xEF, 0xBB, nil, _), (0xEF, nil, _, _), (0xFE, nil, _, _), (0xFF, nil, _, _), (nil, _, _, _):
            guard isWhole else { return nil }
            self = .absent
        default: self = .absent
        }
    }
}

/// Which byte of a unit of UTF-16 comes first.
package enum UTF16Order: Sendable { case bigEndian, littleEndian }

extension ByteView {
    /// The byte at `offset`; nil past the end.
    fileprivate func byte(_ offset: Int) -> UInt8? { offset < count ? self[offset] : nil }

    /// The bytes after the mark of UTF-8, if they begin with it.
    package var withoutMark: ByteView { hasBytes("\u{FEFF}", at: 0) ? suffix(from: 3) : self }
}
