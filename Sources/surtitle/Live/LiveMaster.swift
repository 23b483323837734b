internal import M3U8
internal import Sideload

/// The master with the tracks, as often as an encoder writes it.
struct LiveMaster {
    /// Where the encoder's is.
    let path: String
    /// What it is called in the directory.
    let name: String
    let tracks: SubtitleTracks
    let limits: SideloadLimits
    /// What becomes of its URIs; nil if nothing does.
    let mapping: URIMapping?

    /// - Throws: A refusal of a master that cannot get the tracks.
    func check(_ text: [UInt8]) throws(Failure) {
        let editing = try edit(text, to: nil)
        try editing.requireMaster(path, ending: "nothing was written")
        try editing.requireVariants(path)
    }

    /// Stages what becomes of `text`.
    func stage(_ text: [UInt8], in directory: OutputDirectory) throws(Failure) {
        try directory.stage([name]) { (writer) throws(Failure) in _ = try edit(text, to: writer) }
    }

    /// What becomes of `text`; without a `writer` it is only found out what there is to say.
    func edit(_ text: [UInt8], to writer: ByteWriter?) throws(Failure) -> PlaylistEditing {
        // Messages are about the master as it is.
        var editing = try PlaylistEditing(adding: tracks, limits: limits, mapping: writer == nil ? nil : mapping)
        unsafe text.withUnsafeBytes { unsafe editing.write($0, to: writer) }
        editing.finish(to: writer)
        return editing
    }
}
