import ByteScan
import Delivery
import M3U8
import Sideload
import Support

import enum WebVTT.SubtitleFormat

/// What a player's request gets.
///
/// The text is the multivariant playlist's URL, the URL that is asked for, a Range field, header fields up to an empty line, and a playlist.
///
/// 1. Every URL has a plan with words; a proxy can answer it at once, or a resource comes of it.
/// 2. An address comes back as the origin's URL, for its role alone, and is no track's. What is no http or https URL has none.
/// 3. No answer has a byte outside the resource, and each is the naive one.
/// 4. Nothing about the player's own request or connection goes to the origin, and no field breaks out of its line.
/// 5. A playlist whose addresses are put back is the one whose URIs are only made absolute.
/// 6. A cache is a list whose last are dropped.
/// 7. A request whose fetches have ended has an end, the same in whatever order they ended, and an answer of a proxy's.
/// 8. A playlist that a redirect has brought becomes what one does that came without, and whose variables say by
///    themselves what the query of the redirect's target has for them.
/// 9. Below a base nothing is handed on but from listed origins, and no request goes down from https to http.
enum RouterCheck {
    static func run(_ input: inout FuzzInput, _ faults: inout Faults) {
        let use = RouterUse(&input.choices)
        let text = RouteText(input.text)
        checkAddresses(use.addresses, [text.master, text.url, text.range], &faults)
        checkRanges(use, text, &faults)
        checkCache(input.text, &faults)
        var configuration = Configuration()
        (configuration.master, configuration.tracks) = (text.master, use.tracks)
        configuration.policies = use.policies
        configuration.addresses = use.addresses
        configuration.headers = [HeaderLine("X-App", "1")]
        configuration.limits.lines = LineLimits(longestLine: use.longestLine)
        do throws(RouteError) {
            let router = try Router(configuration)
            checkPlan(router, use, text, &faults)
            checkPlaylist(router, configuration, text, &faults)
            checkRedirect(router, text, &faults)
            checkHops(router, text, &faults)
        } catch {
            faults.expect(!error.description.isEmpty, "an error without words")
        }
    }

    private static func checkPlan(_ router: Router, _ use: RouterUse, _ text: RouteText, _ faults: inout Faults) {
        for url in [text.url, router.entry, router.addresses.trackPrefix + text.url] {
            var request = RouteRequest(url, use.bytes, wantsInformation: use.wantsInformation)
            request.headers = text.headers
            let plan = router.plan(request)
            let what = "\(url.count) bytes, \(plan)"
            faults.expect(!plan.description.isEmpty && (plan.httpAnswer == nil) == plan.givesResource, "law 1: \(what)")
            if case .fail(let error) = plan {
                faults.expect(url != router.entry || !error.isForbiddenOrigin, "law 1: the entry is forbidden")
            }
            if case .fetch(let origin, _) = plan {
                let stays = use.policies.appHeaders == .masterOrigin
                checkHeaders(origin.headers, text, goesEverywhere: !stays, &faults)
                if stays, RouteOrigin(of: origin.url) != RouteOrigin(of: router.master) {
                    let allowed = ["user-agent", "accept", "accept-language"]
                    let names = origin.headers.map { String(decoding: $0.name, as: UTF8.self).lowercased() }
                    faults.expect(names.allSatisfy(allowed.contains), "law 4: credentials, \(what)")
                }
            }
            checkRequest(router, request, use, text, &faults)
            let resource = Resource(text.playlist, .playlist)
            let answer = router.answer(request, plan, with: resource)
            faults.expect(
                answer.information?.length ?? resource.bytes.count == resource.bytes.count, "law 3: \(what)")
            guard case .range(let range) = answer.data else { continue }
            let naive = NaiveRanges.positions(use.offset, use.count, of: resource.bytes.count)
            let isWhole =
                router.policies.probe == .redirect && naive?.first == range.first
                && range.upperBound == resource.bytes.count
            faults.expect(naive == Array(range) || isWhole, "law 3: \(range) of \(resource.bytes.count), \(what)")
        }
    }

