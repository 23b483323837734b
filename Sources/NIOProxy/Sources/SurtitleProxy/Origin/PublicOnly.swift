import Delivery
import NIOCore

/// Ends a connection that has led to an address of the machine and its networks before anything is sent, a greeting of
/// TLS too.
final class PublicOnly: ChannelInboundHandler {
    typealias InboundIn = Any

    func channelActive(context: ChannelHandlerContext) {
        guard context.channel.isConnectedToPublicAddress else { return context.close(promise: nil) }
        context.fireChannelActive()
    }
}

extension Channel {
    /// Whether the address at its other end is of the public net.
    var isConnectedToPublicAddress: Bool {
        let bytes: [UInt8] =
            switch remoteAddress {
            case .v4(let address): withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
            case .v6(let address): withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
            case .unixDomainSocket, nil: []
            }
        return PublicHost.isPublic(address: bytes)
    }
}
