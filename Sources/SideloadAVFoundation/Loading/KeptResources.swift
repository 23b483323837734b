#if canImport(AVFoundation) && !os(watchOS)
internal import Delivery

// What has been made, for the requests that follow.
//
// A master, a file and a playlist of ours are what they are, and stay. What changes, a live playlist or a key, is good for one reading: the
// probe, then the bytes from the beginning, then what follows them. The next request for its beginning is the player's wish for a new one.
// So a thing that changes has two places: one until its beginning has been read, and one after that, where only later bytes are looked for.

/// Resources that were made, up to so many bytes; those not used for longest go first.
struct KeptResources {
    private var cache: ResourceCache

    init(byteLimit: Int) { cache = ResourceCache(bytes: byteLimit) }

    mutating func keep(_ resource: Resource, _ key: ResourceKey) {
        drop(key)
        cache.insert(resource, for: key.bytes(isRead: false))
    }

    /// What is there for `request`, which is noted to have read it.
    mutating func take(_ key: ResourceKey, for request: RouteRequest) -> Resource? {
        if let resource = cache.resource(for: key.bytes(isRead: false)) {
            noteReading(of: key, by: request)
            return resource
        }
        return request.bytes.offset == 0 ? nil : cache.resource(for: key.bytes(isRead: true))
    }

    /// Notes that `request` gets its answer of what is there.
    mutating func noteReading(of key: ResourceKey, by request: RouteRequest) {
        guard key.changes, request.bytes.offset == 0, !request.isProbe,
            let resource = cache.resource(for: key.bytes(isRead: false))
        else { return }
        cache.remove(key.bytes(isRead: false))
        cache.insert(resource, for: key.bytes(isRead: true))
    }

    mutating func drop(_ key: ResourceKey) {
        cache.remove(key.bytes(isRead: false))
        cache.remove(key.bytes(isRead: true))
    }
}
#endif
