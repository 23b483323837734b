import ByteScan

/// The time at which the final cue of a whole WebVTT file ends; nil if the file has no signature or no cue.
///
/// The final cue is the last one in the file, not the one that ends last. Only the first bytes of the file and its tail
/// from the final cue on are looked at (W3C WebVTT, sections 6.1 and 6.3; a line is a timing line wherever it stands).
public func finalCueEnd(in file: UnsafeRawBufferPointer) -> Timestamp? { finalCueEnd(in: unsafe ByteView(file)) }

/// The time at which the final cue of a whole WebVTT file ends: as the form that takes a buffer.
public func finalCueEnd(in file: RawSpan) -> Timestamp? {
    unsafe file.withUnsafeBytes { finalCueEnd(in: unsafe ByteView($0)) }
}

func finalCueEnd(in file: ByteView) -> Timestamp? {
    guard case .valid = WebVTTSignature(head: file, isWholeFile: true) else { return nil }
    var search = FinalCueSearch()
    guard case .found(let end) = search.prepend(file, startsFile: true) else { return nil }
    return end
}

/// The latest time at which any cue of a whole WebVTT file ends; nil if the file has no signature or no cue.
///
/// It may be later than the end of the final cue, which `finalCueEnd(in:)` finds without reading the whole file; this
/// function reads all of it, because any cue may end last. Cues that never show count too: see ``CueTiming/isShown``.
///
/// - Complexity: O(*n*), 64 bytes a step.
public func latestCueEnd(in file: UnsafeRawBufferPointer) -> Timestamp? {
    var scanner = CueTimingScanner()
    var latest: Timestamp?
    let handle = { (timing: CueTiming) in latest = max(latest ?? timing.end, timing.end) }
    unsafe scanner.scan(file, handle)
    scanner.finish(handle)
    return latest
}

/// The latest time at which any cue of a whole WebVTT file ends: as the form that takes a buffer.
public func latestCueEnd(in file: RawSpan) -> Timestamp? {
    unsafe file.withUnsafeBytes { unsafe latestCueEnd(in: $0) }
}
