import ByteScan
import Support
import Testing

@testable import WebVTT

/// Files of subtitles of any format, read as WebVTT.
@Suite struct FormatReaderTests {
    /// A file, what it was said to be, what it is and what comes of it.
    struct Row: Sendable {
        let text: String
        let said: SubtitleFormat
        let form: FormatReader.Form
        let output: String
        var convertedCues = 0
        let reason: String
    }

    private static let cue = "1\n00:00:01,000 --> 00:00:02,000\n<font>a</font>\n"

    static let rows: [Row] = [
        Row(
            text: "WEBVTT\n\n\(cue)", said: .webVTT, form: .known(.webVTT), output: "WEBVTT\n\n\(cue)",
            reason: "as it is"),
        Row(text: "WEBVTT", said: .subRip, form: .known(.webVTT), output: "WEBVTT", reason: "WebVTT tells itself"),
        Row(
            text: cue, said: .subRip, form: .known(.subRip),
            output: "WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.000\na\n", convertedCues: 1, reason: "converted"),
        Row(text: cue, said: .webVTT, form: .neither, output: cue, reason: "handed on: nobody said that it is SubRip"),
        Row(text: "WEBVTTs", said: .webVTT, form: .neither, output: "WEBVTTs", reason: "no signature"),
        Row(text: "#EXTM3U\n", said: .playlist, form: .neither, output: "#EXTM3U\n", reason: "no file of subtitles"),
        Row(text: "", said: .webVTT, form: .neither, output: "", reason: "nothing"),
        Row(text: "", said: .subRip, form: .known(.subRip), output: "WEBVTT\n", reason: "nothing, and no cue in it"),
    ]

    @Test(arguments: rows)
    func reads(_ row: Row) throws {
        let bytes = Array(row.text.utf8)
        var reader = FormatReader()
        for split in Splits.all(of: bytes.count) {
            var output: [UInt8] = []
            for range in split {
                try unsafe Array(bytes[range]).span.bytes.withUnsafeBytes { (part) throws(TranscodingError) in
                    try reader.write(unsafe ByteView(part), row.said.told) { output += $0 }
                }
            }
            try reader.finish(row.said.told) { output += $0 }
            #expect(reader.form == row.form && String(decoding: output, as: UTF8.self) == row.output, "\(row.reason)")
            #expect(reader.form.isConverted == (row.form == .known(.subRip)))
            #expect(reader.convertedCues == row.convertedCues)
            reader.reset()
        }
    }

    /// What a file looks like that says nowhere what it is.
    @Test(arguments: [
        ("1\n00:00:01,000 --> 00:00:02,000\n", SubtitleFormat.subRip), ("\u{FEFF}\r\n 12 \r\n0:1,0-->2", .subRip),
        ("WEBVTT\n\n1\n00:01.000 --> 00:02.000\n", nil), ("1\n", nil), ("1\n--> 2\n", nil), ("", nil),
        ("a\n0:1 --> 2\n", nil),
    ])
    func looks(_ head: String, _ expected: SubtitleFormat?) {
        #expect(Array(head.utf8).withView { SubtitleFormat(head: $0) } == expected)
    }

    /// The cues that are left out are told with their place.
    @Test func leftOut() throws {
        let text =
            "1\n00:00:01,000 --> 00:00:02,000\na\n\n2\n00:00:03,000 -> 00:00:04,000\nb\n\n3\n00:00:05,000 - > 00:00:06,000\nc\n"
        var reader = FormatReader()
        #expect(reader.leftOut == nil)
        try unsafe Array(text.utf8).span.bytes.withUnsafeBytes { (bytes) throws(TranscodingError) in
            try reader.write(unsafe ByteView(bytes), SubtitleFormat.subRip.told) { _ in }
        }
        try reader.finish(SubtitleFormat.subRip.told) { _ in }
        let found = reader.leftOut
        let leftOut = try #require(found)
        #expect(leftOut.count == 2 && leftOut.position == 37 && "\(leftOut.cause)" == "a broken arrow, such as - >")
        #expect("\(leftOut.advice)" == "write -->")
        reader.reset()
        #expect(reader.leftOut == nil && reader.form == .undecided)
    }

    /// Whoever decides by more bytes gets more of them, and all of a shorter file.
    @Test(arguments: [(4, "abcd"), (8, "abcdefgh"), (9, "abcdefgh")])
    func theHead(_ count: Int, _ head: String) throws {
        for split in Splits.all(of: 8) {
            var reader = FormatReader(decidingBy: count)
            var seen: [String] = []
            func decide(_ bytes: ByteView, _ isWhole: Bool) -> FormatReader.Form {
                seen.append(String(decoding: Array(bytes), as: UTF8.self))
                return isWhole || bytes.count == count ? .neither : .undecided
            }
            for range in split {
                let part = Array(Array("abcdefgh".utf8)[range])
                try unsafe part.span.bytes.withUnsafeBytes { (part) throws(TranscodingError) in
                    try reader.write(unsafe ByteView(part), decide) { _ in }
                }
            }
            try reader.finish(decide) { _ in }
            #expect(seen.last == head)
        }
    }
}
