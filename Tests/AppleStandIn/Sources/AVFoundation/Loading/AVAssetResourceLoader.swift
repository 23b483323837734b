public import Dispatch
public import Foundation

// A stand-in for the part of AVFoundation that asks an app for resources, on systems without it.
//
// Declared is what the adapter and its tests need, with the names and types of Apple's interface. It does what is known of Apple's:
//
//     the delegate      is held weakly, and called on its queue, one call at a time
//     finishLoading     the first counts; a second is noted and ignored
//     information       goes to the player once, with the first data or the finish
//     after a cancel    data is dropped without a word
//     contentType       outside allowedContentTypes raises: here it is noted, and the request ends as `.raised`
//
// And it is stricter, by rules of ours: everything in `Misuse` is noted, and a test fails on each. What it cannot show is whether Apple's
// player is content with what it got.
//
// To add a rule: a case of `Misuse.Kind`, the place in `LoadingRecord` that notes it, a row in `StandInTests`.

/// What calls a delegate for the resources of one asset.
public final class AVAssetResourceLoader: NSObject, @unchecked Sendable {
    private struct Receiver {
        weak var delegate: (any AVAssetResourceLoaderDelegate)?
        var queue: DispatchQueue?
    }

    private let lock = NSLock()
    private var receiver = Receiver()
    private var preloads = false

    /// What was done against the rules.
    package let misuses = MisuseLog()
    /// What the player has learnt of resources.
    package let knowledge = PlayerKnowledge()

    override package init() { super.init() }

    /// Makes `delegate` the one that is called, on `queue`. It is not kept alive.
    public func setDelegate(_ delegate: (any AVAssetResourceLoaderDelegate)?, queue: DispatchQueue?) {
        lock.withLock { receiver = Receiver(delegate: delegate, queue: queue) }
    }

    /// The delegate, while it lives.
    public var delegate: (any AVAssetResourceLoaderDelegate)? { lock.withLock { receiver.delegate } }

    /// Where the delegate is called.
    public var delegateQueue: DispatchQueue? { lock.withLock { receiver.queue } }

    /// Whether keys are asked for early.
    public var preloadsEligibleContentKeys: Bool {
        get { lock.withLock { preloads } }
        set { lock.withLock { preloads = newValue } }
    }
}
