import Testing

@testable import surtitle

/// Characters that turn the direction of text do not reach the terminal.
@Suite struct DirectionTests {
    private static let turning =
        [0x061C, 0x200E, 0x200F] + Array(0x202A...0x202E) + Array(0x2066...0x2069) + [0x2028, 0x2029]
    private static let others = [0x061B, 0x061D, 0x200D, 0x2010, 0x2027, 0x202F, 0x2065, 0x206A, 0x20AC, 0x0639]

    private static func text(_ values: [Int]) -> String {
        String(String.UnicodeScalarView(values.compactMap { Unicode.Scalar(UInt32($0)) }))
    }

    private static func digits(_ value: Int) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    private static func escaped(_ value: Int) -> String { "\\u{\(digits(value))}" }

    @Test func inMessages() {
        for value in Self.turning { #expect(Console.oneLine("a\(Self.text([value]))b") == "a\(Self.escaped(value))b") }
        #expect(Console.oneLine(Self.text(Self.others)) == Self.text(Self.others))
    }

    @Test func inCues() throws {
        let head = "WEBVTT\n\n00:01.000 --> 00:02.000\n"
        for length in [0, 7, 63] {
            let filler = String(repeating: "x", count: length)
            for value in Self.turning + Self.others {
                let input = Array("\(head)\(filler)\(Self.text([value]))b\n".utf8)
                let shown = Self.turning.contains(value) ? Self.escaped(value) : Self.text([value])
                guard value != 0x2065 || length > 0 else { continue }
                let line = try CueTexts.only(of: input, .readable)
                #expect(line == "00:00:01.000 --> 00:00:02.000  \(filler)\(shown)b\n", "\(value)")
                let quoted = Self.turning.contains(value) ? "\\u\(Self.digits(value))" : shown
                #expect(try CueTexts.only(of: input, .json).contains("\"\(filler)\(quoted)b\""), "\(value)")
            }
        }
    }

    @Test func inReports() throws {
        let all = Self.text(Self.turning)
        let text =
            "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\(all)\",NAME=\"n\(all)\",URI=\"u\(all)\"\n#EXT-\(all):1\n"
            + "#EXT-X-STREAM-INF:CODECS=\"\(all)\"\nv\(all)\n"
        let ran = try Ran("inspect", "-", input: Array(text.utf8), in: Scratch())
        #expect(ran.status == 0)
        #expect(!ran.text.unicodeScalars.contains { Self.turning.contains(Int($0.value)) })
        let escapes = Self.turning.map { Self.escaped($0) }.joined()
        for place in ["group AUDIO g", "  n", "u", "  -  -  ", "  v", "EXT-"] {
            #expect(ran.text.contains(place + escapes), "\(place)")
        }
    }
}
