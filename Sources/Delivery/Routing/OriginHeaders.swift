internal import ByteScan

/// Which header fields of a player's request go to the origin.
///
/// Left out is what is about the player's own request and not about what is fetched, because all of it is fetched,
/// unedited: Range, If-*, Accept-Encoding (whoever fetches says what it can undo), and Host. So is what belongs to the
/// player's connection: Connection and what it names, Keep-Alive, Proxy-*, TE, Trailer, Transfer-Encoding and Upgrade
/// (RFC 9110 7.6.1), and Content-Length, Expect and whatever else is about a body, which no GET has.
package enum OriginHeaders {
    /// The fields of `player` that go to the origin, and then those of `app`, which take the place of the player's of
    /// the same name.
    ///
    /// No name and no value with CR, LF or NUL is handed on (RFC 9110 5.5).
    package static func filtered(_ player: [HeaderLine], adding app: [HeaderLine]) -> [HeaderLine] {
        var named: [[UInt8]] = []
        for line in player where line.isNamed("Connection") {
            line.value.withView { value in
                var list = FieldList(value, .strings)
                while let name = list.next() { named.append(name.map(ASCII.lowercased)) }
            }
        }
        let replaced = app.map { $0.name.map(ASCII.lowercased) }
        return player.filter { line in
            let name = line.name.map(ASCII.lowercased)
            return isSafe(line) && !isLeftOut(name) && !named.contains(name) && !replaced.contains(name)
        } + app.filter(isSafe)
    }

    /// The fields of `player` that go to any origin: they tell neither who the viewer is nor what the app may do.
    package static func anonymous(_ player: [HeaderLine]) -> [HeaderLine] {
        let names: [StaticString] = ["User-Agent", "Accept", "Accept-Language"]
        return filtered(player, adding: []).filter { line in names.contains { line.isNamed($0) } }
    }

    private static func isLeftOut(_ name: [UInt8]) -> Bool {
        let beginnings: [StaticString] = ["if-", "proxy-"]
        let names: [StaticString] = [
            "range", "accept-encoding", "host", "connection", "keep-alive", "te", "trailer", "transfer-encoding",
            "upgrade",
            "content-length", "content-type", "content-encoding", "expect", "a-im",
        ]
        return name.withView { name in
            beginnings.contains { name.hasBytes($0, at: 0) } || names.contains { name == $0 }
        }
    }

    private static func isSafe(_ line: HeaderLine) -> Bool {
        !line.name.isEmpty
            && !(line.name + line.value).contains { byte in
                byte == ASCII.carriageReturn || byte == ASCII.lineFeed || byte == 0
            }
    }
}
