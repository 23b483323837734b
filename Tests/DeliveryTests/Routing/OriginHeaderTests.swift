import Delivery
import Testing

/// Which header fields go to the origin.
@Suite struct OriginHeaderTests {
    /// "Request headers are copied to the origin", less what is about the player's own request and connection.
    @Test func requestHeadersAreCopied() throws {
        let router = try Routes.router(Routes.tracks) { $0.headers = [HeaderLine("authorization", "Bearer app")] }
        var request = RouteRequest(router.entry)
        request.headers = [
            HeaderLine("User-Agent", "AppleCoreMedia"), HeaderLine("Range", "bytes=0-1"),
            HeaderLine("If-None-Match", "\"a\""),
            HeaderLine("IF-RANGE", "x"), HeaderLine("Accept-Encoding", "gzip"), HeaderLine("Host", "x"),
            HeaderLine("Connection", "keep-alive, X-Hop"), HeaderLine("x-hop", "1"), HeaderLine("Keep-Alive", "5"),
            HeaderLine("Proxy-Authorization", "x"), HeaderLine("proxy-connection", "x"), HeaderLine("TE", "trailers"),
            HeaderLine("Trailer", "x"), HeaderLine("Transfer-Encoding", "chunked"), HeaderLine("Upgrade", "h2c"),
            HeaderLine("Authorization", "Bearer player"), HeaderLine("X-Playback-Session-Id", "1"),
            HeaderLine("X-Bad", "a\r\nHost: b"), HeaderLine("Accept", "*/*"), HeaderLine("Content-Length", "0"),
        ]
        guard case .fetch(let origin, .master) = router.plan(request) else {
            Issue.record("the master is not fetched")
            return
        }
        #expect(
            origin.headers == [
                HeaderLine("User-Agent", "AppleCoreMedia"), HeaderLine("X-Playback-Session-Id", "1"),
                HeaderLine("Accept", "*/*"), HeaderLine("authorization", "Bearer app"),
            ])
    }

    /// What may be credentials, the app's or the player's, goes to the master's origin alone, unless the policy says
    /// otherwise.
    @Test(arguments: [
        ("surtitle-master-https://ORIGIN.example/x", true), ("surtitle-key-https://origin.example/k", true),
        ("surtitle-key-https://origin.example:443/k", true), ("surtitle-key-http://origin.example/k", false),
        ("surtitle-key-https://origin.example:8443/k", false),
        ("surtitle-key-https://a@origin.example/k", false), ("surtitle-key-https://origin.example.evil/k", false),
        ("surtitle-master-https://evil/x", false),
    ])
    func credentialsStayWithTheMaster(_ url: String, _ isSent: Bool) throws {
        for (policy, expected) in [(RoutePolicies.AppHeaders.masterOrigin, isSent), (.everywhere, true)] {
            let router = try Routes.router(Routes.tracks) {
                $0.headers = [HeaderLine("Authorization", "Bearer app")]
                $0.policies.appHeaders = policy
                $0.policies.keys = .fetch
            }
            var request = RouteRequest(url)
            request.headers = [
                HeaderLine("Authorization", "player"), HeaderLine("COOKIE", "a=b"), HeaderLine("user-agent", "player"),
                HeaderLine("Accept-Language", "sv"), HeaderLine("X-Playback-Session-Id", "1"),
            ]
            guard case .fetch(let origin, _) = router.plan(request) else {
                Issue.record("\(url) is not fetched")
                return
            }
            let sent = expected ? ["a=b", "player", "sv", "1", "Bearer app"] : ["player", "sv"]
            #expect(origin.headers.map { Routes.text($0.value) } == sent)
        }
    }
}
