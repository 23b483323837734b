import Foundation
import Testing

@testable import SideloadAVFoundation

#if canImport(Glibc)
import Glibc
#endif

/// The calls to the system's sockets, one by one. In processes of their own, for numbers of files are the whole process's.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct LoopbackSocketTests {
    /// A connection to `port` at 127.0.0.`host`; nil if nobody listens there.
    private static func connected(_ port: UInt16, host: UInt32 = 1) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0000 + host).bigEndian
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result == 0 { return descriptor }
        close(descriptor)
        return nil
    }

    /// Both ends of a connection to `listener`: that of who has connected, and that of the listener.
    private static func pair(_ listener: (descriptor: Int32, port: UInt16)) throws -> (Int32, Int32) {
        let theirs = try #require(connected(listener.port))
        while true {
            if case .connection(let ours) = LoopbackSocket.accepted(listener.descriptor) { return (theirs, ours) }
        }
    }

    private static func flags(_ descriptor: Int32) -> (waits: Bool, isInherited: Bool) {
        (fcntl(descriptor, F_GETFL) & O_NONBLOCK == 0, fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0)
    }

    private static func words(_ result: LoopbackSocket.Result) -> String { "\(result)" }

    private static func words(_ accepted: LoopbackSocket.Accepted) -> String { "\(accepted)" }

    /// The lowest number that is free.
    private static var lowest: Int32 {
        let file = unsafe open("/dev/null", O_RDONLY)
        close(file)
        return file
    }

    @Test func onlyThisDeviceReachesIt() async {
        await #expect(processExitsWith: .success) {
            let listener = try #require(LoopbackSocket.listening(at: 0))
            #expect(listener.port >= 1024)
            #expect(Self.connected(listener.port) != nil)
            #expect(Self.connected(listener.port, host: 2) == nil, "not at all addresses of the machine")
        }
    }

    @Test func nothingWaitsAndNothingIsInherited() async {
        await #expect(processExitsWith: .success) {
            let listener = try #require(LoopbackSocket.listening(at: 0))
            #expect(Self.words(LoopbackSocket.accepted(listener.descriptor)) == "none")
            let (theirs, ours) = try Self.pair(listener)
            for descriptor in [listener.descriptor, ours] {
                #expect(Self.flags(descriptor) == (waits: false, isInherited: false))
            }
            var bytes: [UInt8] = []
            #expect(Self.words(LoopbackSocket.read(ours, into: &bytes, atMost: 10)) == "wouldWait")
            _ = unsafe send(theirs, "a", 1, 0)
            var result = "wouldWait"
            while result == "wouldWait" { result = Self.words(LoopbackSocket.read(ours, into: &bytes, atMost: 10)) }
            #expect(result == "bytes(1)" && bytes == [0x61])
            // The last call that failed has said that it would wait, and this is the end all the same.
            #expect(Self.words(LoopbackSocket.read(ours, into: &bytes, atMost: 10)) == "wouldWait")
            shutdown(theirs, Int32(SHUT_WR))
            result = "wouldWait"
            let end = clock() + 5 * CLOCKS_PER_SEC
            while result == "wouldWait", clock() < end {
                result = Self.words(LoopbackSocket.read(ours, into: &bytes, atMost: 10))
            }
            #expect(result == "ended" && bytes == [0x61])
        }
    }

    /// An app may have closed its standard input.
    @Test func aConnectionMayHaveTheNumberZero() async {
        await #expect(processExitsWith: .success) {
            let listener = try #require(LoopbackSocket.listening(at: 0))
            #expect(Self.connected(listener.port) != nil)
            close(0)
            var accepted = "none"
            for _ in 0..<1000 where accepted == "none" {
                accepted = Self.words(LoopbackSocket.accepted(listener.descriptor))
                usleep(1000)
            }
            #expect(accepted == "connection(0)")
        }
    }

    @Test func whatIsWrittenUntilItWouldWait() async {
        await #expect(processExitsWith: .success) {
            let listener = try #require(LoopbackSocket.listening(at: 0))
            let (theirs, ours) = try Self.pair(listener)
            let much = [UInt8](repeating: 0, count: 1 << 20)
            var results: [String] = []
            while results.last != "wouldWait" { results.append(Self.words(LoopbackSocket.write(ours, much[...]))) }
            #expect(results.first == "bytes(\(much.count))" || results.first?.hasPrefix("bytes(") == true)
            // Who hangs up without having read resets the connection.
            close(theirs)
            var result = "wouldWait"
            while result == "wouldWait" { result = Self.words(LoopbackSocket.write(ours, much[...])) }
            #expect(result == "ended")
            var bytes: [UInt8] = []
            #expect(Self.words(LoopbackSocket.read(ours, into: &bytes, atMost: 10)) == "ended")
        }
    }

    @Test func aReadOfAConnectionThatIsReset() async {
        await #expect(processExitsWith: .success) {
            let listener = try #require(LoopbackSocket.listening(at: 0))
            let (theirs, ours) = try Self.pair(listener)
            var linger = linger(l_onoff: 1, l_linger: 0)
            unsafe setsockopt(theirs, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
            close(theirs)
            usleep(50_000)
            var bytes: [UInt8] = []
            #expect(Self.words(LoopbackSocket.read(ours, into: &bytes, atMost: 10)) == "ended")
        }
    }

    @Test func whetherASocketListensAtAPort() async {
        await #expect(processExitsWith: .success) {
            let (listener, other) = (
                try #require(LoopbackSocket.listening(at: 0)), try #require(LoopbackSocket.listening(at: 0))
            )
            #expect(LoopbackSocket.isListening(listener.descriptor, at: listener.port))
            #expect(!LoopbackSocket.isListening(listener.descriptor, at: other.port))
            // It has the listener's port.
            let (_, ours) = try Self.pair(listener)
            #expect(!LoopbackSocket.isListening(ours, at: listener.port))
            let file = unsafe open("/dev/null", O_RDONLY)
            #expect(!LoopbackSocket.isListening(file, at: listener.port) && !LoopbackSocket.isListening(file, at: 0))
            shutdown(listener.descriptor, Int32(SHUT_RDWR))
            #expect(!LoopbackSocket.isListening(listener.descriptor, at: listener.port))
            #expect(Self.words(LoopbackSocket.accepted(listener.descriptor)) == "ended")
        }
    }

    @Test func whatTellsFilesApart() async {
        await #expect(processExitsWith: .success) {
            let (listener, other) = (
                try #require(LoopbackSocket.listening(at: 0)), try #require(LoopbackSocket.listening(at: 0))
            )
            let identity = try #require(LoopbackSocket.identity(listener.descriptor))
            #expect(LoopbackSocket.identity(listener.descriptor) == identity)
            #expect(LoopbackSocket.identity(other.descriptor) != identity)
            #expect(LoopbackSocket.identity(-1) == nil)
            LoopbackSocket.replace(listener.descriptor)
            #expect(try #require(LoopbackSocket.identity(listener.descriptor)) != identity)
            LoopbackSocket.end(listener.descriptor)
            #expect(LoopbackSocket.identity(listener.descriptor) == nil)
        }
    }

    @Test func aHigherNumber() async {
        await #expect(processExitsWith: .success) {
            let file = unsafe open("/dev/null", O_RDONLY)
            let listener = try #require(LoopbackSocket.listening(at: 0))
            // What is lower is free.
            close(file)
            let identity = LoopbackSocket.identity(listener.descriptor)
            let other = LoopbackSocket.renumbered(listener.descriptor)
            #expect(other > listener.descriptor && LoopbackSocket.identity(other) == identity)
            #expect(LoopbackSocket.identity(listener.descriptor) == nil)
            #expect(!Self.flags(other).isInherited && LoopbackSocket.isListening(other, at: listener.port))
            // There is none left.
            var limit = rlimit()
            _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = 64
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            while unsafe open("/dev/null", O_RDONLY) >= 0 {}
            #expect(LoopbackSocket.renumbered(other) == other && LoopbackSocket.identity(other) == identity)
            #expect(LoopbackSocket.listening(at: 0) == nil)
            let client = Self.words(LoopbackSocket.accepted(other))
            #expect(client == "none" || client == "tooManyFiles")
        }
    }

    /// A port that another one has is not shared, and what was opened for it is closed again.
    @Test func aPortThatIsTaken() async {
        await #expect(processExitsWith: .success) {
            let listener = try #require(LoopbackSocket.listening(at: 0))
            let before = Self.lowest
            #expect(LoopbackSocket.listening(at: listener.port) == nil)
            #expect(Self.lowest == before)
            // One that listens no more leaves it to the next.
            LoopbackSocket.end(listener.descriptor)
            let next = try #require(LoopbackSocket.listening(at: listener.port))
            #expect(next.port == listener.port && LoopbackSocket.isListening(next.descriptor, at: next.port))
        }
    }
}
