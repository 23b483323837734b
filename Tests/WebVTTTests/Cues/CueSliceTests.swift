import Support
import Testing

@testable import WebVTT

@Suite struct CueSliceTests {
    /// Compares the events of slices with those of the whole file.
    static func check(_ file: [UInt8], cuts: [[Int]], _ name: @autoclosure () -> String = "") {
        let guarded = GuardedBytes(file)
        defer { withExtendedLifetime(guarded) {} }
        let whole = Transcript.bytes(of: guarded.buffer, in: [0..<file.count])
        for cuts in cuts where Transcript.bytes(of: guarded.buffer, slicedAt: cuts) != whole {
            Issue.record("\(name()) cut at \(cuts): \(CueScannerTests.describe(file))")
            return
        }
    }

    /// The offsets after line feeds and carriage returns, between the two of a pair as well.
    static func lineStarts(_ file: [UInt8]) -> [Int] {
        file.indices.filter { file[$0] == 0x0A || file[$0] == 0x0D }.map { $0 + 1 }
    }

    @Test(arguments: CueScannerTests.fixtures)
    func everyCut(text: String, expected: [String]) {
        let file = Array(text.utf8)
        Self.check(file, cuts: (0...file.count).map { [$0] } + [Self.lineStarts(file), Array(file.indices)])
    }

    /// A slice that lies in a block of the one before, but for the first byte of a line that is longer than what is looked at at a
    /// time: whether that line begins a block is known at its end.
    @Test(arguments: [0, 1, 20_000])
    func aLongLineThatBeginsLast(longest: Int) {
        let spaces = String(repeating: " ", count: longest)
        for line in [
            "\(spaces)a", "\(spaces)a -->", "00:01.000 \(spaces)--> 00:02.000", "a --> \(spaces)", "\(spaces)-->",
        ] {
            for end in ["\n", "\r\n", ""] {
                let head = Array("WEBVTT\n\nNOTE\nmany\nlines\n".utf8)
                let rest = end.isEmpty ? "" : "more\n\n00:03.000 --> 00:04.000\n"
                let file = head + Array("\(line)\(end)\(rest)".utf8)
                let cuts = [14, 18].flatMap { first in (-2...3).map { [first, head.count + $0] } }
                Self.check(file, cuts: cuts.filter { $0[1] <= file.count }, "\(line.suffix(20))")
            }
        }
    }

    @Test func randomFiles() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<(isLong ? 50_000 : 400) {
            let file = WebVTTTokens.file(upTo: 40, using: &generator)
            let random = (0..<4).map { _ in Int.random(in: 0...file.count, using: &generator) }.sorted()
            Self.check(file, cuts: [Self.lineStarts(file), random])
        }
    }

    @Test(.enabled(if: Conformance.isAvailable, Comment(rawValue: Conformance.skipped)))
    func everyConformanceFileCutAtEveryLine() throws {
        for file in try WebVTTExpectation.files() + WebVTTExpectation.corpus() where isLong || file.bytes.count < 3000 {
            Self.check(file.bytes, cuts: [Self.lineStarts(file.bytes)], file.name)
        }
    }

    @Test func outlinesOnSeveralTasks() async {
        var text = "WEBVTT\nKind: captions\n\nSTYLE\n::cue{}\n\n"
        for number in 0..<2000 {
            text += number % 3 == 0 ? "\(number)\n" : ""
            text += "00:00:01.000 --> 00:00:02.\(100 + number % 900) line:\(number)\nline one\nline two\n"
            text += number % 7 == 0 ? "" : number % 5 == 0 ? "\n\n\nNOTE x\n\n" : "\n"
        }
        let guarded = GuardedBytes(Array(text.utf8))
        defer { withExtendedLifetime(guarded) {} }
        let serial = cueOutlines(in: guarded.buffer)
        #expect(serial.count == 2000)
        for workers in [1, 2, 3, 8, 100, 5000] {
            #expect(await cueOutlines(in: guarded.buffer, workers: workers) == serial)
        }
        var scanned: [CueOutline] = []
        var scanner = CueScanner()
        try? scanner.scan(guarded.buffer) { if case .cue(let cue) = $0 { scanned.append(cue.outline) } }
        try? scanner.finish { if case .cue(let cue) = $0 { scanned.append(cue.outline) } }
        #expect(serial == scanned)
        #expect(serial[3].cue(in: guarded.buffer)?.identifier.string == "3")
        #expect(serial[1].cue(in: guarded.buffer)?.text.string == "line one\nline two")
        let tail = UnsafeRawBufferPointer(rebasing: guarded.buffer[serial[1999].position...])
        #expect(serial[1999].cue(in: tail, startingAt: serial[1999].position)?.settingsText.string == "line:1999")
        #expect(serial[1998].cue(in: tail, startingAt: serial[1999].position)?.position == nil)
        #expect(await cueOutlines(in: UnsafeRawBufferPointer(start: nil, count: 0), workers: 4).isEmpty)
    }
}
