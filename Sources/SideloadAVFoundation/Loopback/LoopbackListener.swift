#if canImport(AVFoundation) && !os(watchOS)
internal import ByteScan
internal import Delivery
internal import Dispatch
internal import Foundation

// Files that AVPlayer gets by http from this device, because they are not what their origin has.
//
//     http://127.0.0.1:PORT/TOKEN/NUMBER-DIGEST.vtt      a file
//     http://127.0.0.1:PORT/TOKEN/NUMBER/17.vtt          a segment beside a live video, whose address never changes
//
// Only what a playlist of the loader's has named is here, by a handle that tells nothing: a number, and a digest of the
// bytes, so that an address whose bytes change is another one. Nobody gets in without the token, from a page in a
// browser, or by another host name. An address is answered at once, or within 3 s with an empty file, since a player
// that waits longer for media gives up (AVPlayer, 3.5 s).
//
// The system takes the socket from an app that it suspends. Before an address is given out, and when the socket ends,
// it is opened again at its port; if that is taken by then, at another one with another token, and whoever made the
// player item is told.

/// Serves the files of one loader. It ends with it.
final class LoopbackListener: @unchecked Sendable {
    /// How long things may take.
    struct Patience: Sendable {
        var head = DispatchTimeInterval.seconds(10)
        var answer = DispatchTimeInterval.seconds(3)
        /// Until the player has read all of an answer that the system does not take at once.
        var reading = DispatchTimeInterval.seconds(10)
    }

    /// What is at a handle.
    enum File: Sendable {
        /// `asked` is called whenever somebody asks for it.
        case bytes(Resource, asked: @Sendable () -> Void = {})
        /// It is made when somebody asks.
        case made(@Sendable () async -> Resource?)
    }

    /// What is at a name in a folder, or a status. It is there within 3 s.
    typealias Folder = @Sendable (_ name: [UInt8]) async -> Result<Resource, SubtitleLoaderError>

    /// What is listened at.
    private struct Socket {
        let descriptor: Int32
        /// What tells it from another file that has its number later.
        let identity: UInt64?
        let source: any DispatchSourceRead

        var isThere: Bool { LoopbackSocket.identity(descriptor) == identity }
    }

    /// The most connections at a time. One more takes the place of the one that has been silent for longest: other apps
    /// can connect too, and are not to keep the player out by saying nothing.
    static let mostConnections = 16

    private let queue = DispatchQueue(label: "surtitle.loopback")
    private let patience: Patience
    /// What is given if nothing else comes in time.
    private let empty: Resource
    /// Called when the addresses that were given out lead nowhere any more.
    private let moved: @Sendable () -> Void

    private var token = LoopbackToken()
    private var port: UInt16 = 0
    private var socket: Socket?
    private var isPaused = false
    /// From the oldest to the newest.
    private var connections: [LoopbackConnection] = []
    private var files: [[UInt8]: File] = [:]
    private var handles: [[UInt8]: [UInt8]] = [:]
    private var handleCount = 0
    private var folders: [[UInt8]: Folder] = [:]
    private var hasEnded = false
    private var observer: (any NSObjectProtocol)?

    init(empty: Resource, patience: Patience = Patience(), moved: @escaping @Sendable () -> Void) {
        self.empty = empty
        self.patience = patience
        self.moved = moved
        observer = NotificationCenter.default.addObserver(
            forName: Notification.Name("UIApplicationWillEnterForegroundNotification"), object: nil, queue: nil
        ) { [weak self] _ in self?.reopen() }
    }

