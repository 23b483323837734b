import M3U8
import Sideload
import Support
import Testing

/// One way through a sideloading rewriter, checked for every cut of a text.
struct Sideloading: Sendable {
    var tracks: SubtitleTracks
    var limits = SideloadLimits()

    /// Everything that must not depend on where the text is cut.
    struct Answer: Equatable {
        var bytes: [UInt8] = []
        var verdict = PlaylistVerdict.undecided
        var uneditableLines = 0
        var firstUneditableLine: Int?
        var exceededLimit: LimitError?
        var error: LimitError?
    }

    init(
        _ tracks: [SubtitleTrack], fallbackGroup: String = "subs", policy: SubtitleTracks.DefaultPolicy = .keepsExisting
    )
        throws
    {
        self.tracks = try SubtitleTracks(tracks, fallbackGroup: fallbackGroup, defaultPolicy: policy)
    }

    func answer(to text: [UInt8], split: [Range<Int>], leading: Bool = false, in window: GuardedWindow) -> Answer {
        var rewriter = MasterRewriter(tracks, limits: limits)
        return answer(of: &rewriter, to: text, split: split, leading: leading, in: window)
    }

    /// The answer of a rewriter that has perhaps been used before.
    func answer(
        of rewriter: inout MasterRewriter, to text: [UInt8], split: [Range<Int>], leading: Bool = false,
        in window: GuardedWindow
    ) -> Answer {
        var answer = Answer()
        var log = SliceLog()
        for range in split {
            window.with(text[range], isLeading: leading) { chunk in
                log.begin(chunk)
                do throws(LimitError) {
                    try rewriter.write(chunk) { log.take($0) }
                } catch {
                    if answer.error != nil { Issue.record("thrown twice") }
                    answer.error = error
                }
            }
        }
        log.begin(UnsafeRawBufferPointer(start: nil, count: 0))
        rewriter.finish { log.take($0) }
        for fault in log.faults { Issue.record("\(fault), cut as \(split)") }
        answer.bytes = log.bytes
        answer.verdict = rewriter.verdict
        answer.uneditableLines = rewriter.uneditableLines
        answer.firstUneditableLine = rewriter.firstUneditableLine
        answer.exceededLimit = rewriter.exceededLimit
        let position = rewriter.position
        if position != text.count { Issue.record("\(position) bytes were counted of \(text.count)") }
        return answer
    }

    /// The answer to the whole text, once it is certain that every cut has the same.
    @discardableResult
    func answer(
        to text: [UInt8], splits: [[Range<Int>]]? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) -> Answer {
        let window = GuardedWindow(capacity: text.count)
        let whole = answer(to: text, split: [0..<text.count], in: window)
        for (number, split) in (splits ?? Splits.all(of: text.count)).enumerated() {
            let answer = answer(to: text, split: split, leading: number % 2 == 0, in: window)
            if answer != whole {
                Issue.record(
                    """
                    cut as \(split)
                    text:  \(String(decoding: text, as: UTF8.self).debugDescription)
                    whole: \(String(decoding: whole.bytes, as: UTF8.self).debugDescription)
                    cut:   \(String(decoding: answer.bytes, as: UTF8.self).debugDescription)
                    """, sourceLocation: sourceLocation)
                break
            }
        }
        return whole
    }

    /// Checks that `text` becomes `expected`, whatever the cut, and that sideloading into that changes nothing.
    func check(_ text: String, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let output = answer(to: Array(text.utf8), sourceLocation: sourceLocation).bytes
        #expect(String(decoding: output, as: UTF8.self) == expected, sourceLocation: sourceLocation)
        let again = answer(to: output, sourceLocation: sourceLocation).bytes
        #expect(String(decoding: again, as: UTF8.self) == expected, "sideloaded twice", sourceLocation: sourceLocation)
    }
}

extension SliceLog {
    mutating func take(_ slice: OutputSlice) {
        switch slice.source {
        case .chunk(let range): take(slice.bytes, chunkRange: range)
        case .library: take(slice.bytes, chunkRange: nil)
        }
    }
}

/// Tracks for tests, and the tags they become.
enum Track {
    static let english = SubtitleTrack(uri: "en.m3u8", language: "en", name: "English")
    static let swedish = SubtitleTrack(uri: "sv.m3u8", language: "sv", name: "Svenska")

    static func tag(
        _ uri: String, _ language: String, _ name: String, group: String = "subs", isDefault: Bool = false
    ) -> String {
        "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"\(group)\",NAME=\"\(name)\",LANGUAGE=\"\(language)\","
            + "DEFAULT=\(isDefault ? "YES" : "NO"),AUTOSELECT=YES,URI=\"\(uri)\""
    }

    static func english(group: String = "subs", name: String = "English", isDefault: Bool = false) -> String {
        tag("en.m3u8", "en", name, group: group, isDefault: isDefault)
    }
}
