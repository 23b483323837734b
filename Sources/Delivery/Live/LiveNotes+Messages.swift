extension LiveNotes {
    /// What each of the notes says, in words, in the order of their bits.
    public var messages: [StaticString] { Self.all.filter { contains($0.note) }.map { $0.words } }
}
