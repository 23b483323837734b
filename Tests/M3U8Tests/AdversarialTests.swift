import ByteScan
import Support
import Testing

@testable import M3U8

/// Inputs that try to cost more than they are long: a byte of a long one takes at most three times as long as of a short one.
@Suite(.serialized, .enabled(if: ThreadTime.isMeasured, "skipped: SURTITLE_TIMES is not set, or no release build"))
struct AdversarialTests {
    static let limits = LineLimits(longestLine: 8 << 20)

    @Test(arguments: edited + mapped + lists + lines)
    func timePerByte(input: CostlyInput) {
        let growth = input.growth(limit: 3)
        #expect(growth <= 3, "\(input): \(growth) times")
    }

    // MARK: Edits

    private static let edited: [CostlyInput] = [",", "A=1,", "A,", "\"", "A=\"", "B,A,"].flatMap { piece in
        let edits: [PlaylistEdit] = [
            .set("EXT-X-A", "A", to: "2"), .remove("EXT-X-A", "A"), .replace("EXT-X-A", "A", with: "2"),
        ]
        return edits.enumerated().flatMap { number, edit in
            [nil, 4096].map { chunk in
                CostlyInput("edit \(number) of one line of \(piece)", inChunksOf: chunk) { count in
                    CostlyText.repeated(piece, count, after: "#EXTM3U\n#EXT-X-A:", end: "\n")
                } _: { chunks in
                    guard let edits = try? PlaylistEdits([edit]) else { return }
                    var rewriter = PlaylistRewriter(edits, limits: limits)
                    for chunk in chunks { try? rewriter.write(chunk) { _ in } }
                    rewriter.finish { _ in }
                }
            }
        }
    }

    // MARK: URIs

    private static let mapped: [CostlyInput] =
        ["../", "a/../", "aaaa/", "./", "//", "{$"].map { piece in
            CostlyInput("one URI of \(piece)") { count in
                let isLong = piece == "aaaa/"
                let end = isLong ? String(repeating: "../", count: count / 6) : piece == "{$" ? "}" : ""
                let start = "#EXTM3U\n#EXTINF:1,\n"
                return CostlyText.repeated(piece, isLong ? count / 2 : count, after: start, end: end + "\n")
            } _: {
                map($0)
            }
        } + [
            CostlyInput("variables, and URIs that refer to the last") { count in
                let start = (0..<240).map { "#EXT-X-DEFINE:NAME=\"v\($0)\",VALUE=\"\"\n" }.joined()
                return CostlyText.repeated("#EXTINF:1,\n{$v239}{$v238}{$v9}.ts\n", count, after: "#EXTM3U\n" + start)
            } _: {
                map($0)
            },
            CostlyInput("variables with names that begin alike, and references that never end") { count in
                let start = (1..<240).map {
                    "#EXT-X-DEFINE:NAME=\"\(String(repeating: "v", count: $0))\",VALUE=\"\"\n"
                }
                return CostlyText.repeated("{$vvvvvvvvvv", count, after: "#EXTM3U\n" + start.joined() + "a", end: "}\n")
            } _: {
                map($0)
            },
        ]

    private static func map(_ chunks: [UnsafeRawBufferPointer]) {
        guard let mapping = try? URIMapping(base: Array("https://example.com/a/b/c.m3u8".utf8)),
            let edits = try? PlaylistEdits([], observing: URIMapping.tags, selectsURIs: true)
        else { return }
        var mapper = URIMapper(mapping, limits: URIMapper.Limits(heldVariables: 8 << 20, longestURI: 8 << 20))
        var rewriter = PlaylistRewriter(edits, limits: limits)
        for chunk in chunks { try? rewriter.write(chunk, deciding: { mapper.map($0, &$1) }) { _ in } }
        rewriter.finish(deciding: { mapper.map($0, &$1) }) { _ in }
    }

    // MARK: Lists and lines

    private static let lists: [CostlyInput] =
        ["=", "\"", ",", "A= \"b,\" ,", " ", "A=1,"].map { piece in
            CostlyInput("a list of \(piece)") {
                CostlyText.repeated(piece, $0)
            } _: { chunks in
                for chunk in chunks {
                    var scanner = AttributeScanner(ByteView(chunk), from: 0)
                    while scanner.next() != nil {}
                }
            }
        } + [
            CostlyInput("an expression of many comparisons") {
                CostlyText.repeated("&&A==1", $0, after: "A==1")
            } _: { chunks in
                for chunk in chunks { _ = try? VariantExpression(Array(chunk)) }
            }
        ]

    private static let lines: [CostlyInput] = [
        "\n", "#EXT\n", "#", "\r", "#EXT-X-A:\n", "#EXT-X-STREAM-INF:\n",
    ].flatMap { piece in
        [nil, 4096, 16].flatMap { chunk in
            [
                CostlyInput("lines of \(piece.debugDescription)", inChunksOf: chunk) {
                    CostlyText.repeated(piece, $0, after: "#EXTM3U\n")
                } _: { chunks in
                    var scanner = LineScanner(limits: limits)
                    for chunk in chunks { try? scanner.scan(chunk) { _ in } }
                    try? scanner.finish { _ in }
                },
                CostlyInput("rewritten lines of \(piece.debugDescription)", inChunksOf: chunk) {
                    CostlyText.repeated(piece, $0, after: "#EXTM3U\n")
                } _: { chunks in
                    guard let edits = try? PlaylistEdits([.set("EXT-X-A", "A", to: "2")]) else { return }
                    var rewriter = PlaylistRewriter(edits, limits: limits)
                    for chunk in chunks { try? rewriter.write(chunk) { _ in } }
                    rewriter.finish { _ in }
                },
            ]
        }
    }
}
