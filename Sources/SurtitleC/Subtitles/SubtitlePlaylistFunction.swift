internal import ByteScan
public import CSurtitle
internal import Sideload

/// Makes a subtitle playlist of what a caller has put into structs.
@safe
struct PlaylistEntries {
    @safe
    private struct Entry {
        let entry: surtitle_playlist_entry
    }

    private static let mostEntries = 1_000_000

    private let entries: SizedArray<Entry>

    init(_ entries: UnsafePointer<surtitle_playlist_entry>?, _ count: Int) throws(Refusal) {
        self.entries = try unsafe SizedArray(UnsafeRawPointer(entries), count)
        guard count <= Self.mostEntries else { throw Refusal(SURTITLE_SEGMENT_REFUSED, "there are too many segments") }
    }

    func playlist(flags: UInt32) throws(Refusal) -> SubtitlePlaylist {
        var options = SubtitlePlaylist.Options(omitsComma: flags & UInt32(SURTITLE_PLAYLIST_OMITS_COMMA.rawValue) != 0)
        let isEvent = flags & UInt32(SURTITLE_PLAYLIST_EVENT.rawValue) != 0
        let isUntyped = flags & UInt32(SURTITLE_PLAYLIST_UNTYPED.rawValue) != 0
        guard flags < 8, !isEvent || !isUntyped else { throw Refusal(SURTITLE_INVALID_VALUE) }
        options.playlistType = isUntyped ? nil : isEvent ? .event : .vod
        var segments: [SubtitlePlaylist.Segment] = []
        segments.reserveCapacity(entries.count)
        for index in 0..<entries.count {
            guard let entry = unsafe entries[index]?.entry else { continue }
            do throws(Refusal) {
                let uri = try unsafe Arguments.requiredText(entry.uri)
                var segment = unsafe SubtitlePlaylist.Segment(
                    uri: uri, duration: MediaDuration(nanoseconds: entry.duration_nanoseconds))
                segment.isDiscontinuous = try unsafe Arguments.truth(entry.is_discontinuous)
                segments.append(segment)
            } catch {
                throw error.of("entries", index)
            }
        }
        do throws(SubtitlePlaylistError) {
            return try SubtitlePlaylist(segments: segments, options: options)
        } catch {
            let refusal = Refusal(SURTITLE_SEGMENT_REFUSED, error.words, at: error.position)
            throw error.segment.map { refusal.of("entries", $0, error.reason == .noDuration ? nil : "uri") } ?? refusal
        }
    }
}

/// `surtitle_subtitle_playlist` of surtitle.h.
@c @implementation
public func surtitle_subtitle_playlist(
    _ entries: UnsafePointer<surtitle_playlist_entry>!, _ entry_count: Int, _ flags: UInt32,
    _ memory: UnsafeMutablePointer<UInt8>!, _ capacity: Int, _ written: UnsafeMutablePointer<Int>!,
    _ error: UnsafeMutablePointer<surtitle_error>!
) -> Int32 {
    unsafe status(error) { () throws(Refusal) in
        let place = try unsafe MemoryPlace(memory, capacity, written)
        let playlist = try unsafe PlaylistEntries(entries, entry_count).playlist(flags: flags)
        place.count = playlist.byteCount
        guard place.count <= place.capacity else { throw Refusal(SURTITLE_TOO_SMALL) }
        var text = ReusableBuffer<UInt8>()
        playlist.write(into: &text)
        unsafe place.memory.copyMemory(from: text.view.buffer)
        return SURTITLE_OK.code
    }
}
