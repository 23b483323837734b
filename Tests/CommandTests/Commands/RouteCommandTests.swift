import Foundation
import Testing

/// `surtitle route`: the plan for a request, as JSON.
@Suite struct RouteCommandTests {
    private static let configuration = """
        {"master": "https://origin.example/film/m.m3u8?a=b",
         "tracks": [{"uri": "en.vtt", "language": "en", "default": true}, {"uri": "sv.srt", "language": "sv"},
                    {"uri": "fi.vtt", "file": "text/fi.vtt", "language": "fi"},
                    {"uri": "https://b/de.m3u8", "language": "de"}],
         "headers": {"Authorization": "Bearer a"}, "keys": "fetch", "probe": "redirect"}
        """

    private func scratch() throws -> Scratch {
        try Scratch(["c.json": Self.configuration, "m.m3u8": Samples.master])
    }

    /// The members of the object that the command prints for `words`.
    private func plan(_ words: String...) throws -> [String: String] {
        let ran = try Ran(["route", "--config", "c.json"] + words, in: scratch())
        #expect(ran.status == 0 && ran.errors == "" && ran.text.hasSuffix("}\n"), "\(ran.errors)")
        let object = try JSONSerialization.jsonObject(with: Data(ran.output)) as? [String: Any]
        return try #require(object).mapValues { "\($0)" }
    }

    @Test func everyPlan() throws {
        let entry = "surtitle-master-https://origin.example/film/m.m3u8?a=b"
        let master = try plan(entry)
        #expect(master["plan"] == "fetch" && master["use"] == "master" && master["probe"] == nil)
        #expect(master["url"] == "https://origin.example/film/m.m3u8?a=b")
        #expect(try #require(master["headers"]).contains("Bearer a"))
        #expect(try plan("surtitle-variant-http://a/b")["use"] == "media-playlist")
        #expect(try plan("surtitle-key-http://a/b")["use"] == "key")
        let segment = try plan("surtitle-segment-http://a/b")
        #expect(segment["plan"] == "redirect" && segment["status"] == "302" && segment["url"] == "http://a/b")
        // What is redirected to stands in Location, as C and the proxy have it.
        #expect(try plan("surtitle-segment-http://a/b \"c\"")["url"] == "http://a/b%20%22c%22")
        let english = try plan("surtitle-track://subtitles/en.m3u8")
        #expect(english["plan"] == "subtitle-playlist" && english["track"] == "0" && english["name"] == "en")
        #expect(english["source"] == "https://origin.example/film/en.vtt" && english["type"] == "vtt")
        #expect(english["file"] == "surtitle-track://subtitles/en.vtt")
        // Its origin gets a header field of the app's, which the player does not know.
        let file = try plan("surtitle-track://subtitles/EN.vtt")
        #expect(file["plan"] == "subtitle-file" && file["source"] == "https://origin.example/film/en.vtt")
        let swedish = try plan("surtitle-track://subtitles/sv.vtt")
        #expect(swedish["plan"] == "subtitle-file" && swedish["type"] == "srt")
        #expect(try plan("surtitle-track://subtitles/fi.vtt")["path"] == "text/fi.vtt")
        let unknown = try plan("surtitle-track://subtitles/xx.m3u8")
        #expect(unknown["plan"] == "fail" && unknown["error"] == "there is no track \"xx.m3u8\"")
        #expect(try plan("skd://key")["reason"] == "skd: belongs to a key system")
    }

    /// A playlist of the origin's own: it is fetched, and what is made in place of a missing one leads to an empty file.
    @Test func aPlaylistThatIsGiven() throws {
        let scratch = try scratch()
        let configuration = Self.configuration.replacing("\"keys\"", with: "\"missing-track\": \"empty\", \"keys\"")
        try scratch.write("c.json", Array(configuration.utf8))
        for (name, members) in [
            ("de.m3u8", "\"use\":\"subtitle-playlist\",\"track\":3,"),
            ("de.vtt", "{\"plan\":\"empty-file\",\"track\":3,"),
        ] {
            let ran = try Ran("route", "--config=c.json", "surtitle-track://subtitles/\(name)", in: scratch)
            #expect(ran.status == 0 && ran.text.contains(members), "\(ran)")
        }
    }

