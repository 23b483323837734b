import M3U8
import Sideload
import Support
import Testing

/// What sideloading makes of playlists changes only with the version that is in every fingerprint.
@Suite struct OutputVersionTests {
    static let recorded = [1: GoldenOutput(inputs: 0xf750_6a0a_3753_425b, outputs: 0x6ad7_ee3c_fa81_2375)]

    @Test func theOutputChangesOnlyWithItsVersion() throws {
        var golden = GoldenOutput()
        var texts = try GoldenOutput.fixtures(withExtension: "m3u8") + OutputFormTests.texts
        var generator = SeededGenerator(seed: 431)
        for _ in 0..<300 { texts.append(MasterTokens.playlist(using: &generator)) }
        for policy in [SubtitleTracks.DefaultPolicy.keepsExisting, .prefersTracks] {
            let tracks = try OutputFormTests.tracks(policy: policy)
            for text in texts {
                golden.add(text, try tracks.sideloaded(into: text).bytes)
                golden.add([], try tracks.sideloaded(into: text, limits: SideloadLimits(heldRenditions: 200)).bytes)
            }
        }
        #expect(golden.fault(beside: Self.recorded[SubtitleTracks.outputVersion]) == nil)
    }
}
