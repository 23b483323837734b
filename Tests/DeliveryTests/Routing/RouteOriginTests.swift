import Delivery
import Testing

/// Addresses below a base name only origins that somebody trusted has named.
@Suite struct RouteOriginTests {
    private static func router(
        _ base: String? = "http://localhost:8080/", _ change: (inout Configuration) -> Void = { _ in }
    ) throws -> Router {
        var configuration = Configuration(
            master: "https://Origin.example/m",
            tracks: [Routes.track("en.vtt", "en"), Routes.track("http://cdn.example:8000/sv.vtt", "sv")])
        if let base { configuration.addresses = try RouteAddresses(base: Array(base.utf8)) }
        configuration.policies.keys = .fetch
        configuration.policies.variants = .mapped
        change(&configuration)
        return try Router(configuration)
    }

    private static func isForbidden(_ plan: RoutePlan) -> Bool {
        if case .fail(let error) = plan { error.isForbiddenOrigin } else { false }
    }

    /// The role does not count: what is redirected could lead players astray, what is fetched could come from where only a proxy gets.
    @Test(arguments: RouteRole.allCases)
    func anyRole(_ role: RouteRole) throws {
        let router = try Self.router()
        for (url, isAllowed) in [
            ("https://origin.example/a", true), ("https://ORIGIN.EXAMPLE:443/a", true),
            ("https://origin.example?a", true),
            ("http://cdn.example:8000/a", true), ("http://origin.example/a", false),
            ("https://origin.example:444/a", false), ("http://cdn.example/a", false),
            ("https://origin.example@10.0.0.1/a", false), ("https://origin.example\\@10.0.0.1/a", false),
            ("https://origin.example.evil.example/a", false), ("https://10.0.0.1/https://origin.example/", false),
            ("https://origin.example%2e/a", false), ("https://[::1]/a", false), ("http://169.254.169.254/a", false),
        ] {
            let address = try #require(router.addresses.address(of: Array(url.utf8), as: role))
            let plan = router.plan(RouteRequest(address))
            #expect(Self.isForbidden(plan) == !isAllowed, "\(url): \(plan)")
            #expect((plan.httpAnswer?.status == 403) == !isAllowed, "\(url): \(plan)")
        }
    }

    @Test func theAppAddsOthers() throws {
        let key = "http://localhost:8080/key/https/keys.example/1"
        #expect(Self.isForbidden(try Self.router().plan(RouteRequest(key))))
        let origin = try #require(RouteOrigin(Array("https://KEYS.example/".utf8)))
        let listed = try Self.router { $0.origins = .listed([origin]) }
        #expect(listed.words(key) == "fetch https://keys.example/1 and hand over the key")
        #expect(Self.isForbidden(listed.plan(RouteRequest("http://localhost:8080/key/https/others.example/1"))))
        let any = try Self.router { $0.origins = .any }
        #expect(any.words("http://localhost:8080/key/http/others.example/1").hasPrefix("fetch http://others.example/1"))
    }

    /// Nobody but the app's own player can ask for an address by a scheme; but files may be served below a base beside them.
    @Test func addressesBySchemesNameAny() throws {
        let router = try Self.router(nil) { $0.policies.webVTT = .served(base: Array("http://localhost/".utf8)) }
        #expect(router.words("surtitle-key-https://keys.example/1").hasPrefix("fetch https://keys.example/1"))
        #expect(router.words("http://localhost/cues/https/origin.example/1.vtt").hasPrefix("fetch"))
        #expect(Self.isForbidden(router.plan(RouteRequest("http://localhost/cues/https/keys.example/1.vtt"))))
    }

    @Test(arguments: [
        ("https://a", true), ("http://a:80/", true), ("HTTPS://[::1]:1", true), ("https://", false),
        ("https:///", false),
        ("https://?a", false), ("ftp://a", false), ("a", false), ("", false), ("https://a/b", false),
        ("https://a?", false),
    ])
    func whatNamesAnOrigin(_ text: String, _ isOrigin: Bool) {
        #expect((RouteOrigin(Array(text.utf8)) != nil) == isOrigin)
    }

