import Drivers
import M3U8
import Support
import Testing

/// The rewriter against the naive one on texts that nobody would think of.
@Suite struct RandomRewritingTests {
    typealias Operation = NaiveRewriter.Operation

    // MARK: Many tags

    /// More tags than the table of tags can look up, short ones and long ones, each with its own value.
    @Test func hundredsOfTags() throws {
        let tags = (0..<400).map { "EXT-X-TAG-\($0)" } + ["EXT", "EXTA", "EXT-X", "EXT-X-", "EXT-X-Z", "EXT-X-ZZ"]
        let longest = "EXT-X-" + String(repeating: "LONG-", count: 30)
        let all = tags + [longest, longest + "R"]
        let edits = all.map { NaiveRewriter.Operation.set(name: "A", value: $0).edit(of: $0) }
        let rewriting = Rewriting(edits: try PlaylistEdits(edits))
        let naive = NaiveRewriter { line in
            guard let name = line.tagName.map({ String(decoding: $0, as: UTF8.self) }), all.contains(name) else {
                return nil
            }
            return .attributes([.set(name: "A", value: name)])
        }
        let lines = all.map { "#\($0):B=1\n#\($0)x:B=1\n#\($0.dropLast()):B=1\n" }
        let text = Array(("#EXTM3U\n" + lines.joined()).utf8)
        let splits = [[0..<text.count], Splits.even(of: text.count, size: 1)] + Splits.random(of: text.count, times: 4)
        rewriting.check(text, naive.rewrite(text), splits: splits)
    }

    /// Tags of every length, each beside all those that differ from it in one byte.
    @Test(arguments: 3...45)
    func aTagWithOneByteChangedIsAnother(count: Int) throws {
        let name = "EXT-X-ABCDEFGHIJKLMNOPQRSTUVWXYZ-ABCDEFGHIJKLM".prefix(count)
        let rewriting = Rewriting(edits: try PlaylistEdits([.drop(TagSelector(spelling: name.utf8))]))
        let naive = NaiveRewriter { $0.isTag(String(name)) ? .drop : nil }
        let head = Array("#\(name)".utf8)
        var text = Array("#EXTM3U\n".utf8)
        for place in head.indices {
            var changed = head
            changed[place] ^= 1
            text += changed + Array(":A=1\n".utf8) + head + Array("\r\n".utf8)
        }
        // With enough after the last one, so that it is compared like those in the middle of a chunk.
        text += Array("v\n".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: 100)
        let expected = naive.rewrite(text)
        #expect(expected.bytes.count < text.count)
        rewriting.check(text, expected, splits: [[0..<text.count], Splits.even(of: text.count, size: 1)])
    }

    // MARK: Random ones

    @Test func randomPlaylists() throws {
        var generator = SeededGenerator(seed: 41)
        let tags = ["EXT-X-STREAM-INF", "EXT-X-MEDIA", "EXTINF", "EXT-X-GAP", "EXT-X-FOO", "EXT-X-I-FRAME-STREAM-INF"]
        for round in 0..<500 {
            let text = PlaylistTokens.playlist(using: &generator)
            let selected = tags.filter { _ in Bool.random(using: &generator) }
            var operations = AttributeEditTests.operations(using: &generator)
            if operations.isEmpty { operations = [EdgeCaseTests.set] }
            let dropped = round % 5 == 0 ? selected.last : nil
            let (scope, naiveScope) = PlaylistRewriterTests.scopes[round % 3]
            var edits = selected.flatMap { tag in operations.map { $0.edit(of: tag) } }
            if let dropped { edits.append(.drop(TagSelector(spelling: dropped.utf8))) }
            let urisToo = round % 4 == 0
            let rewriting = Rewriting(
                edits: try PlaylistEdits(edits, selectsURIs: urisToo, appending: [Array("#end".utf8)], scope: scope),
                handler: { line, edits in if line.kind == .uri { edits.replaceLine(with: "uri".utf8) } })
            var naive = NaiveRewriter { line in
                if urisToo, line.isURI { return .replaceLine(Array("uri".utf8)) }
                if let dropped, line.isTag(dropped) { return .drop }
                return selected.contains(where: line.isTag) ? .attributes(operations) : nil
            }
            naive.scope = naiveScope
            naive.appended = ["#end"]
            let splits =
                Splits.random(of: text.count, times: 8) + [
                    [0..<text.count], Splits.even(of: text.count, size: 1), Splits.even(of: text.count, size: 64),
                ]
            rewriting.check(text, naive.rewrite(text), splits: splits, "round \(round)")
        }
    }

    /// Every byte in every place of a playlist that goes through every state, whole and one byte at a time.
    @Test func everyByteInEveryPlace() throws {
        let text = Array("#EXTM3U\r\n#EXTINF:1\n#EXT-X-A:A=\"x\" ,B=2\r\n#EXT-X-A\nv\n".utf8)
        let operations = [Operation.set(name: "B", value: "9")]
        let edits = try PlaylistEdits(operations.map { $0.edit(of: "EXT-X-A") }, selectsURIs: true)
        let rewriting = Rewriting(edits: edits, handler: { if $0.kind == .uri { $1.replaceLine(with: "u".utf8) } })
        let naive = NaiveRewriter { line in
            line.isURI ? .replaceLine([0x75]) : line.isTag("EXT-X-A") ? .attributes(operations) : nil
        }
        for place in 0..<text.count {
            for byte in UInt8.min...UInt8.max {
                var changed = text
                changed[place] = byte
                let splits = [[0..<text.count], Splits.even(of: text.count, size: 1)]
                rewriting.check(changed, naive.rewrite(changed), splits: splits, "byte \(byte) at \(place)")
            }
        }
    }
}
