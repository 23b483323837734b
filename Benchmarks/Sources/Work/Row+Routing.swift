import CReference
import Inputs

extension Row {
    /// A media playlist that is fetched as a whole, and gets absolute URIs, against finding the lines.
    static func route(_ key: String, _ input: Input, limit: Double?) -> Row {
        let bytes = input.bytes
        let playlist = Array(bytes)
        let map = { Routing.mapped(playlist, times: $0) }
        return Row(
            key: key, work: "Router: a media playlist", input: input, reference: "memchr, line by line", limit: limit,
            makesOutput: true, run: map, runInChunks: map,
            runReference: repeating { Reference.lines(bytes.baseAddress, bytes.count) },
            fault: {
                let expected = Expected.mapped(bytes, .baseAndHost, to: nil)
                return (try? Routing.mediaPlaylist(playlist)) == expected ? nil : "the playlist is not the expected one"
            }
        )
    }
}
