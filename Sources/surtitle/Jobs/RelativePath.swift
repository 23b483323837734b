/// The way from one directory to another.
enum RelativePath {
    /// The way from `directory`, which need not exist, to the directory in which the file at `path` is: steps that each
    /// end in a slash, percent-encoded as in a URI; nothing if the two are the same.
    static func directory(of path: String, from directory: String) throws(Failure) -> String {
        let target = try absolute(path.folder.isEmpty ? "." : path.folder)
        let origin = try absolute(directory)
        let shared = zip(target, origin).prefix { $0 == $1 }.count
        let down = target[shared...].map { SegmentNames.encoded($0) + "/" }
        return String(repeating: "../", count: origin.count - shared) + down.joined()
    }

    /// The steps of `path` from the root, without symbolic links as far as it exists.
    private static func absolute(_ path: String) throws(Failure) -> [String] {
        var existing = path
        var rest: [String] = []
        while true {
            if let resolved = unsafe realpath(existing, nil) {
                defer { unsafe free(resolved) }
                return steps(unsafe String(cString: resolved) + "/" + rest.joined(separator: "/"))
            }
            guard errno == ENOENT else { throw .refused(path, SystemError.last.description) }
            var steps = existing.pieces(at: "/")
            while steps.last?.isEmpty == true { steps.removeLast() }
            // The working directory itself may have been removed.
            guard existing != ".", let last = steps.popLast() else {
                throw .refused(path, SystemError(code: ENOENT).description)
            }
            rest.insert(last, at: 0)
            existing = steps.isEmpty ? "." : steps == [""] ? "/" : steps.joined(separator: "/")
        }
    }

    /// The steps of an absolute path, with `.` and `..` taken out.
    private static func steps(_ path: String) -> [String] {
        path.pieces(at: "/").reduce(into: []) { steps, step in
            if step == ".." { _ = steps.popLast() } else if !step.isEmpty, step != "." { steps.append(step) }
        }
    }
}
