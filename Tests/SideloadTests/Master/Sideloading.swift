import Drivers
import Sideload
import Support
import Testing

/// A rewriter's configuration, and checks that try it with every cut of a text.
struct Sideloading: Sendable {
    var tracks: SubtitleTracks
    var limits = SideloadLimits()

    init(
        _ tracks: [SubtitleTrack], fallbackGroup: String = "subs", policy: SubtitleTracks.DefaultPolicy = .keepsExisting
    )
        throws
    {
        self.tracks = try SubtitleTracks(tracks, fallbackGroup: fallbackGroup, defaultPolicy: policy)
    }

    func answer(
        to text: [UInt8], split: [Range<Int>], leading: Bool = false, in window: GuardedWindow
    ) -> RewriterAnswer {
        var rewriter = MasterRewriter(tracks, limits: limits)
        return answer(of: &rewriter, to: text, split: split, leading: leading, in: window)
    }

    /// The answer of a rewriter that may have been used before.
    func answer(
        of rewriter: inout MasterRewriter, to text: [UInt8], split: [Range<Int>], leading: Bool = false,
        in window: GuardedWindow
    ) -> RewriterAnswer {
        let run = RewriterRun(of: &rewriter, on: text, split: split, in: window, isLeading: leading)
        for fault in run.faults { Issue.record("\(fault), cut as \(split)") }
        return run.answer
    }

    /// The answer to the whole text; records an issue if a cut has another.
    @discardableResult
    func answer(
        to text: [UInt8], splits: [[Range<Int>]]? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) -> RewriterAnswer {
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

    /// Checks that `text` becomes `expected` with every cut, and that sideloading into that changes nothing.
    func check(_ text: String, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let output = answer(to: Array(text.utf8), sourceLocation: sourceLocation).bytes
        #expect(String(decoding: output, as: UTF8.self) == expected, sourceLocation: sourceLocation)
        let again = answer(to: output, sourceLocation: sourceLocation).bytes
        #expect(String(decoding: again, as: UTF8.self) == expected, "sideloaded twice", sourceLocation: sourceLocation)
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
