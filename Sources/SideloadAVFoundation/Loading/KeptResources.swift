#if canImport(AVFoundation) && !os(watchOS)
internal import Delivery

// What has been made, for the requests that follow.
//
// A master, a file and a playlist of ours are what they are, and stay. What changes, a live playlist or a key, is good for one reading: the
// probe, then the bytes from the beginning, then what follows them. The next request for its beginning is the player's wish for a new one.

/// Resources that were made, up to so many bytes; the oldest go first.
struct KeptResources {
    private struct Entry {
        let resource: Resource
        /// Whether its beginning has been handed over.
        var isRead = false
    }

    private let byteLimit: Int
    private var entries: [ResourceKey: Entry] = [:]
    private var order: [ResourceKey] = []
    private var byteCount = 0

    init(byteLimit: Int) { self.byteLimit = byteLimit }

    /// Keeps `resource`. One that is longer than all that may be kept is not.
    mutating func keep(_ resource: Resource, _ key: ResourceKey) {
        drop(key)
        guard resource.bytes.count <= byteLimit else { return }
        entries[key] = Entry(resource: resource)
        order.append(key)
        byteCount += resource.bytes.count
        while byteCount > byteLimit, let oldest = order.first { drop(oldest) }
    }

    /// What is there for `request`, and notes that it is read.
    mutating func take(_ key: ResourceKey, for request: RouteRequest) -> Resource? {
        guard let entry = entries[key] else { return nil }
        if key.changes, request.bytes.offset == 0 {
            if entry.isRead { return nil }
            if !request.isProbe { entries[key]?.isRead = true }
        }
        return entry.resource
    }

    mutating func drop(_ key: ResourceKey) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        order.removeAll { $0 == key }
        byteCount -= entry.resource.bytes.count
    }
}
#endif
