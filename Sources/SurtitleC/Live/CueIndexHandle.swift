// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

internal import ByteScan
public import CSurtitle
internal import Delivery
internal import WebVTT

/// A file by time that a caller of the C interface keeps.
final class CueIndexHandle: Handle {
    fileprivate let index: CueIndex
    /// All is copied: nobody may rely on where the file's bytes are.
    fileprivate var list = PieceList(OutputPieces(mergingThreshold: .max))

    private init(_ index: CueIndex) { self.index = index }

    fileprivate static func make(
        _ file: UnsafeRawBufferPointer, naming: CueIndex.Naming
    ) throws(Refusal) -> CueIndexHandle {
        CueIndexHandle(try refusing(try unsafe CueIndex(Array(file), naming: naming)) { Refusal(segmenter: $0) })
    }
}

extension CueIndex.Naming {
    fileprivate init(_ name: surtitle_text, _ renames: Int32) throws(Refusal) {
        let renames = try Arguments.truth(renames)
        guard let name = try unsafe Arguments.name(name) else {
            guard !renames else { throw Refusal(SURTITLE_NULL_ARGUMENT) }
            self = .asTheyStand
            return
        }
        self = renames ? .always(name) : .ifNone(name)
    }
}

extension Arguments {
    /// What identifiers of cues begin with; nil if it is not given. It has no line break and no arrow.
    static func name(_ name: surtitle_text) throws(Refusal) -> [UInt8]? {
        guard let name = try unsafe text(name) else { return nil }
        guard !name.isEmpty, !name.contains(where: { $0 < ASCII.space || $0 == UInt8(ascii: ">") }) else {
            throw Refusal(SURTITLE_INVALID_VALUE)
        }
        return name
    }
}

@c @implementation
public func surtitle_cue_index_create(
    _ file: UnsafeRawPointer!, _ count: Int, _ name: surtitle_text, _ renames: Int32, _ index: Place<OpaquePointer?>!,
    _ error: Place<surtitle_error>!
) -> Int32 {
    unsafe make(
        index, error,
        try unsafe CueIndexHandle.make(Arguments.bytes(file, count), naming: CueIndex.Naming(name, renames)))
}

@c @implementation
public func surtitle_cue_index_write(
    _ index: OpaquePointer!, _ span: UnsafePointer<surtitle_live_span>!, _ pieces: StartPlace<surtitle_piece>!,
    _ piece_count: Place<Int>!
) -> Int32 {
    unsafe index.use(CueIndexHandle.self) { index throws(Refusal) in
        let place = try unsafe ArrayPlace(pieces, piece_count)
        index.index.write(try unsafe LiveSpan(span).cues, into: &index.list.output)
        unsafe index.list.give(nil, to: place)
    }
}

@c @implementation
public func surtitle_cue_index_destroy(_ index: OpaquePointer!) { unsafe index.destroy(CueIndexHandle.self) }
