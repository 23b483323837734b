#if canImport(AVFoundation) && !os(watchOS)
internal import Delivery

// What has been made, for the requests that follow.
//
// A master, a file and a playlist of ours are what they are, and stay. What changes, a live playlist, a key, or what is
// beside a live video, is good for one reading: the probe, then the bytes from the beginning, then what follows them.
// The next request for its beginning is the player's wish for a new one. So a thing that changes has two places: one
// until its beginning has been read, and one after that, where only later bytes are looked for. Each asset has its own,
// since what one player has been told of a playlist is not true of a newer one that another player has had made.

extension LoadingExchange {
    /// Where what is made for it is kept, be it beside a live video or not; nil if it is not.
    func place(besideLive isLive: Bool) -> [UInt8]? {
        guard let key = isLive ? liveKey : request.key else { return nil }
        guard isLive || request.changes else { return key }
        return asset.map { Array("asset \($0) ".utf8) + key }
    }
}

extension ResourceCache {
    mutating func keep(_ resource: Resource, _ key: [UInt8]) {
        drop(key)
        insert(resource, for: key)
    }

    /// What is there for `exchange`, which is noted to have read it.
    mutating func take(for exchange: LoadingExchange) -> Resource? {
        for isLive in [false, true] {
            guard let key = exchange.place(besideLive: isLive) else { continue }
            let changes = isLive || exchange.request.changes
            if let resource = take(key, exchange.request.asked, changes: changes) { return resource }
        }
        return nil
    }

    private mutating func take(_ key: [UInt8], _ asked: RouteRequest, changes: Bool) -> Resource? {
        if let resource = self.resource(for: key) {
            if changes { noteReading(of: key, by: asked) }
            return resource
        }
        return asked.bytes.offset == 0 ? nil : resource(for: Self.read(key))
    }

    /// Notes that a request gets its answer of something that changes.
    mutating func noteReading(of key: [UInt8], by asked: RouteRequest) {
        guard asked.bytes.offset == 0, !asked.isProbe, let resource = self.resource(for: key) else { return }
        remove(key)
        insert(resource, for: Self.read(key))
    }

    /// Drops what is there for `exchange`.
    mutating func drop(for exchange: LoadingExchange) {
        for isLive in [false, true] { if let key = exchange.place(besideLive: isLive) { drop(key) } }
    }

    private mutating func drop(_ key: [UInt8]) {
        remove(key)
        remove(Self.read(key))
    }

    /// The key of what has been read.
    private static func read(_ key: [UInt8]) -> [UInt8] { Array("read ".utf8) + key }
}
#endif
