internal import ByteScan

extension SubtitlePlaylist {
    /// One WebVTT file and how long it is shown.
    public struct Segment: Equatable, Sendable {
        /// The file's URI as it is written into the playlist, in UTF-8.
        public let uri: [UInt8]

        /// How long the segment lasts; above zero.
        public let duration: MediaDuration

        /// A segment of the file at `uri`.
        public init(uri: [UInt8], duration: MediaDuration) {
            self.uri = uri
            self.duration = duration
        }

        /// A segment of the file at `uri`.
        public init(uri: String, duration: MediaDuration) { self.init(uri: Array(uri.utf8), duration: duration) }

        func check(index: Int) throws(SubtitlePlaylistError) {
            guard duration.isPositive else { throw .noDuration(segment: index) }
            guard let first = uri.first else { throw .emptyURI(segment: index) }
            guard first != ASCII.hash else { throw .commentURI(segment: index) }
            if let position = uri.firstIndex(where: Self.breaksLine) {
                throw .lineBreakInURI(segment: index, position: position)
            }
            for position in uri.indices.dropLast()
            where uri[position] == UInt8(ascii: "{") && uri[position + 1] == UInt8(ascii: "$") {
                throw .variableInURI(segment: index, position: position)
            }
        }

        /// Whether `byte` ends a line for some reader: CR, LF or NUL.
        static func breaksLine(_ byte: UInt8) -> Bool {
            byte == ASCII.lineFeed || byte == ASCII.carriageReturn || byte == 0
        }
    }
}
