import Foundation
import Testing

/// `inspect --json`: one object in a line.
@Suite struct InspectJSONTests {
    @Test(arguments: [
        (
            Samples.media,
            """
            {"kind":"media","bytes":110,"lines":8,"segments":2,"duration":11.506,"complete":true,"variant_count":0,\
            "i_frame_count":0,"rendition_count":0,"tags":{"EXTM3U":1,"EXT-X-TARGETDURATION":1,"EXT-X-PLAYLIST-TYPE":1,\
            "EXTINF":2,"EXT-X-ENDLIST":1},"variants":[],"i_frames":[],"groups":[]}

            """
        ),
        (
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="A \\",LANGUAGE="en",DEFAULT=YES,URI="a,1.m3u8",X="y"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="B\t\u{1}\u{1F}\u{7F}\u{85}\u{9B}\u{A0}\u{202E}é"
            #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="c",INSTREAM-ID="CC1"
            #EXT-X-STREAM-INF:BANDWIDTH=1000,RESOLUTION=640x360,FRAME-RATE=25,CODECS="x,y",AUDIO="a",CLOSED-CAPTIONS="c"
            v.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=2
            #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=3,URI="i.m3u8"
            """,
            """
            {"kind":"multivariant","bytes":425,"lines":8,"variant_count":2,"i_frame_count":1,"rendition_count":3,\
            "tags":{"EXTM3U":1,"EXT-X-MEDIA":3,"EXT-X-STREAM-INF":2,"EXT-X-I-FRAME-STREAM-INF":1},\
            "variants":[{"bandwidth":"1000","resolution":"640x360","frame_rate":"25","codecs":"x,y","audio":"a",\
            "closed_captions":"c","uri":"v.m3u8"},{"bandwidth":"2"}],"i_frames":[{"bandwidth":"3","uri":"i.m3u8"}],\
            "groups":[{"type":"AUDIO","id":"a","renditions":[{"name":"A \\\\","language":"en","default":"YES",\
            "uri":"a,1.m3u8"},{"name":"B\\t\\u0001\\u001F\\u007F\\u0085\\u009B\u{A0}\\u202Eé"}]},{"type":"CLOSED-CAPTIONS","id":"c",\
            "renditions":[{"instream_id":"CC1"}]}]}

            """
        ),
        (
            Samples.webVTT,
            """
            {"kind":"webvtt","bytes":61,"cues":2,"notes":0,"styles":0,"regions":0,"final_end_ms":4500,\
            "latest_end_ms":9000,"out_of_order":0,"unparsed":[]}

            """
        ),
        (
            "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:9,LOCAL:00:00:01.000\n\n0:0 --> 0\n",
            """
            {"kind":"webvtt","bytes":62,"cues":0,"notes":0,"styles":0,"regions":0,"final_end_ms":null,\
            "latest_end_ms":null,"timestamp_map":{"mpegts":9,"local_ms":1000},"out_of_order":0,\
            "unparsed":[{"count":1,"reason":"no times on the line with -->","first_line":4}]}

            """
        ),
        ("hello\n", "{\"kind\":\"neither\",\"bytes\":6}\n"), ("", "{\"kind\":\"neither\",\"bytes\":0}\n"),
    ])
    func tells(_ text: String, _ expected: String) throws {
        for words in [["inspect", "-", "--json"], ["inspect", "--json", "-", "--chunk=1"]] {
            let ran = try Ran(words, input: Array(text.utf8), in: Scratch())
            #expect(ran.status == 0 && ran.errors == "")
            #expect(ran.text == expected)
            _ = try JSONSerialization.jsonObject(with: Data(ran.output))
        }
    }

    @Test func whatIsNotListedIsCounted() throws {
        let text = "#EXTM3U\n" + (0..<9000).map { "#EXT-X-STREAM-INF:BANDWIDTH=\($0)\nv\n" }.joined()
        let ran = try Ran("inspect", "-", "--json", input: Array(text.utf8), in: Scratch())
        let object = try JSONSerialization.jsonObject(with: Data(ran.output)) as? [String: Any]
        let listed = (object?["variants"] as? [Any])?.count ?? 0
        #expect(object?["variant_count"] as? Int == 9000 && listed > 1000)
        #expect(object?["unlisted"] as? Int == 9000 - listed)
    }

    /// A map that cannot be read has its line, one that can its numbers.
    @Test func aMapThatCannotBeReadHasItsLine() throws {
        let map = "X-TIMESTAMP-MAP=LOCAL:00:00:01.000,MPEGTS:7"
        let scratch = try Scratch(["a.vtt": "WEBVTT\nX-TIMESTAMP-MAP=a\n\(map)\n", "b.vtt": "WEBVTT\n\(map)\n"])
        let members = { (name: String) in
            let text = try Ran("inspect", name, "--json", in: scratch).text
            return text.split(separator: ",\"").map(String.init).filter {
                $0.contains("timestamp_map") || $0.contains("local")
            }
        }
        let good = ["timestamp_map\":{\"mpegts\":7", "local_ms\":1000}"]
        #expect(try members("a.vtt") == good + ["bad_timestamp_map_line\":2"])
        #expect(try members("b.vtt") == good)
    }

    /// Where cues are out of order is told of the file that there is, not of one that it becomes.
    @Test func theFirstCueOutOfOrderIsTold() throws {
        let cues = "00:00:05.000 --> 00:00:06.000\na\n\n00:00:01.000 --> 00:00:02.000\nb\n"
        let scratch = try Scratch(["a.vtt": "WEBVTT\n\n\(cues)", "a.srt": "1\n" + cues.replacing("00.", with: "00,")])
        #expect(
            try Ran("inspect", "a.vtt", "--json", in: scratch).text.contains(
                "\"out_of_order\":1,\"first_out_of_order_byte\":41,"))
        let shifted = try Ran("inspect", "a.vtt", "--json", "--shift=1", in: scratch).text
        #expect(shifted.contains("\"out_of_order\":1,\"unparsed\""), "\(shifted)")
        let converted = try Ran("inspect", "a.srt", "--json", in: scratch).text
        #expect(converted.contains("\"out_of_order\":1,\"unparsed\""), "\(converted)")
    }

    /// A cue of SubRip whose arrow is broken is counted with its reason.
    @Test func whatIsLeftOutOfSubRipIsTold() throws {
        let cue = "1\n00:00:01,000 --> 00:00:02,000\na\n\n2\n00:00:03,000 - > 00:00:04,000\nb\n"
        let ran = try Ran("inspect", "a.srt", "--json", in: Scratch(["a.srt": cue]))
        #expect(
            ran.text.hasSuffix(
                "\"unparsed\":[{\"count\":1,\"reason\":\"broken arrow, such as - >, between the times\"}]}\n"), "\(ran)"
        )
    }

    /// A block of more than 1 MiB, without a timing line and with one that is too far from its end.
    @Test(arguments: [("", "has_long_block"), ("0:00.000 -->", "has_undecided_block")])
    func aBlockThatIsTooLongIsTold(_ start: String, _ key: String) throws {
        let text = "WEBVTT\n\n" + start + String(repeating: "x", count: 1 << 21) + "\n"
        let ran = try Ran("inspect", "-", "--json", input: Array(text.utf8), in: Scratch())
        let object = try JSONSerialization.jsonObject(with: Data(ran.output)) as? [String: Any]
        #expect(object?.keys.filter { $0.hasSuffix("_block") } == [key])
        let report = try Ran("inspect", "-", input: Array(text.utf8), in: Scratch())
        let row = start == "" ? "too long  no cue, " : "too long to tell  "
        #expect(report.text.hasSuffix("\n\(row)line 3, at byte 8\n"), "\(report)")
    }
}
