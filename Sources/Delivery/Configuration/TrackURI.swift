internal import ByteScan
internal import M3U8
internal import WebVTT

/// What the URI of a track tells of it: the last step of its path.
struct TrackURI {
    /// The step up to its last dot.
    private let stem: ArraySlice<UInt8>
    /// What comes after that dot, in lower case.
    private let suffix: [UInt8]

    init(_ uri: [UInt8]) {
        let path = unsafe uri.withUnsafeBytes { bytes in
            unsafe URIReference(ByteView(bytes)).path
        }
        let step = uri[path].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last ?? []
        if let dot = step.lastIndex(of: ASCII.period) {
            stem = dot > step.startIndex ? step[..<dot] : step
            suffix = step[(dot + 1)...].map { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }
        } else {
            stem = step
            suffix = []
        }
    }

    /// What the URI refers to; nil if its end does not tell.
    var source: TrackConfiguration.Source? {
        if suffix == Array("vtt".utf8) || suffix == Array("webvtt".utf8) { return .webVTT }
        if isSubRip { return .subRip }
        if suffix == Array("m3u8".utf8) || suffix == Array("m3u".utf8) { return .playlist }
        return nil
    }

    /// Whether the URI is that of a SubRip file, which players do not take.
    var isSubRip: Bool { suffix == Array("srt".utf8) }

    /// The name of the file without its extension and with percent-encoding undone: `sv x` for `subs/sv%20x.vtt`.
    ///
    /// Nil if that is empty, `.` or `..`, not UTF-8, or has a slash or a NUL.
    var name: [UInt8]? {
        let source = Array(stem)
        var name: [UInt8] = []
        var index = 0
        while index < source.count {
            if source[index] == ASCII.percent, index + 2 < source.count, let high = Self.digit(source[index + 1]),
                let low = Self.digit(source[index + 2])
            {
                name.append(high << 4 | low)
                index += 3
            } else {
                name.append(source[index])
                index += 1
            }
        }
        let isStep = name.isEmpty || name == [ASCII.period] || name == [ASCII.period, ASCII.period]
        guard !isStep, !name.contains(0), !name.contains(UInt8(ascii: "/")) else { return nil }
        var validator = UTF8Validator()
        let valid = unsafe name.withUnsafeBytes { unsafe validator.scan(ByteView($0)).end }
        return valid == name.count ? name : nil
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case ASCII.zero...ASCII.nine: byte - ASCII.zero
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
