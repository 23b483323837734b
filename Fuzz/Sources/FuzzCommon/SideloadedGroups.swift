import Support

/// A sideloaded playlist read line by line: what 8216bis 4.4.6 asks of groups, as far as the input did not break it
/// before.
///
/// It is independent of how sideloading is done. It knows no variables, so playlists that have some are not checked.
enum SideloadedGroups {
    private struct Rendition {
        var group: [UInt8]
        var name: [UInt8]
        var isDefault: Bool
    }

    static func check(_ output: [UInt8], from input: [UInt8], _ faults: inout Faults) {
        guard NaivePlaylist.verdict(on: output) == .multivariant else { return }
        let lines = NaivePlaylist.lines(of: output).dropFirst()
        let before = NaivePlaylist.lines(of: input).dropFirst()
        if lines.contains(where: { name(of: $0) == "EXT-X-DEFINE" }) { return }
        let renditions = renditions(in: lines)
        let old = self.renditions(in: before)
        for line in lines where name(of: line) == "EXT-X-STREAM-INF" {
            guard line.value != nil, NaiveAttributes.isClosed(line.list) else { continue }
            let named = NaiveAttributes.items(of: line.list).filter {
                $0.name == Array("SUBTITLES".utf8) && $0.value != nil
            }
            let wasThere = before.contains { $0.content == line.content }
            let isReadable = named.allSatisfy { NaiveAttributes.isQuotable($0.content) }
            faults.expect(isReadable ? named.first?.content.isEmpty == false : wasThere, "no SUBTITLES: \(line.text)")
            let hadSeveral = before.contains {
                NaiveAttributes.items(of: $0.list).count { $0.name == named.first?.name } > 1
            }
            faults.expect(named.count <= 1 || hadSeveral, "more than one SUBTITLES: \(line.text)")
            for group in named.map(\.content) where !group.isEmpty && NaiveAttributes.isQuotable(group) {
                faults.expect(
                    renditions.contains { $0.group == group },
                    "a group that is not declared: \(line.text) in \(String(decoding: output, as: UTF8.self))")
            }
        }
        // A rendition that a group has once more than before is one too many, unless it is new and the only one.
        for rendition in renditions {
            let alike = { (other: Rendition) in other.group == rendition.group && other.name == rendition.name }
            let count = renditions.filter(alike).count
            let isCopied = hasClash(old, \.name)
            faults.expect(
                count == 1 || count == old.filter(alike).count || isCopied,
                "\(String(decoding: rendition.name, as: UTF8.self)) is \(count) times in a group")
        }
        for group in renditions.map(\.group) {
            let count = renditions.filter { $0.group == group && $0.isDefault }.count
            let most = old.map(\.group).map { group in old.filter { $0.group == group && $0.isDefault }.count }.max()
            faults.expect(count <= max(1, most ?? 0), "\(count) defaults in a group")
        }
    }

    private static func hasClash(_ renditions: [Rendition], _ key: (Rendition) -> [UInt8]) -> Bool {
        renditions.indices.contains { index in
            renditions[..<index].contains { $0.group == renditions[index].group && key($0) == key(renditions[index]) }
        }
    }

    private static func renditions(in lines: some Sequence<NaivePlaylist.Line>) -> [Rendition] {
        lines.compactMap { line in
            let list = line.list
            guard name(of: line) == "EXT-X-MEDIA", NaiveAttributes.isClosed(list),
                NaiveAttributes.first("TYPE", in: list) == Array("SUBTITLES".utf8),
                let group = NaiveAttributes.first("GROUP-ID", in: list), !group.isEmpty,
                NaiveAttributes.isQuotable(group)
            else { return nil }
            return Rendition(
                group: group, name: NaiveAttributes.first("NAME", in: list) ?? [],
                isDefault: NaiveAttributes.first("DEFAULT", in: list) == Array("YES".utf8))
        }
    }

    private static func name(of line: NaivePlaylist.Line) -> String? {
        line.tagName.map { String(decoding: $0, as: UTF8.self) }
    }
}
