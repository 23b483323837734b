public import ByteScan
internal import WebVTT

/// Why the description of a track was refused: what is wrong, and with which of its keys.
public struct TrackKeyError: Error, Equatable, Sendable {
    /// What is wrong.
    @nonexhaustive
    public enum Reason: Sendable {
        /// No key is called so.
        case unknown
        /// Nothing stands between two commas, or before an equals sign.
        case noName
        /// The key is there already.
        case repeated
        /// The key has no value, or an empty one.
        case noValue
        /// The value is none of the words that it may be.
        case word
        /// The value is no time above 0.
        case time
        /// The value is no time by which cues can be shifted.
        case shift
        /// The value is none of what cue time 0 may be beside a live stream.
        case anchor
        /// The value is no list of files that follow, each with a date, or the first file has none.
        case following
        /// The key is for a whole file, and the track's cues come while the stream goes on.
        case cues
        /// The track has no URI.
        case noURI
        /// Captions that are said not to be for the deaf and hard of hearing.
        case captions
        /// Neither the URI's end nor another key tells what it refers to.
        case format
        /// The value is no media type of subtitles.
        case mediaType
        /// A file is named, or what is done with one, for a URI that is that of a subtitle playlist.
        case fileOfPlaylist
        /// The value is no path of a file, or is standard input.
        case file
    }

    /// What is wrong.
    public let reason: Reason
    /// The key's name, as it was given; empty if it is not a matter of one.
    public let key: [UInt8]
    /// The value, as it was given; empty if that does not matter.
    public let value: [UInt8]

    package init(_ reason: Reason, _ key: some Sequence<UInt8> = ByteView(), _ value: [UInt8] = []) {
        self.reason = reason
        self.key = Array(key)
        self.value = value
    }
}

extension TrackKeyError: Described {
    /// What is wrong and what to do, in words.
    public var message: Message {
        switch reason {
        case .unknown: Message(unknownKey: key, nearest: key.withView { TrackKey.nearest(to: $0) }?.name)
        case .noName: "nothing stands between two commas, or before =; write key=value"
        case .repeated: "\(key) is there twice; leave one of the two out"
        case .noValue: "\(key) needs a value: \(known?.message ?? "")"
        case .word: "\(key) is \(value); use \(Message(choiceOf: known?.words ?? []))"
        case .time:
            "\(key) is \(value), which is no number of seconds above 0, like 634.567, and no time, like 10:34.567 or 1:02:03.5"
        case .shift:
            "\(key) is \(value), which is no number of seconds with up to three decimals, like -1.4, and no time, like 1:00 or -1:02:03.5"
        case .anchor:
            "\(key) is \(value), which is no date, like 2026-11-23T20:00:00Z, no segment, like msn:1200, and not media"
        case .following:
            "\(key) is \(value); write FILE@DATE, with semicolons between several, like b.vtt@2026-11-23T21:00:00Z, for a track whose at is a date too"
        case .cues:
            "\(key) is for a whole file, and the cues of this track come while the stream goes on; leave one out"
        case .noURI: "uri is missing"
        case .captions: "kind captions means sdh, and sdh no the contrary; leave one of the two out"
        case .format:
            "the uri ends in none of \(SubtitleFormat.endings(last: " and ")); add the type: \(Message(choiceOf: SubtitleFormat.allCases.map { $0.name }))"
        case .mediaType:
            "expected a type of subtitles: \(Message(choiceOf: SubtitleFormat.allCases.map { $0.mediaType }, last: ", "))"
        case .fileOfPlaylist: "\(key) is for a .vtt uri, and this one is a playlist"
        case .file: "expected the path of a file; it cannot be standard input"
        }
    }

    private var known: TrackKey? { key.withView { TrackKey($0) } }
}

extension TrackKey: Described {
    /// The key and its value as the help shows them: `uri=URI`, or `default[=yes|no]` for a flag.
    package var message: Message {
        var values: Message = "="
        for (index, word) in words.enumerated() {
            if index > 0 { values.appendLiteral("|") }
            values.appendLiteral(word)
        }
        return isFlag ? "\(Message(name))[\(values)]" : "\(Message(name))\(values)"
    }
}

extension Message {
    /// That there is no key called `name`, and which may be meant.
    package init(unknownKey name: [UInt8], nearest: StaticString?) {
        self = "unknown key \(quoted: name); "
        if let nearest {
            self = "\(self)did you mean \(Message(nearest))?"
        } else {
            appendLiteral("remove it")
        }
    }
}
