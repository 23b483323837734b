import Sideload
import Testing

@testable import surtitle

@Suite struct TrackPlanTests {
    @Test(arguments: [
        ("en.vtt", ["en.vtt"]), ("a/b/en.vtt?x=../y#z", ["a", "b", "en.vtt"]), ("./a/./en.vtt", ["a", "en.vtt"]),
        ("a%20b/%c3%a9.vtt", ["a b", "é.vtt"]), ("100%.vtt", ["100%.vtt"]), ("%4.vtt", ["%4.vtt"]),
        ("a/\u{301}.vtt", ["a", "\u{301}.vtt"]),
    ])
    func stepsLeadToFiles(_ uri: String, _ steps: [String]) { #expect(URIPath(uri).steps == steps) }

    @Test(arguments: [
        "../en.vtt", "a/../en.vtt", "a/..", "%2e%2E/en.vtt", ".%2e/en.vtt", "a%2fb.vtt", "a%00.vtt", "a//en.vtt", "a/",
        "",
        ".", "/en.vtt", "//host/en.vtt", "https://host/en.vtt", "file:en.vtt", "%ff.vtt", "?en.vtt",
    ])
    func nothingElseLeadsToFiles(_ uri: String) { #expect(URIPath(uri).steps == nil) }

    private func plan(_ specs: [String], taken: Set<String> = []) throws(Failure) -> TrackPlan {
        var parsed: [TrackConfiguration] = []
        for spec in specs { parsed.append(try TrackConfiguration(option: spec, number: parsed.count + 1)) }
        return try TrackPlan(parsed, masterName: "Master.m3u8", taken: taken)
    }

    @Test(arguments: [
        (["uri=en.vtt"], ["en.m3u8"]),
        (["uri=subs/en.vtt?x=y"], ["en.m3u8"]),
        (["uri=en.m3u8"], [nil]),
        (["uri=en.m3u8", "uri=en.vtt"], [nil, "en-2.m3u8"]),
        (["uri=en.vtt", "uri=EN.vtt", "uri=a/en.vtt"], ["en.m3u8", "EN-2.m3u8", "en-3.m3u8"]),
        (["uri=master.vtt"], ["master-2.m3u8"]),
        (["uri=movie.vtt"], ["movie-2.m3u8"]),
        (["uri=https://example.com/en.vtt", "uri=/sv.vtt"], ["en.m3u8", "sv.m3u8"]),
        (["uri=https://example.com/a:b.vtt"], ["./a:b.m3u8"]),
        (["uri=a%20b.vtt"], ["a%20b.m3u8"]),
        (["uri=https://example.com/?en,type=vtt"], ["subtitles.m3u8"]),
        (
            ["uri=https://example.com/..,type=vtt", "uri=https://example.com/%2f,type=vtt"],
            ["subtitles.m3u8", "subtitles-2.m3u8"]
        ),
        (["uri=.vtt,type=vtt"], [".vtt.m3u8"]),
        (["uri=en.vtt", "uri=EN.m3u8/a.vtt,file=x.vtt"], ["en-2.m3u8", "a.m3u8"]),
    ])
    func playlistsAreNamed(_ specs: [String], _ uris: [String?]) throws {
        let plan = try plan(specs, taken: ["movie.m3u8"])
        #expect(plan.entries.map { $0.playlist?.uri } == uris)
        #expect(plan.entries.first?.playlist?.fileName != "a%20b.m3u8")
    }

    @Test(arguments: [
        (["uri=../en.vtt,file=x.vtt"], "without .."),
        (["uri=a%2fb.vtt,file=x.vtt"], "no file below"),
        (["uri=en.vtt", "uri=en.vtt,name=x"], "track 2: an earlier track has the same URI"),
        (["uri=en.vtt,file=x.vtt", "uri=./EN.vtt,file=y.vtt"], "track 2: ./EN.vtt is where another file goes"),
        (["uri=master.m3u8,type=vtt,file=x.vtt"], "where another file goes"),
        (["uri=movie.m3u8,type=vtt,file=x.vtt"], "where another file goes"),
        // A file is no folder.
        (["uri=MASTER.m3u8/a/en.vtt,file=x.vtt"], "track 1: MASTER.m3u8/a/en.vtt is where another file goes"),
        (["uri=a.vtt,file=x.vtt", "uri=A.vtt/b.vtt,file=y.vtt"], "track 2: A.vtt/b.vtt is where another file goes"),
        (["uri=a.vtt/b.vtt,file=x.vtt", "uri=A.vtt,file=y.vtt"], "track 2: A.vtt is where another file goes"),
    ])
    func collisionsAreRefused(_ specs: [String], _ part: String) {
        let error = #expect(throws: Failure.self) { try plan(specs, taken: ["movie.m3u8"]) }
        #expect(error?.status == 2)
        #expect(error?.message?.contains(part) == true, "\(error?.message ?? "")")
    }

    @Test func playlistsWithoutACopyMayLeadAnywhere() throws {
        #expect(try plan(["uri=../en.vtt"]).entries[0].copy == nil)
        #expect(try plan(["uri=https://example.com/en.vtt,file=x.vtt"]).entries[0].copy == nil)
        #expect(try plan(["uri=a/en.vtt,file=x.vtt"]).entries[0].copy == ["a", "en.vtt"])
    }
}
