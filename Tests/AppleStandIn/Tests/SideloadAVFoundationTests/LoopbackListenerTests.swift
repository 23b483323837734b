import Delivery
import Foundation
import Testing

@testable import SideloadAVFoundation

#if canImport(Glibc)
import Glibc
#endif

/// The listener at 127.0.0.1, asked byte by byte.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct LoopbackListenerTests {
    private static let empty = Resource(Array("WEBVTT\nempty\n\n".utf8), .webVTT)
    private static let file = Resource(Array("WEBVTT\n\nhello".utf8), .webVTT)

    private func listener(
        head: Int = 10_000, answer: Int = 3000, reading: Int = 10_000, moved: @escaping @Sendable () -> Void = {}
    ) -> LoopbackListener {
        var patience = LoopbackListener.Patience()
        patience.head = .milliseconds(head)
        patience.answer = .milliseconds(answer)
        patience.reading = .milliseconds(reading)
        return LoopbackListener(empty: Self.empty, patience: patience, moved: moved)
    }

    private func address(_ listener: LoopbackListener, _ name: String = "a", _ file: LoopbackListener.File? = nil)
        throws -> String
    {
        String(decoding: try #require(listener.address(of: Array(name.utf8), file ?? .bytes(Self.file))), as: UTF8.self)
    }

    /// The path of an address.
    private func path(_ address: String) -> String {
        "/" + address.split(separator: "/").dropFirst(2).joined(separator: "/")
    }

    /// A connection to `port`; -1 if there is none.
    private static func connected(_ port: UInt16) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result != 0 {
            close(descriptor)
            return -1
        }
        return descriptor
    }

    /// All that comes of a connection, until it ends.
    private static func rest(_ descriptor: Int32) -> String {
        var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
        while true {
            // What is never answered fails, and hangs nobody.
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&waiting, 1, 20_000) > 0 else {
                bytes += Array("(and then nothing)".utf8)
                break
            }
            let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        close(descriptor)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What the listener answers to `head`, in which `#` stands for its port.
    private func answer(_ listener: LoopbackListener, _ head: String) -> String {
        let port = listener.place.port
        let descriptor = Self.connected(port)
        guard descriptor >= 0 else { return "nobody" }
        let bytes = Array(head.replacingOccurrences(of: "#", with: "\(port)").utf8)
        _ = unsafe send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        return Self.rest(descriptor)
    }

    private func status(_ answer: String) -> String {
        answer.split(separator: " ").dropFirst().first.map(String.init) ?? answer
    }

    @Test func getAndHeadWithRanges() throws {
        let listener = listener()
        defer { listener.end() }
        let path = path(try address(listener))
        let whole = answer(listener, "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:#\r\n\r\n")
        #expect(whole.hasPrefix("HTTP/1.1 200 OK\r\n") && whole.hasSuffix("\r\n\r\nWEBVTT\n\nhello"))
        #expect(whole.contains("Content-Type: text/vtt\r\n") && whole.contains("Content-Length: 13\r\n"))
        #expect(whole.contains("\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"))
        #expect(!whole.lowercased().contains("access-control"))
        let part = answer(listener, "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:#\r\nRange: bytes=8-9\r\n\r\n")
        #expect(part.hasPrefix("HTTP/1.1 206 Partial Content\r\n") && part.hasSuffix("\r\n\r\nhe"))
        #expect(part.contains("Content-Range: bytes 8-9/13\r\n"))
        let head = answer(listener, "HEAD \(path) HTTP/1.1\r\nHost: 127.0.0.1:#\r\n\r\n")
        #expect(head.hasPrefix("HTTP/1.1 200 ") && head.hasSuffix("\r\n\r\n"))
        let past = answer(listener, "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:#\r\nRange: bytes=99-\r\n\r\n")
        #expect(past.hasPrefix("HTTP/1.1 416 Range Not Satisfiable\r\n"))
    }

    /// Byte by byte, and with more behind it while the answer is waited for.
    @Test func aHeadInPieces() async throws {
        let (listener, isAsked) = (listener(answer: 20_000), Locked(false))
        defer { listener.end() }
        let path = path(
            try address(
                listener, "s",
                .made {
                    isAsked.withLock { $0 = true }
                    try? await Task.sleep(for: .milliseconds(100))
                    return Self.file
                }))
        let port = listener.place.port
        let descriptor = Self.connected(port)
        for byte in "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8 {
            _ = unsafe send(descriptor, [byte], 1, Int32(MSG_NOSIGNAL))
            usleep(100)
        }
        await wait { isAsked.withLock { $0 } }
        _ = unsafe send(descriptor, "x", 1, Int32(MSG_NOSIGNAL))
        let answer = Self.rest(descriptor)
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.hasSuffix("hello"))
    }

    /// What a folder has, and why it has nothing.
    @Test func aFolder() throws {
        let listener = listener()
        defer { listener.end() }
        let asked = Locked<[String]>([])
        let folder: LoopbackListener.Folder = { name in
            let name = String(decoding: name, as: UTF8.self)
            asked.withLock { $0.append(name) }
            return switch name {
            case "17.vtt": .success(Self.file)
            case "bad": .failure(SubtitleLoaderError(.live(502), []))
            case "gone": .failure(SubtitleLoaderError(.live(503), []))
            case "late": .failure(SubtitleLoaderError(.live(504), []))
            default: .failure(SubtitleLoaderError(.unexpected, []))
            }
        }
        let prefix = String(
            decoding: try #require(listener.address(ofFolder: Array("a".utf8), folder)), as: UTF8.self)
        #expect(prefix == "http://127.0.0.1:\(listener.place.port)\(path(prefix))/" && prefix.hasSuffix("/1/"))
        #expect(
            listener.address(ofFolder: Array("a".utf8), folder).map { String(decoding: $0, as: UTF8.self) } == prefix)
        let rows = [
            ("17.vtt", "200 OK"), ("bad", "502 Bad Gateway"), ("gone", "503 Service Unavailable"),
            ("late", "504 Gateway Timeout"), ("a/b", "404 Not Found"), ("", "404 Not Found"),
        ]
        for (name, status) in rows {
            let answer = answer(listener, "GET \(path(prefix))/\(name) HTTP/1.1\r\nHost: 127.0.0.1:#\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 \(status)\r\n"), "\(name)")
            #expect(answer.hasSuffix("hello") == (name == "17.vtt"))
        }
        #expect(asked.withLock { $0 } == rows.map(\.0))
    }

    /// A number, then what tells its bytes if they are known.
    @Test func handles() throws {
        let listener = listener()
        defer { listener.end() }
        let made = try address(listener, "a", .made { nil })
        #expect(made.hasSuffix("/1.vtt"))
        #expect(try address(listener, "a", .made { nil }) == made)
        let known = try address(listener, "a")
        let handle = try #require(known.split(separator: "/").last)
        #expect(handle.hasPrefix("1-") && handle.hasSuffix(".vtt") && handle.split(separator: "-").count == 2)
        #expect(handle.split(separator: ".").count == 2)
        #expect(try address(listener, "a", .made { nil }) == known)
        #expect(try address(listener, "b", .made { nil }).hasSuffix("/2.vtt"))
        #expect(listener.fileCount == 3, "what a player has the address of stays")
        listener.forget([Array("a".utf8), Array("none".utf8)])
        #expect(listener.fileCount == 2)
        listener.forget([])
        #expect(listener.fileCount == 2)
    }

    /// More than the system takes at once comes whole.
    @Test func aLargeFile() throws {
        let listener = listener(answer: 20_000)
        defer { listener.end() }
        let content = Array("WEBVTT\n\n".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: 8 << 20)
        let path = path(try address(listener, "large", .bytes(Resource(content, .webVTT))))
        let whole = answer(listener, "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:#\r\nX-Zz90-a: 1\r\n\r\n")
        #expect(whole.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(whole.utf8.suffix(content.count).elementsEqual(content))
    }

    /// Heads that get nothing; P stands for the path of a file.
    private static let heads: [(String, String)] = [
        ("GET P HTTP/1.1\r\n\r\n", "400 Bad Request"),
        ("GET P HTTP/1.1\r\nHost: localhost:#\r\n\r\n", "400"),
        ("GET P HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "400"),
        ("GET P HTTP/1.1\r\nHost: 127.0.0.1:#\r\nHost: 127.0.0.1:#\r\n\r\n", "400"),
        ("GET P HTTP/1.1\r\nHost: 127.0.0.1:#\r\nOrigin: null\r\n\r\n", "403 Forbidden"),
        ("GET P HTTP/1.1\r\nHost: 127.0.0.1:#\r\nsec-fetch-mode: cors\r\n\r\n", "403"),
        ("POST P HTTP/1.1\r\nHost: 127.0.0.1:#\r\n\r\n", "405 Method Not Allowed"),
        ("OPTIONS P HTTP/1.1\r\nHost: 127.0.0.1:#\r\n\r\n", "405"),
        ("GET P HTTP/1.0\r\nHost: 127.0.0.1:#\r\n\r\n", "400"),
        ("GET http://127.0.0.1:#P HTTP/1.1\r\nHost: 127.0.0.1:#\r\n\r\n", "400"),
        ("GET  P HTTP/1.1\r\nHost: 127.0.0.1:#\r\n\r\n", "400"),
        ("GET P HTTP/1.1\nHost: 127.0.0.1:#\n\r\n\r\n", "400"),
        ("GET P HTTP/1.1\r\nHost: 127.0.0.1:#\r\n folded\r\n\r\n", "400"),
        ("GET P HTTP/1.1\r\nHost : 127.0.0.1:#\r\n\r\n", "400"),
        ("GET P HTTP/1.1\r\nHost: 127.0.0.1:#\r\nTransfer-Encoding: chunked\r\n\r\n", "400"),
        ("GET P HTTP/1.1\r\nHost: 127.0.0.1:#\r\nContent-Length: 1\r\n\r\n", "400"),
        ("GET P HTTP/1.1\r\nHost: 127.0.0.1:#\r\n\r\nGET P HTTP/1.1\r\n\r\n", "400"),
        (
            "GET P HTTP/1.1\r\nHost: 127.0.0.1:#\r\nA: \(String(repeating: "x", count: 8200))\r\n\r\n",
            "431 Request Header Fields Too Large"
        ),
        ("GET Px HTTP/1.1\r\nHost: 127.0.0.1:#\r\n\r\n", "404 Not Found"),
        ("GET Px!~ HTTP/1.1\r\nHost: 127.0.0.1:#\r\n\r\n", "404"),
        ("GET Px\u{7F} HTTP/1.1\r\nHost: 127.0.0.1:#\r\n\r\n", "400"),
        ("GET P HTTP/1.1\r\nHost: 127.0.0.1:#\r\nA: \u{7F}\r\n\r\n", "400"),
        ("GET P HTTP/1.1\r\nHost: 127.0.0.1:#\r\nA: \u{1F}\r\n\r\n", "400"),
        ("GET P HTTP/1.1\r\nHost: 127.0.0.1:#\r\n: a\r\n\r\n", "400"),
        ("GET P HTTP/1.1\r\nHost: 127.0.0.1:#\r\nRange: bytes=0-1\r\nRange: bytes=0-1\r\n\r\n", "400"),
        ("GET /x HTTP/1.1\r\nHost: 127.0.0.1:#\r\n\r\n", "404"),
        ("GET /00000000000000000000000000000000/1.vtt HTTP/1.1\r\nHost: 127.0.0.1:#\r\n\r\n", "404"),
    ]

    @Test(arguments: heads)
    func whatNoPlayerSendsGetsNothing(_ head: String, _ status: String) throws {
        let listener = listener()
        defer { listener.end() }
        let path = path(try address(listener))
        let answer = answer(
            listener,
            head.replacingOccurrences(of: "P HTTP", with: "\(path) HTTP").replacingOccurrences(
                of: "Px", with: "\(path)x"
            ).replacingOccurrences(of: "#P", with: "#\(path)"))
        #expect(answer.hasPrefix("HTTP/1.1 \(status)"))
        #expect(!answer.contains("hello") && !answer.hasSuffix("nothing)"))
    }

    /// A host without a space before it, values of all bytes that one may have, and a head as long as it may be.
    @Test func whatAPlayerMaySendGetsTheFile() throws {
        let listener = listener()
        defer { listener.end() }
        let path = path(try address(listener))
        let start = "GET \(path) HTTP/1.1\r\nHost:127.0.0.1:\(listener.place.port)\r\n"
        let head = start + "Content-Length: 0\r\nA: !~\t\u{80}\r\nB:"
        for (length, status) in [(0, "200"), (LoopbackHead.byteLimit, "200"), (LoopbackHead.byteLimit + 1, "431")] {
            let filler = String(repeating: "x", count: max(length - head.utf8.count - 4, 0))
            #expect(self.status(answer(listener, head + filler + "\r\n\r\n")) == status, "\(length) bytes")
        }
    }

    @Test func anAddressTellsItsBytesAndNothingElse() throws {
        let listener = listener()
        defer { listener.end() }
        let first = try address(listener)
        #expect(try address(listener) == first)
        let token = first.split(separator: "/")[2]
        #expect(token.count == 32 && token.allSatisfy { "0123456789abcdef".contains($0) })
        #expect(first.hasPrefix("http://127.0.0.1:\(listener.place.port)/"))
        let changed = try address(listener, "a", .bytes(Resource(Array("WEBVTT\n\nother".utf8), .webVTT)))
        #expect(changed != first && changed.split(separator: "/")[2] == token)
        #expect(status(answer(listener, "GET \(path(changed)) HTTP/1.1\r\nHost: 127.0.0.1:#\r\n\r\n")) == "200")
        let other = self.listener()
        defer { other.end() }
        #expect(try address(other).split(separator: "/")[2] != token)
        #expect(!"\(LoopbackToken())".contains(token))
    }

    /// A file that does not come in time is empty; the answer is 200, and nobody makes it any more.
    @Test func anAnswerComesInTime() async throws {
        let (listener, isStopped) = (listener(answer: 50), Locked(false))
        defer { listener.end() }
        let path = path(
            try address(
                listener, "s",
                .made {
                    try? await Task.sleep(for: .seconds(300))
                    isStopped.withLock { $0 = true }
                    return nil
                }))
        let late = answer(listener, "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:#\r\n\r\n")
        #expect(late.hasPrefix("HTTP/1.1 200 ") && late.hasSuffix("empty\n\n"))
        await wait { isStopped.withLock { $0 } }
        let patient = self.listener()
        defer { patient.end() }
        let made = self.path(try address(patient, "t", .made { Self.file }))
        #expect(answer(patient, "GET \(made) HTTP/1.1\r\nHost: 127.0.0.1:#\r\n\r\n").hasSuffix("hello"))
    }

    @Test func aHeadMustComeInTime() throws {
        let listener = listener(head: 50)
        defer { listener.end() }
        _ = try address(listener)
        #expect(answer(listener, "GET / HTTP/1.1\r\n").isEmpty)
    }

    /// One that knows the token and never reads does not keep its place.
    @Test func anAnswerMustBeReadInTime() async throws {
        let listener = listener(reading: 50)
        defer { listener.end() }
        // More than the system takes by itself.
        let content = [UInt8](repeating: UInt8(ascii: "x"), count: 32 << 20)
        let path = path(try address(listener, "large", .bytes(Resource(content, .webVTT))))
        let port = listener.place.port
        let descriptor = Self.connected(port)
        let head = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
        _ = unsafe send(descriptor, head, head.utf8.count, Int32(MSG_NOSIGNAL))
        await wait { listener.connectionCount == 1 }
        await wait { listener.connectionCount == 0 }
        #expect(listener.connectionCount == 0)
        close(descriptor)
    }

    @Test func theListenersPatience() {
        let patience = LoopbackListener.Patience()
        #expect(patience.head == .seconds(10) && patience.answer == .seconds(3) && patience.reading == .seconds(10))
    }

    /// One that waits for an answer is not given up for another.
    @Test func noMoreThanSixteenConnections() async throws {
        let (listener, asked) = (listener(answer: 20_000), Locked(0))
        defer { listener.end() }
        let head = "GET \(path(try address(listener))) HTTP/1.1\r\nHost: 127.0.0.1:#\r\n\r\n"
        let slow = try address(
            listener, "s",
            .made {
                asked.withLock { $0 += 1 }
                try? await Task.sleep(for: .seconds(30))
                return nil
            })
        let request = "GET \(path(slow)) HTTP/1.1\r\nHost: 127.0.0.1:\(listener.place.port)\r\n\r\n"
        let open = (0..<16).map { _ in
            let descriptor = Self.connected(listener.place.port)
            _ = unsafe send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL))
            return descriptor
        }
        await wait { asked.withLock { $0 } == 16 }
        #expect(answer(listener, head).isEmpty)
        for descriptor in open { close(descriptor) }
        await wait { listener.connectionCount == 0 }
        #expect(status(answer(listener, head)) == "200")
    }

    /// Another app on the device may connect, and say nothing.
    @Test func silentConnectionsKeepNobodyOut() async throws {
        let listener = listener()
        defer { listener.end() }
        let head = "GET \(path(try address(listener))) HTTP/1.1\r\nHost: 127.0.0.1:#\r\n\r\n"
        let silent = (0..<16).map { _ in Self.connected(listener.place.port) }
        await wait { listener.connectionCount == 16 }
        for _ in 0..<3 { #expect(status(answer(listener, head)) == "200") }
        for descriptor in silent { close(descriptor) }
    }

    /// The system closes the socket of an app that it suspends.
    @Test func theSocketIsOpenedAgainAtItsPort() async throws {
        let moves = Locked(0)
        let listener = listener { moves.withLock { $0 += 1 } }
        defer { listener.end() }
        let before = try address(listener)
        let place = listener.place
        #expect(place.port >= 1024)
        _ = try address(listener)
        #expect(listener.place == place, "as long as it is there it stays")
        for _ in 0..<3 {
            listener.lose()
            NotificationCenter.default.post(
                name: Notification.Name("UIApplicationWillEnterForegroundNotification"), object: nil)
            #expect(status(answer(listener, "GET \(path(before)) HTTP/1.1\r\nHost: 127.0.0.1:#\r\n\r\n")) == "200")
            #expect(try address(listener) == before)
        }
        #expect(moves.withLock { $0 } == 0)
    }

    /// Dispatch may still know the number of one that the system has closed.
    @Test func theNumberThatWasLostIsNotUsedAgain() async throws {
        await #expect(processExitsWith: .success) {
            let listener = LoopbackListener(empty: Self.empty) {}
            let before = try #require(listener.address(of: [1], .bytes(Self.file)))
            let place = listener.place
            let lost = try #require(place.descriptor)
            LoopbackSocket.end(lost)
            #expect(listener.address(of: [1], .bytes(Self.file)) == before)
            #expect(listener.place.port == place.port && listener.place.descriptor != lost)
            let parts = String(decoding: before, as: UTF8.self).split(separator: "/")
            let head = "GET /\(parts[2])/\(parts[3]) HTTP/1.1\r\nHost: 127.0.0.1:\(place.port)\r\n\r\n"
            let descriptor = Self.connected(place.port)
            _ = unsafe send(descriptor, head, head.utf8.count, Int32(MSG_NOSIGNAL))
            #expect(Self.rest(descriptor).hasSuffix("hello"))
            listener.end()
        }
    }

    /// What waits for its turn to write keeps nothing once the connection has ended.
    @Test func aConnectionThatEndsWhileItWritesIsLetGo() async throws {
        let listening = try #require(LoopbackSocket.listening(at: 0))
        defer { LoopbackSocket.end(listening.descriptor) }
        let theirs = Self.connected(listening.port)
        defer { close(theirs) }
        var ours: Int32?
        await wait {
            if case .connection(let descriptor) = LoopbackSocket.accepted(listening.descriptor) { ours = descriptor }
            return ours != nil
        }
        let (queue, endCount) = (DispatchQueue(label: "connection"), Locked(0))
        weak var connection: LoopbackConnection?
        do {
            let made = LoopbackConnection(try #require(ours), queue, LoopbackListener.Patience()) { _ in
                endCount.withLock { $0 += 1 }
            }
            connection = made
            let large = HTTPAnswer(
                Resource([UInt8](repeating: UInt8(ascii: "x"), count: 32 << 20), .webVTT), to: Array("GET".utf8), [])
            queue.sync { made.begin(port: listening.port) { _, answer in answer(large) } }
            let head = "GET /a HTTP/1.1\r\nHost: 127.0.0.1:\(listening.port)\r\n\r\n"
            _ = unsafe send(theirs, head, head.utf8.count, Int32(MSG_NOSIGNAL))
            var waiting = pollfd(fd: theirs, events: Int16(POLLIN), revents: 0)
            #expect(unsafe poll(&waiting, 1, 20_000) == 1)
            // By then it has written what the system takes.
            queue.sync {
                made.end()
                made.end()
            }
        }
        await wait { connection == nil }
        #expect(connection == nil && endCount.withLock { $0 } == 1)
    }

    /// What has its number by then is somebody else's, and stays open.
    @Test func theFileThatHasItsNumberIsLeftAlone() async throws {
        let listener = listener()
        defer { listener.end() }
        let before = try address(listener)
        let lost = try #require(listener.place.descriptor)
        listener.lose()
        let other = LoopbackSocket.identity(lost)
        #expect(try address(listener) == before)
        #expect(other != nil && LoopbackSocket.identity(lost) == other)
        #expect(listener.place.descriptor != lost)
        LoopbackSocket.end(lost)
    }

    /// Whoever listens by its number, at its port, is somebody else.
    @Test func aListenerThatHasItsNumberIsAnother() async throws {
        let moves = Locked(0)
        let listener = listener { moves.withLock { $0 += 1 } }
        defer { listener.end() }
        _ = try address(listener)
        let (lost, port) = (try #require(listener.place.descriptor), listener.place.port)
        listener.lose {
            guard let other = LoopbackSocket.listening(at: port) else { return }
            dup2(other.descriptor, lost)
            close(other.descriptor)
        }
        try #require(LoopbackSocket.isListening(lost, at: port))
        _ = try address(listener)
        #expect(moves.withLock { $0 } == 1 && listener.place.port != port)
        LoopbackSocket.end(lost)
    }

    /// Nobody has an address of it yet.
    @Test func aListenerThatNobodyNeedsOpensNothing() async throws {
        let listener = listener()
        defer { listener.end() }
        listener.reopen()
        #expect(listener.place == (nil, 0))
    }

    @Test func aPortThatIsTakenMovesAllAddresses() async throws {
        let moves = Locked(0)
        let listener = listener { moves.withLock { $0 += 1 } }
        defer { listener.end() }
        let before = try address(listener)
        let port = listener.place.port
        var taken: (descriptor: Int32, port: UInt16)?
        listener.lose { taken = LoopbackSocket.listening(at: port) }
        let other = try #require(taken)
        defer { close(other.descriptor) }
        let after = try address(listener)
        #expect(moves.withLock { $0 } == 1 && listener.place.port != port && listener.place.port >= 1024)
        #expect(after.split(separator: "/")[2] != before.split(separator: "/")[2])
        #expect(status(answer(listener, "GET \(path(after)) HTTP/1.1\r\nHost: 127.0.0.1:#\r\n\r\n")) == "200")
        #expect(status(answer(listener, "GET \(path(before)) HTTP/1.1\r\nHost: 127.0.0.1:#\r\n\r\n")) == "404")
    }

    @Test func itEnds() async throws {
        let listener = listener()
        _ = try address(listener)
        let port = listener.place.port
        listener.end()
        await wait { listener.place.descriptor == nil }
        #expect(listener.address(of: [1], .bytes(Self.file)) == nil)
        await wait {
            let descriptor = Self.connected(port)
            if descriptor >= 0 { close(descriptor) }
            return descriptor < 0
        }
    }

    /// The number of a connection that has ended may be another file's by the time when its answer is there.
    @Test func anAnswerForAConnectionThatHasEnded() async throws {
        await #expect(processExitsWith: .success) {
            let (isAsked, isDone, isMade) = (Locked(false), Locked(false), Locked(false))
            let listener = LoopbackListener(empty: Self.empty) {}
            let file = LoopbackListener.File.made {
                isAsked.withLock { $0 = true }
                while !isDone.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(1)) }
                isMade.withLock { $0 = true }
                return Self.file
            }
            let address = String(decoding: try #require(listener.address(of: [1], file)), as: UTF8.self)
            let parts = address.split(separator: "/")
            let head = "GET /\(parts[2])/\(parts[3]) HTTP/1.1\r\nHost: 127.0.0.1:\(listener.place.port)\r\n\r\n"
            let descriptor = Self.connected(listener.place.port)
            _ = unsafe send(descriptor, head, head.utf8.count, Int32(MSG_NOSIGNAL))
            await wait { isAsked.withLock { $0 } }
            shutdown(descriptor, Int32(SHUT_WR))
            await wait { listener.connectionCount == 0 }
            // All numbers that are free are sockets now.
            #expect(Self.rest(descriptor).isEmpty)
            var others: [[Int32]] = []
            for _ in 0..<8 {
                var pair: [Int32] = [-1, -1]
                #expect(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
                others.append(pair)
            }
            isDone.withLock { $0 = true }
            await wait { isMade.withLock { $0 } }
            usleep(50_000)
            #expect(listener.connectionCount == 0)
            for other in others.joined() {
                var byte: UInt8 = 0
                #expect(unsafe recv(other, &byte, 1, Int32(MSG_DONTWAIT)) < 0)
            }
            listener.end()
        }
    }

    /// What waits to be let in is looked for again later, and not all the time.
    @Test func anAppThatMayOpenNoMoreFiles() async throws {
        await #expect(processExitsWith: .success) {
            let listener = LoopbackListener(empty: Self.empty) {}
            let address = try #require(listener.address(of: [1], .bytes(Self.file)))
            // Dispatch opens a file for its first timer on Linux.
            await withCheckedContinuation { waiting in
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { waiting.resume() }
            }
            var limit = rlimit()
            _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = 64
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let parts = String(decoding: address, as: UTF8.self).split(separator: "/")
            let head = "GET /\(parts[2])/\(parts[3]) HTTP/1.1\r\nHost: 127.0.0.1:\(listener.place.port)\r\n\r\n"
            var files: [Int32] = []
            while case let file = unsafe open("/dev/null", O_RDONLY), file >= 0 { files.append(file) }
            close(files.removeLast())
            let descriptor = Self.connected(listener.place.port)
            _ = unsafe send(descriptor, head, head.utf8.count, Int32(MSG_NOSIGNAL))
            let before = clock()
            usleep(1_000_000)
            #expect(clock() - before < CLOCKS_PER_SEC / 2)
            for file in files { close(file) }
            #expect(Self.rest(descriptor).hasSuffix("hello"))
            // And once more: it ends though it looks again later.
            files = []
            while case let file = unsafe open("/dev/null", O_RDONLY), file >= 0 { files.append(file) }
            close(files.removeLast())
            let port = listener.place.port
            let other = Self.connected(port)
            usleep(20_000)
            listener.end()
            for file in files { close(file) }
            await wait { listener.place.descriptor == nil }
            close(other)
            await wait {
                let late = Self.connected(port)
                if late >= 0 { close(late) }
                return late < 0
            }
        }
    }
}