    private static func checkRequest(
        _ router: Router, _ asked: RouteRequest, _ use: RouterUse, _ text: RouteText, _ faults: inout Faults
    ) {
        var (request, reversed) = (Router.Request(router, asked), Router.Request(router, asked))
        var ended: [(Router.Request.Wanted, Fetch.Step)] = []
        while case .fetch(let wanted) = request.next() {
            var fetch = Fetch(wanted.job)
            while case .request(let fetched) = fetch.next() {
                faults.expect(
                    request.headers(of: fetched).suffix(fetched.fields.count).map { $0.value },
                    is: fetched.fields.map { $0.value }, "law 7: its own fields come last")
                let status = use.statuses[ended.count % use.statuses.count]
                guard fetch.begin(FetchResponse(status: status), HeaderFields()) == .more else { continue }
                if text.playlist.withUnsafeBytes({ unsafe fetch.write($0) }) == .more { fetch.finish() }
            }
            ended.append((wanted, fetch.next()))
            request.take(fetch.next(), of: wanted)
        }
        while case .fetch = reversed.next() {}
        for (wanted, step) in ended.reversed() { reversed.take(step, of: wanted) }
        let end = request.next()
        faults.expect(end == reversed.next(), "law 7: the order, \(request.plan)")
        faults.expect(end != .wait && end != .waitForTracks, "law 7: no end, \(request.plan)")
        faults.expect(request.httpAnswer(to: Array("GET".utf8)) != nil, "law 7: no answer, \(request.plan)")
        faults.expect((request.key != nil) == request.plan.givesResource, "law 7: the key, \(request.plan)")
    }

    private static func checkRedirect(_ router: Router, _ text: RouteText, _ faults: inout Faults) {
        func made(_ asked: [UInt8], _ bytes: [UInt8], _ use: FetchUse) -> String {
            let plan = RoutePlan.fetch(OriginRequest(url: asked, headers: []), use: use)
            guard let answer = router.answer(for: plan, bytes, from: text.url, lasting: nil) else { return "" }
            do throws(RouteError) {
                let made = try router.resource(for: plan, from: answer, leavingOut: [])
                return String(decoding: made.resource.bytes, as: UTF8.self)
            } catch { return "\(error)" }
        }
        func withoutFragment(_ url: [UInt8]) -> [UInt8] { Array(url.prefix { $0 != UInt8(ascii: "#") }) }
        let isRedirected = withoutFragment(text.url) != withoutFragment(router.master)
        let naive = isRedirected ? NaiveQuery.defining(text.playlist, by: text.url) : text.playlist
        for use in [FetchUse.master, .mediaPlaylist, .playlist, .subtitlePlaylist(track: 0)] {
            let expected = made(text.url, naive, use)
            faults.expect(made(router.master, text.playlist, use) == expected, "law 8: \(use), \(expected)")
        }
    }

    private static func checkHops(_ router: Router, _ text: RouteText, _ faults: inout Faults) {
        let asked = RouteRequest(router.entry)
        for previous in [nil, text.master] {
            for isHandedOn in [false, true] {
                let permission = router.mayFetch(text.url, isHandedOn: isHandedOn, for: asked, redirectedFrom: previous)
                let mayGo = permission == .granted || permission == .grantedIfPublic
                let (there, here) = (RouteOrigin(of: text.url), RouteOrigin(of: text.master))
                let isListed = there != nil && there == here
                faults.expect(!isListed || previous == nil || mayGo, "law 9: its own origin")
                guard mayGo else { continue }
                let words = [text.url, previous ?? []].map { String(decoding: $0, as: UTF8.self).lowercased() }
                faults.expect(words[0].hasPrefix("http"), "law 9: \(words[0])")
                let isDown = words[0].hasPrefix("http:") && words[1].hasPrefix("https:")
                faults.expect(!isDown, "law 9: from https to http, \(words)")
                let isOpen = router.entry.starts(with: Array("http://localhost/".utf8))
                let isTracks = router.tracks.contains { $0.url.flatMap { RouteOrigin(of: $0) } == there }
                faults.expect(!isOpen || !isHandedOn || isListed || isTracks, "law 9: handed on, \(words)")
            }
        }
    }

