import M3U8
import Testing

/// A fingerprint is another for all edits whose output may be another, and stays what it is.
@Suite struct FingerprintTests {
    @Test func everyEditCounts() throws {
        let all = try [
            PlaylistEdits([]), PlaylistEdits([.set("EXT-X-KEY", "A", to: "1")]),
            PlaylistEdits([.set("EXT-X-KEY", "A", to: "2")]),
            PlaylistEdits([.set("EXT-X-KEY", "B", to: "1")]), PlaylistEdits([.set("EXT-X-MAP", "A", to: "1")]),
            PlaylistEdits([.replace("EXT-X-KEY", "A", with: "1")]), PlaylistEdits([.remove("EXT-X-KEY", "A")]),
            PlaylistEdits([.drop("EXT-X-KEY")]), PlaylistEdits([], observing: ["EXT-X-KEY"]),
            PlaylistEdits([], selectsURIs: true),
            PlaylistEdits([], appending: [Array("#a".utf8)]), PlaylistEdits([], scope: .media),
            PlaylistEdits([], scope: .multivariant),
        ].flatMap { edits in
            [LineLimits(), LineLimits(longestLine: 9), LineLimits(policy: .fail)].map { edits.fingerprint(with: $0) }
        }
        #expect(Set(all).count == all.count)
    }

    /// Caches keep it for years: the same in every run, on every machine. Another number here is another version of the output.
    @Test func itStaysWhatItIs() throws {
        let edits = try PlaylistEdits(
            [.set("EXT-X-STREAM-INF", "A", to: "1"), .drop("EXT-X-GAP")], observing: ["EXT-X-KEY"],
            appending: [Array("#x".utf8)], scope: .media)
        #expect(edits.fingerprint == 0xe8c8_eedc_d4e2_e8c7)
    }
}