    @Test func theProbe() throws {
        let entry = "surtitle-master-https://origin.example/film/m.m3u8"
        for words in [[entry, "--probe"], [entry, "--probe", "--range=0-1"]] {
            let ran = try Ran(["route", "--config", "c.json"] + words, in: scratch())
            #expect(ran.text.hasPrefix("{\"plan\":\"redirect\","), "\(ran.text)\(ran.errors)")
        }
        #expect(try plan(entry, "--range", "0-1")["plan"] == "fetch")
        #expect(try plan(entry, "--range", "5-")["plan"] == "fetch")
        #expect(try plan(entry, "--range", "0-9223372036854775807")["plan"] == "fetch")
        #expect(try plan("surtitle-track://subtitles/en.m3u8", "--probe")["probe"] == "redirect")
    }

    /// Who asks for the origin's own URL is told what the player begins with.
    @Test func aURLOfTheOriginIsNotOurs() throws {
        let ran = try Ran("route", "https://origin.example/film/m.m3u8", "--config", "c.json", in: scratch())
        #expect(ran.text.contains("\"plan\":\"decline\""))
        ran.expectNote("surtitle-master-https://origin.example/film/m.m3u8?a=b")
    }

    /// Of the configuration what other commands use is noted, and SubRip is not for those that make no WebVTT of it.
    @Test func theConfigurationIsShared() throws {
        let scratch = try scratch()
        try scratch.write("d.json", Array("{\"master\": \"https://a/m\", \"target\": 6}".utf8))
        try Ran("route", "skd://a", "--config", "d.json", in: scratch).expectNote("target is not for surtitle route")
        let ran = try Ran("master", "m.m3u8", "--config", "c.json", in: scratch)
        #expect(ran.status == 1)
        expectOneLine(ran.errors, about: "c.json", "tracks[1].uri: players do not take SubRip")
    }

    @Test(arguments: [
        ("{}", "the configuration has no \"master\""), ("{\"master\": \"m\"}", "expected an http or https URL"),
        (
            "{\"master\": \"https://a/m\", \"tracks\": [{\"uri\": \"ftp://a/b.vtt\"}]}",
            "track 1: ftp://a/b.vtt is no http"
        ),
        (
            "{\"master\": \"https://a/m\", \"webvtt\": \"redirect\", \"tracks\": [{\"uri\": \"a.srt\"}]}",
            "track 1: it cannot be handed out as it is"
        ),
        ("{\"base\": \"http://a/\", \"master\": \"http://a/key/http/b/\"}", "the router's own addresses"),
        ("", "ends too early"),
    ])
    func refusesInput(_ configuration: String, _ reason: String) throws {
        let ran = try Ran("route", "skd://a", "--config", "c.json", in: Scratch(["c.json": configuration]))
        #expect(ran.status == 1 && ran.text == "")
        expectOneLine(ran.errors, about: "c.json", reason)
    }

    @Test(arguments: ["nofile", "a/b:c", "1a:b", ":", "/a", "-"])
    func refusesWhatIsNoURL(_ url: String) throws {
        let ran = try Ran("route", "--config", "c.json", "--", url, in: scratch())
        #expect(ran.status == 1 && ran.text == "")
        expectOneLine(ran.errors, about: url, "this is no URL")
    }

    @Test(arguments: [
        ([], "URL is missing"), (["skd://a"], "--config"),
        (["skd://a", "b", "--config=c.json"], "one operand too many"),
        (["skd://a", "--config=c.json", "--range=1"], "--range is 1"),
        (["skd://a", "--config=c.json", "--range=5-4"], "--range is 5-4"),
        (["skd://a", "--config=c.json", "--range=-4"], "--range is -4"),
        (["skd://a", "--config=c.json", "--range=0-99999999999999999999"], "--range is 0-9"),
        (["skd://a", "--config=c.json", "--range=0-2", "--probe"], "leave --range out"),
        (["skd://a", "--config=c.json", "--probe=yes"], "takes no value"),
        (["skd://a", "--config=c.json", "--chunk=1"], "unknown option"),
    ])
    func refusesArguments(_ words: [String], _ reason: String) throws {
        let ran = try Ran(["route"] + words, in: scratch())
        #expect(ran.status == 2 && ran.text == "")
        expectOneLine(ran.errors, about: "surtitle", reason)
    }
}
