import Delivery
import Support
import Testing

/// A bounded cache, beside a list.
@Suite struct ResourceCacheTests {
    private func bytes(_ count: Int, _ value: UInt8 = 1) -> Resource {
        Resource(Array(repeating: value, count: count), .data)
    }

    @Test func whatWasNotUsedForLongestGoesFirst() {
        var cache = ResourceCache(bytes: 100, entries: 3)
        for key in UInt8(0)..<3 { cache.insert(bytes(1, key), for: [key]) }
        #expect(cache.resource(for: [0]) == bytes(1, 0))
        cache.insert(bytes(1, 3), for: [3])
        #expect(cache.resource(for: [1]) == nil && cache.count == 3 && cache.byteCount == 6)
        #expect(cache.resource(for: [0]) != nil && cache.resource(for: [2]) != nil && cache.resource(for: [3]) != nil)
    }

    /// One byte below, at and above the limit: keys count too.
    @Test(arguments: [(8, true), (9, true), (10, false)])
    func theLimitOfBytes(_ count: Int, _ fits: Bool) {
        var cache = ResourceCache(bytes: 10, entries: 5)
        cache.insert(bytes(1), for: [1])
        #expect(cache.insert(bytes(count), for: [2]) == fits)
        #expect((cache.resource(for: [2]) != nil) == fits)
        // What does not fit leaves the others alone.
        #expect((cache.resource(for: [1]) != nil) == (!fits || count + 1 + 2 <= 10))
        #expect(cache.byteCount <= 10)
    }

    @Test(arguments: [(0, 5), (5, 0), (-1, -1), (.min, .min)])
    func noRoomKeepsNothing(_ bytes: Int, _ entries: Int) {
        var cache = ResourceCache(bytes: bytes, entries: entries)
        let isKept = cache.insert(self.bytes(1), for: [1])
        #expect(!isKept && cache.count == 0 && cache.byteCount == 0 && cache.resource(for: [1]) == nil)
    }

    @Test func anotherValueTakesThePlace() {
        var cache = ResourceCache()
        cache.insert(bytes(3), for: [1])
        cache.insert(bytes(5), for: [1])
        #expect(cache.count == 1 && cache.byteCount == 6 && cache.resource(for: [1]) == bytes(5))
        cache.remove([1])
        cache.remove([1])
        #expect(cache.count == 0 && cache.byteCount == 0)
        cache.insert(bytes(2), for: [])
        cache.remove([])
        #expect(cache.count == 0 && cache.resource(for: []) == nil && cache.byteLimit == 16 << 20)
    }

    /// Any order of calls does what the list does; the copy that was made before stays as it was.
    @Test(arguments: 0..<20)
    func isTheList(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let limits = (Int.random(in: 0...120, using: &generator), Int.random(in: 0...20, using: &generator))
        var cache = ResourceCache(bytes: limits.0, entries: limits.1)
        var naive = NaiveCache(bytes: limits.0, entries: limits.1)
        for step in 0..<600 {
            let key = Array("key\(Int.random(in: 0..<25, using: &generator))".utf8)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0...1:
                #expect(cache.resource(for: key)?.bytes == naive.value(of: key), "step \(step)")
            case 2:
                cache.remove(key)
                naive.remove(key)
            default:
                let value = bytes(Int.random(in: 0...30, using: &generator), UInt8(step & 255))
                let copy = cache
                let isKept = cache.insert(value, for: key)
                #expect(isKept == naive.insert(value.bytes, for: key), "step \(step)")
                #expect(copy.count <= limits.1)
            }
            #expect(cache.count == naive.entries.count && cache.byteCount == naive.byteCount, "step \(step)")
        }
        for entry in naive.entries { #expect(cache.resource(for: entry.key)?.bytes == entry.value) }
    }

    /// As many entries as there are at most.
    @Test func manyEntries() {
        var cache = ResourceCache(bytes: 1 << 30)
        for number in 0..<512 { cache.insert(bytes(8), for: Array("https://example.com/\(number).m3u8".utf8)) }
        #expect(cache.count == 256)
        for number in 0..<512 {
            let isThere = cache.resource(for: Array("https://example.com/\(number).m3u8".utf8)) != nil
            #expect(isThere == (number >= 256))
        }
    }
}
