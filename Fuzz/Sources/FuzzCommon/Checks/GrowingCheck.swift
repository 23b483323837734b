import ByteScan
import Delivery
import Support
import WebVTT

/// 1. Cues that come in any chunks are those of the whole.  2. A segment that was sealed never changes, whatever comes
/// later.  3. No more is kept than the limit.  4. Segments are WebVTT, in which each cue has a name.
enum GrowingCheck {
    static func run(_ input: inout FuzzInput, _ faults: inout Faults) {
        let use = Use(&input.choices)
        let text = input.text
        // Of a short text every split in two.
        let splits = input.splits() + (text.count <= 96 ? Splits.all(of: text.count) : [])
        let expected = use.made(of: text, in: splits[0], &faults)
        for split in splits.dropFirst() {
            let made = use.made(of: text, in: split, &faults)
            faults.expect(made, is: expected, "law 1, \(Faults.words(split))")
        }
        use.checkSealing(of: text, in: splits[1], &faults)
    }

    /// How cues are read.
    private struct Use {
        let configuration: GrowingConfiguration

        init(_ choices: inout Choices) {
            configuration = GrowingConfiguration(
                name: Array("t".utf8), format: choices.pick(GrowingConfiguration.Format.allCases),
                jsonUnit: choices.flag() ? .milliseconds : .seconds, late: choices.pick([.spoken, .shift, .drop]),
                latency: choices.oneIn(4) ? 2000 : nil,
                limits: choices.oneIn(4) ? GrowingLimits(block: 40, kept: 60) : GrowingLimits())
        }

        /// The segments of `text`, and why it is refused.
        func made(of text: [UInt8], in split: [Range<Int>], _ faults: inout Faults) -> [UInt8] {
            var cues = GrowingCues(configuration)
            var failure: GrowingError?
            do throws(GrowingError) {
                for chunk in split {
                    let bytes = Array(text[chunk])
                    try cues.append(bytes.span.bytes)
                }
                try cues.finish()
            } catch { failure = error }
            faults.expect(cues.heldBytes <= 200 * cues.cueCount + 3 * (4 << 20), "law 3")
            var channel = LiveChannel(LiveConfiguration(anchor: .segment(0), map: .none))
            _ = Self.take(9, &channel)
            cues.seal(channel)
            var all: [UInt8] = []
            for number in 0..<9 { all += Self.segment(number, channel, cues) }
            return all + Array(String(describing: failure).utf8)
        }

        /// Chunks come between versions.
        func checkSealing(of text: [UInt8], in split: [Range<Int>], _ faults: inout Faults) {
            var cues = GrowingCues(configuration)
            var channel = LiveChannel(LiveConfiguration(anchor: .segment(0), map: .none))
            var sealed: [[UInt8]] = []
            for (index, chunk) in split.prefix(40).enumerated() {
                let bytes = Array(text[chunk])
                try? cues.append(bytes.span.bytes)
                guard Self.take(index / 2 + 1, &channel) else { return faults.add("no version") }
                cues.seal(channel)
                for number in 0...(index / 2) {
                    let made = Self.segment(number, channel, cues)
                    if number == sealed.count { sealed.append(made) }
                    faults.expect(made, is: sealed[number], "law 2, segment \(number)")
                    check(made, &faults)
                }
            }
        }

        private func check(_ segment: [UInt8], _ faults: inout Faults) {
            guard let blocks = NaiveWebVTT.blocks(of: segment) else { return faults.add("law 4, no WebVTT") }
            let names = segment.split(separator: 0x0A).filter { $0.starts(with: "t.".utf8) && !$0.contains(0x20) }
            let cues = blocks.filter { $0.kind == "cue" }
            if configuration.format == .jsonLines {
                let text = String(decoding: segment, as: UTF8.self)
                faults.expect(Set(names).count >= cues.count, "law 4, \(text.debugDescription)")
            }
        }

        private static func take(_ count: Int, _ channel: inout LiveChannel) -> Bool {
            var text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-PLAYLIST-TYPE:EVENT\n"
            for number in 0..<count { text += "#EXTINF:6.0,\n\(number).ts\n" }
            let bytes = Array(text.utf8)
            return (try? channel.take(bytes.span.bytes)) != nil
        }

        private static func segment(
            _ number: Int, _ channel: borrowing LiveChannel, _ cues: borrowing GrowingCues
        ) -> [UInt8] {
            let name = Array("\(number).vtt".utf8)
            guard case .span(let span) = channel.find(name.span.bytes) else { return [] }
            var output = OutputPieces()
            cues.write(span, into: &output)
            let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
            return output.reduce(into: []) { $0 += $1.bytes(in: nothing) }
        }
    }
}
