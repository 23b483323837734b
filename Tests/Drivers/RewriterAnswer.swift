import M3U8
import Support

/// Everything a rewriter answers that must not depend on where the text is cut.
public struct RewriterAnswer: Equatable {
    /// The output.
    public let bytes: [UInt8]
    /// What the playlist has turned out to be.
    public let verdict: PlaylistVerdict
    /// Where the line begins that decided that.
    public let verdictPosition: Int?
    /// How many lines could not be edited.
    public let uneditableLines: Int
    /// Where the first of them begins.
    public let firstUneditableLine: Int?
    /// The limit that the text went past, thrown or not.
    public let exceededLimit: LimitError?
    /// What was thrown.
    public let error: LimitError?

    /// As much of it as the naive rewriter answers.
    public var result: NaiveRewriter.Result {
        var result = NaiveRewriter.Result()
        result.bytes = bytes
        result.verdict = NaivePlaylist.Verdict(verdict)
        result.verdictPosition = verdictPosition
        result.uneditableLines = uneditableLines
        result.firstUneditableLine = firstUneditableLine
        result.longLine = exceededLimit?.position
        return result
    }
}
