import M3U8
import Testing

@testable import surtitle

/// What tags refer to.
@Suite struct TagReferenceTests {
    @Test(
        arguments: [
            ("EXT-X-KEY:METHOD=AES-128,URI=\"k\"", ["k"]), ("EXT-X-KEY:METHOD=NONE,URI=\"k\"", []),
            ("EXT-X-SESSION-KEY:METHOD=NONE,URI=\"k\"", []), ("EXT-X-SESSION-KEY:METHOD=X,URI=\"k\"", ["k"]),
            ("EXT-X-MAP:METHOD=NONE,URI=\"m\"", ["m"]), ("EXT-X-CONTENT-STEERING:SERVER-URI=\"s\"", ["s"]),
            ("EXT-X-DATERANGE:ID=\"a\",X-ASSET-LIST=\"l\",X-ASSET-URI=\"u\"", ["u", "l"]),
            ("EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"p\"", []), ("EXT-X-MEDIA:TYPE=AUDIO,URI=\"a\"", []),
            ("EXT-X-I-FRAME-STREAM-INF:URI=\"i\"", ["i"]),
        ] as [(String, [String])])
    func ofATag(_ line: String, _ uris: [String]) {
        var references: [TagReference] = []
        _ = PlaylistFacts(of: Array("#EXTM3U\n#\(line)\n".utf8)) { line, location in
            if case .tag(let tag) = line.kind, tag.hasAttributeList {
                references += TagReference.all(of: tag, TagValues(line), at: location)
            }
        }
        #expect(references.map(\.uri) == uris)
        #expect(references.allSatisfy { $0.isPlaylist == line.hasPrefix("EXT-X-I") && $0.location.number == 2 })
    }
}