    private static func checkHeaders(
        _ headers: [HeaderLine], _ text: RouteText, goesEverywhere: Bool, _ faults: inout Faults
    ) {
        let left = [
            "range", "host", "connection", "te", "trailer", "upgrade", "accept-encoding", "keep-alive",
            "transfer-encoding",
        ]
        for line in headers {
            let name = String(decoding: line.name, as: UTF8.self).lowercased()
            let isOurs = !left.contains(name) && !name.hasPrefix("if-") && !name.hasPrefix("proxy-")
            faults.expect(isOurs && !text.isNamedByConnection(name), "law 4: \(name)")
            faults.expect(!(line.name + line.value).contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D }, "law 4: \(name)")
        }
        faults.expect(headers.last == HeaderLine("X-App", "1") || !goesEverywhere, "law 4: the app's")
    }

    private static func checkAddresses(_ addresses: RouteAddresses, _ urls: [[UInt8]], _ faults: inout Faults) {
        for url in urls {
            let words = String(decoding: url, as: UTF8.self)
            let lowercased = words.lowercased()
            let isHTTP = lowercased.hasPrefix("http://") || lowercased.hasPrefix("https://")
            for role in RouteRole.allCases {
                guard let address = addresses.address(of: url, as: role) else { continue }
                let back = addresses.recognise(address)
                faults.expect(isHTTP && back?.role == role, "law 2: \(role), \(words)")
                let end = url.firstIndex(of: UInt8(ascii: ":")) ?? 0
                faults.expect(
                    back.map { Array($0.url.dropFirst(end)) } == Array(url.dropFirst(end)), "law 2: back, \(words)")
                faults.expect(!address.starts(with: addresses.trackPrefix), "law 2: a track's, \(words)")
            }
        }
    }

    private static func checkRanges(_ use: RouterUse, _ text: RouteText, _ faults: inout Faults) {
        let length = text.playlist.count
        let naive = NaiveRanges.positions(use.offset, use.count, of: length)
        switch use.bytes.answer(length: length) {
        case .range(let range): faults.expect(naive == Array(range), "law 3: \(use.bytes) of \(length)")
        case .pastEnd, .malformed: faults.expect(naive == nil, "law 3: \(use.bytes) of \(length)")
        }
        let resource = Resource(text.playlist, .data)
        let answer = HTTPAnswer(resource, to: Array("GET".utf8), [HeaderLine(Array("range".utf8), text.range)])
        // The naive form takes characters of text for bytes.
        guard text.range.allSatisfy({ $0 < 0x80 }) else { return }
        let expected = NaiveRanges.answer(String(decoding: text.range, as: UTF8.self), of: length)
        faults.expect(answer.status, is: expected.status, "law 3: \(text.range)")
        faults.expect(Array(answer.body), is: expected.positions.map { resource.bytes[$0] }, "law 3: \(text.range)")
    }

    private static func checkPlaylist(
        _ router: Router, _ configuration: Configuration, _ text: RouteText, _ faults: inout Faults
    ) {
        var plainly = configuration
        plainly.policies = RoutePolicies()
        do throws(RouteError) {
            let plain = try Router(plainly).mediaPlaylist(text.playlist, from: text.master)
            let mapped = try router.mediaPlaylist(text.playlist, from: text.master)
            _ = try router.master(text.playlist, from: text.master, leavingOut: [1])
            _ = try router.givenPlaylist(text.playlist, from: text.master)
            faults.expect(mapped.unresolvedURIs, is: plain.unresolvedURIs, "law 5: variables")
            // What the playlist or its own URL says of our addresses cannot be told apart from what was put there.
            let words = String(decoding: text.playlist + text.master, as: UTF8.self).lowercased()
            guard !words.contains("surtitle"), !words.contains("localhost"), mapped.exceededLimit == nil,
                plain.exceededLimit == nil
            else { return }
            faults.expect(
                putBack(mapped.resource.bytes, router.addresses), is: comparable(plain.resource.bytes), "law 5")
        } catch {
            faults.expect(error.verdict == .notPlaylist, "law 5: \(error)")
        }
    }

    /// The playlist in lower case and without quotes, which a value that has none gets where another is put in its place.
    private static func comparable(_ playlist: [UInt8]) -> String {
        String(decoding: playlist.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self).lowercased()
    }

    /// The same of a playlist with addresses, with the origin's URLs in their place.
    private static func putBack(_ playlist: [UInt8], _ addresses: RouteAddresses) -> String {
        var text = comparable(playlist)
        for role in RouteRole.allCases {
            for scheme in ["https://", "http://"] {
                guard let address = addresses.address(of: Array((scheme + "x").utf8), as: role) else { continue }
                text = text.replacing(String(decoding: address.dropLast(), as: UTF8.self).lowercased(), with: scheme)
            }
        }
        return text
    }

    /// Each byte of the text is a call.
    private static func checkCache(_ text: [UInt8], _ faults: inout Faults) {
        var cache = ResourceCache(bytes: 60, entries: 5)
        var naive = NaiveCache(bytes: 60, entries: 5)
        for (step, byte) in text.prefix(200).enumerated() {
            let key = [UInt8](repeating: 7, count: Int(byte & 7))
            switch byte >> 6 {
            case 0: faults.expect(cache.resource(for: key)?.bytes, is: naive.value(of: key), "law 6, step \(step)")
            case 1:
                cache.remove(key)
                naive.remove(key)
            default:
                let value = [UInt8](repeating: byte, count: Int(byte >> 3 & 31))
                let isKept = cache.insert(Resource(value, .data), for: key)
                faults.expect(isKept, is: naive.insert(value, for: key), "law 6, step \(step)")
            }
            faults.expect(cache.count, is: naive.entries.count, "law 6, step \(step)")
            faults.expect(cache.byteCount, is: naive.byteCount, "law 6, step \(step)")
        }
    }
}

