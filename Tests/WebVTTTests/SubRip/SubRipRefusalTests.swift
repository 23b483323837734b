import Foundation
import Support
import Testing

@testable import WebVTT

@Suite struct SubRipRefusalTests {
    static let subtitles = "1\r\n00:00:01,000 --> 00:00:02,000\r\nÅse 字 🎬\r\n"

    static func refusal(_ file: [UInt8]) -> SubRipRun { SubRipRun(checking: file) }

    @Test(
        arguments: [
            (.utf16LittleEndian, .utf16LittleEndian, [0xFF, 0xFE], 1),
            (.utf16BigEndian, .utf16BigEndian, [0xFE, 0xFF], 0),
            (.utf32LittleEndian, .utf32LittleEndian, [0xFF, 0xFE, 0, 0], 1),
            (.utf32BigEndian, .utf32BigEndian, [0, 0, 0xFE, 0xFF], 0),
        ] as [(ForeignEncoding, String.Encoding, [UInt8], Int)])
    func largerUnits(encoding: ForeignEncoding, name: String.Encoding, mark: [UInt8], position: Int) throws {
        let file = [UInt8](try #require(Self.subtitles.data(using: name)))
        for (file, position) in [(mark + file, 0), (file, position), (mark, 0)] {
            let run = Self.refusal(file)
            #expect(run.error == TranscodingError(reason: .encoding(encoding), position: position))
            // Nothing is written of a file that is refused for its beginning.
            #expect(run.output.isEmpty)
        }
    }

    @Test func eightBit() {
        for (line, place) in [("É", 0), ("Caf\u{E9} noir", 3), ("\u{A3}", 0), ("\u{C3}(", 0), ("\u{E2}\u{82}x", 0)] {
            let head = "1\n00:00:01,000 --> 00:00:02,000\nfirst\n"
            let file = Array(head.utf8) + line.unicodeScalars.map { UInt8($0.value) } + Array("\nlast\n".utf8)
            let run = Self.refusal(file)
            #expect(run.error == TranscodingError(reason: .encoding(.eightBit), position: head.utf8.count + place))
            // What came of the whole lines before it is there, and nothing else.
            #expect(run.output.suffix(6).elementsEqual("first\n".utf8))
        }
    }

    @Test func theEndInsideACharacter() {
        for tail in [[0xC3], [0xE5, 0xAD], [0xF0, 0x9F, 0x8E]] as [[UInt8]] {
            let run = Self.refusal(Array("0:0 --> 0:1\na".utf8) + tail)
            #expect(run.error == TranscodingError(reason: .encoding(.eightBit), position: 13))
            #expect(Self.refusal(tail).error == TranscodingError(reason: .encoding(.eightBit), position: 0))
        }
    }

    @Test func theFirstMalformedByteIsTheOneThatTheStandardLibraryFinds() {
        let bytes: [UInt8] = [
            0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xF0, 0xF1,
            0xF3, 0xF4, 0xF5, 0xFF,
        ]
        for first in bytes {
            for second in bytes {
                for third in bytes {
                    for fourth in isLong ? bytes : [0x41, 0x80, 0xBF, 0xC2] {
                        let file = [first, second, third, fourth]
                        let valid = (0...4).last { String(validating: file[..<$0], as: UTF8.self) != nil } ?? 0
                        let expected =
                            valid == 4 ? nil : TranscodingError(reason: .encoding(.eightBit), position: valid)
                        // `x` keeps the bytes from being a byte order mark.
                        let run = (Array("x".utf8) + file).withUnsafeBytes {
                            SubRipRun($0, ranges: [0..<1, 1..<3, 3..<5])
                        }
                        let error = run.error.map { TranscodingError(reason: $0.reason, position: $0.position - 1) }
                        if error != expected { Issue.record("\(file): \(run)") }
                    }
                }
            }
        }
    }

    @Test func aNULFurtherOnIsNoSignOfUTF16() {
        let run = Self.refusal(Array("0:0 --> 0:1\na\0b\n\0\0\n".utf8))
        #expect(run.error == nil)
        #expect(NaiveCues.cues(in: run.output)?.map(\.text) == ["a\u{FFFD}b\n\u{FFFD}\u{FFFD}"])
    }

    @Test func anErrorIsFinalUntilTheReset() throws {
        var transcoder = SubRipTranscoder()
        let wrong: [UInt8] = [0x31, 0x0A, 0xFF, 0x0A, 0x0A]
        let right = Array("0:0 --> 0:1\na".utf8)
        let error = TranscodingError(reason: .encoding(.eightBit), position: 2)
        var output: [UInt8] = []
        for file in [wrong, right, []] {
            #expect(throws: error) { try file.withUnsafeBytes { try transcoder.write($0) { output += $0 } } }
        }
        #expect(throws: error) { try transcoder.finish { output += $0 } }
        #expect(output == Array("WEBVTT\n".utf8))
        #expect(transcoder.position == wrong.count + right.count)

        transcoder.reset()
        try right.withUnsafeBytes { try transcoder.write($0) { output += $0 } }
        try transcoder.finish { output += $0 }
        #expect(NaiveCues.cues(in: Array(output.dropFirst(7)))?.count == 1)
    }

    @Test(
        arguments: [
            (
                .utf16LittleEndian, 1,
                "at byte 1: not UTF-8; looks like UTF-16LE; convert it first, for example with iconv -f UTF-16LE -t UTF-8"
            ),
            (
                .eightBit, 70,
                "at byte 70: not UTF-8 but an 8-bit or East Asian encoding; find out which, and convert it first"
            ),
        ] as [(ForeignEncoding, Int, String)])
    func words(encoding: ForeignEncoding, position: Int, words: String) {
        #expect(TranscodingError(reason: .encoding(encoding), position: position).description == words)
    }
}
