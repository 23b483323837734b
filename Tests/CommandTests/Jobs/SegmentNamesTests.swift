import Foundation
import Support
import Testing

@testable import surtitle

/// Names of segments that no other file has.
@Suite struct SegmentNamesTests {
    @Test(arguments: [
        ([], "en-00000.vtt"), (["en-.vtt"], "en-2-00000.vtt"), (["en-00000.vtt"], "en-2-00000.vtt"),
        (["en-7.vtt", "en-2-123456.vtt"], "en-3-00000.vtt"), (["en-7x.vtt", "en-x.vtt", "en-7.m3u8"], "en-00000.vtt"),
        (["x/en-00000.vtt", "n-00000.vtt", "en.vtt", "en00000.vtt"], "en-00000.vtt"),
    ])
    func areFree(_ taken: [String], _ first: String) {
        let names = SegmentNames(uri: "en.vtt", steps: ["en.vtt"], taken: SegmentNames.beginnings(of: Set(taken)))
        #expect(names.steps(0) == [first])
        #expect(names.uri(0) == first)
    }

    @Test(arguments: [(0, "00000"), (99_999, "99999"), (100_000, "100000")])
    func numbersHaveFiveDigits(_ index: Int, _ digits: String) {
        let names = SegmentNames(uri: "a/e%20n.vtt?x=1#f", steps: ["a", "e n.vtt"])
        #expect(names.steps(index) == ["a", "e n-\(digits).vtt"] && names.uri(index) == "a/e%20n-\(digits).vtt?x=1")
        #expect(names.steps(named: "x") == ["a", "e n-x"] && names.beginning == "a/e%20n-" && names.key == "a/e n-")
        let stem = SegmentNames(stem: "e n")
        #expect(stem.steps(index) == ["e n-\(digits).vtt"] && stem.uri(index) == "e%20n-\(digits).vtt")
    }

    /// Names of segments and of parts, and what comes behind the beginning.
    @Test(arguments: [
        ("en-1.vtt", "1.vtt"), ("en-00017.3.vtt", "00017.3.vtt"), ("en-.vtt", nil), ("en-1..vtt", nil),
        ("en-.1.vtt", nil),
        ("en-1.2.3.vtt", nil), ("en-1a.vtt", nil), ("en-1.vtt?x", nil), ("EN-1.vtt", nil), ("en-1", nil),
        ("en-vtt", nil),
    ])
    func segmentsAreTold(_ name: String, _ end: String?) {
        let names = SegmentNames(uri: "en.vtt", steps: ["en.vtt"])
        #expect(names.end(of: name) == end && names.isSegment(name) == (end != nil))
    }

    /// A master that already names what is tried: ten times as much of it takes at most three times as long a byte.
    @Test(.enabled(if: ThreadTime.isMeasured, "skipped: SURTITLE_TIMES is not set, or no release build"))
    func theTimeIsLinear() throws {
        var growth = Double.infinity
        // A clock is disturbed by what else the machine does; a quadratic cost stays.
        for _ in 0..<5 where growth > 3 {
            growth = try min(growth, seconds(forMasterOf: 1_000_000) / (10 * seconds(forMasterOf: 100_000)))
        }
        #expect(growth <= 3)
    }

    private func seconds(forMasterOf byteCount: Int) throws -> Double {
        var text = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nen-00000.vtt\n"
        var number = 2
        while text.utf8.count < byteCount {
            text += "#EXT-X-STREAM-INF:BANDWIDTH=1\nen-\(number)-00000.vtt\n"
            number += 1
        }
        let scratch = try Scratch(["m": text, "a.vtt": Samples.webVTT])
        let words = ["sideload", "m", "--segment", "--map=none", "--track=uri=en.vtt,file=a.vtt", "-oout"]
        let start = Date()
        let ran = try Ran(words, in: scratch)
        let seconds = Date().timeIntervalSince(start)
        #expect(ran.status == 0, "\(ran.errors)")
        #expect(scratch.exists("out/en-\(number)-00000.vtt"))
        return seconds
    }
}
