import ByteScan
import Support
import Testing

@testable import Delivery
@testable import WebVTT

/// Cues of a file that somebody follows: its form, and whose bytes they are.
struct FollowedCuesTests {
    private static let file = FollowedCues.Identity(device: 1, number: 1)
    private static let other = FollowedCues.Identity(device: 1, number: 2)

    private static func made(latency: Int64? = nil) -> FollowedCues {
        var cues = FollowedCues(GrowingConfiguration(name: Array("en".utf8), latency: latency))
        _ = cues.isAnother(file, size: 0)
        return cues
    }

    private static func append(_ text: String, to cues: inout FollowedCues) { cues.append(Array(text.utf8).span.bytes) }

    /// What a span of 1000 s has.
    private static func text(of cues: borrowing FollowedCues) -> String {
        var output = OutputPieces()
        let span = LiveSpan(
            segment: 1, part: nil, cues: CueSpan(start: 0, end: 1_000_000_000_000), isKnown: true, life: 0)
        cues.write(span, into: &output)
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        return output.reduce(into: "") { $0 += String(decoding: $1.bytes(in: nothing), as: UTF8.self) }
    }

    private static let one = "en.1\n00:00:01.000 --> 00:00:02.000\na\n\n"
    private static let two = "en.2\n00:00:03.000 --> 00:00:04.000\nb\n\n"

    static let rows: [(String, String, String?)] = [
        ("\n {\"start\":1,\"end\":2,\"text\":\"a\"}\n", one, nil),
        (
            "{\"start\":1,\"end\":2,\"text\":\"a\"}\n{}\n{\"start\":3,\"end\":4,\"text\":\"b\"}", one + two,
            "at byte 31: the line is no JSON object of a cue, such as {\"start\":1,\"end\":2,\"text\":\"a\"}; the line is left out"
        ),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\na\n\n", one, nil),
        ("1\n00:00:01,000 --> 00:00:02,000\na\n", one.replacing("en.1", with: "en.1.1"), nil),
        ("WEBVT\n\n00:01.000 --> 00:02.000\na\n\n", "", "at byte 0: "),
        (" \n", "", nil), ("", "", nil),
    ]

    @Test(arguments: rows) func theFirstByteTellsTheForm(_ text: String, _ expected: String, _ note: String?) {
        let bytes = Array(text.utf8)
        for split in 0...bytes.count {
            var cues = Self.made()
            cues.append(Array(bytes[..<split]).span.bytes)
            cues.append(Array(bytes[split...]).span.bytes)
            cues.end()
            #expect(Self.text(of: cues) == "WEBVTT\n\n" + expected, "split at \(split)")
            let told = cues.takeNote().map { "\($0)" }
            #expect(cues.hasFailed == (note != nil))
            #expect((told ?? "").hasPrefix(note ?? ""), "\(told ?? "nothing")")
            #expect((told == nil) == (note == nil))
            #expect(cues.takeNote() == nil, "it is told once")
        }
    }

    /// A line is left out that is too long, before it ends; it is told where it began.
    @Test func aLineMayBeAsLongAsTheLimit() {
        let line = "{\"start\":1,\"end\":2,\"text\":\"a\"}"
        for (limit, isTaken) in [(30, true), (29, false)] {
            var cues = FollowedCues(
                GrowingConfiguration(name: Array("en".utf8), limits: GrowingLimits(block: limit)))
            _ = cues.isAnother(Self.file, size: 0)
            Self.append("{}\n" + line, to: &cues)
            // Its end is waited for.
            #expect(Self.text(of: cues) == "WEBVTT\n\n")
            Self.append("\n", to: &cues)
            #expect(Self.text(of: cues) == "WEBVTT\n\n" + (isTaken ? Self.one : ""))
            #expect(cues.position == 34)
        }
        var cues = FollowedCues(GrowingConfiguration(name: Array("en".utf8), limits: GrowingLimits(block: 40)))
        Self.append("{" + String(repeating: " ", count: 39), to: &cues)
        #expect(cues.hasFailed == false)
        Self.append(" ", to: &cues)
        #expect(
            cues.takeNote().map { "\($0)" }
                == "at byte 0: the cue is longer than the limit of 40 bytes; break it up; the line is left out")
        Self.append("\n" + line + "\n", to: &cues)
        #expect(Self.text(of: cues) == "WEBVTT\n\n" + Self.one)
    }

    @Test func anotherWriterHasAFormOfItsOwn() {
        var cues = Self.made()
        Self.append("{\"start\":1,\"end\":2,\"text\":\"a\"}", to: &cues)
        #expect(cues.position == 30)
        let isAnother = [cues.isAnother(Self.file, size: 30), cues.isAnother(Self.file, size: 40)]
        #expect(isAnother == [false, false], "it has grown")
        let isPipe = cues.isAnother(Self.file, size: nil)
        #expect(!isPipe, "what has no size does not become shorter")
        let isReplaced = cues.isAnother(Self.other, size: 80)
        #expect(isReplaced)
        #expect(cues.position == 0)
        Self.append("WEBVTT\n\n00:03.000 --> 00:04.000\nb\n\nbroken \u{0}", to: &cues)
        #expect(Self.text(of: cues) == "WEBVTT\n\n" + Self.one + Self.two, "the last line of the one before counts")
        let isShorter = cues.isAnother(Self.other, size: 3)
        #expect(isShorter)
        Self.append("WEBVTT\n\n00:05.000 --> 00:06.000\nc\n\n", to: &cues)
        #expect(Self.text(of: cues).hasSuffix("en.3\n00:00:05.000 --> 00:00:06.000\nc\n\n"))
    }

    /// A file is another one if it is shorter than what has come of it.
    @Test(arguments: [(30, false), (29, true), (31, false), (nil, false)] as [(Int?, Bool)])
    func aFileThatBecomesShorter(_ size: Int?, _ isAnother: Bool) {
        var cues = Self.made()
        Self.append("{\"start\":1,\"end\":2,\"text\":\"a\"}", to: &cues)
        let found = cues.isAnother(Self.file, size: size)
        #expect(found == isAnother)
        #expect(cues.position == (isAnother ? 0 : 30))
        // Its last line counts then.
        #expect(Self.text(of: cues) == "WEBVTT\n\n" + (isAnother ? Self.one : ""))
    }

    @Test func aWriterThatBrokeEndsAlone() {
        var cues = Self.made()
        Self.append("WEBVTT\n\n00:01.000 --> 00:02.000\na\n\n", to: &cues)
        cues.append(([0xFF, 0x0A, 0x0A] as [UInt8]).span.bytes)
        Self.append("00:09.000 --> 00:10.000\nlost\n\n", to: &cues)
        #expect(cues.takeNote().map { "\($0)".contains("UTF-8; no cue counts from there on") } == true)
        let isReplaced = cues.isAnother(Self.other, size: 0)
        #expect(isReplaced)
        Self.append("WEBVTT\n\n00:03.000 --> 00:04.000\nb\n\n", to: &cues)
        #expect(Self.text(of: cues) == "WEBVTT\n\n" + Self.one + Self.two)
    }

    @Test func whatIsForgottenLeavesTheWriterAsItWas() {
        var cues = Self.made()
        Self.append("WEBVTT\n\nSTYLE\n::cue {}\n\n00:01.000 --> 00:02.000\na\n\n00:03.0", to: &cues)
        cues.forgetCues()
        Self.append("00 --> 00:04.000\nb\n\n", to: &cues)
        #expect(Self.text(of: cues) == "WEBVTT\n\nSTYLE\n::cue {}\n\n" + Self.two)
    }
}
