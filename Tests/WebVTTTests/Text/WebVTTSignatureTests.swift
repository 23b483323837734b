import Support
import Testing

@testable import WebVTT

@Suite struct WebVTTSignatureTests {
    static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    func signature(_ bytes: some Sequence<UInt8>, isWholeFile: Bool) -> WebVTTSignature {
        let guarded = GuardedBytes(Array(bytes))
        defer { withExtendedLifetime(guarded) {} }
        return WebVTTSignature(head: guarded.buffer, isWholeFile: isWholeFile)
    }

    @Test(arguments: [[], mark])
    func everyByteAfterTheLetters(start: [UInt8]) {
        for byte in UInt8.min...UInt8.max {
            let isFine = [0x20, 0x09, 0x0A, 0x0D].contains(byte)
            for isWholeFile in [false, true] {
                let found = signature(start + Array("WEBVTT".utf8) + [byte], isWholeFile: isWholeFile)
                #expect(found == (isFine ? .valid(byteCount: start.count + 6) : .invalid))
            }
        }
    }

    @Test(arguments: [[], mark])
    func everyShortHead(start: [UInt8]) {
        let head = start + Array("WEBVTT".utf8)
        for count in 0...head.count {
            #expect(signature(head.prefix(count), isWholeFile: false) == .needsMoreBytes)
            let isWhole = count == head.count
            let expected = isWhole ? WebVTTSignature.valid(byteCount: head.count) : .invalid
            #expect(signature(head.prefix(count), isWholeFile: true) == expected)
        }
    }

    @Test func everyWrongByteDecidesAtOnce() {
        let head = Self.mark + Array("WEBVTT".utf8)
        for place in 0..<head.count {
            for byte in UInt8.min...UInt8.max where byte != head[place] {
                // A file may well begin with the first letter instead of a byte order mark.
                let found = signature(head.prefix(place) + [byte], isWholeFile: false)
                #expect(found == (place == 0 && byte == UInt8(ascii: "W") ? .needsMoreBytes : .invalid))
            }
        }
    }

    @Test(arguments: [
        "\u{FEFF}\u{FEFF}WEBVTT\n", "webvtt\n", "WEBVT\n", " WEBVTT\n", "\nWEBVTT\n", "WEBVTTX\n", "WEBVTT\u{0C}\n",
        "WEBVTT\0",
    ])
    func refuses(text: String) {
        #expect(signature(text.utf8, isWholeFile: true) == .invalid)
        #expect(signature(text.utf8, isWholeFile: false) == .invalid)
    }

    @Test func tenBytesDecide() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            let file = WebVTTTokens.file(using: &generator)
            let head = signature(file.prefix(WebVTTSignature.decidingByteCount), isWholeFile: file.count <= 10)
            #expect(head == signature(file, isWholeFile: true))
            #expect((head != .invalid) == (NaiveTimings.cues(in: file) != nil))
        }
    }

    @Test(.enabled(if: Conformance.isAvailable, Comment(rawValue: Conformance.skipped)))
    func conformance() throws {
        for file in try WebVTTExpectation.files() + WebVTTExpectation.corpus() {
            let found = signature(file.bytes, isWholeFile: true)
            #expect((found != .invalid) == file.hasSignature, "\(file)")
        }
    }
}
