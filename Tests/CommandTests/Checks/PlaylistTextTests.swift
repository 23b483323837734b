import M3U8
import Testing

@testable import surtitle

/// The text of a playlist: values in the place of variables, and locations in the file.
@Suite struct PlaylistTextTests {
    private func text(
        _ lines: String, at place: String = "p", importing master: Variables? = nil
    ) -> (text: PlaylistText, sentences: [String]) {
        let findings = Findings()
        let text = PlaylistText(
            Array("#EXTM3U\n\(lines)".utf8), called: "p", at: place, importing: master, findings)
        return (text, findings.sentences)
    }

    /// The value of a parameter of the playlist's URL; nil if it has none.
    @Test(arguments: [
        ("http://h/m?t=x", "x"), ("http://h/m?a=1&t=x&t=y", "x"), ("http://h/m?t=#t=y", ""),
        ("http://h/m?t=a=b", "a=b"),
        ("http://h/m", nil), ("http://h/m?tt=1", nil), ("http://h/m?t", nil), ("http://h/m?a#&t=x", nil),
    ])
    func parameters(_ place: String, _ value: String?) {
        let (text, sentences) = text("#EXT-X-DEFINE:QUERYPARAM=\"t\"\nu{$t}v\n", at: place)
        #expect(String(decoding: text.bytes, as: UTF8.self).hasSuffix(value.map { "\nu\($0)v\n" } ?? "\nu{$t}v\n"))
        let missing = "p: line 2, at byte 8: QUERYPARAM names t, which is not in the query of \(place)"
        #expect(sentences == (value == nil ? [missing] : []))
    }

    /// A local playlist has no query, so what is missing is no fault.
    @Test func aFileHasNoQuery() {
        #expect(
            text("#EXT-X-DEFINE:QUERYPARAM=\"t\"\nu{$t}\n").sentences
                == ["note: p: line 2, at byte 8: QUERYPARAM names t, which is not in the query of p"])
    }

    @Test func variablesComeFromTheMultivariantPlaylist() {
        let master = text("#EXT-X-DEFINE:NAME=\"a\",VALUE=\"x\"\n#EXT-X-DEFINE:NAME=\"e\",VALUE=\"\"\n").text.variables
        let define = { (name: String) in "#EXT-X-DEFINE:IMPORT=\"\(name)\"\n" }
        let (imported, sentences) = text(define("a") + define("e") + "{$a}{$e}.ts\n", importing: master)
        #expect(String(decoding: imported.bytes, as: UTF8.self).hasSuffix("\nx.ts\n") && sentences == [])
        let location = "p: line 2, at byte 8: "
        let from = "IMPORT names b, which comes from the multivariant playlist"
        #expect(
            text(define("b"), importing: master).sentences == [location + from + ", and is not defined there (4.4.2.3)"]
        )
        #expect(text(define("b")).sentences == ["note: " + location + from])
    }

    @Test(
        arguments: [
            ("{$a}", ["a"]), ("{$a}{$b}", ["a", "b"]), ("{$d}{$a}", ["a"]), ("{$a", []), ("{a}", []), ("$a", []),
            ("a}{$b}", ["b"]),
        ] as [(String, [String])])
    func variablesMustBeDefinedBefore(_ uri: String, _ names: [String]) {
        let (_, sentences) = text("#EXT-X-DEFINE:NAME=\"d\",VALUE=\"x\"\n\(uri)\n# {$z}\n#EXTINF:{$z},\n")
        let said = names.map {
            "p: line 3, at byte 41: {$\($0)} has no EXT-X-DEFINE before it, at which players stop (8216bis 4.3)"
        }
        #expect(sentences == said)
    }

    /// Only the first is told, and tabs are none.
    @Test func controlCharacters() {
        #expect(
            text("#\t\n#\u{7F}\n#\u{1}\n").sentences == ["p: line 3, at byte 11: a control character (8216bis 4.1)"])
        #expect(text("#\t\n").sentences == [])
    }

    /// A value may be longer than its variable: later lines are where the file has them.
    @Test(arguments: ["x", "", "a-long-value-that-stands-for-it", "{$v}"])
    func locationsAreThoseOfTheFile(_ value: String) {
        let lines = "#EXT-X-DEFINE:NAME=\"v\",VALUE=\"\(value)\"\n#EXT-X-MAP:URI=\"{$v}{$v}\"\r\n{$v}\n"
        let (text, _) = text(lines + "#EXTINF:x,\nb")
        let expected = LineLocation(position: 8 + lines.utf8.count, number: 5)
        var found: [LineLocation] = []
        let facts = text.facts { line, location in if line.kind == .tag(.extInf) { found.append(location) } }
        #expect(found == [expected])
        #expect(facts.malformedDuration.map(text.location) == expected)
        #expect(text.location(LineLocation(position: 5, number: 99)) == LineLocation(position: 5, number: 99))
    }
}
