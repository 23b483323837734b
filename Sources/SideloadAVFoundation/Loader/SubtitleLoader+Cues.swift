#if canImport(AVFoundation) && !os(watchOS)
public import Delivery

extension SubtitleLoader {
    /// Lets the app write the cues of a track that was made with `ExternalSubtitle(growing:)`.
    ///
    /// - Parameters:
    ///   - track: Its number, from 0.
    ///   - format: What is appended: WebVTT, which begins with its signature, SubRip, or a JSON object a line.
    /// - Throws: ``SubtitleLoaderError`` for another track, and while somebody else writes its cues.
    public func writer(
        of track: Int, as format: GrowingConfiguration.Format = .jsonLines
    ) throws(SubtitleLoaderError) -> SubtitleWriter {
        guard router.tracks.indices.contains(track), router.tracks[track].configuration.cues != nil else {
            throw SubtitleLoaderError(.notGrowing, Array("\(track)".utf8))
        }
        try live.beginCues(format, of: track)
        return SubtitleWriter(track, live)
    }
}
#endif
