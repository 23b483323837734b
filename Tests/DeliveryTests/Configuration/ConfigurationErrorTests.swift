import Delivery
import Testing

/// Refusals: the path of the value, its place, and words. `▲` stands before the byte at which it is.
@Suite struct ConfigurationErrorTests {
    static let tracks: [(String, String, String)] = [
        (
            "{\"tracks\": [{\"uri\": \"a.m3u8\", ▲\"langauge\": \"en\"}]}", "tracks[0]",
            "unknown key \"langauge\"; did you mean language?"
        ),
        ("{\"tracks\": [{\"uri\": \"a.m3u8\", ▲\"colour\": 1}]}", "tracks[0]", "unknown key \"colour\"; remove it"),
        ("{\"tracks\": [{\"uri\": \"a.m3u8\", ▲\"\\n\": 1}]}", "tracks[0]", "unknown key \"\\n\"; remove it"),
        ("{\"tracks\": [▲{\"language\": \"en\"}]}", "tracks[0]", "uri is missing"),
        ("{\"tracks\": [{\"uri\": \"a.m3u8\"}, ▲\"b.m3u8\"]}", "tracks[1]", "expected an object in braces"),
        ("{\"tracks\": ▲{\"uri\": \"a.m3u8\"}}", "tracks", "expected an array in brackets"),
        ("{\"tracks\": [{\"uri\": ▲1}]}", "tracks[0].uri", "expected a string in double quotes"),
        (
            "{\"tracks\": [{\"uri\": \"a.m3u8\", \"name\": ▲null}]}", "tracks[0].name",
            "expected a string in double quotes"
        ),
        ("{\"tracks\": [{\"uri\": \"a.m3u8\", \"default\": ▲\"yes\"}]}", "tracks[0].default", "expected true or false"),
        ("{\"tracks\": [{\"uri\": \"a.m3u8\", \"sdh\": ▲1}]}", "tracks[0].sdh", "expected true or false"),
        (
            "{\"tracks\": [{\"uri\": \"a.m3u8\", \"kind\": ▲\"cc\"}]}", "tracks[0].kind",
            "kind is cc; use subtitles or captions"
        ),
        (
            "{\"tracks\": [{\"uri\": \"a.m3u8\", \"type\": ▲\"ass\"}]}", "tracks[0].type",
            "type is ass; use vtt, srt or m3u8"
        ),
        ("{\"tracks\": [{\"uri\": ▲\"a\"}]}", "tracks[0].uri", "ends in none of .vtt, .srt and .m3u8"),
        (
            "{\"tracks\": [{\"uri\": \"a\", \"mime-type\": ▲\"text/plain\"}]}", "tracks[0].mime-type",
            "expected a type of subtitles: text/vtt"
        ),
        ("{\"tracks\": [{\"uri\": \"a.m3u8\", \"file\": ▲\"a.vtt\"}]}", "tracks[0].file", "file is for a .vtt uri"),
        ("{\"tracks\": [{\"uri\": \"a.m3u8\", \"shift\": ▲1}]}", "tracks[0].shift", "shift is for a .vtt uri"),
        ("{\"tracks\": [{\"uri\": \"a.vtt\", \"shift\": ▲true}]}", "tracks[0].shift", "expected a number of seconds"),
        ("{\"tracks\": [{\"uri\": \"a.vtt\", \"shift\": ▲1.0005}]}", "tracks[0].shift", "with up to three decimals"),
        ("{\"tracks\": [{\"uri\": \"a.vtt\", \"shift\": ▲\"1:60\"}]}", "tracks[0].shift", "and no time, like 1:00"),
        ("{\"tracks\": [{\"uri\": \"a.vtt\", \"encoding\": ▲1}]}", "tracks[0].encoding", "expected a string"),
        ("{\"tracks\": [{\"uri\": \"a.vtt\", \"file\": ▲\"-\"}]}", "tracks[0].file", "it cannot be standard input"),
        ("{\"tracks\": [{\"uri\": \"a.vtt\", \"file\": ▲\"\"}]}", "tracks[0].file", "expected the path of a file"),
        (
            "{\"tracks\": [{\"uri\": \"a.vtt\", \"file\": ▲\"a\\u0000b\"}]}", "tracks[0].file",
            "expected the path of a file"
        ),
        (
            "{\"tracks\": [{\"uri\": \"a.vtt\", \"kind\": ▲\"captions\", \"sdh\": false}]}", "tracks[0].kind",
            "captions means sdh"
        ),
        ("{\"tracks\": [{\"uri\": \"a.vtt\", \"duration\": ▲0}]}", "tracks[0].duration", "duration is 0, "),
        ("{\"tracks\": [{\"uri\": \"a.vtt\", \"duration\": ▲-5}]}", "tracks[0].duration", "duration is -5, "),
        ("{\"tracks\": [{\"uri\": \"a.vtt\", \"duration\": ▲1e3}]}", "tracks[0].duration", "duration is 1e3, "),
        (
            "{\"tracks\": [{\"uri\": \"a.vtt\", \"duration\": ▲\"1:60\"}]}", "tracks[0].duration",
            "duration is 1:60, which is no"
        ),
        ("{\"tracks\": [{\"uri\": \"a.vtt\", \"duration\": ▲true}]}", "tracks[0].duration", "expected a number"),
        // The checks of SubtitleTracks, in its words.
        (
            "{\"tracks\": [{\"uri\": \"a.m3u8\"}, {\"uri\": \"b.m3u8\"},\n {\"uri\": \"c.m3u8\", \"language\": ▲\"e_n\"}]}",
            "tracks[2].language", "the language is not a language tag; use one like en, sv or pt-BR"
        ),
        (
            "{\"tracks\": [{\"uri\": \"a.vtt\", \"assoc-language\": ▲\"e n\"}]}", "tracks[0].assoc-language",
            "the associated language is not a language tag"
        ),
        (
            "{\"tracks\": [{\"uri\": \"a.m3u8\", \"name\": ▲\"a\\\"b\"}]}", "tracks[0].name",
            "the name holds a quote or a line break"
        ),
        (
            "{\"tracks\": [{\"uri\": \"a.m3u8\", \"name\": ▲\"\\u0085\"}]}", "tracks[0].name",
            "the name holds a control character"
        ),
        ("{\"tracks\": [{\"uri\": \"a.m3u8\", \"name\": ▲\"\"}]}", "tracks[0].name", "the name is empty"),
        ("{\"tracks\": [{\"uri\": \"a.m3u8\", \"language\": ▲\"\"}]}", "tracks[0].language", "the name is empty"),
        ("{\"tracks\": [{\"uri\": ▲\"{$a}.m3u8\"}]}", "tracks[0].uri", "the URI holds {$"),
        ("{\"tracks\": [{\"uri\": ▲\"a\\n.vtt\"}]}", "tracks[0].uri", "the URI holds a quote or a line break"),
        (
            "{\"tracks\": [{\"type\": \"m3u8\", \"uri\": ▲\"a.vtt\"}]}", "tracks[0].uri",
            "the URI is that of a subtitle file"
        ),
        (
            "{\"tracks\": [{\"uri\": \"a.m3u8\", \"stable-id\": ▲\"a b\"}]}", "tracks[0].stable-id",
            "a stable rendition id may have"
        ),
        ("{\"tracks\": [{\"uri\": \"a.m3u8\", \"group\": ▲\"\"}]}", "tracks[0].group", "the group is empty"),
        (
            "{\"tracks\": [{\"uri\": \"a.vtt\"}, ▲{\"uri\": \"a.vtt\"}]}", "tracks[1]",
            "an earlier track has the same URI"
        ),
        (
            "{\"tracks\": [{\"uri\": \"a.vtt\", \"default\": true}, ▲{\"uri\": \"b.vtt\", \"default\": true}]}",
            "tracks[1]", "an earlier track is the default already"
        ),
        (
            "{\"tracks\": [{\"uri\": \"a.vtt\", \"group\": \"a\"}, ▲{\"uri\": \"b.vtt\", \"group\": \"b\"}]}",
            "tracks[1]", "an earlier track names another group"
        ),
    ]