    @Test func oneOrigin() throws {
        func origin(_ text: String) throws -> RouteOrigin { try #require(RouteOrigin(of: Array(text.utf8))) }
        #expect(try origin("HTTP://A:80/b?c") == origin("http://a"))
        #expect(try origin("https://a:443#") == origin("https://a/b"))
        #expect(try origin("http://a:443/") != origin("https://a/"))
        #expect(try origin("http://a:8080/") != origin("http://a/"))
        #expect(try origin("http://u@a/") != origin("http://a/"))
    }

    /// A redirect stays with http and https, and never leads from https to http.
    @Test(arguments: [
        ("http://a/", "http://b/", true), ("https://a/", "http://a/", true), ("https://a/", "https://b/", true),
        ("http://a/", "https://a/", false), ("HTTP://a/", "HTTPS://a/", false), ("http://a:443/", "https://a/", false),
        ("file:///etc/passwd", "http://a/", false), ("ftp://a/", "http://a/", false), ("//a/", "http://a/", false),
        ("a", "http://a/", false), ("", "http://a/", false), ("http://a/", "file:///b", false),
        ("https:///", "http://a/", false),
    ])
    func whereARedirectMayLead(_ url: String, _ previous: String, _ mayFollow: Bool) {
        #expect(RouteOrigin.mayFollow(Array(url.utf8), from: Array(previous.utf8)) == mayFollow)
    }

    /// Where a redirect may lead, and what a playlist may name, if anybody can reach the addresses.
    @Test func whereFetchesMayGo() throws {
        let router = try Self.router()
        typealias Row = (url: String, previous: String?, handedOn: FetchPermission, read: FetchPermission)
        let rows: [Row] = [
            ("https://origin.example/a", nil, .granted, .granted),
            ("https://origin.example/a", "https://public.example/", .granted, .granted),
            ("http://cdn.example:8000/a", "http://public.example/", .granted, .granted),
            ("http://cdn.example:8000/a", "https://origin.example/", .denied, .denied),
            ("https://public.example/a", nil, .denied, .grantedIfPublic),
            ("https://public.example/a", "http://cdn.example:8000/", .leftToClient, .grantedIfPublic),
            ("https://public.example/a", "https://origin.example/", .leftToClient, .grantedIfPublic),
            ("http://public.example/a", "https://origin.example/", .denied, .denied),
            ("http://127.0.0.1/a", nil, .denied, .denied),
            ("http://127.0.0.1/a", "http://cdn.example:8000/", .leftToClient, .denied),
            ("https://169.254.169.254/", "https://a/", .leftToClient, .denied),
            ("https://[::1]/", nil, .denied, .denied), ("file:///etc/passwd", nil, .denied, .denied),
            ("file:///etc/passwd", "http://cdn.example:8000/", .denied, .denied),
            ("https://origin.example@10.0.0.1/", nil, .denied, .denied),
        ]
        let asked = RouteRequest("http://localhost:8080/key/https/origin.example/1")
        for row in rows {
            func permission(_ router: Router, _ isHandedOn: Bool, _ asked: RouteRequest = asked) -> FetchPermission {
                router.mayFetch(
                    Array(row.url.utf8), isHandedOn: isHandedOn, for: asked,
                    redirectedFrom: row.previous.map { Array($0.utf8) })
            }
            #expect(permission(router, true) == row.handedOn, "\(row)")
            #expect(permission(router, false) == row.read, "\(row)")
            // By a scheme, or with any origin, only what is no http or https and the way down are refused.
            let isNever =
                row.url.hasPrefix("file") || row.previous?.hasPrefix("https") == true && row.url.hasPrefix("http:")
            for free in [try Self.router(nil), try Self.router { $0.origins = .any }] {
                #expect(permission(free, true) == (isNever ? .denied : .granted), "\(row)")
            }
            // Files below a base beside schemes are for anybody who reaches the base.
            let both = try Self.router(nil) { $0.policies.webVTT = .served(base: Array("http://localhost/".utf8)) }
            let file = RouteRequest("http://localhost/track/en.vtt")
            #expect(permission(both, true, file) == row.handedOn && permission(both, false, file) == row.read, "\(row)")
            #expect(permission(both, true, RouteRequest(both.entry)) == (isNever ? .denied : .granted), "\(row)")
        }
    }

    /// What is asked for, what for, and whether the player gets it: a file of a track is read for its duration, too.
    @Test(arguments: [
        ("key/https/origin.example/1", FetchRequest.Purpose.key, true),
        ("cues/https/origin.example/1", .subtitles, true), ("cues/https/origin.example/1", .videoPlaylist, false),
        ("track/en.vtt", .subtitles, true), ("track/en.vtt", .segment, false), ("track/en.vtt", .initialization, false),
        ("track/en.m3u8", .subtitles, false), ("track/de.m3u8", .subtitlePlaylist, false),
        ("master/https/origin.example/m", .subtitles, false),
        ("master/https/origin.example/m", .subtitlePlaylist, false),
        ("variant/https/origin.example/m", .subtitlePlaylist, false),
    ])
    func whatIsHandedOn(_ path: String, _ purpose: FetchRequest.Purpose, _ isHandedOn: Bool) throws {
        let router = try Self.router {
            $0.policies.webVTT = .bytes
            $0.tracks.append(Routes.track("de.m3u8", "de"))
        }
        #expect(router.plan(RouteRequest("http://localhost:8080/" + path)).handsOn(purpose) == isHandedOn)
    }

    /// A redirect to where only the client may go ends the request with that; any other one fails it.
    @Test(arguments: [
        ("key/https/origin.example/1", 302, "https://keys.example/2", "302 https://keys.example/2"),
        ("key/https/origin.example/1", 307, "//127.0.0.1:8/a b#c", "302 https://127.0.0.1:8/a%20b"),
        ("key/https/origin.example/1", 302, "http://keys.example/2", "502"),
        ("key/https/origin.example/1", 302, "https://origin.example/loop", "502"),
        ("key/https/origin.example/1", 304, "https://keys.example/2", "502"),
        ("key/https/origin.example/1", 302, "", "502"), ("key/https/origin.example/1", 302, "file:///a", "502"),
        ("cues/https/origin.example/1", 301, "https://cdn.example/1.vtt", "302 https://cdn.example/1.vtt"),
        ("track/sv.vtt", 303, "https://cdn.example/1.vtt", "302 https://cdn.example/1.vtt"),
        ("track/sv.vtt", 303, "/other.vtt", "502"),
        // What is only read is not the client's to fetch.
        ("track/sv.m3u8", 302, "https://cdn.example/1.vtt", "502"),
        ("variant/https/origin.example/1", 302, "https://cdn.example/1.m3u8", "502"),
        ("master/https/origin.example/m", 302, "https://cdn.example/1.m3u8", "502"),
    ])
    func redirects(_ path: String, _ status: Int, _ location: String, _ expected: String) throws {
        let router = try Self.router {
            $0.policies.webVTT = .bytes
            $0.policies.missingTrack = .fail
        }
        var request = Router.Request(router, RouteRequest("http://localhost:8080/" + path))
        while case .fetch(let wanted) = request.next() {
            var fetch = Fetch(wanted.job)
            while case .request = fetch.next() {
                var fields = HeaderFields()
                fields.append("Location", location)
                _ = fetch.begin(FetchResponse(status: status), fields)
            }
            request.take(fetch.next(), of: wanted)
        }
        let answer = try #require(request.httpAnswer(to: Array("GET".utf8)))
        let there = answer.headers.first { $0.name == Array("Location".utf8) }.map { " " + Routes.text($0.value) } ?? ""
        #expect("\(answer.status)\(there)" == expected)
    }

    /// Whether the redirect goes down to http is asked of the hop that redirects, and not of the first URL.
    @Test func theLastHopCounts() throws {
        let router = try Self.router()
        var request = Router.Request(router, RouteRequest("http://localhost:8080/key/http/cdn.example:8000/1"))
        guard case .fetch(let wanted) = request.next() else { return #expect(Bool(false)) }
        var fetch = Fetch(wanted.job)
        while case .request = fetch.next() {
            var fields = HeaderFields()
            fields.append("Location", "http://keys.example/")
            _ = fetch.begin(FetchResponse(status: 302, url: Array("https://origin.example/".utf8)), fields)
        }
        request.take(fetch.next(), of: wanted)
        guard case .fail(.fetch(let error)) = request.next() else { return #expect(Bool(false)) }
        #expect(error.status == 302 && error.reason.category == .refused)
        #expect("\(error.reason)" == "status 302, a redirect to http://keys.example/ that was not followed")
    }
}
