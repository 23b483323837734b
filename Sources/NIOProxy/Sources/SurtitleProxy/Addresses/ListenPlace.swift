import NIOCore

/// Where a listener listens.
package struct ListenPlace: Sendable {
    let host: String
    let port: Int

    /// Who reaches it.
    enum Reach: Equatable {
        /// This machine.
        case loopback
        /// Whoever reaches one address of this machine.
        case address
        /// Whoever reaches any address of this machine, so that there is no name for it.
        case everywhere
    }

    /// Who reaches it.
    ///
    /// - Throws: If `host` is no address, and no name of one.
    var reach: Reach {
        get throws {
            let address = try SocketAddress.makeAddressResolvingHost(host, port: port)
            var bytes: [UInt8] =
                switch address {
                case .v4(let address): withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
                case .v6(let address): withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
                case .unixDomainSocket: []
                }
            if bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) { bytes.removeFirst(12) }
            if bytes.allSatisfy({ $0 == 0 }) { return .everywhere }
            let isLoopback =
                bytes.count == 4 ? bytes[0] == 127 : bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
            return isLoopback ? .loopback : .address
        }
    }

    /// Its URL at `port`, without a path; loopback's if it listens everywhere.
    func url(at port: Int, _ reach: Reach) -> String {
        let isIPv6 = host.contains(":" as Character)
        let name = reach == .everywhere ? (isIPv6 ? "::1" : "127.0.0.1") : host
        return "http://" + OriginAddress(isSecure: false, host: name, port: port).authority
    }
}