    static let others: [(String, String, String)] = [
        ("▲", "", "the text ends too early"), ("▲[]", "", "expected an object in braces"),
        ("▲null", "", "expected an object in braces"),
        ("{} ▲{}", "", "expected the end of the text"), ("{\"tracks\": [▲", "tracks[0]", "the text ends too early"),
        ("{\"tracks\": [{\"uri\": \"a.vtt\"▲,}]}", "tracks[0]", "nothing follows the comma"),
        ("{\"tracks\": [], ▲\"tracks\": []}", "", "the object has this key already"),
        ("{▲\"track\": []}", "", "unknown key \"track\"; did you mean tracks?"),
        ("{▲\"chunk\": 1}", "", "unknown key \"chunk\"; remove it"),
        ("{\"replace-default\": ▲1}", "replace-default", "expected true or false"),
        ("{\"edits\": ▲{}}", "edits", "expected an array"),
        ("{\"edits\": [▲\"drop\"]}", "edits[0]", "expected an object such as {\"drop\": \"EXT-X-MEDIA\"}"),
        ("{\"edits\": [▲{}]}", "edits[0]", "set, replace, remove, drop or append-line is missing"),
        ("{\"edits\": [{\"drop\": \"EXT-X-A\"}, {▲\"dorp\": \"EXT-X-A\"}]}", "edits[1]", "did you mean drop?"),
        (
            "{\"edits\": [{\"drop\": \"EXT-X-A\", ▲\"remove\": \"EXT-X-A:B\"}]}", "edits[0].remove",
            "an object has one edit"
        ),
        ("{\"edits\": [{\"set\": ▲\"EXT-X-A\"}]}", "edits[0].set", "expected TAG:NAME=VALUE"),
        ("{\"edits\": [{\"set\": ▲\"EXT-X-A:B\"}]}", "edits[0].set", "expected TAG:NAME=VALUE"),
        ("{\"edits\": [{\"set\": ▲\"EXT-X-A:B=\"}]}", "edits[0].set", "a value may not be empty"),
        ("{\"edits\": [{\"set\": ▲\"EXT-X-A:=1\"}]}", "edits[0].set", "an attribute name may not be empty"),
        ("{\"edits\": [{\"remove\": ▲\"EXT-X-A\"}]}", "edits[0].remove", "expected TAG:NAME"),
        ("{\"edits\": [{\"drop\": ▲\"A\"}]}", "edits[0].drop", "a tag name begins with EXT"),
        ("{\"edits\": [{\"append-line\": ▲\"\"}]}", "edits[0].append-line", "a line may not be empty"),
        ("{\"map-uri\": ▲\"a/b\"}", "map-uri", "the base has no scheme"),
        ("{\"map-uri\": ▲\"https://a b/\"}", "map-uri", "byte 9 of the base"),
        ("{\"map-uri\": ▲[]}", "map-uri", "expected a string"),
        ("{\"scheme\": ▲\"1\"}", "scheme", "byte 0 of the scheme"),
        ("{\"scheme\": {\"key\": ▲\"skd:\"}}", "scheme.key", "byte 0 of the scheme"),
        ("{\"scheme\": ▲[]}", "scheme", "expected a string"),
        ("{\"host\": {\"all\": ▲\"a@b\"}}", "host.all", "of the host"),
        ("{\"host\": {▲\"medai\": \"a\"}}", "host", "did you mean media?"),
        ("{\"append-query\": {\"media\": [\"a=1\", ▲\"b c\"]}}", "append-query.media[1]", "byte 1 of the query item"),
        ("{\"append-query\": [▲[\"a=1\"]]}", "append-query[0]", "expected a string"),
        ("{\"keep-variants\": ▲\"BANDWIDTH\"}", "keep-variants", "byte 9: expected one of"),
        ("{\"limits\": {\"longest-line\": ▲0}}", "limits.longest-line", "from 1 to 1073741824"),
        ("{\"limits\": {\"longest-line\": ▲1073741825}}", "limits.longest-line", "from 1 to 1073741824"),
        ("{\"limits\": {\"appended-tags\": ▲1.0}}", "limits.appended-tags", "a whole number of bytes"),
        ("{\"limits\": {\"longest-uri\": ▲\"64k\"}}", "limits.longest-uri", "a whole number of bytes"),
        ("{\"limits\": {\"past-limit\": ▲\"stop\"}}", "limits.past-limit", "expected \"pass-through\" or \"fail\""),
        ("{\"limits\": {▲\"longest-lines\": 1}}", "limits", "did you mean longest-line?"),
        ("{\"map\": ▲\"1:2\"}", "map", "expected \"auto\", \"none\" or \"MPEGTS[:LOCAL]\""),
        ("{\"map\": ▲\"8589934592\"}", "map", "expected \"auto\""),
        ("{\"map\": ▲\"\"}", "map", "expected \"auto\""), ("{\"map\": ▲900000}", "map", "expected \"auto\""),
        ("{\"segment\": ▲6}", "segment", "expected true or false"),
        ("{\"target\": ▲\"x\"}", "target", "expected a time above 0"),
        ("{\"master\": ▲\"m.m3u8\"}", "master", "expected an http or https URL with a host"),
        ("{\"master\": ▲1}", "master", "expected a string"),
        ("{\"schemes\": ▲\"my_app\"}", "schemes", "byte 2 of the scheme"),
        ("{\"schemes\": {\"key\": ▲\"1\"}}", "schemes.key", "byte 0 of the scheme"),
        ("{\"schemes\": {▲\"keys\": \"a\"}}", "schemes", "did you mean key?"),
        ("{\"schemes\": {\"track\": ▲\"https\"}}", "schemes.track", "of the scheme"),
        ("{\"schemes\": {\"key\": ▲\"surtitle-cues\"}}", "schemes.key", "of the scheme"),
        ("{\"base\": ▲\"http://a\"}", "base", "byte 8 of the address"),
        ("{\"base\": \"http://a/\", ▲\"schemes\": \"a\"}", "schemes", "give one of both"),
        ("{\"schemes\": \"a\", ▲\"base\": \"http://a/\"}", "base", "give one of both"),
        ("{\"headers\": {▲\"A B\": \"c\"}}", "headers.A B", "expected the name of a header field"),
        ("{\"headers\": {▲\"\": \"c\"}}", "headers.", "expected the name of a header field"),
        ("{\"headers\": {\"A\": ▲\"b\\r\\nC: d\"}}", "headers.A", "without control characters"),
        ("{\"headers\": {\"A\": ▲1}}", "headers.A", "expected a string"),
        ("{\"headers-to\": ▲\"all\"}", "headers-to", "expected \"master\" or \"everywhere\""),
        ("{\"probe\": ▲\"exact\"}", "probe", "\"exact-range\" or \"data-only\""),
        ("{\"variants\": ▲\"\"}", "variants", "\"absolute\", \"redirect\" or \"mapped\""),
        ("{\"segments\": ▲\"mapped\"}", "segments", "expected \"absolute\" or \"redirect\""),
        ("{\"keys\": ▲true}", "keys", "\"player\", \"fetch\", \"redirect\" or \"decline\""),
        ("{\"webvtt\": ▲\"served\"}", "webvtt", "or {\"served\": \"BASE\"}"),
        ("{\"webvtt\": ▲{}}", "webvtt", "served is missing"),
        ("{\"webvtt\": {\"served\": ▲\"a\"}}", "webvtt.served", "of the address"),
        ("{\"origins\": ▲\"all\"}", "origins", "\"any\", or an array"),
        ("{\"origins\": [▲1]}", "origins[0]", "\"any\", or an array"),
        ("{\"origins\": [▲\"https://a/b\"]}", "origins[0]", "with nothing behind it"),
        ("{\"missing-track\": ▲\"skip\"}", "missing-track", "\"leave-out\", \"empty\" or \"fail\""),
        ("{\"target\": ▲{\"a\": 1}}", "target", "expected a time above 0"),
    ]

