import Drivers
import M3U8
import Sideload

/// A pipeline hands out and says, after each chunk, what rewriters one after the other do: one for the edits, and one for the tracks.
enum PipelineCheck {
    private static let dropped: [TagSelector] = [
        "EXT-X-SESSION-DATA", "EXT-X-I-FRAME-STREAM-INF", "EXTINF", "EXT-X-KEY", "EXT-X-FOO", "EXT", "EXT-X-STREAM-INF",
        "EXT-X-MEDIA",
    ]

    static func run(_ input: inout FuzzInput, _ faults: inout Faults) {
        let text = input.text
        let mask = input.choices.byte()
        let flags = input.choices.byte()
        guard let request = SideloadRequest(&input.choices, for: text) else {
            return faults.add("the tracks are refused")
        }
        var parts = ChainedPlaylist.Parts()
        parts.tracks = flags & 1 == 0 ? request.tracks : nil
        parts.edits = dropped.indices.filter { mask >> $0 & 1 == 1 }.map { .drop(dropped[$0]) }
        if flags & 2 != 0 { parts.edits += input.choices.operations(upTo: 2).map { $0.edit(of: "EXT-X-STREAM-INF") } }
        if flags & 4 != 0 { parts.appending = [Array("#end".utf8)] }
        if flags & 8 != 0 { parts.condition = try? VariantExpression(Array("BANDWIDTH<=1000000".utf8)) }
        if flags & 16 != 0 { parts.mapping = try? URIMapping(directory: Array("../f/".utf8)) }
        let limits = PipelineLimits(request.limits)
        do {
            var pipeline = PlaylistPipeline(try parts.recipe(), limits: limits)
            for split in input.splits() {
                let isAbandoned = input.choices.flag()
                let fault = try ChainedPlaylist.fault(
                    of: &pipeline, parts, limits, on: text, split: split, isAbandoned: isAbandoned)
                if let fault { faults.add("\(Faults.words(split)): \(fault)") }
            }
        } catch {
            faults.add("\(error)")
        }
    }
}
