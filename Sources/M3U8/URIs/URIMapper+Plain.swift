// What a rewriter that maps plain URIs at once tells the mapper, which is not shown their lines.
extension URIMapper {
    /// What finds and writes plain URIs; to be kept again.
    mutating func takePlain() -> PlainURIs { plain.take() ?? PlainURIs(mapping) }

    mutating func keep(_ plain: consuming PlainURIs) { self.plain = consume plain }

    /// What the next URI line refers to.
    var roleOfNextURI: URIRole { @inline(__always) get { document.followsVariant ? .variant : .media } }

    /// Notes that the next URI line is that of a variant.
    mutating func expectVariant() { document.followsVariant = true }

    /// Notes that a URI has been written, on a line of its own or in a tag.
    @inline(__always)
    mutating func noteWritten(isAnother: Bool, isLine: Bool) {
        if isLine { document.followsVariant = false }
        if isAnother { document.mappedCount &+= 1 }
    }

    /// Notes that so many more URIs have become others.
    @inline(__always)
    mutating func noteWritten(others count: Int) { document.mappedCount &+= count }
}
