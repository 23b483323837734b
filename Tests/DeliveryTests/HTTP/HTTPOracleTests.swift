import ByteScan
import Delivery
import Support
import Testing

/// Random exchanges against the naive form, and what must be true of all of them.
@Suite struct HTTPOracleTests {
    /// The header after the edits, in the order of names.
    static func edited(_ header: [NaiveHTTP.Field], _ edits: [String]) -> [String] {
        let fields = edits.map { Exchange.field($0.hasPrefix("-") ? String($0.dropFirst()) : $0) }
        let names = fields.map { $0.name.lowercased() }
        let kept = header.filter { !names.contains($0.name.lowercased()) }
        let set = zip(edits, fields).filter { !$0.0.hasPrefix("-") }
            .map { NaiveHTTP.Field($1.name, String($1.value.dropFirst())) }
        return sorted(kept + set)
    }

    static func sorted(_ header: [NaiveHTTP.Field]) -> [String] {
        header.map { "\($0.name.lowercased()):\($0.value)" }.sorted()
    }

    static func lines(_ header: [NaiveHTTP.Field]) -> [String] { header.map { "\($0.name):\($0.value)" } }

    static func name(_ action: ResponseDecision.Action) -> String {
        switch action {
        case .pass: "pass"
        case .hold(let limit): "hold \(limit)"
        case .stream: "stream"
        case .look: "look"
        case .askAgain: "askAgain"
        }
    }

