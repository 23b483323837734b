internal import WebVTT

extension CueInventory {
    /// The members that tell of the file, appended to those of `heading`: an object in one line. `isConverted` as in
    /// the report.
    func json(_ heading: JSONObject, isConverted: Bool) -> String {
        var object = heading
        object.append("cues", cueCount)
        object.append("notes", noteCount)
        object.append("styles", styleCount)
        object.append("regions", regionCount)
        object.append("final_end_ms", orNull: finalEnd?.milliseconds)
        object.append("latest_end_ms", orNull: latestEnd?.milliseconds)
        if let timestampMap {
            var map = JSONObject()
            map.append("mpegts", timestampMap.mpegTS)
            map.append("local_ms", timestampMap.local.milliseconds)
            object.append("timestamp_map", json: map.text)
        }
        if let badMap { object.append("bad_timestamp_map_line", badMap.number) }
        object.append("out_of_order", outOfOrderCount)
        if let firstOutOfOrder, !isConverted { object.append("first_out_of_order_byte", firstOutOfOrder) }
        if longBlock != nil { object.append("has_long_block", true) }
        if undecidedBlock != nil { object.append("has_undecided_block", true) }
        var reasons = unparsed.map { blocks in
            var reason = JSONObject()
            reason.append("count", blocks.count)
            reason.append("reason", blocks.reason.words)
            reason.append("first_line", blocks.first.number)
            return reason.text
        }
        if let leftOut {
            var reason = JSONObject()
            reason.append("count", leftOut.count)
            reason.append("reason", Self.brokenArrow)
            reasons.append(reason.text)
        }
        object.append("unparsed", json: "[\(reasons.joined(separator: ","))]")
        return object.text + "\n"
    }
}
