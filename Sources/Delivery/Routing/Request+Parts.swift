public import ByteScan
public import Sideload
public import WebVTT

// What a request wants, what was made for it, and why it gets nothing.

extension Router.Request {
    /// Something that is to be fetched.
    public struct Wanted: Equatable, Sendable {
        /// What a ``Fetch`` is to find out or bring.
        public let job: FetchJob

        /// The path of a local file, as the track has it: what is at ``FetchTrack/localURL``. Nil if the job needs
        /// none.
        public let file: String?

        /// The track whose playlist or file it is; nil if it is that of none.
        public let track: Int?

        /// The track whose presence is looked for; nil for what the answer is made of.
        let checked: Int?
    }

    /// What was made for a request.
    public struct Made: Equatable, Sendable {
        /// All of it.
        public package(set) var resource: Resource

        /// The track that could not be had, so that something empty stands in its place.
        public let missing: Int?

        /// Why something empty stands in the place of subtitles, or a playlist of unknown length; nil if nothing
        /// does.
        public let reason: Failure?

        /// The tracks that the entry does not get.
        public let leftOut: [LeftOut]

        /// The variant that the entry was wrapped into, if it was a media playlist.
        public let wrapped: WrappedVariant?

        /// Whether it may be kept for the player's next requests: not if something could not be had that may be
        /// there by then.
        public package(set) var mayBeKept: Bool

        /// Whether it is beside a live video, and so another one the next time.
        package var isLive = false

        /// Whether a player reads in it what it reads in the file that the origin has.
        public package(set) var isUnchanged = false

        /// The X-TIMESTAMP-MAP that it has; nil if it has none, or is no file.
        public package(set) var map: TimestampMap?

        /// Why the video has told no map; nil if it was not asked, or has told one.
        public package(set) var mapFailure: FetchError?

        package init(
            _ resource: Resource, missing: Int? = nil, mayBeKept: Bool = true, because reason: Failure? = nil
        ) {
            self.resource = resource
            self.missing = missing
            self.mayBeKept = mayBeKept
            self.reason = reason
            leftOut = []
            wrapped = nil
        }

        init(_ entry: Resource, mayBeKept: Bool, without leftOut: [LeftOut], in wrapped: WrappedVariant?) {
            resource = entry
            missing = nil
            self.mayBeKept = mayBeKept
            reason = nil
            self.leftOut = leftOut
            self.wrapped = wrapped
        }
    }

    /// A track that the entry does not get.
    public struct LeftOut: Equatable, Sendable {
        /// Its index, from 0.
        public let track: Int

        /// Why.
        public let reason: Failure
    }

    /// Why a request gets nothing.
    public enum Failure: Error, Equatable, Sendable {
        /// What came, or the request itself, is of no use.
        case route(RouteError)
        /// It did not come.
        case fetch(FetchError)
    }
}

extension Router.Request.Failure: Described {
    /// What is wrong, in words.
    public var message: Message {
        switch self {
        case .route(let error): error.message
        case .fetch(let error): error.message
        }
    }
}
