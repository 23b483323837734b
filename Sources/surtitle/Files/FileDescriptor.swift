/// An open file, closed when it goes out of scope unless it is one of the standard streams.
///
/// A call that a signal interrupts is made again, and one that would block waits: the caller sees neither.
struct FileDescriptor: ~Copyable {
    let number: Int32
    private let isOwned: Bool

    private init(number: Int32, isOwned: Bool) {
        self.number = number
        self.isOwned = isOwned
    }

    deinit {
        if isOwned { close(number) }
    }

    static var standardInput: FileDescriptor { FileDescriptor(number: STDIN_FILENO, isOwned: false) }
    static var standardOutput: FileDescriptor { FileDescriptor(number: STDOUT_FILENO, isOwned: false) }
    static var standardError: FileDescriptor { FileDescriptor(number: STDERR_FILENO, isOwned: false) }

    /// Whether a standard stream is the file of which the system knows `status`.
    static func isStandardStream(_ status: FileStatus) -> Bool {
        (STDIN_FILENO...STDERR_FILENO).contains { number in
            (try? FileDescriptor(number: number, isOwned: false).status())?.identity == status.identity
        }
    }

    /// Opens the file at `path`, relative to the working directory, for reading.
    init(reading path: String) throws(SystemError) { self = try Self.opened(path, O_RDONLY) }

    /// Opens the file at `path` for reading, or the pipe, though nobody writes to it yet.
    init(following path: String) throws(SystemError) { self = try Self.opened(path, O_RDONLY | O_NONBLOCK) }

