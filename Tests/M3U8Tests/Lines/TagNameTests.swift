import ByteScan
import M3U8
import Support
import Testing

@Suite struct TagNameTests {
    static func spelling(_ tag: TagName) -> String { String(decoding: Array(tag.spelling), as: UTF8.self) }

    static func lookUp(_ name: [UInt8]) -> TagName? {
        let guarded = GuardedBytes(name)
        let found = TagName(ByteView(guarded.buffer))
        #expect(found == TagName(ByteView(guarded.leadingBuffer)))
        return found
    }

    @Test(arguments: TagName.allCases)
    func isFoundByItsSpellingAndByNoOther(_ tag: TagName) {
        let name = Array(Self.spelling(tag).utf8)
        #expect(Self.lookUp(name) == tag)
        for near in [
            Array(name.dropLast()), Array(name.dropFirst()), name + Array("S".utf8), name + Array("-".utf8), name + [0],
            name + Array(":".utf8), [0x20] + name, name + [0x20], Array("#".utf8) + name,
            Array(Self.spelling(tag).lowercased().utf8),
        ] {
            // What is left of EXT-X-CUE-OUT-CONT may be another tag's name, so a near miss may be found, but not as this one.
            let found = Self.lookUp(near)
            #expect(found != tag)
            #expect(found.map { Array(Self.spelling($0).utf8) == near } ?? true)
        }
        for place in name.indices {
            var changed = name
            changed[place] ^= 0x20
            #expect(Self.lookUp(changed) == nil)
        }
    }

    @Test func namesOfEveryLength() {
        for count in 0...80 {
            #expect(Self.lookUp([UInt8](repeating: UInt8(ascii: "X"), count: count)) == nil)
        }
        #expect(Self.lookUp([UInt8](repeating: 0xFF, count: 1 << 20)) == nil)
    }

    @Test func spellingsAreUnique() {
        let spellings = TagName.allCases.map(Self.spelling)
        #expect(Set(spellings).count == spellings.count)
        #expect(spellings.allSatisfy { $0.hasPrefix("EXT") && !$0.contains(":") })
    }

    @Test(arguments: TagName.allCases)
    func scope(_ tag: TagName) {
        let name = Self.spelling(tag)
        switch tag.scope {
        case .multivariant: #expect(NaivePlaylist.multivariantTags.contains(name))
        case .media: #expect(NaivePlaylist.mediaTags.contains(name))
        case .any: #expect(!(NaivePlaylist.multivariantTags + NaivePlaylist.mediaTags).contains(name))
        }
    }

    @Test func everyTagThatTellsHasAName() {
        for name in NaivePlaylist.multivariantTags + NaivePlaylist.mediaTags {
            #expect(Self.lookUp(Array(name.utf8)) != nil, "\(name)")
        }
    }

    @Test func attributeLists() {
        // The tags whose value RFC 8216 and its successors write as an attribute list.
        let lists = [
            "EXT-X-KEY", "EXT-X-MAP", "EXT-X-DATERANGE", "EXT-X-PART", "EXT-X-PART-INF", "EXT-X-SERVER-CONTROL",
            "EXT-X-SKIP", "EXT-X-PRELOAD-HINT", "EXT-X-RENDITION-REPORT", "EXT-X-MEDIA", "EXT-X-STREAM-INF",
            "EXT-X-I-FRAME-STREAM-INF", "EXT-X-SESSION-DATA", "EXT-X-SESSION-KEY", "EXT-X-CONTENT-STEERING",
            "EXT-X-START", "EXT-X-DEFINE", "EXT-X-IMAGE-STREAM-INF", "EXT-X-TILES",
        ]
        let others = [
            "EXTM3U", "EXT-X-VERSION", "EXTINF", "EXT-X-BYTERANGE", "EXT-X-DISCONTINUITY", "EXT-X-PROGRAM-DATE-TIME",
            "EXT-X-GAP", "EXT-X-BITRATE", "EXT-X-TARGETDURATION", "EXT-X-MEDIA-SEQUENCE", "EXT-X-ENDLIST",
            "EXT-X-DISCONTINUITY-SEQUENCE", "EXT-X-PLAYLIST-TYPE", "EXT-X-I-FRAMES-ONLY", "EXT-X-INDEPENDENT-SEGMENTS",
        ]
        #expect(lists.allSatisfy { Self.lookUp(Array($0.utf8))?.hasAttributeList == true })
        #expect(others.allSatisfy { Self.lookUp(Array($0.utf8))?.hasAttributeList == false })
    }

    @Test func selectors() {
        #expect(TagSelector(.streamInf) == "EXT-X-STREAM-INF")
        #expect(TagSelector(spelling: "EXT-X-FOO".utf8) != "EXT-X-FO")
        #expect(TagSelector(.extInf).spelling == Array("EXTINF".utf8))
    }
}
