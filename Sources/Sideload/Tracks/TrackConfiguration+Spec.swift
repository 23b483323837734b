internal import ByteScan
internal import M3U8
internal import WebVTT

// A SPEC: the description of a track in one word of a command line.
//
//     uri=subs/en.m3u8,language=en,name=English,default
//     subs/movie.sv.srt           file=subs/movie.sv.srt, uri=movie.sv.vtt, language=sv, name=Svenska
//     movie.en.sdh.vtt,default    the file and the uri of that name, language=en, name=English (SDH), sdh, default
//     movie.final.srt             file=movie.final.srt, uri=movie.final.vtt, name=movie.final
//     subs/sv.m3u8                uri=subs/sv.m3u8, language=sv, name=Svenska
//
// What has a scheme, or is a playlist, is a URI and no file.

extension TrackConfiguration {
    /// The track that `spec` describes: keys and values with commas between them, or the path of its file and then more
    /// of them.
    ///
    /// A comma after a backslash belongs to a value, and that backslash is left out.
    ///
    /// - Throws: ``TrackKeyError``.
    public init(spec: String) throws(TrackKeyError) {
        var fields = TrackFields()
        for (index, item) in Self.items(of: Array(utf8: spec)).enumerated() {
            let equals = item.firstIndex(of: ASCII.equals)
            if index == 0, equals == nil, fields.begin(with: item) { continue }
            try Array(item[..<(equals ?? item.endIndex)]).withView { name throws(TrackKeyError) in
                try fields.read(name, equals.map { Array(item[($0 + 1)...]) })
            }
        }
        self = try fields.finished()
    }

    /// Cuts `spec` at its commas.
    package static func items(of spec: [UInt8]) -> [[UInt8]] {
        var items: [[UInt8]] = [[]]
        var rest = spec[...]
        while var byte = rest.popFirst() {
            if byte == ASCII.comma {
                items.append([])
                continue
            }
            if byte == ASCII.backslash, rest.first == ASCII.comma { byte = rest.removeFirst() }
            items[items.count - 1].append(byte)
        }
        return items
    }
}

extension TrackFields {
    /// Takes the path with which a SPEC begins, and what its name tells. It is no path if it does not end like those of
    /// subtitles.
    fileprivate mutating func begin(with item: [UInt8]) -> Bool {
        let isURI = item.withView { item in
            (0..<item.count).contains { item.hasBytes("://", at: $0) }
        }
        let name = isURI ? TrackFileName(uri: item) : TrackFileName(path: item)
        guard let format = name.format else { return false }
        let words = name.words
        configuration.track.language = words.language.map { String(utf8: $0) }
        configuration.track.isDefault = words.isDefault
        configuration.track.isForced = words.isForced
        configuration.track.isSDH = words.isSDH
        if isURI || format == .playlist {
            configuration.track.uri = String(utf8: item)
        } else {
            take(item, called: name)
        }
        return true
    }
}
