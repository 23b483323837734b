import M3U8

/// The library's mapping of URIs: one rewriter and one mapper for each run, reset for every playlist.
enum Mapping {
    /// What is done to URIs.
    enum Kind: String, CaseIterable {
        /// `http` and `https` become another scheme.
        case scheme
        /// References are resolved, and get another host.
        case baseAndHost = "base-host"
        /// Queries get an item.
        case query
    }

    static let edits: PlaylistEdits = {
        do {
            return try PlaylistEdits([], observing: URIMapping.tags, selectsURIs: true)
        } catch {
            fatalError("the edits are refused: \(error)")
        }
    }()

    static func mapping(_ kind: Kind) -> URIMapping {
        do {
            return switch kind {
            case .scheme: try URIMapping(edits: URIEdits(scheme: Expected.scheme))
            case .baseAndHost: try URIMapping(base: Array(Expected.base.utf8), edits: URIEdits(host: Expected.host))
            case .query: try URIMapping(edits: URIEdits(queryItem: Expected.queryItem))
            }
        } catch {
            fatalError("the mapping is refused: \(error)")
        }
    }

    /// Maps, and notes the slices that come out.
    static func sliced(
        _ bytes: UnsafeRawBufferPointer, _ kind: Kind, inChunksOf size: Int, to slices: SliceList, times: Int
    ) throws(LimitError) -> UInt64 {
        var slices = slices
        var rewriter = PlaylistRewriter(edits)
        var mapper = URIMapper(mapping(kind))
        var sum: UInt64 = 0
        for _ in 0..<times {
            slices.removeAll()
            try map(bytes, inChunksOf: size, &rewriter, &mapper, beginning: { _ in }) { slices.append($0.bytes) }
            sum &+= UInt64(slices.byteCount)
        }
        return sum
    }

    @inline(__always)
    private static func map(
        _ bytes: UnsafeRawBufferPointer, inChunksOf size: Int, _ rewriter: inout PlaylistRewriter,
        _ mapper: inout URIMapper, beginning note: (UnsafeRawBufferPointer) -> Void, _ sink: PlaylistRewriter.Sink
    ) throws(LimitError) {
        rewriter.reset()
        mapper.reset()
        for chunk in bytes.chunks(of: size) {
            note(chunk)
            try rewriter.write(chunk, mapping: &mapper, sink)
        }
        note(UnsafeRawBufferPointer(start: nil, count: 0))
        rewriter.finish(deciding: { mapper.map($0, &$1) }, sink)
    }

    /// What is wrong with the output for `bytes`, whole or in chunks, or nil.
    static func fault(in bytes: UnsafeRawBufferPointer, _ kind: Kind, expected: [UInt8]) -> String? {
        var rewriter = PlaylistRewriter(edits)
        var mapper = URIMapper(mapping(kind))
        for size in [bytes.count] + UnsafeRawBufferPointer.checkedChunks {
            var output = SlicedOutput(expected: expected)
            var chunk = UnsafeRawBufferPointer(start: nil, count: 0)
            try? map(bytes, inChunksOf: size, &rewriter, &mapper, beginning: { chunk = $0 }) {
                output.compare($0, of: chunk)
            }
            if let fault = output.fault { return "in chunks of \(size) bytes: \(fault)" }
        }
        return nil
    }
}