    @Test(arguments: tracks + others)
    func tellsWhatIsWrong(_ marked: String, _ path: String, _ words: String) throws {
        let parts = marked.split(separator: "▲", maxSplits: 1, omittingEmptySubsequences: false)
        let text = Array(parts.joined().utf8)
        let error = try #require(throws: ConfigurationError.self) { try Configuration(text) }
        #expect(String(decoding: error.path, as: UTF8.self) == path)
        #expect(error.location.position == parts[0].utf8.count)
        let line = parts[0].split(separator: "\n", omittingEmptySubsequences: false).count
        #expect(error.location.line == line)
        let place = "line \(line), column \(error.location.column), at byte \(error.location.position): "
        #expect(
            "\(error)".hasPrefix(place + (path.isEmpty ? "" : path + ": ")) && "\(error)".contains(words), "\(error)")
    }

    @Test func theLimitsOfTheReaderHold() throws {
        let error = try #require(throws: ConfigurationError.self) {
            try Array("{\"tracks\": []}".utf8).withView { text throws(ConfigurationError) in
                try Configuration(text, limits: JSONLimits(bytes: 5))
            }
        }
        #expect(error.reason.json == .length && error.location.position == 5)
        let deep = try #require(throws: ConfigurationError.self) {
            try Array("{\"tracks\": []}".utf8).withView { text throws(ConfigurationError) in
                try Configuration(text, limits: JSONLimits(depth: 1))
            }
        }
        #expect(deep.reason.json == .depth && deep.location.position == 11)
    }

    @Test func tellsTheKindOfReason() throws {
        func reason(_ text: String) -> ConfigurationError.Reason? {
            do {
                _ = try Configuration(Array(text.utf8))
                return nil
            } catch {
                return error.reason
            }
        }
        #expect(reason("{\"a\": 1}")?.isUnknownKey == true && reason("[]")?.isUnknownKey == false)
        #expect(reason("{\"tracks\": [{}]}")?.isMissingKey == true && reason("[]")?.isMissingKey == false)
        #expect(
            reason("{\"tracks\": [{\"uri\": \"a.m3u8\", \"group\": \"\"}]}")?.track == .empty
                && reason("[]")?.track == nil)
        #expect(reason("{")?.json == .unexpectedEnd && reason("[]")?.json == nil)
    }
}
