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

    /// Where a redirect may lead, and what a playlist may name, if anybody can reach the addresses.
    @Test func whereFetchesMayGo() throws {
        let router = try Self.router()
        typealias Row = (url: String, previous: String?, key: FetchPermission, playlist: FetchPermission)
        let rows: [Row] = [
            ("https://origin.example/a", nil, .granted, .granted),
            ("https://origin.example/a", "https://public.example/", .granted, .granted),
            ("http://cdn.example:8000/a", "http://public.example/", .granted, .granted),
            ("http://cdn.example:8000/a", "https://origin.example/", .denied, .denied),
            ("https://public.example/a", nil, .denied, .grantedIfPublic),
            ("https://public.example/a", "http://cdn.example:8000/", .denied, .grantedIfPublic),
            ("http://public.example/a", "https://origin.example/", .denied, .denied),
            ("http://127.0.0.1/a", nil, .denied, .denied), ("https://169.254.169.254/", "https://a/", .denied, .denied),
            ("https://[::1]/", nil, .denied, .denied), ("file:///etc/passwd", nil, .denied, .denied),
            ("https://origin.example@10.0.0.1/", nil, .denied, .denied),
        ]
        for row in rows {
            func permission(_ router: Router, _ purpose: FetchRequest.Purpose) -> FetchPermission {
                router.mayFetch(
                    Array(row.url.utf8), for: purpose, redirectedFrom: row.previous.map { Array($0.utf8) })
            }
            #expect(permission(router, .key) == row.key, "\(row)")
            #expect(permission(router, .videoPlaylist) == row.playlist, "\(row)")
            // By a scheme, or with any origin, only what is no http or https and the way down are refused.
            let isNever =
                row.url.hasPrefix("file") || row.previous?.hasPrefix("https") == true && row.url.hasPrefix("http:")
            for free in [try Self.router(nil), try Self.router { $0.origins = .any }] {
                #expect(permission(free, .key) == (isNever ? .denied : .granted), "\(row)")
            }
        }
    }
}
