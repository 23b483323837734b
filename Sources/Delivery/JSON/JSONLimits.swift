/// How much a ``JSONReader`` reads (RFC 8259, section 9, allows both limits).
package struct JSONLimits: Equatable, Sendable {
    /// The longest text, in bytes. 1 MiB unless said otherwise; at most 1 GiB.
    ///
    /// It bounds the memory too: the reader keeps the keys of all objects, to refuse a key that is there twice, and a key takes
    /// some 100 bytes besides its own.
    package let bytes: Int

    /// How many arrays and objects may be open at once. 32 unless said otherwise.
    package let depth: Int

    /// Limits with the documented defaults; each is at least 1.
    package init(bytes: Int = 1 << 20, depth: Int = 32) {
        self.bytes = min(max(bytes, 1), 1 << 30)
        self.depth = max(depth, 1)
    }
}
