// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

internal import CSurtitle
internal import WebVTT

/// A search for the final cue that a caller of the C interface keeps.
final class FinalCueHandle: Handle {
    private let byteBudget: Int
    fileprivate var search: FinalCueSearch

    init(byteBudget: Int) {
        self.byteBudget = byteBudget
        search = FinalCueSearch(byteBudget: byteBudget)
    }

    override func reset() { search = FinalCueSearch(byteBudget: byteBudget) }
}

/// The status of a call that finds a time in a whole file.
private func find(
    _ bytes: UnsafeRawPointer?, _ count: Int, _ milliseconds: Place<Int64>?,
    _ cueEnd: (UnsafeRawBufferPointer) -> Timestamp?
) -> Int32 {
    status { () throws(Refusal) in
        let place = try unsafe Arguments.required(milliseconds)
        guard let end = try unsafe cueEnd(Arguments.bytes(bytes, count)) else { return SURTITLE_NOT_FOUND }
        unsafe place.pointee = end.milliseconds
        return SURTITLE_OK
    }
}

@c @implementation
public func surtitle_final_cue_end(_ bytes: UnsafeRawPointer!, _ count: Int, _ milliseconds: Place<Int64>!) -> Int32 {
    unsafe find(bytes, count, milliseconds) { unsafe finalCueEnd(in: $0) }
}

@c @implementation
public func surtitle_latest_cue_end(_ bytes: UnsafeRawPointer!, _ count: Int, _ milliseconds: Place<Int64>!) -> Int32 {
    unsafe find(bytes, count, milliseconds) { unsafe latestCueEnd(in: $0) }
}

@c @implementation
public func surtitle_final_cue_search_create(_ byte_budget: Int, _ search: Place<OpaquePointer?>!) -> Int32 {
    // SIZE_MAX comes as -1; no file has more bytes than Int.max.
    unsafe make(search, nil, FinalCueHandle(byteBudget: byte_budget < 0 ? .max : byte_budget))
}

@c @implementation
public func surtitle_final_cue_search_prepend(
    _ search: OpaquePointer!, _ bytes: UnsafeRawPointer!, _ count: Int, _ starts_file: Int32,
    _ milliseconds: Place<Int64>!
) -> Int32 {
    unsafe search.ask(FinalCueHandle.self) { search throws(Refusal) in
        let place = try unsafe Arguments.required(milliseconds)
        let block = try unsafe Arguments.bytes(bytes, count)
        let startsFile = try Arguments.truth(starts_file)
        switch unsafe search.search.prepend(block, startsFile: startsFile) {
        case .found(let end):
            unsafe place.pointee = end.milliseconds
            return SURTITLE_OK
        case .needsEarlierBytes: return SURTITLE_NEEDS_MORE
        case .noCue: return SURTITLE_NOT_FOUND
        case .undecided: return SURTITLE_UNDECIDED
        }
    }
}

@c @implementation
public func surtitle_final_cue_search_reset(_ search: OpaquePointer!) -> Int32 { unsafe search.reset() }

@c @implementation
public func surtitle_final_cue_search_destroy(_ search: OpaquePointer!) { unsafe search.destroy(FinalCueHandle.self) }
