#if canImport(AVFoundation) && !os(watchOS)
/// The files that a subtitle playlist names, be it one that goes on: those that it names now, and as many and one of
/// those before.
///
/// A player may ask for a segment that has left the playlist for as long as the playlist is, and a segment more
/// (8216bis 6.2.2). Others would be remembered for as long as a live video plays.
struct NamedFiles {
    /// The addresses, from the one that was named first to the newest.
    private var addresses: [[UInt8]] = []

    /// Takes note of what the playlist names now, and returns what is gone.
    mutating func note(_ named: [[UInt8]]) -> [[UInt8]] {
        let present = Set(named)
        let past = addresses.filter { !present.contains($0) }
        let goneCount = max(past.count - named.count - 1, 0)
        addresses = past.dropFirst(goneCount) + named
        return Array(past.prefix(goneCount))
    }
}
#endif
