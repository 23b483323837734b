/// A cache as a list, the one used last first.
public struct NaiveCache {
    /// Keys and values, the one used last first.
    public private(set) var entries: [(key: [UInt8], value: [UInt8])] = []

    private let bytes: Int
    private let count: Int

    /// An empty cache.
    public init(bytes: Int, entries count: Int) {
        self.bytes = bytes
        self.count = count
    }

    /// How many bytes there are.
    public var byteCount: Int { entries.reduce(0) { $0 + $1.key.count + $1.value.count } }

    /// The value of `key`, which is the one used last then.
    public mutating func value(of key: [UInt8]) -> [UInt8]? {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
        let entry = entries.remove(at: index)
        entries.insert(entry, at: 0)
        return entry.value
    }

    /// Puts `value` in; false if it does not fit.
    public mutating func insert(_ value: [UInt8], for key: [UInt8]) -> Bool {
        remove(key)
        guard key.count + value.count <= bytes, count > 0 else { return false }
        entries.insert((key, value), at: 0)
        while byteCount > bytes || entries.count > count { entries.removeLast() }
        return true
    }

    /// Takes the value of `key` out.
    public mutating func remove(_ key: [UInt8]) { entries.removeAll { $0.key == key } }
}
