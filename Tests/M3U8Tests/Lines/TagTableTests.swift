import ByteScan
import Support
import Testing

@testable import M3U8

/// Tables of tags, and how a tag is found in them.
@Suite struct TagTableTests {
    private static func table(_ names: [String]) -> (table: TagTable, kept: [StableBytes]) {
        let kept = names.map { StableBytes(Array("#\($0)".utf8)) }
        return (TagTable(selected: kept.map(\.view)), kept)
    }

    /// Up to 254 tags are looked up by their hashes, if all of them have one.
    @Test(arguments: [(254, false), (255, true), (300, true)]) func tablesHaveRoom(_ count: Int, _ isIrregular: Bool) {
        let names = (0..<(count - TagName.allCases.count)).map { "EXT-X-TAG\($0)" }
        let (table, kept) = Self.table(names)
        withExtendedLifetime(kept) {
            #expect(table.tags.count == count && table.selectedCount == names.count)
            #expect(table.hasIrregular == isIrregular)
            #expect((table.hashes { _ in false } == .max) == isIrregular)
            for (index, tag) in table.tags.enumerated() {
                #expect(table.index(of: tag.prefix.bytes) == index)
                let line = Array(tag.prefix.bytes) + Array(":1,\n".utf8) + [UInt8](repeating: 0x78, count: 60)
                let found = line.withView { unsafe table.index(of: $0, at: 0) }
                #expect(found == index || isIrregular)
            }
            #expect(table.index(of: ByteView("#EXT-X-TAG")) == nil && table.index(of: ByteView("#EXT")) == nil)
        }
    }

    /// A tag has a hash of three bytes, after `#EXT-X-` or after `#EXT`; without them its table is irregular.
    @Test(arguments: [
        ("EXT", false), ("EXTAB", false), ("EXTABC", true), ("EXT-X-", false), ("EXT-X-AB", false), ("EXT-X-ABC", true),
        ("EXT-X", false), ("EXT-XY", true), ("EXTINF", true),
    ])
    func hashes(_ name: String, _ hasHash: Bool) {
        let (table, kept) = Self.table([name])
        withExtendedLifetime(kept) {
            #expect((table.tags[0].hash != nil) == hasHash && table.hasIrregular == !hasHash)
            #expect(table.index(of: table.tags[0].prefix.bytes) == 0)
            #expect(table.hashes { _ in false } == (table.tags[0].hash.map { 1 << UInt64($0) } ?? .max))
            #expect(table.tags.count == TagName.allCases.count + (name == "EXTINF" ? 0 : 1))
            #expect(table.tags[0].name == (name == "EXTINF" ? .extInf : nil))
            #expect(table.tags[0].scope == (name == "EXTINF" ? .media : .any))
        }
    }

    /// Ten bytes more than the longest tag has, and what is of interest counts with what is selected.
    @Test func whatIsOfInterest() {
        let (table, kept) = Self.table(["EXT-X-" + String(repeating: "LONG", count: 10)])
        withExtendedLifetime(kept) { #expect(table.lookahead == 47 + 10) }
        let longest = TagTable(selected: [])
        // #EXT-X-DISCONTINUITY-SEQUENCE and #EXT-X-PREFETCH-DISCONTINUITY are the longest with a name in code.
        #expect(longest.lookahead == 29 + 10)
        let of = { (tag: TagName) in KnownTag.hash(of: ByteView(tag.head)).map { 1 << UInt64($0) } ?? 0 as UInt64 }
        #expect(longest.hashes { _ in false } == 0 && longest.hashes { $0.name == .key } == of(.key))
        #expect(longest.hashes { $0.name == .key || $0.name == .extInf } == of(.key) | of(.extInf))
    }

    /// The name in full, and after it a colon or the line's end.
    @Test(arguments: [
        "EXT-X-A", "EXT-X-STREAM-INF", "EXT-X-BCDEFGHIJ", "EXT-X-I-FRAME-STREAM-INF",
        "EXT-X-" + "LONGER-THAN-ANY-BLOCK-OF-BYTES",
    ])
    func prefixesMatch(_ name: String) {
        let prefix = Array("#\(name)".utf8)
        prefix.withView { bytes in
            let tag = TagPrefix(bytes)
            for (end, matches) in [
                (":", true), ("\n", true), ("\r\n", true), ("\r", false), ("\rx", false), ("x", false), (" :", false),
                ("-:", false), (";", false),
            ] {
                let line = prefix + Array(end.utf8) + [UInt8](repeating: 0x78, count: 20)
                let found = line.withView {
                    unsafe tag.matches($0.word(at: 0), $0.word(at: 8), $0, at: 0)
                }
                #expect(found == matches, "\(name)\(end)")
            }
        }
    }
}
