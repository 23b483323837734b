import ByteScan
import Support
import Testing

@testable import WebVTT

/// Files of subtitles of any format, read as WebVTT with their cues shifted.
@Suite struct ShiftingReaderTests {
    private static let subRip =
        "1\n00:00:01,000 --> 00:00:02,000\na\n\n2\n00:00:03,000 --> 00:00:04,500\nb\n"

    /// What is handed out of a file that was said to be SubRip, and what is wrong with it.
    private static func read(
        _ file: [UInt8], _ split: [Range<Int>], with reader: inout ShiftingReader
    ) -> (String, ShiftingReader.Fault?) {
        var output: [UInt8] = []
        do throws(ShiftingReader.Fault) {
            for range in split {
                try Array(file[range]).withView { chunk throws(ShiftingReader.Fault) in
                    try reader.read(chunk, SubtitleFormat.subRip.told) { output += $0 }
                }
            }
            try reader.read(nil, SubtitleFormat.subRip.told) { output += $0 }
        } catch {
            return (String(decoding: output, as: UTF8.self), error)
        }
        return (String(decoding: output, as: UTF8.self), nil)
    }

    /// A shift, a file, what comes of it, and how many cues are left out.
    static let rows: [(Int64, String, String, Int)] = [
        (
            0, subRip,
            "WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.000\na\n\n2\n00:00:03.000 --> 00:00:04.500\nb\n", 0
        ),
        (
            500, subRip,
            "WEBVTT\n\n1\n00:00:01.500 --> 00:00:02.500\na\n\n2\n00:00:03.500 --> 00:00:05.000\nb\n", 0
        ),
        (-2000, subRip, "WEBVTT\n\n\n2\n00:00:01.000 --> 00:00:02.500\nb\n", 1),
        // The last line is held until the file ends, and is not whole before.
        (-1000, "WEBVTT\n\n00:03.000 --> 00:04.000", "WEBVTT\n\n00:02.000 --> 00:03.000", 0),
        (0, "WEBVTT\n\n00:03.000 --> 00:04.000", "WEBVTT\n\n00:03.000 --> 00:04.000", 0),
    ]

    @Test(arguments: rows)
    func shifts(_ shift: Int64, _ text: String, _ expected: String, _ leftOut: Int) {
        let file = Array(text.utf8)
        // The same reader for all, which is shifted by another time in between.
        var reader = ShiftingReader(shiftedBy: shift)
        for split in Splits.all(of: file.count) {
            let (output, fault) = Self.read(file, split, with: &reader)
            #expect(output == expected && fault == nil, "\(split)")
            #expect(reader.leftOutCount == leftOut && reader.shift == shift)
            #expect(reader.source.form.isConverted == text.hasPrefix("1"))
            let other = split.count % 2 == 0 ? shift : shift + 1
            reader.reset(shiftedBy: other)
            #expect(reader.leftOutCount == 0 && reader.source.form == .undecided && reader.shift == other)
            if other != shift {
                _ = Self.read(file, [0..<(file.count / 2)], with: &reader)
                reader.reset(shiftedBy: shift)
            }
        }
    }

    @Test func whoDecidesByMoreBytesGetsThem() throws {
        var reader = ShiftingReader(decidingBy: 20)
        var counts: [Int] = []
        try [UInt8](repeating: 0x61, count: 30).withView { chunk throws(ShiftingReader.Fault) in
            try reader.read(
                chunk,
                { head, _ in
                    counts.append(head.count)
                    return .neither
                }, { _ in })
        }
        #expect(counts == [20])
    }

    /// What is wrong with the file, or with its lines once they are WebVTT; what came before is handed out.
    @Test(arguments: [Int64(0), 1000])
    func faults(_ shift: Int64) throws {
        var reader = ShiftingReader(shiftedBy: shift)
        let broken = Array("1\n00:00:01,000 --> 00:00:02,000\na\n\n".utf8) + [0xFF]
        let (output, fault) = Self.read(broken, [0..<broken.count], with: &reader)
        let time = shift == 0 ? "00:00:01.000 --> 00:00:02.000" : "00:00:02.000 --> 00:00:03.000"
        // The text of the cue may be held; its times are not.
        #expect(output.hasPrefix("WEBVTT\n\n1\n\(time)\n"))
        guard case .transcoding(let error) = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
        #expect(error == TranscodingError(reason: .encoding(.eightBit), position: 35))
        // A line of more than 1 MiB, which matters only if cues are shifted.
        let long = Array("WEBVTT\n\n".utf8) + [UInt8](repeating: 0x61, count: 1 << 20 + 1) + [0x0A]
        reader.reset(shiftedBy: shift)
        let (_, tooLong) = Self.read(long, Splits.even(of: long.count, size: 300_000), with: &reader)
        switch tooLong {
        case nil: #expect(shift == 0)
        case .shift(let error):
            #expect(shift != 0 && error == CueShiftError(position: 8, longestLine: 1 << 20))
        case .transcoding: Issue.record("\(String(describing: tooLong))")
        }
    }
}
