#if canImport(AVFoundation) && !os(watchOS)
internal import Foundation

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The few calls to the system's sockets. None of them waits.
enum LoopbackSocket {
    /// What came of a call.
    enum Result {
        case bytes(Int)
        case wouldWait
        case ended
    }

    /// A socket that listens at 127.0.0.1 alone, at `port` or, if that is 0, at one that is free; nil if it is not to
    /// be had. The port is not shared: no SO_REUSEPORT.
    static func listening(at port: UInt16) -> (descriptor: Int32, port: UInt16)? {
        #if canImport(Darwin)
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        // One that is not to be had cannot be bound. What is left of connections that have ended does not keep the port
        // from us; another listener does.
        var one: Int32 = 1
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let size = length
        let isThere = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, size) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard isThere else {
            close(descriptor)
            return nil
        }
        prepare(descriptor)
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// Whether `descriptor` is still the socket that listens at `port`: the system may have closed it, and given its
    /// number to another file.
    static func isListening(_ descriptor: Int32, at port: UInt16) -> Bool {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isSocket = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length) == 0
            }
        }
        var (listens, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        let isKnown = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0
        return isSocket && isKnown && UInt16(bigEndian: address.sin_port) == port && listens != 0
    }

    /// What tells the open file `descriptor` from another one that has its number later; nil if there is none.
    static func identity(_ descriptor: Int32) -> UInt64? {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    /// The same socket by a higher number.
    static func renumbered(_ descriptor: Int32) -> Int32 {
        let other = fcntl(descriptor, F_DUPFD_CLOEXEC, descriptor + 1)
        guard other >= 0 else { return descriptor }
        close(descriptor)
        return other
    }

    /// What comes of looking for a connection.
    enum Accepted {
        /// One has come, with this descriptor.
        case connection(Int32)
        case none
        /// One has come, and the app may open no more files.
        case tooManyFiles
        /// The listener has ended.
        case ended
    }

    /// A connection that has come, if there is one.
    static func accepted(_ listener: Int32) -> Accepted {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else {
            switch errno {
            case EMFILE, ENFILE: return .tooManyFiles
            case EAGAIN, EWOULDBLOCK, EINTR, ECONNABORTED: return .none
            default: return .ended
            }
        }
        prepare(descriptor)
        return .connection(descriptor)
    }

    /// No waiting, no signal when the other side has gone, and not for programs that are started. That fails for no
    /// socket that is there.
    private static func prepare(_ descriptor: Int32) {
        #if canImport(Darwin)
        var one: Int32 = 1
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &one, socklen_t(MemoryLayout<Int32>.size))
        #endif
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    static func read(_ descriptor: Int32, into bytes: inout [UInt8], atMost count: Int) -> Result {
        var chunk = [UInt8](repeating: 0, count: count)
        let result = unsafe recv(descriptor, &chunk, count, 0)
        if result > 0 {
            bytes += chunk[..<result]
            return .bytes(result)
        }
        return result < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) ? .wouldWait : .ended
    }

    static func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Result {
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        let result = unsafe bytes.withUnsafeBytes { unsafe send(descriptor, $0.baseAddress, $0.count, flags) }
        if result >= 0 { return .bytes(result) }
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? .wouldWait : .ended
    }

    /// Closes the file `descriptor`, and puts one without content at its number.
    static func replace(_ descriptor: Int32) {
        let other = unsafe open("/dev/null", O_RDONLY)
        _ = dup2(other, descriptor)
        close(other)
    }

    static func end(_ descriptor: Int32) { close(descriptor) }
}
#endif
