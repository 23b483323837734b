internal import ByteScan

// What has been edited or made once is kept, since a player asks for it several times: two bytes, its length, all of it.
//
// Entries stand in slots. Each is in two lists by index: that of its bucket, in which it is found by the hash of its key, and that of
// use, from the newest to the oldest, whose end goes first when room is needed. A slot that is free is used again.
//
//     buckets   [ · ][ 2 ][ · ][ 0 ]         slots   0 ─ next ─▶ 1
//     use       newest 1 ⇄ 2 ⇄ 0 oldest
//
// The hash is no protection against keys that somebody makes to collide. They are few, because the cache is bounded, and then a look-up
// takes as long as going through all.

/// Resources by key, such as their URL: at most so many, with at most so many bytes. Those not used for longest go first.
///
/// It belongs to its caller, who lets one thread at a time use it.
public struct ResourceCache: Sendable {
    private struct Entry: Sendable {
        var key: [UInt8] = []
        var resource: Resource?
        /// The next in the bucket, or the next free slot.
        var next: Int?
        var newer: Int?
        var older: Int?
    }

    /// The most bytes of keys and resources together.
    public let byteLimit: Int

    /// The most resources.
    public let entryLimit: Int

    /// How many resources there are.
    public private(set) var count = 0

    /// How many bytes their keys and they have.
    public private(set) var byteCount = 0

    private var slots: [Entry] = []
    private var buckets: [Int?]
    private var free: Int?
    private var newest: Int?
    private var oldest: Int?

    /// An empty cache. Limits below 0 are 0, and then nothing is kept.
    public init(bytes: Int = 16 << 20, entries: Int = 256) {
        byteLimit = max(bytes, 0)
        entryLimit = max(entries, 0)
        buckets = [nil]
    }

    /// The resource of `key`, which counts as used now; nil if there is none.
    ///
    /// - Complexity: O(*n*) in the bytes of the key, unless many keys' hashes are the same.
    public mutating func resource(for key: [UInt8]) -> Resource? {
        guard let slot = slot(of: key) else { return nil }
        unlink(slot)
        linkAsNewest(slot)
        return slots[slot].resource
    }

    /// Keeps `resource` for `key`, whose former one goes in any case, and drops what was not used for longest until there is room.
    ///
    /// - Returns: Whether it is kept: not if it alone is larger than the limit.
    @discardableResult
    public mutating func insert(_ resource: Resource, for key: [UInt8]) -> Bool {
        remove(key)
        let (cost, overflows) = key.count.addingReportingOverflow(resource.bytes.count)
        guard !overflows, cost <= byteLimit, entryLimit > 0 else { return false }
        while let oldest, count >= entryLimit || byteCount > byteLimit - cost { remove(slots[oldest].key) }
        if count >= buckets.count { rehash() }
        let slot = takeSlot()
        let bucket = bucket(of: key)
        slots[slot] = Entry(key: key, resource: resource, next: buckets[bucket])
        buckets[bucket] = slot
        linkAsNewest(slot)
        count += 1
        byteCount += cost
        return true
    }

    /// Drops the resource of `key`, if there is one.
    public mutating func remove(_ key: [UInt8]) {
        guard let slot = slot(of: key) else { return }
        let bucket = bucket(of: key)
        if buckets[bucket] == slot {
            buckets[bucket] = slots[slot].next
        } else {
            var before = buckets[bucket]
            while let index = before, slots[index].next != slot { before = slots[index].next }
            if let before { slots[before].next = slots[slot].next }
        }
        unlink(slot)
        count -= 1
        byteCount -= key.count + (slots[slot].resource?.bytes.count ?? 0)
        slots[slot] = Entry(next: free)
        free = slot
    }

    /// Drops all resources.
    public mutating func removeAll() { self = ResourceCache(bytes: byteLimit, entries: entryLimit) }

    // MARK: Slots and buckets

    private func slot(of key: [UInt8]) -> Int? {
        var slot = buckets[bucket(of: key)]
        while let index = slot, slots[index].key != key { slot = slots[index].next }
        return slot
    }

    private func bucket(of key: [UInt8]) -> Int {
        var fingerprint = Fingerprint(of: "resource", version: 1)
        fingerprint.add(key)
        // The highest bits of this hash are its best.
        return Int(truncatingIfNeeded: fingerprint.value >> 32) & (buckets.count - 1)
    }

    private mutating func takeSlot() -> Int {
        if let slot = free {
            free = slots[slot].next
            return slot
        }
        slots.append(Entry())
        return slots.count - 1
    }

    /// Doubles the buckets.
    private mutating func rehash() {
        buckets = Array(repeating: nil, count: buckets.count * 2)
        var slot = newest
        while let index = slot {
            let bucket = bucket(of: slots[index].key)
            slots[index].next = buckets[bucket]
            buckets[bucket] = index
            slot = slots[index].older
        }
    }

    // MARK: The order of use

    private mutating func unlink(_ slot: Int) {
        let (newer, older) = (slots[slot].newer, slots[slot].older)
        if let newer { slots[newer].older = older } else { newest = older }
        if let older { slots[older].newer = newer } else { oldest = newer }
    }

    private mutating func linkAsNewest(_ slot: Int) {
        slots[slot].newer = nil
        slots[slot].older = newest
        if let newest { slots[newest].newer = slot }
        newest = slot
        oldest = oldest ?? slot
    }
}