    /// Waits until a read would wait no longer, because something is there or the end, and at most so many
    /// `milliseconds`; returns whether that is so.
    func isReady(within milliseconds: Int32) -> Bool {
        var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&request, 1, milliseconds) > 0
    }

    /// Opens the directory at `path`, relative to the working directory.
    init(directory path: String) throws(SystemError) { self = try Self.opened(path, O_RDONLY | O_DIRECTORY) }

    /// Opens the directory called `name` in this one. A symbolic link is an error.
    func directory(_ name: String) throws(SystemError) -> FileDescriptor {
        try Self.opened(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, in: number)
    }

    /// Makes a file called `name` in this directory and opens it for writing. It is an error if the name is in use.
    func makeFile(_ name: String) throws(SystemError) -> FileDescriptor {
        try Self.opened(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, in: number)
    }

    /// Makes a file without a name in `folder`, for reading and writing, which goes with its last descriptor.
    static func unnamedFile(in folder: String) throws(SystemError) -> FileDescriptor {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
        var number = 0
        while true {
            number += 1
            // The name is there for a moment only: who is killed in it leaves an empty file.
            let path = "\(folder)/.surtitle-unfinished-\(getpid())-\(number)"
            do {
                let file = try opened(path, flags, mode: 0o600)
                _ = unsafe unlink(path)
                return file
            } catch {
                guard error.code == EEXIST else { throw error }
            }
        }
    }

    /// A descriptor of the same open file, which is read from its beginning.
    func rewound() throws(SystemError) -> FileDescriptor {
        let copy = FileDescriptor(owning: Int32(try Self.retrying { Int(fcntl(number, F_DUPFD_CLOEXEC, 0)) }))
        guard lseek(copy.number, 0, SEEK_SET) == 0 else { throw .last }
        return copy
    }

    /// Takes over the open descriptor `number`, which is closed with this value.
    init(owning number: Int32) { self.init(number: number, isOwned: true) }

    /// Reads the next bytes, at most as many as `buffer` holds, and returns their number: 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        try transferring(POLLIN) { unsafe systemRead(number, buffer) }
    }

    /// The whole file at `path`; of one with more than `limit` bytes, more than those.
    static func bytes(at path: String, upTo limit: Int) throws(SystemError) -> [UInt8] {
        let file = try FileDescriptor(reading: path)
        let memory = Memory(64 << 10)
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let count = try unsafe file.read(into: memory.buffer)
            if count == 0 { break }
            unsafe bytes.append(contentsOf: memory.bytes(count))
        }
        return bytes
    }

    /// Reads bytes at `position`, at most as many as `buffer` holds, and returns their number: 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int) throws(SystemError) -> Int {
        try Self.retrying { unsafe pread(number, buffer.baseAddress, buffer.count, off_t(position)) }
    }

    /// Writes as much of the `parts` as the system accepts, in order, and returns the number of bytes.
    func write(_ parts: UnsafeBufferPointer<iovec>) throws(SystemError) -> Int {
        try transferring(POLLOUT) { unsafe writev(number, parts.baseAddress, Int32(parts.count)) }
    }

    /// What the system knows of the file.
    func status() throws(SystemError) -> FileStatus {
        var status = stat()
        _ = try Self.retrying { unsafe Int(fstat(number, &status)) }
        return FileStatus(status)
    }

    /// What the system knows of the file called `name` in this directory, or nil if there is none. Links are not
    /// followed.
    func status(of name: String) throws(SystemError) -> FileStatus? {
        var status = stat()
        do {
            _ = try Self.retrying { unsafe Int(fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW)) }
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
        return FileStatus(status)
    }

    /// Whether the file called `name` in this directory, of which the system knows `status`, has the bytes of the file
    /// called `other` in the directory `home`.
    func hasEqualFile(
        _ name: String, _ status: FileStatus, to other: String, in home: borrowing FileDescriptor
    ) throws(SystemError) -> Bool {
        guard status.size == (try home.status(of: other)?.size), status.size != nil else { return false }
        let first = try Self.opened(name, O_RDONLY | O_NOFOLLOW, in: number)
        let second = try Self.opened(other, O_RDONLY | O_NOFOLLOW, in: home.number)
        let left = Memory(64 << 10)
        let right = Memory(64 << 10)
        while true {
            let count = try unsafe first.read(into: left.buffer)
            var read = 0
            while read < count {
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: right.buffer[read..<count])
                let more = try unsafe second.read(into: rest)
                if more == 0 { return false }
                read += more
            }
            if count == 0 { return true }
            guard unsafe left.bytes(count).elementsEqual(right.bytes(count)) else { return false }
        }
    }

    /// How far the file has been read, or nil if it cannot be read out of order.
    var readPosition: Int? {
        let position = lseek(number, 0, SEEK_CUR)
        return position < 0 ? nil : Int(position)
    }

    /// Makes `call`, and makes it again once the file is ready for `event` if it was not.
    private func transferring(_ event: some BinaryInteger, _ call: () -> Int) throws(SystemError) -> Int {
        while true {
            do {
                return try Self.retrying(call)
            } catch {
                guard error.code == EAGAIN || error.code == EWOULDBLOCK else { throw error }
                var request = pollfd(fd: number, events: Int16(event), revents: 0)
                _ = unsafe poll(&request, 1, -1)
            }
        }
    }

    /// Opens or makes the file called `name`, relative to `directory` or else the working directory.
    private static func opened(
        _ name: String, _ flags: Int32, in directory: Int32 = AT_FDCWD, mode: mode_t = 0o666
    ) throws(SystemError) -> FileDescriptor {
        let number = try retrying { Int(unsafe openat(directory, name, flags | O_CLOEXEC, mode)) }
        return FileDescriptor(owning: Int32(number))
    }

    private static func retrying(_ call: () -> Int) throws(SystemError) -> Int {
        while true {
            let result = call()
            if result >= 0 { return result }
            if errno != EINTR { throw .last }
        }
    }
}

/// What the system knows of a file.
struct FileStatus {
    /// What makes a file this one and no other, whatever it is called.
    struct Identity: Hashable {
        let device: UInt64
        let number: UInt64
    }

    /// What changes whenever the file is written or replaced.
    struct Version: Equatable {
        let identity: Identity
        let size: Int
        /// When it was written last, in nanoseconds.
        let time: Int64
    }

    let identity: Identity
    let version: Version
    /// The size in bytes; nil unless the file is a regular one, which can be read at any position.
    let size: Int?
    let isDirectory: Bool
    /// Whether it can be replaced by a file that is renamed: no device, pipe or socket.
    let isReplaceable: Bool

    /// What the system knows of the file at `path`; nil if there is none that may be seen.
    init?(at path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init(_ status: stat) {
        identity = Identity(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        version = Version(
            identity: identity, size: Int(status.st_size),
            time: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
        let type = status.st_mode & S_IFMT
        size = type == S_IFREG ? Int(status.st_size) : nil
        isDirectory = type == S_IFDIR
        isReplaceable = type == S_IFREG || type == S_IFLNK
    }
}

/// The system's `read`, which the method of that name hides.
private func systemRead(_ number: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(number, buffer.baseAddress, buffer.count)
}
