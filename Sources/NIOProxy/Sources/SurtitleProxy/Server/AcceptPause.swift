import NIOCore

/// Accepts nobody for half a second after that has failed, as it does where there are no more descriptors.
///
/// NIOCore's AcceptBackoffHandler does not ask again before, but the listener is told by the system all the same, again
/// and again: a channel stays registered for reading if a read has failed.
final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = Any

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is IOError else { return context.fireErrorCaught(error) }
        let channel = context.channel
        channel.setOption(.autoRead, value: false).assumeIsolated().whenSuccess { _ in
            channel.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(500)) {
                channel.setOption(.autoRead, value: true)
            }
        }
    }
}