    /// The address of `file`, which `name` tells from others: the same one as long as its bytes are the same. Nil if
    /// there is no socket to be had.
    func address(of name: [UInt8], _ file: File) -> [UInt8]? {
        queue.sync {
            guard open() else { return nil }
            var handle = handle(of: name)
            if case .bytes(let resource, _) = file {
                var digest = Fingerprint(of: "file", version: 1)
                digest.add(resource.bytes)
                let stem = handle.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ".") }
                handle = Array(stem) + Array("-\(String(digest.value, radix: 36)).vtt".utf8)
            } else if handles[name] == nil {
                handle += Array(".vtt".utf8)
            }
            // What a player has the address of stays: it may ask again.
            handles[name] = handle
            files[handle] = file
            return Array("http://127.0.0.1:\(port)".utf8) + token.path + handle
        }
    }

    /// What addresses in the folder begin with that `name` tells from others: the same for the listener's life, unless
    /// addresses have come to lead nowhere. Nil if there is no socket to be had.
    func address(ofFolder name: [UInt8], _ folder: @escaping Folder) -> [UInt8]? {
        queue.sync {
            guard open() else { return nil }
            let handle = handle(of: name)
            handles[name] = handle
            folders[handle] = folder
            return Array("http://127.0.0.1:\(port)".utf8) + token.path + handle + [UInt8(ascii: "/")]
        }
    }

    /// Forgets the files with these names: nobody asks for them any more.
    func forget(_ names: [[UInt8]]) {
        queue.sync {
            for name in names {
                if let handle = handles.removeValue(forKey: name) { files[handle] = nil }
            }
        }
    }

    /// The handle that a name has, or a number that no other had.
    private func handle(of name: [UInt8]) -> [UInt8] {
        if let handle = handles[name] { return handle }
        handleCount += 1
        return Array("\(handleCount)".utf8)
    }

    /// Opens the socket again, if the system has taken it.
    func reopen() { queue.async { [self] in if port != 0 { _ = open() } } }

    /// Ends: nothing is answered any more.
    func end() {
        queue.async { [self] in
            hasEnded = true
            if let observer { NotificationCenter.default.removeObserver(observer) }
            close()
            for connection in connections { connection.end() }
            (files, folders) = ([:], [:])
        }
    }

    // MARK: The socket

    /// Makes sure that the socket is there.
    private func open() -> Bool {
        if hasEnded { return false }
        // The system may have closed it, and given its number to another file.
        if let socket, socket.isThere, LoopbackSocket.isListening(socket.descriptor, at: port) { return true }
        let (lost, wanted) = (socket?.descriptor, port)
        close()
        guard var found = LoopbackSocket.listening(at: wanted) ?? LoopbackSocket.listening(at: 0) else { return false }
        // Dispatch may still know the number of the one that was lost.
        if found.descriptor == lost { found.descriptor = LoopbackSocket.renumbered(found.descriptor) }
        if wanted != 0, found.port != wanted {
            token = LoopbackToken()
            moved()
        }
        port = found.port
        let source = DispatchSource.makeReadSource(fileDescriptor: found.descriptor, queue: queue)
        source.setEventHandler { [weak self] in self?.accept() }
        source.resume()
        socket = Socket(
            descriptor: found.descriptor, identity: LoopbackSocket.identity(found.descriptor), source: source)
        return true
    }

    private func close() {
        guard let socket else { return }
        // A source that is suspended never ends.
        goOn()
        self.socket = nil
        // One that the system has closed may be another file by now.
        if socket.isThere { socket.source.setCancelHandler { LoopbackSocket.end(socket.descriptor) } }
        socket.source.cancel()
    }

    private func accept() {
        guard let socket else { return }
        while true {
            switch LoopbackSocket.accepted(socket.descriptor) {
            case .none: return
            case .tooManyFiles: return pause()
            case .ended:
                _ = open()
                return
            case .connection(let connection):
                if connections.count == Self.mostConnections { connections.first { !$0.isJudged }?.end() }
                if connections.count < Self.mostConnections {
                    serve(connection)
                } else {
                    LoopbackSocket.end(connection)
                }
            }
        }
    }

    /// Looks again in a while. The source would call at once, for as long as a connection waits.
    private func pause() {
        guard let socket, !isPaused else { return }
        isPaused = true
        socket.source.suspend()
        queue.asyncAfter(deadline: .now() + .milliseconds(100)) { [weak self] in self?.goOn() }
    }

    private func goOn() {
        guard isPaused else { return }
        isPaused = false
        socket?.source.resume()
    }

    // MARK: Requests

    private func serve(_ descriptor: Int32) {
        let connection = LoopbackConnection(descriptor, queue, patience) { [weak self] connection in
            self?.connections.removeAll { $0 === connection }
        }
        connections.append(connection)
        connection.begin(port: port) { [weak self] head, answer in self?.answer(head, answer) }
    }

    private func answer(_ head: LoopbackHead, _ answer: @escaping LoopbackConnection.Answer) {
        guard let handle = token.handle(in: head.path) else { return answer(HTTPAnswer(status: 404)) }
        let method = Array((head.isHead ? "HEAD" : "GET").utf8)
        let headers = head.fields.map { HeaderLine($0.name, $0.value) }
        if let slash = handle.firstIndex(of: UInt8(ascii: "/")), let folder = folders[Array(handle[..<slash])] {
            Task {
                switch await folder(Array(handle[(slash + 1)...])) {
                case .success(let resource): answer(HTTPAnswer(resource, to: method, headers))
                case .failure(let error): answer(HTTPAnswer(status: error.status ?? 404))
                }
            }
            return
        }
        guard let file = files[handle] else { return answer(HTTPAnswer(status: 404)) }
        switch file {
        case .bytes(let resource, let asked):
            asked()
            answer(HTTPAnswer(resource, to: method, headers))
        case .made(let make):
            // The first of the two counts: the connection ends with its answer.
            let task = Task {
                let made = await make()
                if !Task.isCancelled { answer(HTTPAnswer(made ?? self.empty, to: method, headers)) }
            }
            queue.asyncAfter(deadline: .now() + patience.answer) { [empty] in
                answer(HTTPAnswer(empty, to: method, headers))
                task.cancel()
            }
        }
    }

    // MARK: For tests

    /// Takes the socket away, as the system does; `body` runs before anything notices.
    func lose(_ body: () -> Void = {}) {
        queue.sync {
            guard let socket else { return }
            LoopbackSocket.replace(socket.descriptor)
            body()
        }
    }

    /// How many connections there are.
    var connectionCount: Int { queue.sync { connections.count } }

    /// How many files there are.
    var fileCount: Int { queue.sync { files.count } }

    /// The socket, and where it is.
    var place: (descriptor: Int32?, port: UInt16) { queue.sync { (socket?.descriptor, port) } }
}
#endif
