/// Something that was done against the rules.
package struct Misuse: Equatable, Sendable, CustomStringConvertible {
    package enum Kind: String, CaseIterable, Sendable {
        /// The content type is not among the allowed ones. Apple's raises an exception, which ends the app.
        case contentTypeNotAllowed
        /// Finished a second time. Apple's logs and ignores it.
        case finishedTwice
        /// Data, information, a response or a redirect for what is finished.
        case answeredAfterFinish
        /// Anything after the delegate was told of the cancel.
        case answeredAfterCancel
        /// More bytes than were asked for, though the player did not learn a wrong length from a redirect.
        case tooManyBytes
        /// The delegate said that it would answer, and never did.
        case neverFinished
        /// Finished before the callback that brought it had returned.
        case finishedInsideCallback
        /// Told when the player had been told something else already.
        case informedTooLate
        /// Answered or finished though the delegate had said that it would not.
        case answeredAfterDecline
    }

    package let kind: Kind
    package let url: String

    package var description: String { "\(kind) \(url)" }
}
