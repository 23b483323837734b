import ByteScan
import CByteScan
import M3U8
import Testing

/// The claim of `headHash`: no tag that is passed over has the hash of one that is looked for, unless both begin with the same
/// three bytes.
///
/// A tag that breaks it is still found or passed over rightly, but each of its lines costs a comparison of whole names. Who adds
/// a tag that fails here looks for another factor.
@Suite struct TagHashTests {
    /// Tags that a caller selects, and why these.
    struct Program: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let selected: [TagName]
    }

    static let multivariant = TagName.allCases.filter { $0.scope == .multivariant }

    static let programs: [Program] =
        [
            Program(testDescription: "nothing but the playlist's kind", selected: []),
            Program(testDescription: "sideloading", selected: [.streamInf, .media, .define]),
            Program(testDescription: "every tag of multivariant playlists", selected: multivariant),
            Program(testDescription: "keys of either kind", selected: [.key, .sessionKey]),
            Program(testDescription: "dates and ads", selected: [.dateRange, .programDateTime, .discontinuity]),
        ] + multivariant.map { Program(testDescription: "\($0) alone", selected: [$0]) }

    static let verdicts: [PlaylistVerdict] = [.undecided, .multivariant, .media, .mixed]

    @Test(arguments: programs, verdicts)
    func noTagIsTakenForAnother(_ program: Program, _ verdict: PlaylistVerdict) {
        let lookedFor = TagName.allCases.filter { program.selected.contains($0) || Self.changes(verdict, $0.scope) }
        for passed in TagName.allCases where !lookedFor.contains(passed) {
            for tag in lookedFor where Self.hash(passed) == Self.hash(tag) {
                #expect(Self.key(passed) == Self.key(tag), "\(passed) has the hash of \(tag)")
            }
        }
    }

    /// Where any one tag is selected, few others share its hash: these are all of them.
    @Test func selectedAloneFewTagsShareAHash() {
        var pairs: Set<[TagName]> = []
        for (index, one) in TagName.allCases.enumerated() {
            for other in TagName.allCases[..<index]
            where Self.hash(one) == Self.hash(other) && Self.key(one) != Self.key(other) {
                pairs.insert([other, one])
            }
        }
        #expect(pairs.count <= 10, "\(pairs)")
    }

    @Test func theHashReadsThreeBytes() {
        #expect(Self.hash("#EXT-X-MEDIA") == Self.hash("#EXT-X-MED"))
        #expect(Self.hash("#EXTINF:4,") == Self.hash("#EXTINF"))
        #expect((0..<100_000).allSatisfy { headHash(UInt64($0) &* 0x9E37_79B9_7F4A_7C15) < 64 })
    }

    /// Whether a tag of `scope` changes the verdict (RFC 8216 4.1).
    static func changes(_ verdict: PlaylistVerdict, _ scope: TagName.Scope) -> Bool {
        switch (verdict, scope) {
        case (.undecided, .multivariant), (.undecided, .media), (.multivariant, .media), (.media, .multivariant): true
        default: false
        }
    }

    static func head(_ tag: TagName) -> [UInt8] { Array(ByteView(tag.head)) }

    /// The three bytes that the hash is made of, found another way.
    static func key(_ tag: TagName) -> [UInt8] {
        let name = head(tag).dropFirst(4)
        let rest = name.starts(with: Array("-X-".utf8)) ? name.dropFirst(3) : name
        return Array(rest.prefix(3))
    }

    static func hash(_ tag: TagName) -> UInt32 { hash(head(tag)) }
    static func hash(_ head: String) -> UInt32 { hash(Array(head.utf8)) }
    static func hash(_ head: [UInt8]) -> UInt32 {
        headHash(head.dropFirst(4).prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
}
