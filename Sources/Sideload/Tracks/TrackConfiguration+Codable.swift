#if !hasFeature(Embedded)
internal import ByteScan
internal import M3U8

/// The keys are those of a SPEC and of a configuration in JSON, and their values may be what they may be there.
extension TrackConfiguration: Codable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
        init(_ key: TrackKey) { stringValue = "\(key.name)" }
    }

    /// Reads a track, unchecked: ``SubtitleTracks`` checks it. Other keys are passed over.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        var fields = TrackFields()
        do {
            for key in TrackKey.all where values.contains(Key(key)) {
                switch key.form {
                case .flag: fields.read(key, try values.decode(Bool.self, forKey: Key(key)))
                case .time, .shift: try fields.read(key, text: values.decodeSeconds(forKey: Key(key)))
                case .text, .word, .anchor: try fields.read(key, text: values.decode(String.self, forKey: Key(key)))
                }
            }
            self = try fields.finished()
        } catch let error as TrackKeyError {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "\(error)"))
        }
    }

    /// Writes the track; what is as by default is left out.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        var fields = TrackFields(self)
        for key in TrackKey.all {
            switch key.form {
            case .text(_, let field): try values.encodeIfPresent(field(&fields, nil), forKey: Key(key))
            case .time(let field): try values.encodeIfPresent(field(&fields, nil), forKey: Key(key))
            case .shift(let field):
                try values.encodeIfPresent(
                    field(&fields, nil).map { String(utf8: ShiftSpelling.text($0)) }, forKey: Key(key))
            case .anchor(let field):
                try values.encodeIfPresent(field(&fields, nil).map { String(utf8: $0.spelling) }, forKey: Key(key))
            case .flag(let standard, let field):
                if let isSet = field(&fields, nil), isSet != standard { try values.encode(isSet, forKey: Key(key)) }
            case .word(let words, let field):
                if let number = field(&fields, nil) { try values.encode("\(words[number])", forKey: Key(key)) }
            }
        }
    }
}

extension KeyedDecodingContainer {
    /// A time as text, or as a number of seconds.
    fileprivate func decodeSeconds(forKey key: Key) throws -> String {
        if let text = try? decode(String.self, forKey: key) { return text }
        return "\(try decode(Double.self, forKey: key))"
    }
}
#endif
