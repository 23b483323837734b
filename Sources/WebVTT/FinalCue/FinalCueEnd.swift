import ByteScan

/// The time at which the final cue of a whole WebVTT file ends; nil where the file has no signature or no cue.
///
/// The final cue is the last one in the file, not the one that ends last. Only the head of the file and its tail from the
/// final cue on are looked at (W3C WebVTT, sections 6.1 and 6.3; a line is a timing line wherever it stands).
public func finalCueEnd(in file: UnsafeRawBufferPointer) -> Timestamp? { finalCueEnd(in: unsafe ByteView(file)) }

/// The time at which the final cue of a whole WebVTT file ends; nil where the file has no signature or no cue.
///
/// The final cue is the last one in the file, not the one that ends last. Only the head of the file and its tail from the
/// final cue on are looked at (W3C WebVTT, sections 6.1 and 6.3; a line is a timing line wherever it stands).
public func finalCueEnd(in file: RawSpan) -> Timestamp? {
    unsafe file.withUnsafeBytes { finalCueEnd(in: unsafe ByteView($0)) }
}

func finalCueEnd(in file: ByteView) -> Timestamp? {
    guard case .valid = WebVTTSignature(head: file, isWholeFile: true) else { return nil }
    var search = FinalCueSearch()
    guard case .found(let end) = search.prepend(file, startsFile: true) else { return nil }
    return end
}
