/// What has been edited or made once, by key, since a player asks for it several times: at most so many resources, with
/// at most so many bytes. Those not used for longest go first.
///
/// Finding one takes as long as going through all, which are few.
package struct ResourceCache: Sendable {
    /// The most bytes of keys and resources together.
    package let byteLimit: Int

    /// The most resources.
    package let entryLimit: Int

    /// How many bytes keys and resources have.
    package private(set) var byteCount = 0

    /// From the one not used for longest to the newest.
    private var entries: [(key: [UInt8], resource: Resource)] = []

    /// How many resources there are.
    package var count: Int { entries.count }

    /// An empty cache. Limits below 0 are 0, and then nothing is kept.
    package init(bytes: Int = 16 << 20, entries: Int = 256) {
        byteLimit = max(bytes, 0)
        entryLimit = max(entries, 0)
    }

    /// The resource of `key`, which counts as used now; nil if there is none.
    package mutating func resource(for key: [UInt8]) -> Resource? {
        guard let place = entries.lastIndex(where: { $0.key == key }) else { return nil }
        entries.append(entries.remove(at: place))
        return entries.last?.resource
    }

    /// Keeps `resource` for `key`, whose former one goes in any case, and drops what was not used for longest until
    /// there is room.
    ///
    /// - Returns: Whether it is kept: not if it alone is larger than the limit.
    @discardableResult
    package mutating func insert(_ resource: Resource, for key: [UInt8]) -> Bool {
        remove(key)
        let (cost, overflows) = key.count.addingReportingOverflow(resource.bytes.count)
        guard !overflows, cost <= byteLimit, entryLimit > 0 else { return false }
        while count >= entryLimit || byteCount > byteLimit - cost { drop(at: 0) }
        entries.append((key, resource))
        byteCount += cost
        return true
    }

    /// Drops the resource of `key`, if there is one.
    package mutating func remove(_ key: [UInt8]) {
        if let place = entries.lastIndex(where: { $0.key == key }) { drop(at: place) }
    }

    private mutating func drop(at place: Int) {
        let entry = entries.remove(at: place)
        byteCount -= entry.key.count + entry.resource.bytes.count
    }
}
