extension UnsafeRawBufferPointer {
    /// The sizes, in bytes, at which every result is checked: small ones, ones that are no power of 2, and a socket's.
    static var checkedChunks: [Int] { [1, 7, 64, Self.countedChunk, 4096, 65_536] }

    /// The size, in bytes, of the chunks for which heap blocks are counted: a packet's, so that many lines are cut in two.
    static var countedChunk: Int { 1_021 }

    /// The bytes in chunks of `size`, the last one shorter.
    @inline(__always)
    func chunks(of size: Int) -> some Sequence<UnsafeRawBufferPointer> {
        stride(from: 0, to: count, by: size).lazy.map {
            UnsafeRawBufferPointer(rebasing: self[$0..<Swift.min($0 &+ size, count)])
        }
    }
}
