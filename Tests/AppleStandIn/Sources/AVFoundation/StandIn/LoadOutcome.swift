import Foundation

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// What became of a request, as the player sees it.
package enum LoadOutcome: Sendable {
    /// There was no delegate, or it would not answer.
    case declined
    /// The player lost interest.
    case cancelled
    /// An exception, by which Apple's ends the app.
    case raised
    /// It was waited for in vain.
    case unanswered
    /// The delegate finished it.
    case finished(LoadAnswer)

    package var answer: LoadAnswer? {
        if case .finished(let answer) = self { answer } else { nil }
    }
}

/// What a player got.
package struct LoadAnswer: Sendable {
    /// What it was told before the first byte, or at the end if there was none.
    package var information: ContentInformation?
    package var data = Data()
    package var response: URLResponse?
    package var redirect: URLRequest?
    package var error: (any Error)?

    package var text: String { String(decoding: data, as: UTF8.self) }
}
