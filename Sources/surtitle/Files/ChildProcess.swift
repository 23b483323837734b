#if canImport(Glibc)
@unsafe @preconcurrency import Glibc
#elseif canImport(Musl)
@unsafe @preconcurrency import Musl
#else
@unsafe @preconcurrency import Darwin
#endif

/// A program that runs for this one: it is given words and an input, and what it says is read while it runs.
///
///     ChildProcess(NAME, WORDS, input:)  ─▶  next(into:within:), until .end  ─▶  end(waiting:)
///
/// It is ended by its own number, never by its name: by ``end(waiting:)``, when this value goes out of scope, and
/// when a signal ends the process (``Interruption``). Its environment is the process's.
struct ChildProcess: ~Copyable {
    /// What comes next of what it says on standard output.
    enum Next {
        /// So many bytes.
        case bytes(Int)
        /// Nothing in the time that was given.
        case nothing
        /// Nothing more.
        case end
    }

    /// How much is kept of what it says on standard error.
    private static let longestWords = 4 << 10

    private let number: pid_t
    private let output: FileDescriptor
    private let errors: FileDescriptor
    private var words: [UInt8] = []
    private var hasEnded = false
    private var errorsHaveEnded = false

    /// Starts the program called `name`, which is searched for as a shell does, and hands it `input`.
    ///
    /// - Throws: ENOENT if there is no such program.
    init(_ name: String, _ words: [String], input: [UInt8]) throws(SystemError) {
        let toChild = try PipeEnds()
        let fromChild = try PipeEnds()
        let errorsOfChild = try PipeEnds()
        number = try Self.spawn(
            name, words, [toChild.reading.number, fromChild.writing.number, errorsOfChild.writing.number])
        output = fromChild.takeReading()
        errors = errorsOfChild.takeReading()
        Self.write(input, to: toChild.takeWriting())
    }

    deinit { if !hasEnded { _ = Self.end(number) } }

    /// Reads what the program says next, and waits for it at most so many `milliseconds`.
    mutating func next(
        into buffer: UnsafeMutableRawBufferPointer, within milliseconds: Int32
    ) throws(SystemError) -> Next {
        var requests = [pollfd(fd: output.number, events: Int16(POLLIN), revents: 0)]
        if !errorsHaveEnded { requests.append(pollfd(fd: errors.number, events: Int16(POLLIN), revents: 0)) }
        let count = unsafe requests.withUnsafeMutableBufferPointer { requests in
            unsafe poll(requests.baseAddress, nfds_t(requests.count), milliseconds)
        }
        if count < 0, errno != EINTR { throw .last }
        if count <= 0 { return .nothing }
        if requests.count > 1, requests[1].revents != 0 { try takeWords() }
        guard requests[0].revents != 0 else { return .nothing }
        let read = try unsafe output.read(into: buffer)
        return read == 0 ? .end : .bytes(read)
    }

    /// Ends the program, or waits until it has ended by itself.
    ///
    /// - Returns: Its exit status; nil if it was ended, or a signal has ended it. And what it has said on standard
    /// error.
    mutating func end(waiting: Bool) -> (status: Int32?, words: [UInt8]) {
        if waiting { while !errorsHaveEnded { if (try? takeWords()) == nil { break } } }
        hasEnded = true
        let status = Self.end(number, waiting: waiting)
        // Exited by itself: the low seven bits are no signal.
        return (status & 0x7F == 0 ? status >> 8 & 0xFF : nil, words)
    }

    private mutating func takeWords() throws(SystemError) {
        let memory = Memory(Self.longestWords)
        let count = try unsafe errors.read(into: memory.buffer)
        errorsHaveEnded = count == 0
        unsafe words.append(contentsOf: memory.bytes(min(count, Self.longestWords - words.count)))
    }

    /// Ends the program `number`, or waits until it has ended, and returns what the system says of its end.
    private static func end(_ number: pid_t, waiting: Bool = false) -> Int32 {
        var status: Int32 = 0
        if !waiting { kill(number, SIGKILL) }
        while unsafe waitpid(number, &status, 0) < 0, errno == EINTR {}
        try? Interruption.deferring { () throws(Failure) in Interruption.remember(child: nil) }
        return status
    }

    /// Writes `input`, as far as somebody reads it.
    private static func write(_ input: [UInt8], to pipe: consuming FileDescriptor) {
        let writer = ByteWriter(pipe, name: "a pipe")
        writer.write(input)
        try? writer.finish()
    }

    /// Starts a program with `streams` as its standard streams, and the signals' dispositions as a shell gives them.
    private static func spawn(_ name: String, _ words: [String], _ streams: [Int32]) throws(SystemError) -> pid_t {
        #if canImport(Darwin)
        var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?)
        #else
        var (actions, attributes) = unsafe (posix_spawn_file_actions_t(), posix_spawnattr_t())
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        for (index, stream) in streams.enumerated() {
            unsafe posix_spawn_file_actions_adddup2(&actions, stream, Int32(index))
        }
        var (none, usual) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigemptyset(&usual)
        for signal in [SIGPIPE, SIGXFSZ] { unsafe sigaddset(&usual, signal) }
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var arguments = unsafe ([name] + words).map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var number: pid_t = 0
        var error: Int32 = 0
        try? Interruption.deferring { () throws(Failure) in
            error = unsafe posix_spawnp(&number, name, &actions, &attributes, &arguments, environment)
            if error == 0 { Interruption.remember(child: number) }
        }
        if error != 0 { throw SystemError(code: error) }
        return number
    }

    private static var environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
        #if canImport(Darwin)
        unsafe _NSGetEnviron().pointee
        #else
        unsafe environ
        #endif
    }
}

/// A pipe: what is written to one end is read from the other. No program that is started inherits either.
struct PipeEnds: ~Copyable {
    let reading: FileDescriptor
    let writing: FileDescriptor

    init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw .last }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        reading = FileDescriptor(owning: ends[0])
        writing = FileDescriptor(owning: ends[1])
    }

    /// The end that is read from; the other is closed.
    consuming func takeReading() -> FileDescriptor { reading }

    /// The end that is written to; the other is closed.
    consuming func takeWriting() -> FileDescriptor { writing }
}
