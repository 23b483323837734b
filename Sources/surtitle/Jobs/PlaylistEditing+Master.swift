internal import M3U8
internal import Sideload

// The editing of a master playlist: tracks are added, and there is more to ask of what came out.
extension PlaylistEditing {
    /// The editing of one playlist that gets `tracks`, once its URIs have been mapped, if there is a mapping.
    init(adding tracks: SubtitleTracks, limits: SideloadLimits, mapping: URIMapping? = nil) throws(Failure) {
        var limits = PipelineLimits(limits)
        limits.lines = LineLimits()
        self.init(try Failure.checking("", try PlaylistRecipe(mapping: mapping, tracks: tracks)), limits)
    }

    /// Throws why the playlist called `name` could not be rewritten. `ending` says what became of a playlist of the
    /// wrong kind.
    func requireMaster(_ name: String, ending: String) throws(Failure) {
        if let limit = pipeline.report.exceededLimit {
            throw .refused(name, "\(limit); from there on nothing is edited; make it shorter")
        }
        try kind.requireMultivariant(name, ending: ending)
    }

    /// Throws if not every variant of the playlist called `name` has got the tracks: what could be done has been done.
    /// If there was nothing to do, that is noted.
    func requireVariants(_ name: String) throws(Failure) {
        let report = pipeline.report
        if let position = report.firstUneditableLine {
            throw .refused(
                name,
                "at byte \(position): a variant is left as it is (\(report.uneditableLines) in all), because a quote is left "
                    + "open or stands astray there, its group's name holds a control character, or the tag has no attributes; "
                    + "repair the line")
        }
        if report.variants == 0 {
            throw .refused(
                name,
                "\(decidingLine.description) makes this a multivariant playlist, but none of its \(decidingLine.lineCount) "
                    + "lines is EXT-X-STREAM-INF, so there is no variant to put tracks beside; give one with variants")
        }
        if report.addedBytes == 0 {
            Console.note("\(name): every group has all the tracks already; no tag was added")
        }
    }

    private var kind: PlaylistKind {
        PlaylistKind(
            verdict: pipeline.report.verdict, decidingLine: decidingLine.description, lineCount: decidingLine.lineCount)
    }
}
