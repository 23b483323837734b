// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

internal import ByteScan
public import CSurtitle
internal import M3U8
internal import Sideload

private let mostEntries = 1_000_000

extension SubtitlePlaylist {
    /// A subtitle playlist of what a caller has put into structs.
    fileprivate init(
        _ entries: UnsafePointer<surtitle_playlist_entry>?, _ count: Int, flags: UInt32
    ) throws(Refusal) {
        let entries = try unsafe SizedArray(entries, count)
        guard count <= mostEntries else { throw Refusal(SURTITLE_SEGMENT_REFUSED, "there are too many segments") }
        let isEvent = flags & UInt32(SURTITLE_PLAYLIST_EVENT.rawValue) != 0
        let isUntyped = flags & UInt32(SURTITLE_PLAYLIST_UNTYPED.rawValue) != 0
        guard flags < 8, !isEvent || !isUntyped else { throw Refusal(SURTITLE_INVALID_VALUE) }
        var options = Options(omitsComma: flags & UInt32(SURTITLE_PLAYLIST_OMITS_COMMA.rawValue) != 0)
        options.playlistType = isUntyped ? nil : isEvent ? .event : .vod
        var segments: [Segment] = []
        segments.reserveCapacity(count)
        try unsafe entries.forEach("entries") { entry throws(Refusal) in
            guard unsafe entry.reserved == 0 else { throw Refusal(SURTITLE_INVALID_VALUE) }
            let uri = try refusing(try unsafe Arguments.required(Arguments.text(entry.uri))) { (refusal: Refusal) in
                refusal.of("uri")
            }
            var segment = unsafe Segment(uri: uri, duration: MediaDuration(nanoseconds: entry.duration_nanoseconds))
            segment.isDiscontinuous = try unsafe Arguments.truth(entry.is_discontinuous)
            segments.append(segment)
        }
        do throws(SubtitlePlaylistError) {
            try self.init(segments: segments, options: options)
        } catch {
            let refusal = Refusal(SURTITLE_SEGMENT_REFUSED, error.words, at: error.position)
            guard let segment = error.segment else { throw refusal }
            throw (error.reason == .noDuration ? refusal : refusal.of("uri")).of("entries", segment)
        }
    }
}

@c @implementation
public func surtitle_subtitle_playlist(
    _ entries: UnsafePointer<surtitle_playlist_entry>!, _ entry_count: Int, _ flags: UInt32,
    _ memory: UnsafeMutableRawPointer!, _ capacity: Int, _ written: Place<Int>!, _ error: Place<surtitle_error>!
) -> Int32 {
    unsafe status(error) { () throws(Refusal) in
        let place = try unsafe MemoryPlace(memory, capacity, written)
        return place.give(try unsafe SubtitlePlaylist(entries, entry_count, flags: flags).bytes)
    }
}
