import Foundation
import Support
import Testing

@testable import surtitle

/// What is named by a URL is fetched by curl, once for each request.
@Suite struct FetchingTests {
    private static let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=1x1\nv/v.m3u8\n"

    /// Packed audio whose first time stamp is 126000, of 2 MiB.
    private static let segment = AudioTagBytes.timestamp(126_000) + [UInt8](repeating: 0, count: 2 << 20)

    private static let small = [UInt8](0..<100)

    private func server() throws -> LoopbackServer {
        try LoopbackServer { request in
            switch request.target {
            case "/old/m.m3u8?t=1": .redirect("../new/m.m3u8?t=2")
            case "/new/m.m3u8?t=2": .ok(Array(Self.master.utf8))
            case "/new/v/v.m3u8":
                .ok(Array("#EXTM3U\n#EXT-X-TARGETDURATION:12\n#EXTINF:12,\na.aac\n#EXT-X-ENDLIST\n".utf8))
            case "/new/v/a.aac": .part(of: Self.segment, request)
            case "/en.srt": .ok(Array("1\n00:00:01,000 --> 00:00:02,000\na\n".utf8))
            case "/301", "/302", "/303", "/307", "/308":
                .redirect("/new/m.m3u8?t=2", status: Int(request.target.dropFirst()) ?? 0)
            case "/loop": .redirect("/loop")
            case "/gzip": .ok([1, 2], "Content-Encoding: gzip\r\n")
            case "/file": .redirect("file:///etc/passwd")
            case "/silence": .silence
            case "/endless": .endless([UInt8](repeating: 65, count: 1 << 16))
            case "/garbage": .bytes(Array("nonsense\r\n\r\n".utf8))
            case "/small": .part(of: Self.small, request)
            case "/nothing": .part(of: [], request)
            // A part that nobody has asked for.
            case "/askew" where request.fields["range"] == nil: .ok(Self.small)
            case "/askew":
                .bytes(Array("HTTP/1.1 206 Part\r\nContent-Range: bytes 0-9/100\r\n\r\n".utf8) + Self.small.prefix(10))
            case "/long-head":
                .ok(
                    Array("hello".utf8),
                    String(repeating: "X-A: \(String(repeating: "x", count: 50_000))\r\n", count: 3))
            case "/words": .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nshort".utf8))
            case "/local.m3u8":
                .ok(Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nfile:///tmp/v.m3u8\n".utf8))
            default: .bytes(Array("HTTP/1.1 404 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8))
            }
        }
    }

    /// Relative references are those of where the redirect led, and the map is that of the video's first bytes alone.
    @Test func aStreamIsSideloadedFromItsURL() throws {
        let (server, scratch) = (try server(), try Scratch())
        defer { server.end() }
        let ran = try Ran(
            "sideload", server.url("/old/m.m3u8?t=1"), "--track=uri=en.vtt,file=\(server.url("/en.srt"))", "-oout",
            "--header=Authorization: secret", in: scratch)
        #expect(ran.status == 0 && ran.errors == "" && ran.notes == [], "\(ran)")
        #expect(try scratch.read("out/m.m3u8").contains("\n\(server.url("/new/v/v.m3u8"))\n"))
        #expect(try scratch.read("out/en.vtt").hasPrefix("WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:126000\n"))
        #expect(try scratch.read("out/en.m3u8").contains("#EXTINF:12.000,"))
        #expect(scratch.files(in: ".") == ["out/en.m3u8", "out/en.vtt", "out/m.m3u8"])
        let requests = server.requests
        // Nothing is fetched twice, and of the segment a part alone.
        #expect(Set(requests.map(\.target)).count == requests.count && requests.count == 5, "\(requests)")
        #expect(requests.first { $0.target == "/new/v/a.aac" }?.fields["range"] == "bytes=0-262143")
        #expect(
            requests.allSatisfy { $0.fields["authorization"] == "secret" && $0.fields["accept-encoding"] == "identity" }
        )
    }

    /// Another port is another origin: neither a redirect nor a reference takes the fields there.
    @Test func credentialsStayWithTheMastersOrigin() throws {
        let other = try server()
        let first = try LoopbackServer { [port = other.port] _ in .redirect("http://127.0.0.1:\(port)/new/m.m3u8?t=2") }
        defer {
            first.end()
            other.end()
        }
        let scratch = try Scratch(["fields": "X-Token: \"a\\b\"\r\nX-Empty:\n"])
        let ran = try Ran(
            "sideload", first.url("/m.m3u8"), "--track=uri=en.vtt,file=\(other.url("/en.srt"))", "-oout",
            "--header=@fields", in: scratch)
        #expect(ran.status == 0, "\(ran)")
        #expect(first.requests.map { $0.fields["x-token"] } == ["\"a\\b\""])
        #expect(first.requests.map { $0.fields["x-empty"] } == [""])
        #expect(other.requests.count == 4 && other.requests.allSatisfy { $0.fields["x-token"] == nil })
    }

    @Test(arguments: [
        ("/loop", "redirects more than 10 times"), ("/gzip", "encoded (gzip)"),
        ("/file", "redirects to file:///etc/passwd"),
        ("/none", "status 404"), ("/garbage", "curl: ("), ("/words", "curl: (18)"),
        ("/silence", "raise --timeout"),
    ])
    func refusesWhatIsOfNoUse(_ path: String, _ reason: String) throws {
        let (server, scratch) = (try server(), try Scratch())
        defer { server.end() }
        let ran = try Ran("inspect", server.url(path), "--timeout=1", in: scratch)
        #expect(ran.status == 1, "\(ran)")
        expectOneLine(ran.errors, about: server.url(path), reason)
        if path == "/loop" { #expect(server.requests.count == 11) }
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func everyRedirectIsFollowed(_ status: Int) throws {
        let (server, scratch) = (try server(), try Scratch())
        defer { server.end() }
        let ran = try Ran("inspect", server.url("/\(status)"), in: scratch)
        #expect(ran.status == 0 && server.requests.map(\.target) == ["/\(status)", "/new/m.m3u8?t=2"], "\(ran)")
    }

    /// An endless body is cut at the bound, and curl ended.
    @Test func aBodyIsBounded() throws {
        let (server, scratch) = (try server(), try Scratch())
        defer { server.end() }
        let ran = try Ran(shell: "ulimit -f 16; \"$surtitle\" cues \(server.url("/endless"))", in: scratch)
        #expect(ran.status == 1)
        expectOneLine(ran.errors, about: "/endless", "the file grows larger than is allowed")
    }

    /// What cannot be kept is no fault of the URL's.
    @Test func theFolderForTemporaryFilesIsNamed() throws {
        let (server, scratch) = (try server(), try Scratch())
        defer { server.end() }
        let url = server.url("/en.srt")
        let ran = try Ran(shell: "TMPDIR=$PWD/none exec \"$surtitle\" inspect \(url)", in: scratch)
        #expect(ran.status == 1 && server.requests.isEmpty, "\(ran)")
        expectOneLine(ran.errors, about: "/none: no such file or directory", "set TMPDIR to")
        #expect(!ran.errors.contains(url))
        // An empty value is none.
        #expect(try Ran(shell: "TMPDIR= exec \"$surtitle\" inspect \(url)", in: scratch).status == 0)
    }

    /// What is fetched names no local file, and a local playlist's URLs are fetched only if that is asked for.
    @Test func referencesCrossOnlyIfAsked() throws {
        let (server, scratch) = (try server(), try Scratch(["a.vtt": Samples.webVTT]))
        defer { server.end() }
        try scratch.write(
            "m.m3u8", Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n\(server.url("/new/v/v.m3u8"))\n".utf8))
        let words = ["sideload", "m.m3u8", "--track=uri=en.vtt,file=a.vtt", "-oout"]
        try Ran(words, in: scratch).expectNote("is fetched only with --fetch")
        #expect(server.requests.isEmpty)
        let asked = try Ran(words + ["--fetch", "--force"], in: scratch)
        #expect(asked.status == 0 && asked.notes == [], "\(asked)")
        #expect(try scratch.read("out/en.vtt").contains("MPEGTS:126000"))
        let remote = try Ran(
            "sideload", server.url("/local.m3u8"), "--track=uri=en.vtt,file=a.vtt", "-oremote", in: scratch)
        remote.expectNote("file:///tmp/v.m3u8 is no local file")
    }

    @Test(arguments: [
        (["--header=Range: bytes=0-1"], "said by surtitle itself"), (["--header=a b"], "is no header field"),
        (["--header=@nofile"], "no such file"), (["--timeout=0"], "no number of seconds"),
        (["--timeout=86401"], "no number of seconds"), (["--timeout=86400", "--header=@nofile"], "no such file"),
        (["--timeout=1", "--header=@nofile"], "no such file"),
        (["--header=@lines"], "lines: line 3 is no header field"),
        (["--header=@longest"], "longest: line 2 is no header field"), (["--header=@long"], "more than 65536 bytes"),
    ])
    func refusesArguments(_ words: [String], _ reason: String) throws {
        let longest = "A: b\n" + String(repeating: "x", count: 65_531)
        let scratch = try Scratch(["lines": "A: b\r\n\nx\n", "longest": longest, "long": longest + "x"])
        let ran = try Ran(["inspect", "http://127.0.0.1:1/a"] + words, in: scratch)
        #expect(ran.status != 0)
        expectOneLine(ran.errors, about: "surtitle", reason)
    }

    @Test func credentialsNeedAnOrigin() throws {
        let ran = try Ran("inspect", "a.vtt", "--header=A: b", in: try Scratch(["a.vtt": Samples.webVTT]))
        #expect(ran.status == 2)
        expectOneLine(ran.errors, about: "--header", "is no URL")
    }

    @Test func withoutCurlTheMessageSaysSo() throws {
        let scratch = try Scratch()
        let ran = try Ran(shell: "PATH=/nowhere; exec \"$surtitle\" inspect http://127.0.0.1:1/a", in: scratch)
        #expect(ran.status == 1)
        expectOneLine(ran.errors, about: "http://127.0.0.1:1/a", "the program curl, which is not installed")
    }

    /// Neither .curlrc nor what its variable names is read; a proxy of the environment is used.
    @Test func curlIsNobodysButOurs() throws {
        let proxy = try server()
        defer { proxy.end() }
        let text = "header = \"X-Stray: 1\"\noutput = \"stray\"\n"
        let scratch = try Scratch([".curlrc": text, "curl/.curlrc": text])
        let ran = try Ran(
            shell: """
                HOME=$PWD XDG_CONFIG_HOME=$PWD CURL_HOME=$PWD/curl http_proxy=http://127.0.0.1:\(proxy.port) no_proxy= \
                  exec "$surtitle" inspect http://nowhere.invalid/en.srt
                """, in: scratch)
        #expect(proxy.requests.map(\.target) == ["http://nowhere.invalid/en.srt"], "\(ran)")
        #expect(proxy.requests.allSatisfy { $0.fields["x-stray"] == nil } && !scratch.exists("stray"))
    }

    /// The bound counts bytes at the pipe, and what is asked for, whatever the server says or sends.
    @Test func bytesAreCountedAtThePipe() throws {
        let server = try server()
        defer { server.end() }
        for path in ["/endless", "/new/v/a.aac"] {
            #expect(throws: Failure.refused("\(server.url(path)): more than 1000 bytes; give something shorter")) {
                _ = try unsafe Web.fetch(server.url(path), upTo: 1000) { _ in true }
            }
        }
        var count = 0
        // A server that knows no ranges sends all from the beginning.
        let answer = try unsafe Web.fetch(server.url("/endless"), 10..<70_000, upTo: 100_000) { bytes in
            count += bytes.count
            return true
        }
        #expect(count == 69_990 && answer.isWhole && !answer.isAtEnd)
    }

    /// What is asked for, the bytes that come, whether they are of the whole and whether nothing is behind them, and what
    /// ranges the server was asked for. If it has no part, the whole is asked for, and the same bytes are handed out.
    @Test(
        arguments: [
            ("/small", 0..<100, 0..<100, false, true, ["bytes=0-99"]),
            ("/small", 0..<99, 0..<99, false, false, ["bytes=0-98"]),
            ("/small", 90..<200, 90..<100, false, true, ["bytes=90-199"]),
            ("/small", 99..<100, 99..<100, false, true, ["bytes=99-99"]),
            ("/small", 100..<200, 0..<0, true, true, ["bytes=100-199"]),
            ("/askew", 0..<10, 0..<10, false, false, ["bytes=0-9"]),
            ("/askew", 10..<20, 10..<20, true, false, ["bytes=10-19", nil]),
            ("/askew", 95..<105, 95..<100, true, true, ["bytes=95-104", nil]),
            ("/nothing", 0..<10, 0..<0, true, true, ["bytes=0-9", nil]),
        ] as [(String, Range<Int>, Range<Int>, Bool, Bool, [String?])])
    func partsAreThoseAskedFor(
        _ path: String, _ range: Range<Int>, _ found: Range<Int>, _ isWhole: Bool, _ isAtEnd: Bool, _ asked: [String?]
    ) throws {
        let server = try server()
        defer { server.end() }
        var bytes: [UInt8] = []
        let answer = try unsafe Web.fetch(server.url(path), range, upTo: 1000) { part in
            unsafe bytes += part
            return true
        }
        #expect(bytes == Array(Self.small[found]))
        #expect(answer.isWhole == isWhole && answer.isAtEnd == isAtEnd && answer.url == server.url(path))
        #expect(server.requests.map { $0.fields["range"] } == asked)
    }

    @Test func theBoundIsExact() throws {
        let server = try server()
        defer { server.end() }
        #expect(try unsafe Web.fetch(server.url("/small"), upTo: 100) { _ in true }.isAtEnd)
        #expect(throws: Failure.self) { _ = try unsafe Web.fetch(server.url("/small"), upTo: 99) { _ in true } }
    }

    /// A head comes in several reads if it is longer than one.
    @Test func aLongHeadIsPutTogether() throws {
        let server = try server()
        defer { server.end() }
        var bytes: [UInt8] = []
        _ = try unsafe Web.fetch(server.url("/long-head"), upTo: 5) { part in
            unsafe bytes += part
            return true
        }
        #expect(bytes == Array("hello".utf8))
    }

    /// A time stamp behind so many bytes is looked for in parts, each four times as long as the one before.
    @Test(
        arguments: [
            (0, ["0-262143"], true), (300_000, ["0-262143", "262144-1310719"], true),
            (1_400_000, ["0-262143", "262144-1310719", "1310720-5505023"], true),
            (17 << 20, ["0-262143", "262144-1310719", "1310720-5505023"], false),
        ] as [(Int, [String], Bool)])
    func aLateTimeStampIsLookedFor(_ count: Int, _ ranges: [String], _ isFound: Bool) throws {
        let filler = AudioTagBytes.frame("TXXX", [UInt8](repeating: 1, count: count))
        let stamp = AudioTagBytes.privateFrame(AudioTagBytes.owner, [0, 0, 0, 0, 0, 1, 0xEC, 0x30])
        let segment = AudioTagBytes.tag([filler, stamp])
        let server = try LoopbackServer { .part(of: segment, $0) }
        defer { server.end() }
        let map = try? MediaStartReading.map(of: [server.url("/a.aac")])
        #expect(map?.mpegTS == (isFound ? 126_000 : nil))
        #expect(server.requests.map { $0.fields["range"] } == ranges.map { "bytes=\($0)" })
    }

    /// The command has a name of its own unless a field says another.
    @Test func theUserAgentCanBeGiven() throws {
        let (server, scratch) = (try server(), try Scratch())
        defer { server.end() }
        for words in [[], ["--header=user-agent: mine"]] {
            #expect(try Ran(["inspect", server.url("/en.srt")] + words, in: scratch).status == 0)
        }
        #expect(server.requests.map { $0.fields["user-agent"] } == ["surtitle/\(Surtitle.version)", "mine"])
    }

    /// Each is refused before anything is asked for, and nothing of it is taken for an option.
    @Test(arguments: [
        "http://127.0.0.1:9/a\nb", "http://127.0.0.1:9/a b", "http://127.0.0.1:9/\u{1}",
    ])
    func refusesURLs(_ url: String) throws {
        let ran = try Ran("inspect", url, in: try Scratch())
        #expect(ran.status == 1)
        expectOneLine(ran.errors, about: "http://127.0.0.1:9/", "percent-encode")
    }

    @Test func refusesFieldsWithLineBreaks() throws {
        let ran = try Ran("inspect", "http://127.0.0.1:9/a", "--header=A: b\r\nC: d", in: try Scratch())
        #expect(ran.status == 2)
        expectOneLine(ran.errors, about: "--header", "holds a control character")
    }

    /// Brackets and braces are what they are, and dots and double slashes stay.
    @Test func aURLIsTakenLiterally() throws {
        let server = try server()
        defer { server.end() }
        for path in ["/a[1-3].vtt", "/{a,b}.vtt", "/a/../b.vtt", "//c.vtt"] {
            let ran = try Ran("inspect", server.url(path), in: try Scratch())
            #expect(ran.status == 1 && server.requests.last?.target == path, "\(ran) \(server.requests)")
        }
        #expect(server.requests.count == 4)
    }

    /// A terminal is told after a second how far a fetch is, and not before; what went wrong comes on a line of its own.
    @Test func aSlowFetchIsShownOnATerminal() throws {
        let (server, scratch) = (try server(), try Scratch())
        defer { server.end() }
        let call = "\"$surtitle\" inspect \(server.url("/silence")) --timeout 2"
        #expect(try Ran(shell: call, in: scratch).errors.utf8.count { $0 == 0x0A } == 1)
        let ran = try Ran(
            shell: "command -v script >/dev/null || exit 77; script -qec '\(call)' /dev/null </dev/null", in: scratch)
        if ran.status == 77 { return }
        #expect(ran.text.contains("\r\u{1B}[Kfetching \(server.url("/silence")): 0 KiB, 1 s"), "\(ran)")
        #expect(!ran.text.contains("0 KiB, 0 s") && ran.text.contains("\r\u{1B}[Ksurtitle: http"), "\(ran)")
    }

    /// A signal ends curl with the command.
    @Test func aSignalEndsCurlToo() throws {
        let (server, scratch) = (try server(), try Scratch())
        defer { server.end() }
        let ran = try Ran(
            shell: """
                "$surtitle" inspect \(server.url("/silence")) --timeout 60 & pid=$!
                for i in 1 2 3 4 5 6 7 8 9 10; do child=$(pgrep -P $pid) && break; sleep 0.3; done
                kill -TERM $pid; wait $pid; echo $?
                for i in 1 2 3 4 5 6 7 8 9 10; do kill -0 $child 2>/dev/null || { echo gone; break; }; sleep 0.3; done
                """, in: scratch)
        #expect(ran.text == "143\ngone\n", "\(ran)")
    }

    /// A password in the operand's URL goes to its server, and not into what is written.
    @Test func aPasswordIsNotWritten() throws {
        let (server, scratch) = (try server(), try Scratch(["a.vtt": Samples.webVTT]))
        defer { server.end() }
        let url = server.url("/new/m.m3u8?t=2").replacing("http://", with: "http://me:secret@")
        let ran = try Ran("sideload", url, "--track=uri=en.vtt,file=a.vtt", "-oout", in: scratch)
        #expect(ran.status == 0, "\(ran)")
        #expect(try scratch.read("out/m.m3u8").contains("\n\(server.url("/new/v/v.m3u8"))\n"))
        #expect(server.requests.allSatisfy { $0.fields["authorization"] == "Basic bWU6c2VjcmV0" }, "\(server.requests)")
    }

    /// What curl is told holds no line that a value has made.
    @Test func aValueEndsNoLine() throws {
        #expect(CurlRequest(Array("http://a/\nproxy = b".utf8), [], seconds: 1) == nil)
        #expect(CurlRequest(Array("http://a/\0".utf8), [], seconds: 1) == nil)
        let request = try #require(CurlRequest(Array("http://a/\"\\".utf8), [], seconds: 9))
        let text = String(decoding: request.configuration, as: UTF8.self)
        #expect(text.hasPrefix("url = \"http://a/\\\"\\\\\"\n"))
        for line in ["proto = \"=http,https\"", "globoff", "path-as-is", "max-time = \"9\"", "connect-timeout = \"9\""]
        {
            #expect(text.split(separator: "\n").contains(Substring(line)))
        }
        #expect(!text.contains("location"))
    }
}
