import Drivers
import M3U8
import Support
import Testing

/// What edits make of playlists changes only with the version that is in every fingerprint.
@Suite struct OutputVersionTests {
    static let recorded = [1: GoldenOutput(inputs: 0xd4be_4056_2803_1b5a, outputs: 0x2f96_e1ba_53bc_3afb)]

    @Test func theOutputChangesOnlyWithItsVersion() throws {
        var golden = GoldenOutput()
        var texts = try GoldenOutput.fixtures(withExtension: "m3u8") + OutputFormTests.texts
        var generator = SeededGenerator(seed: 432)
        for _ in 0..<300 { texts.append(PlaylistTokens.playlist(using: &generator)) }
        for scope in [PlaylistEdits.Scope.any, .multivariant, .media] {
            let edits = try OutputFormTests.edits(scope)
            for text in texts { golden.add(text, RewriterRun.output(of: edits, text, [0..<text.count])) }
        }
        #expect(golden.fault(beside: Self.recorded[PlaylistEdits.outputVersion]) == nil)
    }
}
