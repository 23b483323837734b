internal import M3U8

extension PlaylistInventory {
    /// The members that tell of the playlist and its `facts`, appended to those of `heading`: an object in one line.
    ///
    /// Attributes are strings as the playlist has them, and what it does not say is left out. What there is no room for
    /// is counted in `unlisted`.
    func json(_ heading: JSONObject, _ facts: PlaylistFacts, about byteCount: Int) -> String {
        var heading = heading
        if facts.segmentCount > 0 {
            heading.append("segments", facts.segmentCount)
            heading.append("duration", json: facts.duration.exactSeconds)
            heading.append("complete", facts.isComplete)
        }
        if let bad = facts.malformedDuration { heading.append("bad_extinf_line", bad.number) }
        heading.append("variant_count", variantCount)
        heading.append("i_frame_count", frameStreamCount)
        heading.append("rendition_count", renditionCount)
        var report = ReportText(about: byteCount)
        report.append(String(heading.text.dropLast()))
        var unlisted = otherTagCount + variantCount + frameStreamCount + renditionCount
        func append(_ name: String, _ open: String, _ values: [String], _ close: String) -> Int {
            report.append(",\"\(name)\":\(open)")
            let leftOut = report.append(asManyOf: values, between: ",")
            report.append(close)
            return leftOut
        }
        unlisted += append("tags", "{", tags.map { "\(JSONObject.quoted($0)):\(counts[$0] ?? 0)" }, "}")
        let variantsLeftOut = append("variants", "[", variants.map { $0.json.text }, "]")
        let framesLeftOut = append("i_frames", "[", frameStreams.map { $0.json.text }, "]")
        unlisted += variantsLeftOut + framesLeftOut - variants.count - frameStreams.count
        let groups = groups.map { group in (text: Self.json(group), count: group.renditions.count) }
        let groupsLeftOut = append("groups", "[", groups.map { $0.text }, "]")
        unlisted -= groups.prefix(groups.count - groupsLeftOut).map { $0.count }.reduce(0, +)
        if unlisted > 0 { report.append(",\"unlisted\":\(unlisted)") }
        report.append("}\n")
        return report.text
    }

    private static func json(_ group: Group) -> String {
        var object = JSONObject()
        object.append("type", group.type)
        object.append("id", group.name)
        let renditions = group.renditions.map { rendition in
            var object = JSONObject()
            for name in Self.renditionAttributes { rendition[name].map { object.append(Self.key(name), $0) } }
            return object.text
        }
        object.append("renditions", json: "[\(renditions.joined(separator: ","))]")
        return object.text
    }

    /// An attribute's name as a member's: `frame_rate` for FRAME-RATE.
    fileprivate static func key(_ name: String) -> String { name.lowercased().pieces(at: "-").joined(separator: "_") }
}

extension PlaylistInventory.Variant {
    fileprivate var json: JSONObject {
        var object = JSONObject()
        for name in Self.listedAttributes {
            attributes[name].map { object.append(PlaylistInventory.key(name), $0) }
        }
        if let uri { object.append("uri", uri) }
        return object
    }
}
