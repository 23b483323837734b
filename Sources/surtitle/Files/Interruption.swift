// How a signal ends the process without leaving anything behind.
//
// Hardly anything may be done in a signal handler, so there is none. As soon as there is something to remove, or a
// program runs for this one, the signals are blocked in every thread, and a second thread waits for one of them:
//
//     first thread      ──open, write──[make, note]──write──[rename all]──
//     second thread     ──sigwait──────────────────× SIGINT   … waits for ] …  remove, die by SIGINT
//
// What is in brackets is inside `deferring`, which holds a lock that the second thread takes before it removes anything
// and never gives back: a file is not made without being noted, and of many files not some get their names.

/// The signals that end the process: SIGINT, SIGTERM and SIGHUP.
enum Interruption {
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    private static let lock = Lock()
    // All are used only by whoever has the lock.
    nonisolated(unsafe) private static var unfinished: [UnfinishedFiles] = []
    nonisolated(unsafe) private static var isWaiting = false
    // Where the first signal is told of instead of ending the process; nil if it ends it.
    nonisolated(unsafe) private static var stopping: Int32?
    // The program that runs for this one, if there is one.
    nonisolated(unsafe) private static var child: pid_t?

    /// Calls `body`, before which or after which a signal ends the process, but not meanwhile.
    static func deferring<Value: ~Copyable>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    /// From now on removes `files` when a signal ends the process. To be called inside ``deferring(_:)``, as
    /// ``forget(_:)``.
    static func remember(_ files: UnfinishedFiles) {
        unsafe unfinished.append(files)
        if unsafe !isWaiting { unsafe isWaiting = startWaiting() }
    }

    /// From now on ends the program `pid` too when a signal ends the process; nil once it has ended. To be called
    /// inside ``deferring(_:)``.
    static func remember(child pid: pid_t?) {
        unsafe child = pid
        if pid != nil, unsafe !isWaiting { unsafe isWaiting = startWaiting() }
    }

    /// From now on the first signal ends nothing: it makes the descriptor readable that is returned. The next one ends
    /// the process as it would have.
    ///
    /// - Throws: A refusal if the system has no descriptors.
    static func firstSignal() throws(Failure) -> FileDescriptor {
        let ends = try Failure.refusing("a pipe", try PipeEnds())
        let told = fcntl(ends.writing.number, F_DUPFD_CLOEXEC, 0)
        try deferring { () throws(Failure) in
            unsafe stopping = told
            if unsafe !isWaiting { unsafe isWaiting = startWaiting() }
        }
        return ends.takeReading()
    }

    static func forget(_ files: UnfinishedFiles) { unsafe unfinished.removeAll { $0 === files } }

    /// Starts the thread that waits. A signal that the caller has set to be ignored stays ignored.
    private static func startWaiting() -> Bool {
        var set = awaitedSignals()
        guard unsafe pthread_sigmask(SIG_BLOCK, &set, nil) == 0 else { return false }
        #if canImport(Glibc)
        var thread = pthread_t()
        #else
        var thread: pthread_t?
        #endif
        let error = unsafe pthread_create(
            &thread, nil,
            { _ in
                Interruption.wait()
                return nil
            }, nil)
        if error != 0 { _ = unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil) }
        return error == 0
    }

    private static func awaitedSignals() -> sigset_t {
        var set = sigset_t()
        _ = unsafe sigemptyset(&set)
        for number in signals {
            var action = sigaction()
            _ = unsafe sigaction(number, nil, &action)
            if !isIgnored(action) { _ = unsafe sigaddset(&set, number) }
        }
        return set
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        #if canImport(Darwin)
        let handler = unsafe action.__sigaction_u.__sa_handler
        #else
        let handler = unsafe action.__sigaction_handler.sa_handler
        #endif
        return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Waits for a signal that ends the process, removes what is unfinished, and ends the process as the signal does if
    /// nobody waits for it.
    private static func wait() {
        var set = awaitedSignals()
        var number: Int32 = 0
        while true {
            guard unsafe sigwait(&set, &number) == 0 else { return }
            lock.lock()
            guard let end = unsafe stopping else { break }
            unsafe stopping = nil
            lock.unlock()
            close(end)
        }
        for files in unsafe unfinished { files.removeAll() }
        if let child = unsafe child { kill(child, SIGKILL) }
        var one = sigset_t()
        _ = unsafe sigemptyset(&one)
        _ = unsafe sigaddset(&one, number)
        _ = signal(number, SIG_DFL)
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &one, nil)
        _ = raise(number)
        // Only if the signal has not ended the process.
        _exit(128 + number)
    }
}

/// A lock between the two threads.
@safe
private final class Lock: Sendable {
    nonisolated(unsafe) private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        _ = unsafe pthread_mutex_init(mutex, nil)
    }

    func lock() { _ = unsafe pthread_mutex_lock(mutex) }

    func unlock() { _ = unsafe pthread_mutex_unlock(mutex) }

    deinit { unsafe mutex.deallocate() }
}