/// How the router is made and asked.
private struct RouterUse {
    let addresses: RouteAddresses
    let policies: RoutePolicies
    let tracks: [TrackConfiguration]
    let offset: Int64
    /// How many bytes are asked for; nil for all up to the end.
    let count: Int?
    let wantsInformation: Bool
    var bytes: ByteRequest { ByteRequest(offset: offset, extent: count.map { .bytes($0) } ?? .toEnd) }
    let longestLine: Int
    /// What fetches are answered, one after the other.
    let statuses: [Int]

    init(_ choices: inout Choices) {
        let numbers: [Int64] = [0, 0, 1, 2, 7, 100, -1, .max, .min, .max - 1, 4_294_967_296]
        offset = choices.pick(numbers)
        count = choices.flag() ? Int(choices.pick([2] + numbers)) : nil
        wantsInformation = choices.flag()
        let base = Array("http://localhost/".utf8)
        addresses = choices.pick([nil, base]).flatMap { try? RouteAddresses(base: $0) } ?? RouteAddresses()
        var policies = RoutePolicies()
        policies.probe = choices.pick(RoutePolicies.Probe.allCases)
        policies.variants = choices.pick(RoutePolicies.Variants.allCases)
        policies.segments = choices.pick(RoutePolicies.Segments.allCases)
        policies.keys = choices.pick(RoutePolicies.Keys.allCases)
        policies.missingTrack = choices.pick(RoutePolicies.MissingTrack.allCases)
        policies.webVTT = choices.pick([.automatic, .bytes, .served(base: base), .redirect])
        policies.appHeaders = wantsInformation ? .everywhere : .masterOrigin
        self.policies = policies
        let uris: [(String, SubtitleFormat)] = [
            ("en.vtt", .webVTT), ("https://b/de.m3u8", .playlist), ("sv.srt", .subRip),
        ]
        tracks = uris.prefix(choices.number(upTo: 3)).map { uri, format in
            TrackConfiguration(
                SubtitleTrack(uri: uri, language: String(uri.suffix(4).prefix(1)) + "n", name: uri), format: format)
        }
        longestLine = choices.limit(orDefault: 64 << 10)
        statuses = choices.pick([[200], [200, 404, 503], [404], [200, 200, 404]])
    }
}

/// The parts of the text.
private struct RouteText {
    let master: [UInt8]
    let url: [UInt8]
    let range: [UInt8]
    let headers: [HeaderLine]
    let playlist: [UInt8]

    init(_ text: [UInt8]) {
        var rest = text[...]
        func line(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
            let line = Array(rest.prefix { $0 != 0x0A })
            rest = rest.dropFirst(line.count + 1)
            return line
        }
        master = line(&rest)
        url = line(&rest)
        range = line(&rest)
        var headers: [HeaderLine] = []
        while !rest.isEmpty {
            let field = line(&rest)
            if field.isEmpty { break }
            let colon = field.firstIndex(of: UInt8(ascii: ":")) ?? field.count
            headers.append(HeaderLine(Array(field[..<colon]), Array(field.dropFirst(colon + 1))))
        }
        self.headers = headers
        playlist = Array(rest)
    }

    /// Whether a Connection field names `name`.
    func isNamedByConnection(_ name: String) -> Bool {
        headers.contains { line in
            String(decoding: line.name, as: UTF8.self).lowercased() == "connection" && !line.value.contains(0x22)
                && String(decoding: line.value, as: UTF8.self).lowercased().split(separator: ",").contains { item in
                    item.trimmed == name[...]
                }
        }
    }
}

extension Substring {
    /// Without spaces and tabs around it.
    fileprivate var trimmed: Substring {
        var text = self
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
