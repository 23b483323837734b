internal import ByteScan

/// The parts that a track's EXT-X-MEDIA tag is put together from: all but the group, the unique name and the default
/// flag.
///
/// It may cross threads in ``SubtitleTracks``, which keeps the bytes it points to alive and never changes them.
struct RenderedTrack: @unchecked Sendable {
    /// NAME, before a number is added.
    let name: ByteView
    /// URI as written.
    let uri: ByteView
    /// `,LANGUAGE="…",ASSOC-LANGUAGE="…"`, as far as there are any.
    let languages: ByteView
    /// `,AUTOSELECT=…` and all that follows.
    let rest: ByteView
    /// Whether the track asks to be the default.
    let isDefault: Bool

    /// Renders `fields`, whose bytes are kept in `storage`.
    init(_ fields: CheckedTrack, storage: inout [StableBytes]) {
        func keep(_ bytes: [UInt8]) -> ByteView {
            let kept = StableBytes(bytes)
            storage.append(kept)
            return kept.view
        }
        name = keep(fields.name)
        uri = keep(fields.uri)
        languages = keep(
            Self.attribute("LANGUAGE", fields.language) + Self.attribute("ASSOC-LANGUAGE", fields.associatedLanguage))
        rest = keep(
            Array(utf8: fields.isAutoselected ? ",AUTOSELECT=YES" : ",AUTOSELECT=NO")
                + Array(utf8: fields.isForced ? ",FORCED=YES" : "")
                + Self.attribute("CHARACTERISTICS", fields.characteristics)
                + Self.attribute("STABLE-RENDITION-ID", fields.stableRenditionID) + Self.attribute("URI", fields.uri))
        isDefault = fields.isDefault
    }

    /// `,NAME="value"`, or nothing if the value is empty.
    static func attribute(_ name: String, _ value: [UInt8]) -> [UInt8] {
        value.isEmpty ? [] : [ASCII.comma] + Array(utf8: name) + [ASCII.equals, ASCII.quote] + value + [ASCII.quote]
    }

    /// Adds all that is written of the track to `fingerprint`.
    func add(to fingerprint: inout Fingerprint) {
        for bytes in [name, uri, languages, rest] { fingerprint.add(bytes) }
        fingerprint.add(isDefault)
    }

    /// Writes the track's tag, without a line ending. The order of attributes is always the same.
    func write(into output: inout ReusableBuffer<UInt8>, group: ByteView, name: ByteView, isDefault: Bool) {
        output.append(ByteView("#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\""))
        output.append(group)
        output.append(ByteView("\",NAME=\""))
        output.append(name)
        output.append(ASCII.quote)
        output.append(languages)
        output.append(isDefault ? ByteView(",DEFAULT=YES") : ByteView(",DEFAULT=NO"))
        output.append(rest)
    }
}
