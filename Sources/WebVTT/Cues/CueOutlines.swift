import ByteScan

/// The outlines of all cues of a whole file in memory, in the order of the file; none if it has no signature.
///
/// A cue of more than 1 GiB is left out.
public func cueOutlines(in file: UnsafeRawBufferPointer) -> [CueOutline] {
    unsafe cueOutlines(of: 0..<file.count, in: file)
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
/// of ``cueOutlines(in:)``, exactly. The file's memory must not change and must live until the call returns.
///
/// - Complexity: All tasks together read at most about twice the bytes that one would, however many they are: a block
///   that begins in one slice and goes on through others is read by its own task and by those. A line before a timing
///   line may be read once more.
public func cueOutlines(in file: UnsafeRawBufferPointer, workers: Int) async -> [CueOutline] {
    let workers = max(1, min(workers, file.count))
    let shared = unsafe SharedBytes(buffer: file)
    return await withTaskGroup(of: (Int, [CueOutline]).self) { group in
        for worker in 0..<workers {
            group.addTask {
                let range = shared.slice(worker, of: workers)
                return (worker, unsafe cueOutlines(of: range, in: shared.buffer))
            }
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

    @safe
    func slice(_ number: Int, of count: Int) -> Range<Int> {
        let size = unsafe buffer.count
        let bounds = [number, number + 1].map { size / count * $0 + size % count * $0 / count }
        return bounds[0]..<bounds[1]
    }
}
#endif
