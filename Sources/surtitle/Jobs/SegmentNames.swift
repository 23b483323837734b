internal import ByteScan
internal import M3U8

/// The names of the segments of a WebVTT file: as files, and in their playlist.
///
///     subs/en.vtt?x=1     subs/en-00000.vtt, subs/en-00001.vtt …     subs/en-00000.vtt?x=1 …
struct SegmentNames: Equatable {
    /// The files' directory, in steps from the output directory.
    private let directory: [String]
    /// The part of a file's name before the number.
    private let prefix: String
    /// The parts of a URI before and after the number.
    private let uriPrefix: String
    private let uriSuffix: String

    /// The names for a file called `name`, without its extension; segments and playlist are in one directory.
    init(stem name: String) {
        directory = []
        prefix = name + "-"
        uriPrefix = Self.encoded(name) + "-"
        uriSuffix = ".vtt"
    }

    /// The names for the file of the relative reference `uri`, which is at the end of `steps`.
    ///
    /// None of them begins as one of `taken` does: ``beginnings(of:)``.
    init(uri: String, steps: [String], taken: Set<String> = []) {
        directory = Array(steps.dropLast())
        let path = uri.prefix { $0 != "?" && $0 != "#" }
        let query = uri.dropFirst(path.count).prefix { $0 != "#" }
        let last = URIPath(uri).lastComponent
        let stem = last.withoutExtension
        let folder = path.dropLast(last.encoded.count)
        var (number, separator) = (2, "-")
        while taken.contains(TrackPlan.key(directory + [(stem.decoded ?? "") + separator])) {
            separator = "-\(number)-"
            number += 1
        }
        prefix = (stem.decoded ?? "") + separator
        uriPrefix = folder + stem.encoded + separator
        uriSuffix = ".vtt" + query
    }

    /// The way to the file of segment `index`, in steps from the output directory.
    func steps(_ index: Int) -> [String] { directory + ["\(prefix)\(Self.digits(index)).vtt"] }

    /// The URI of segment `index` in the playlist.
    func uri(_ index: Int) -> String { "\(uriPrefix)\(Self.digits(index))\(uriSuffix)" }

    /// Whether `uri` is that of a segment, whatever its number, or of a part of one: two numbers with a point between
    /// them.
    func isSegment(_ uri: String) -> Bool { Self.isNumbered(uri, between: uriPrefix, uriSuffix) }

    /// Whether `name` has nothing but a number, or two with a point between them, between `prefix` and `suffix`.
    static func isNumbered(_ name: String, between prefix: String, _ suffix: String) -> Bool {
        guard name.utf8.starts(with: prefix.utf8), name.utf8.reversed().starts(with: suffix.utf8.reversed()) else {
            return false
        }
        let numbers = name.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
            .split(separator: ASCII.period, omittingEmptySubsequences: false)
        return numbers.count <= 2 && numbers.allSatisfy { !$0.isEmpty && $0.allSatisfy(ASCII.isDigit) }
    }

    /// The way to a file whose name goes on so behind the beginning of all of them: `17.vtt`.
    func steps(named rest: String) -> [String] { directory + [prefix + rest] }

    /// What `name` of a file is behind the beginning of all of them; nil if it is the name of none.
    func end(of name: String) -> String? {
        Self.isNumbered(name, between: prefix, ".vtt")
            ? String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self) : nil
    }

    /// The beginning of the URIs of all of them, before their numbers.
    var beginning: String { uriPrefix }

    /// The beginning of all paths of the segments, as ``TrackPlan`` compares them.
    var key: String { TrackPlan.key(directory + [prefix]) }

    private static func digits(_ index: Int) -> String {
        String(decoding: Array(DecimalDigits(UInt64(index), minimumCount: 5)), as: UTF8.self)
    }

    /// `name` as a URI's path component (RFC 3986 2.3).
    static func encoded(_ name: String) -> String {
        String(decoding: name.utf8.percentEncoded(keeping: ASCII.isUnreserved), as: UTF8.self)
    }

    /// Which beginnings of segments' names are in use by the files at `paths`, which are in lower case: those that only
    /// digits and `.vtt` follow.
    ///
    ///     subs/en-00000.vtt     subs/en-
    ///
    /// The paths are looked at once, not once for every name that is tried: a playlist may refer to thousands of such
    /// files.
    static func beginnings(of paths: Set<String>) -> Set<String> {
        Set(
            paths.compactMap { path in
                guard path.hasSuffix(".vtt") else { return nil }
                var name = path.dropLast(4)
                while name.last?.isNumber == true { name.removeLast() }
                return String(name)
            })
    }
}
