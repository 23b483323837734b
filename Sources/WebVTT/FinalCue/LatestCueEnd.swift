import ByteScan

/// The latest time at which any cue of a whole WebVTT file ends; nil where the file has no signature or no cue.
///
/// It may be later than the end of the final cue, which ``finalCueEnd(in:)`` finds without reading the whole file; this
/// function reads all of it, because any cue may end last.
public func latestCueEnd(in file: UnsafeRawBufferPointer) -> Timestamp? {
    var scanner = CueTimingScanner()
    // No cue ends before 0.
    var latest = Timestamp(milliseconds: -1)
    let take = { (timing: CueTiming) in latest = max(latest, timing.end) }
    unsafe scanner.scan(file, take)
    scanner.finish(take)
    return latest.milliseconds < 0 ? nil : latest
}

/// The latest time at which any cue of a whole WebVTT file ends; nil where the file has no signature or no cue.
///
/// It may be later than the end of the final cue, which ``finalCueEnd(in:)`` finds without reading the whole file; this
/// function reads all of it, because any cue may end last.
public func latestCueEnd(in file: RawSpan) -> Timestamp? {
    unsafe file.withUnsafeBytes { unsafe latestCueEnd(in: $0) }
}
