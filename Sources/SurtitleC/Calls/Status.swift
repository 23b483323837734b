// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

internal import CSurtitle

// How the functions of surtitle.h are made. What each does is said there, and not again here, so that these files are
// left out of the rule that public declarations have documentation.
//
//     a function    checks what it is given (Arguments.swift), turns the pointer into the handle's object
//                   (Handle.swift), calls it, and turns what is thrown into a status
//     an object     a final class, one file each, which keeps values of the library and what it hands out
//     an error      Refusal: a status, where, and words; it fills a surtitle_error
//
// Nothing here may trap, whatever the arguments. Every status goes out as an Int32, since a C enum has no one size in
// Swift.
//
// To add a function: its text in surtitle.h first, then `@c @implementation` here, under the same name and with the
// same types; a C program in Tests/C, a row in misuse.c, and a call in fuzz.c.

@c @implementation
public func surtitle_version() -> UInt32 {
    UInt32(SURTITLE_VERSION_MAJOR * 1_000_000 + SURTITLE_VERSION_MINOR * 1000 + SURTITLE_VERSION_PATCH)
}

@c @implementation
public func surtitle_version_text() -> UnsafePointer<CChar>! { unsafe start(of: "0.1.0") }

@c @implementation
public func surtitle_status_text(_ status: Int32) -> UnsafePointer<CChar>! {
    let known = surtitle_status(rawValue: surtitle_status.RawValue(truncatingIfNeeded: status))
    return unsafe start(of: known.words)
}

/// A literal's bytes, which end in a NUL and live as long as the library.
private func start(of text: StaticString) -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

extension surtitle_status {
    /// The status as functions return it.
    var code: Int32 { Int32(truncatingIfNeeded: rawValue) }

    var words: StaticString {
        switch self {
        case SURTITLE_OK: "success"
        case SURTITLE_NOT_FOUND: "there is none"
        case SURTITLE_NEEDS_MORE: "more bytes are needed"
        case SURTITLE_UNDECIDED: "the budget of bytes is spent and the answer not known"
        case SURTITLE_MORE_OUTPUT: "the memory is full and output is left"
        case SURTITLE_TOO_SMALL: "the memory is too small"
        case SURTITLE_NEEDS_DECRYPTION: "bytes are to be decrypted"
        case SURTITLE_NULL_ARGUMENT: "a pointer is NULL"
        case SURTITLE_TOO_LONG: "a count is above PTRDIFF_MAX"
        case SURTITLE_STRUCT_SIZE: "the size of a struct is too small or not the same in an array"
        case SURTITLE_INVALID_VALUE: "a number is not among those that it may be"
        case SURTITLE_ENDED: "the text has ended; reset the handle first"
        case SURTITLE_OUTPUT_LEFT: "output is left; take it first"
        case SURTITLE_BUSY: "the handle is in the middle of another call"
        case SURTITLE_UNSUPPORTED: "this build of the library cannot do it"
        case SURTITLE_TOO_LATE: "memory has been allocated already, or hooks are set"
        case SURTITLE_INVALID_UTF8: "a text is not UTF-8"
        case SURTITLE_TRACK_REFUSED: "a track is refused"
        case SURTITLE_EDIT_REFUSED: "an edit is refused"
        case SURTITLE_URI_REFUSED: "a part of a URI is refused"
        case SURTITLE_CONDITION_REFUSED: "a condition on variants is refused"
        case SURTITLE_JSON_REFUSED: "the text is no JSON"
        case SURTITLE_CONFIGURATION_REFUSED: "the configuration is refused"
        case SURTITLE_PATTERN_REFUSED: "a pattern of paths is refused"
        case SURTITLE_SEGMENT_REFUSED: "a segment of the playlist is refused"
        case SURTITLE_LIMIT_EXCEEDED: "a limit was exceeded"
        case SURTITLE_NOT_WEBVTT: "the file is not WebVTT"
        case SURTITLE_NOT_PLAYLIST: "the first line is not #EXTM3U"
        case SURTITLE_FETCH_FAILED: "the fetch came to nothing"
        case SURTITLE_OUT_OF_ORDER: "a cue starts in a segment that has ended"
        case SURTITLE_LIVE_REFUSED: "the version or state of a live stream is refused"
        case SURTITLE_CUES_REFUSED: "the cues are refused"
        case SURTITLE_NOT_MEDIA: "the bytes are no media segment"
        case SURTITLE_ENCRYPTED: "the media segment is encrypted"
        case SURTITLE_NO_TIMESTAMP: "the media segment has no time stamp"
        case SURTITLE_MEDIA_TOO_LONG: "there is no time stamp within the limit of bytes"
        case SURTITLE_NO_INIT_SEGMENT: "the init segment is missing"
        case SURTITLE_MALFORMED_MEDIA: "the media segment is malformed"
        case SURTITLE_TOO_MANY_STREAMS: "there are too many streams"
        case SURTITLE_UNSYNCHRONISED_TAG: "the ID3 tag is unsynchronised"
        default: "unknown status"
        }
    }
}