    @Test(arguments: 0..<20)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<150 { Self.check(using: &generator) }
    }

    static func check(using generator: inout SeededGenerator) {
        var exchange = Exchange()
        exchange.tracks.fingerprint = HTTPTokens.fingerprints[Int.random(in: 0...1, using: &generator)]
        var naive = NaiveHTTP(fingerprint: exchange.tracks.fingerprint)
        if Bool.random(using: &generator) {
            naive.modified = 784_111_777
            exchange.tracks.modified = HTTPDate(secondsSinceEpoch: 784_111_777)
        }
        if Int.random(in: 0..<4, using: &generator) == 0 {
            exchange.rules.noTransform = .ignored
            naive.obeysNoTransform = false
        }
        naive.longestHeld = [0, 5, 65_536].randomElement(using: &generator) ?? 5
        exchange.rules.longestHeld = naive.longestHeld

        let method = ["GET", "GET", "GET", "HEAD", "POST"].randomElement(using: &generator) ?? "GET"
        let target = HTTPTokens.targets.randomElement(using: &generator) ?? "/"
        let header = HTTPTokens.header(upTo: 6, using: &generator)
        let request = exchange.request(target, lines(header), method: method)
        let expected = naive.request(method, target, header)
        #expect("\(request.decision.standing)" == expected.standing, "\(method) \(target) \(header)")
        #expect(
            edited(header, request.edits) == sorted(expected.header), "\(target) \(lines(header)): \(request.edits)")

        let again = exchange.again(lines(header), after: request.decision)
        #expect(edited(header, again.edits) == sorted(naive.again(header)))

        let status = [200, 200, 200, 203, 206, 304, 304, 204, 302, 404].randomElement(using: &generator) ?? 200
        let content = [ResponseHead.Content.unseen, .unseen, .playlist, .other].randomElement(using: &generator)
        let answer = HTTPTokens.header(upTo: 6, using: &generator)
        for before in [request.decision, again.decision] {
            let response = exchange.response(status, lines(answer), after: before, content: content ?? .unseen)
            let expected = naive.response(
                status, "\(content ?? .unseen)", answer, after: "\(before.standing)", isHead: method == "HEAD")
            #expect(name(response.decision.action) == expected.action, "\(status) \(lines(answer)) after \(before)")
            #expect(
                edited(answer, response.edits) == sorted(expected.header),
                "\(status) \(lines(answer)): \(response.edits)")
        }
    }

    /// A tag that goes out comes back as the origin's, alone and among others; with other tracks it does not.
    @Test func tagsComeBack() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            let tags = (0..<3).map { _ in HTTPTokens.tag(using: &generator) }
            var exchange = Exchange()
            let derived = tags.map { tag in
                exchange.response(200, ["Content-Type: audio/mpegurl", "ETag: \(tag)"]).edits[0]
            }
            let pairs = zip(tags, derived).filter { $1.hasPrefix("ETag: ") }
            let line = "If-None-Match: " + pairs.map { $1.dropFirst(6) }.joined(separator: ", ")
            let back = "If-None-Match: " + pairs.map { $0.0 }.joined(separator: ", ")
            let expected = pairs.isEmpty ? [RequestTests.asked, "-If-None-Match"] : [RequestTests.asked, back]
            #expect(exchange.request("/a.m3u8", [line]).edits == expected.sorted())
            exchange.tracks.fingerprint ^= 1 << UInt64.random(in: 0..<64, using: &generator)
            #expect(exchange.request("/a.m3u8", [line]).edits == [RequestTests.asked, "-If-None-Match"].sorted())
        }
    }

    /// Containers that are used again are as new.
    @Test func usedAgain() {
        var generator = SeededGenerator(seed: 5)
        var fields = HeaderFields()
        var edits = HeaderEdits()
        let exchange = Exchange()
        let request = exchange.request("/a.m3u8").decision
        for _ in 0..<300 {
            let header = ["Content-Type: audio/mpegurl"] + Self.lines(HTTPTokens.header(upTo: 5, using: &generator))
            fields.removeAll()
            Exchange.fill(&fields, header)
            let decision = exchange.rules.decide(ResponseHead(status: 200), fields, after: request, into: &edits)
            let fresh = exchange.response(200, header)
            #expect(decision == fresh.decision)
            let lines = Exchange.lines(edits)
            #expect(lines == fresh.edits)
        }
    }

    /// What a hostile client or origin sends costs no more a byte if there is more of it; 100 KB to 1 MB.
    @Test(
        .enabled(if: ThreadTime.isMeasured),
        arguments: [
            ("If-None-Match", "\"a\","), ("If-None-Match", ","), ("If-None-Match", "\""), ("ETag", "-surtitle-"),
            ("Cache-Control", "private=\"\\\","), ("Content-Type", ";"), ("Content-Length", "5,"),
            ("Content-Encoding", "br,"),
        ])
    func longValues(name: String, piece: String) {
        let input = CostlyInput("\(name) \(piece)", { CostlyText.repeated(piece, $0) }) { chunks in
            var fields = HeaderFields(limit: 4 << 20)
            var edits = HeaderEdits()
            var name = name
            name.withUTF8 { name in
                for chunk in chunks { fields.append(ByteView(UnsafeRawBufferPointer(name)), ByteView(chunk)) }
            }
            let line = RequestLine(method: ByteView("GET"), target: ByteView("/a.m3u8"))
            let tracks = TracksVersion(fingerprint: 1)
            let request = HTTPRules().decide(line, fields, for: tracks, into: &edits)
            _ = HTTPRules().decide(ResponseHead(status: 200), fields, after: request, into: &edits)
        }
        #expect(input.growth() < 3)
    }

    @Test(.enabled(if: ThreadTime.isMeasured))
    func manyLinesAndLongPaths() {
        let lines = CostlyInput("field lines", { CostlyText.repeated("If-None-Match\n", $0) }) { chunks in
            var fields = HeaderFields(limit: 64 << 20)
            var edits = HeaderEdits()
            for _ in 0..<((chunks.first?.count ?? 0) / 14) {
                fields.append(ByteView("If-None-Match"), ByteView("\"a\""))
            }
            let line = RequestLine(method: ByteView("GET"), target: ByteView("/a.m3u8"))
            _ = HTTPRules().decide(line, fields, for: TracksVersion(fingerprint: 1), into: &edits)
        }
        #expect(lines.growth() < 3)
        let path = CostlyInput("a path", { CostlyText.repeated("/manifest(format=m3u8.m3u8;", $0) }) { chunks in
            let fields = HeaderFields()
            var edits = HeaderEdits()
            for chunk in chunks {
                let line = RequestLine(method: ByteView("GET"), target: ByteView(chunk))
                _ = HTTPRules().decide(line, fields, for: TracksVersion(fingerprint: 1), into: &edits)
            }
        }
        #expect(path.growth() < 3)
    }
}
