import Drivers
import Foundation
import M3U8
import Support
import Testing

/// The playlists other projects test with come through byte for byte, and edited as the naive rewriter edits them.
@Suite(.enabled(if: Conformance.isAvailable, "\(Conformance.skipped)"))
struct ConformanceTests {
    static let isLong = ProcessInfo.processInfo.environment["SURTITLE_LONG"] != nil

    /// Every split where there is time; else about fifty of them, single bytes and random ones.
    static func splits(of count: Int) -> [[Range<Int>]] {
        if isLong, count < 40_000 { return Splits.all(of: count) }
        if count > 100_000 { return [[0..<count], Splits.even(of: count, size: 1460)] }
        var splits = stride(from: 0, through: count, by: max(1, count / 40)).map { [0..<$0, $0..<count] }
        if count < 4000 || isLong { splits.append(Splits.even(of: count, size: 1)) }
        return splits + Splits.random(of: count, times: 4)
    }

    @Test func thereArePlaylists() {
        #expect(ConformanceText.all.count > 100)
        #expect(ConformanceText.all.filter { NaivePlaylist.verdict(on: $0.bytes) == .multivariant }.count > 20)
    }

    @Test(arguments: ConformanceText.all)
    func noEdits(_ file: ConformanceText) throws {
        var expected = NaiveRewriter { _ in nil }.rewrite(file.bytes)
        #expect(expected.bytes == file.bytes)
        expected.bytes = file.bytes
        Rewriting(edits: try PlaylistEdits([])).check(file.bytes, expected, splits: Self.splits(of: file.bytes.count))
    }

    @Test(arguments: ConformanceText.all)
    func everyTagObserved(_ file: ConformanceText) throws {
        let tags = TagName.allCases.filter { $0 != .extM3U }.map { TagSelector($0) }
        let edits = try PlaylistEdits(
            [], observing: tags + ["EXT-X-UNKNOWN"], selectsURIs: true, absent: Array("URI".utf8))
        let expected = NaiveRewriter { _ in nil }.rewrite(file.bytes)
        let splits = Self.splits(of: file.bytes.count)
        Rewriting(edits: edits).check(file.bytes, expected, splits: Self.isLong ? splits : Array(splits.suffix(8)))
    }

    @Test(arguments: ConformanceText.all)
    func edited(_ file: ConformanceText) throws {
        let tags = ["EXT-X-STREAM-INF", "EXT-X-MEDIA", "EXT-X-KEY", "EXT-X-MAP"]
        let operations: [NaiveRewriter.Operation] = [
            .set(name: "SUBTITLES", value: "\"s\""), .remove(name: "CODECS"), .replace(name: "URI", value: "\"u\""),
        ]
        let edits = try PlaylistEdits(
            tags.flatMap { tag in operations.map { $0.edit(of: tag) } } + [.drop("EXT-X-VERSION")])
        let naive = NaiveRewriter { line in
            if line.isTag("EXT-X-VERSION") { return .drop }
            return tags.contains(where: line.isTag) ? .attributes(operations) : nil
        }
        Rewriting(edits: edits).check(
            file.bytes, naive.rewrite(file.bytes), splits: Self.splits(of: file.bytes.count))
    }
}
