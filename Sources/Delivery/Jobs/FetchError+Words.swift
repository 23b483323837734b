// What is wrong in words that are there in Embedded Swift too, without the values that a description puts in.

extension FetchError.Reason {
    /// What is wrong.
    package var words: StaticString {
        switch kind {
        case .network: "no answer, or one that broke off"
        case .partNotAskedFor: "a part came although the whole was asked for"
        case .wrongLength: "the body is shorter or longer than its length says"
        case .tooManyRequests: "there would be more requests than the limit"
        case .notSubtitles: "it is neither WebVTT nor what it was said to be"
        case .notPlaylist: "the first line is not #EXTM3U"
        case .noCue: "nothing in it ends after 0"
        case .noVariant: "there is no variant that is a media playlist"
        case .noSegment: "there is no segment but gaps"
        case .malformedPlaylist: "a line before the first segment cannot be read"
        case .variable: "the URI holds a variable"
        case .notHTTP: "it is no absolute http or https URL"
        case .fieldsTooLong: "the header fields are longer than the limit"
        case .status(let code) where 300..<400 ~= code: "a redirect was not followed"
        case .status: "the origin answered with an error"
        case .encoded: "it is encoded although identity was asked for"
        case .tooLong: "it is longer than the limit"
        case .subRip: "it cannot be read as SubRip"
        case .media: "the segment tells no time stamp"
        }
    }
}
