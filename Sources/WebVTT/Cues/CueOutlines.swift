import ByteScan

/// The outlines of all cues of a whole file in memory, in the order of the file; none if it has no signature.
///
/// A cue of more than 1 GiB is left out.
public func cueOutlines(in file: UnsafeRawBufferPointer) -> [CueOutline] {
    unsafe cueOutlines(of: 0..<file.count, in: file)
}

/// The outlines of all cues of a whole file in memory, in the order of the file; none if it has no signature.
///
/// A cue of more than 1 GiB is left out.
public func cueOutlines(in file: RawSpan) -> [CueOutline] {
    unsafe file.withUnsafeBytes { unsafe cueOutlines(in: $0) }
}

/// The outlines of the cues that begin in `range`.
private func cueOutlines(of range: Range<Int>, in file: UnsafeRawBufferPointer) -> [CueOutline] {
    var outlines: [CueOutline] = []
    let limits = CueLimits(largestBlock: .max)
    // These limits skip and never throw.
    try? unsafe CueScanner.scan(CueScanner.Slice(range, isAfterCue: true), of: file, limits: limits) { event in
        if case .cue(let cue) = event { outlines.append(cue.outline) }
    }
    return outlines
}

#if !hasFeature(Embedded)
/// The outlines of all cues of a whole file in memory, found by several tasks at once.
///
/// The file is cut into as many slices as there are to be `workers`, and each is scanned by itself. The result is that
/// of `cueOutlines(in:)`, exactly. The file's memory must not change and must live until the call returns.
///
/// - Complexity: All tasks together read at most about twice the bytes that one would, however many they are: a block
///   that begins in one slice and goes on through others is read by its own task and by those. A line before a timing
///   line may be read once more.
public func cueOutlines(in file: UnsafeRawBufferPointer, workers: Int) async -> [CueOutline] {
    let shared = unsafe SharedBytes(buffer: file)
    return await cueOutlines(ofCount: file.count, workers) { range in unsafe cueOutlines(of: range, in: shared.buffer) }
}

/// The outlines of all cues of a whole file, such as an array, a slice or Foundation's Data, found by several tasks at
/// once.
///
/// As the form that takes a buffer. A collection whose bytes do not lie in one piece is copied, once.
public func cueOutlines(in file: some Collection<UInt8> & Sendable, workers: Int) async -> [CueOutline] {
    guard file.withContiguousStorageIfAvailable({ _ in }) != nil else {
        return await cueOutlines(in: ContiguousArray(file), workers: workers)
    }
    return await cueOutlines(ofCount: file.count, workers) { range in
        unsafe file.withBytes { unsafe cueOutlines(of: range, in: $0) }
    }
}

/// What `scan` finds in each of the slices of a file of `count` bytes, by a task of its own, put together.
private func cueOutlines(
    ofCount count: Int, _ workers: Int, _ scan: @escaping @Sendable (Range<Int>) -> [CueOutline]
) async -> [CueOutline] {
    let workers = max(1, min(workers, count))
    return await withTaskGroup(of: (Int, [CueOutline]).self) { group in
        for worker in 0..<workers {
            let bounds = [worker, worker + 1].map { count / workers * $0 + count % workers * $0 / workers }
            group.addTask { (worker, scan(bounds[0]..<bounds[1])) }
        }
        var slices = [[CueOutline]](repeating: [], count: workers)
        for await (worker, outlines) in group { slices[worker] = outlines }
        return Array(slices.joined())
    }
}

/// Memory that several tasks read and none writes.
@unsafe
private struct SharedBytes: @unchecked Sendable {
    let buffer: UnsafeRawBufferPointer
}
#endif
