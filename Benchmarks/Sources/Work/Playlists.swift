import Inputs

/// Many small playlists, and the order in which they are visited.
///
/// Spoiled, there are as many copies of them as no cache holds, and they are visited in an order that looks random:
/// each comes from memory. What stays in the caches is the code, and what the library remembers.
final class Playlists {
    /// How many bytes the copies have at least.
    private static let spoiledCount = 128 << 20

    /// Where each is; one copy after the other.
    private let places: [UnsafeRawBufferPointer]
    /// How many are visited each time, and which is next.
    let count: Int
    private var next = 0

    /// How many bytes one time goes over.
    var bytesEach: Int { places.reduce(0) { $0 + $1.count } / (places.count / count) }

    /// Those of `input`, each of which begins with `#EXTM3U`.
    init(_ input: Input, areSpoiled: Bool) {
        let starts = input.bytes.ranges(of: Array("#EXTM3U\n".utf8)).map(\.lowerBound) + [input.bytes.count]
        let ranges = zip(starts, starts.dropFirst()).map { $0..<$1 }
        count = ranges.count
        guard areSpoiled, input.bytes.count < Self.spoiledCount else {
            places = ranges.map { UnsafeRawBufferPointer(rebasing: input.bytes[$0]) }
            return
        }
        var copies: [UnsafeRawBufferPointer] = []
        for _ in 0..<(Self.spoiledCount / input.bytes.count) {
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: input.bytes.count, alignment: 64)
            copy.copyMemory(from: input.bytes)
            copies += ranges.map { UnsafeRawBufferPointer(rebasing: copy[$0]) }
        }
        var chance = Chance(seed: 9)
        copies.shuffle(using: &chance)
        places = copies
    }

    /// Visits the next ones.
    @inline(__always)
    func visit(_ body: (UnsafeRawBufferPointer) -> Void) {
        for _ in 0..<count {
            body(places[next])
            next += 1
            if next == places.count { next = 0 }
        }
    }
}
