/// What sideloading must do to a multivariant playlist (8216bis 4.4.6), checked on the output by a naive parser: an
/// oracle.
public struct NaiveSideload: Sendable {
    /// A track as its EXT-X-MEDIA tag must say it.
    public struct Track: Sendable {
        /// URI.
        public var uri: String
        /// NAME, before a number is added.
        public var name: String
        /// Whether the track asks to be the default.
        public var isDefault: Bool
        /// What stands between NAME and DEFAULT: `,LANGUAGE="en"`.
        public var languages: String
        /// What stands between DEFAULT and URI: `,AUTOSELECT=YES`.
        public var rest: String

        /// A track of these.
        public init(
            uri: String, name: String, isDefault: Bool = false, languages: String = "",
            rest: String = ",AUTOSELECT=YES"
        ) {
            self.uri = uri
            self.name = name
            self.isDefault = isDefault
            self.languages = languages
            self.rest = rest
        }

        /// The tag, without a line ending.
        func tag(group: String, name: String, isDefault: Bool) -> String {
            "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"\(group)\",NAME=\"\(name)\"\(languages),"
                + "DEFAULT=\(isDefault ? "YES" : "NO")\(rest),URI=\"\(uri)\""
        }
    }

    /// The tracks, in the order they are written.
    public var tracks: [Track]
    /// The group for variants before any declared one.
    public var fallbackGroup = "subs"
    /// Whether the tracks' default wins over the playlist's.
    public var prefersTracks = false

    /// Sideloading these tracks.
    public init(_ tracks: [Track]) { self.tracks = tracks }

    /// What is wrong, in words, if `input` became `output`.
    public func faults(of output: [UInt8], from input: [UInt8]) -> [String] {
        var reading = NaiveMaster(prefersDefaultOf: prefersTracks ? tracks.first { $0.isDefault }?.uri : nil)
        reading.fallbackGroup = fallbackGroup
        reading.read(input)
        let before = reading.edited
        guard output.starts(with: before) else { return ["the playlist's own lines: \(Self.text(before))"] }
        var appended = Array(output[before.count...])
        if reading.groups.isEmpty { return appended.isEmpty ? [] : ["something appended"] }
        if appended.isEmpty {
            return reading.groups.allSatisfy { $0.isDeclared && missing(in: $0, reading).isEmpty }
                ? [] : ["nothing appended"]
        }
        let newline = NaivePlaylist.lines(of: input)[0].ending == [0x0D, 0x0A] ? [0x0D, 0x0A] : [0x0A] as [UInt8]
        if let last = before.last, last != 0x0A {
            let missing = last == 0x0D ? [0x0A] : newline
            guard appended.starts(with: missing) else { return ["no line ending before what is appended"] }
            appended.removeFirst(missing.count)
        }
        let lines = NaivePlaylist.lines(of: appended)
        guard lines.allSatisfy({ $0.ending == newline }) else { return ["other line endings than the playlist's"] }
        return faults(of: lines.map(\.text), reading)
    }

    /// The tracks that the group lacks.
    private func missing(in group: NaiveMaster.Group, _ master: NaiveMaster) -> [Track] {
        tracks.filter { track in !group.renditions.contains { $0.uri == master.resolved(track.uri) } }
    }

    /// Checks the appended lines group by group.
    private func faults(of lines: [String], _ master: NaiveMaster) -> [String] {
        var faults: [String] = []
        var left = lines
        let template = master.template.map { master.groups[$0] }
        // A track's tag is the same in every group: if one keeps another default, the track is the default in none.
        let known = master.groups.flatMap(\.renditions)
        func isDefault(_ track: Track) -> Bool {
            track.isDefault && known.allSatisfy { ($0.uri == master.resolved(track.uri)) == $0.isDefault }
        }
        for var group in master.groups {
            if !group.isDeclared, let template {
                for rendition in template.renditions {
                    let copy = rendition.line(inGroup: group.name)
                    if let index = left.firstIndex(of: copy) {
                        left.remove(at: index)
                    } else {
                        faults.append("no \(copy)")
                    }
                }
                group.renditions = template.renditions
            }
            for track in missing(in: group, master) {
                // The name is the track's own or a numbered one, and no other rendition of the group has it.
                let candidates = left.filter { line in
                    let list = Array(Array(line.utf8).dropFirst("#EXT-X-MEDIA:".utf8.count))
                    return NaiveAttributes.first("URI", in: list) == Array(track.uri.utf8)
                        && NaiveAttributes.first("GROUP-ID", in: list) == Array(group.name.utf8)
                }
                guard candidates.count == 1, let line = candidates.first else {
                    faults.append("\(track.uri) is \(candidates.count) times in \(group.name)")
                    continue
                }
                left.removeAll { $0 == line }
                let list = Array(Array(line.utf8).dropFirst("#EXT-X-MEDIA:".utf8.count))
                let name = Self.text(NaiveAttributes.first("NAME", in: list) ?? [])
                if line != track.tag(group: group.name, name: name, isDefault: isDefault(track)) {
                    faults.append("\(line) is not as it should be")
                }
                if group.renditions.contains(where: { $0.name == master.resolved(name) }) {
                    faults.append("\(name) is twice in \(group.name)")
                }
                let there = known.filter { $0.uri == master.resolved(track.uri) }
                if !isNumbered(name, track), !there.contains(where: { $0.name == name }) {
                    faults.append("\(name) is not what \(track.name) is called")
                }
                group.renditions.append(
                    NaiveMaster.Rendition(line: line, name: master.resolved(name), uri: track.uri, isDefault: false))
            }
        }
        return faults + left.map { "too much: \($0)" }
    }

    private func isNumbered(_ name: String, _ track: Track) -> Bool {
        if name == track.name { return true }
        guard name.hasPrefix(track.name + " "), let number = Int(name.dropFirst(track.name.count + 1)) else {
            return false
        }
        return number >= 2
    }

    static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
