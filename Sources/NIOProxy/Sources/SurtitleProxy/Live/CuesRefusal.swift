/// Why cues that somebody sends are not taken: a status, and a sentence.
struct CuesRefusal: Error, Equatable {
    let status: Int
    let reason: String
}

extension CuesRefusal {
    static var isWritten: CuesRefusal {
        CuesRefusal(status: 409, reason: "somebody else is sending cues of this track")
    }

    static var tooFast: CuesRefusal {
        CuesRefusal(status: 429, reason: "more than \(CuesWriter.mostInASecond) cues in a second")
    }

    /// The configuration has been read again: what it was begun with is not served any more.
    static var isChanged: CuesRefusal {
        CuesRefusal(status: 503, reason: "the configuration has been read again; begin to send the cues anew")
    }

    /// There is no room at the moment, or the proxy ends.
    static var busy: CuesRefusal { CuesRefusal(status: 503, reason: "send the cues again later") }
}
