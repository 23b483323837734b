import ByteScan
import Foundation
import Support
import Testing
import WebVTT

@testable import surtitle

/// The text of a listing against the library's, which the standard library decodes.
@Suite struct CueLineTests {
    private struct Line: Decodable, Equatable {
        let id: String
        let settings: String
        let text: String
    }

    private func check(_ file: [UInt8], _ name: String) throws {
        var lines: [UInt8] = []
        var expected: [Line] = []
        var line = CueLine(.json)
        var scanner = CueScanner()
        let take = { (event: CueEvent) in
            guard case .cue(let cue) = event else { return }
            expected.append(Line(id: cue.identifier.string, settings: cue.settingsText.string, text: cue.text.string))
            lines += Array(line.filled(with: cue))
        }
        try file.withUnsafeBytes { try scanner.scan($0, take) }
        try scanner.finish(take)
        let found = try lines.split(separator: 0x0A).map { try JSONDecoder().decode(Line.self, from: Data($0)) }
        #expect(found.count == expected.count, "\(name)")
        for (one, other) in zip(found, expected) {
            let isSame =
                one.id.utf8.elementsEqual(other.id.utf8) && one.settings.utf8.elementsEqual(other.settings.utf8)
                && one.text.utf8.elementsEqual(other.text.utf8)
            #expect(isSame, "\(name): \(one) \(other)")
        }
    }

    /// Every sequence of up to three of these, with plain text of any length before it, so that words of eight bytes begin anywhere.
    @Test func bytesOfAllKinds() throws {
        let pieces: [[UInt8]] = [
            [], [0], [0x1F], [0x22], [0x5C], [0x7F], [0x80], [0xC1], [0xC2], [0xC2, 0x85], [0xC3, 0xA9], [0xE0, 0x9F],
            [0xE2, 0x82], [0xE2, 0x82, 0xAC], [0xED, 0xA0, 0x80], [0xEF, 0xBF, 0xBD], [0xF0, 0x90], [0xF0, 0x9F, 0x99],
            [0xF0, 0x9F, 0x99, 0x82], [0xF4, 0x90], [0xF5], [0xFF], [0x0D], [0x0D, 0x0A, 0x2E], [0x0A, 0x2E], [0x2E],
        ]
        let head = Array("WEBVTT\n\n00:00.000 --> 00:01.000\n.".utf8)
        for (number, first) in pieces.enumerated() {
            var file = head
            for second in pieces {
                for third in Samples.isLongRun ? pieces : [[], [0x82], [0x0D]] {
                    file += Array(repeating: 0x78, count: number % 9) + first + second + third + [0x2E]
                }
            }
            try check(file, "\(first)")
        }
    }

    /// Every control character, with its escape and nothing else, whatever comes before it.
    @Test func controlCharactersAreEscaped() throws {
        let controls: [UInt32] = Array(0x01...0x1F) + Array(0x7F...0x9F)
        for number in controls where ![0x09, 0x0A, 0x0D].contains(number) {
            let character = String(try #require(Unicode.Scalar(number)))
            let digits = (number < 16 ? "0" : "") + String(number, radix: 16, uppercase: true)
            for filler in ["", String(repeating: "x", count: 63), "é"] {
                let file = Array("WEBVTT\n\n00:01.000 --> 00:02.000\n\(filler)\(character)b\n".utf8)
                let (json, line) = (try CueTexts.only(of: file, .json), try CueTexts.only(of: file, .readable))
                #expect(json.hasSuffix("\"\(filler)\\u00\(digits)b\"}\n"), "\(digits)")
                #expect(line.hasSuffix("  \(filler)\\u{\(digits)}b\n"), "\(digits)")
            }
        }
    }

    @Test(.enabled(if: Conformance.isAvailable, Comment(rawValue: Conformance.skipped)))
    func theCorpus() throws {
        for file in try WebVTTExpectation.files() { try check(file.bytes, file.name) }
        for (number, file) in try WebVTTExpectation.corpus().enumerated() where Samples.isLongRun || number % 16 == 0 {
            try check(file.bytes, file.name)
        }
    }
}
