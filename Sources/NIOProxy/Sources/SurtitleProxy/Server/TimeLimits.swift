import NIOCore

/// How long the proxy waits.
package struct TimeLimits: Sendable {
    /// For a connection to the origin, for its answer to begin, and for it to go on; for all of it beside live streams;
    /// and for a client to take it. 30 s unless said otherwise.
    package var patience = TimeAmount.seconds(30)
    /// For a client's next request, until its head is whole. 75 s unless said otherwise.
    package var keepAlive = TimeAmount.seconds(75)
    /// For a request's body, from its head to its end, however fast it comes. 300 s unless said otherwise.
    package var upload = TimeAmount.seconds(300)
    /// For a request and its answer, from the one's head to the other's end, however fast they come and go. An hour
    /// unless said otherwise.
    package var total = TimeAmount.hours(1)
    /// For requests under way when the proxy ends. 10 s unless said otherwise.
    package var grace = TimeAmount.seconds(10)

    package init() {}
}
