package import CByteScan

// Two bytes at a fixed distance are a cheap sign that a longer string may be there.
extension BytePair {
    /// A pair that no line holds: both of its bytes are line feeds.
    package static var none: BytePair { BytePair(first: ASCII.lineFeed, second: ASCII.lineFeed, distance: 0) }

    /// The mask of the places among the 64 bytes at `offset` where the pair stands; one that reaches past the end is none.
    package func matches(in view: ByteView, at offset: Int) -> ByteBlock {
        view.block(at: offset).equal(to: first)
            .and(view.block(at: min(offset &+ Int(distance), view.count)).equal(to: second))
    }
}
