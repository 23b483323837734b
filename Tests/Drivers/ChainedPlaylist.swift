import ByteScan
import M3U8
import Sideload

/// What a pipeline does, one rewriter after the other, with an array between them: its naive twin.
public struct ChainedPlaylist: ~Copyable {
    /// What a recipe is made of.
    public struct Parts {
        /// The edits.
        public var edits: [PlaylistEdit] = []
        /// The lines for the end.
        public var appending: [[UInt8]] = []
        /// What variants meet that stay.
        public var condition: VariantExpression?
        /// What is done to URIs.
        public var mapping: URIMapping?
        /// What is sideloaded.
        public var tracks: SubtitleTracks?

        /// Nothing.
        public init() {}

        /// Whether all that is edited is that lines are dropped which sideloading does not look at: one pass does it then.
        var areOnePass: Bool {
            let looked: [TagSelector] = ["EXT-X-STREAM-INF", "EXT-X-MEDIA", "EXT-X-DEFINE"]
            let areLeftOut = edits.allSatisfy { edit in
                if case .drop(let tag) = edit { !looked.contains(tag) } else { false }
            }
            return tracks != nil && appending.isEmpty && condition == nil && mapping == nil && areLeftOut
        }

        /// The recipe of these.
        public func recipe() throws -> PlaylistRecipe {
            try PlaylistRecipe(
                edits: edits, appending: appending, keeping: condition, mapping: mapping, tracks: tracks)
        }
    }

    private var editor: PlaylistRewriter
    private var sideloader: MasterRewriter?
    private let hasEdits: Bool
    private let hasTracks: Bool
    private let mayHoldOthers: Bool
    private var filter: VariantFilter?
    private var drops = VariantDrops()
    private var mapper: URIMapper?

    /// The output so far.
    public private(set) var output: [UInt8] = []

    /// The chain for one playlist.
    public init(_ parts: Parts, _ limits: PipelineLimits) throws {
        // No more is selected than what has a say: limits are those of selected lines.
        var tags = (parts.mapping == nil ? [] : URIMapping.tags) + (parts.condition == nil ? [] : VariantFilter.tags)
        for case .drop("EXT-X-STREAM-INF") in parts.edits { tags += VariantDrops.tags }
        editor = PlaylistRewriter(
            try PlaylistEdits(
                parts.edits, observing: tags, selectsURIs: !tags.isEmpty, appending: parts.appending),
            limits: limits.lines)
        sideloader = parts.tracks.map { MasterRewriter($0, limits: limits.tracks) }
        hasTracks = parts.tracks != nil
        mayHoldOthers = parts.areOnePass
        hasEdits = !hasTracks || !parts.edits.isEmpty || !parts.appending.isEmpty || !tags.isEmpty
        filter = parts.condition.map { VariantFilter($0) }
        mapper = parts.mapping.map { URIMapper($0, limits: limits.uris) }
    }

    /// Takes the next chunk, and returns the limit that is thrown.
    public mutating func write(_ chunk: some Collection<UInt8>) -> LimitError? {
        guard hasEdits else { return sideload(Array(chunk)) }
        var edited: [UInt8] = []
        var failure: LimitError?
        var decisions = Decisions(filter: filter, drops: drops, mapper: mapper.take())
        do {
            try Array(chunk).withUnsafeBytes { bytes in
                try editor.write(bytes, deciding: { decisions.decide($0, &$1) }) { edited += $0.bytes }
            }
        } catch {
            failure = error as? LimitError
        }
        restore(decisions)
        let later = sideload(edited)
        return failure ?? later
    }

    /// Ends the playlist.
    public mutating func finish() {
        var edited: [UInt8] = []
        var decisions = Decisions(filter: filter, drops: drops, mapper: mapper.take())
        if hasEdits { editor.finish(deciding: { decisions.decide($0, &$1) }) { edited += $0.bytes } }
        restore(decisions)
        _ = sideload(edited)
        var rest: [UInt8] = []
        sideloader?.finish { rest += $0.bytes }
        output += rest
    }

    /// Breaks the playlist off.
    public mutating func abandon() {
        var edited: [UInt8] = []
        editor.abandon { edited += $0.bytes }
        _ = sideload(edited)
        var rest: [UInt8] = []
        sideloader?.abandon { rest += $0.bytes }
        output += rest
    }

    private mutating func sideload(_ edited: [UInt8]) -> LimitError? {
        guard hasTracks else {
            output += edited
            return nil
        }
        var written: [UInt8] = []
        defer { output += written }
        do {
            try edited.withUnsafeBytes { bytes in
                try sideloader?.write(bytes) { written += $0.bytes }
            }
            return nil
        } catch {
            return error as? LimitError
        }
    }

    private mutating func restore(_ decisions: consuming Decisions) {
        filter = decisions.filter
        drops = decisions.drops
        mapper = decisions.mapper.take()
    }

    private struct Decisions: ~Copyable {
        var filter: VariantFilter?
        var drops: VariantDrops
        var mapper: URIMapper?

        mutating func decide(_ line: SelectedLine, _ edits: inout LineEdits) {
            filter?.filter(line, &edits)
            drops.follow(line, &edits)
            mapper?.map(line, &edits)
        }
    }

    /// What `pipeline`, which is reset, does otherwise with `text`, cut as `split`, and then ended or broken off: in
    /// words, nil if nothing. Compared is what both hand out and say after each chunk. If one pass does it all, which
    /// looks for the lines of both, the beginning of a line may be held that the other would not, or the other way.
    public static func fault(
        of pipeline: inout PlaylistPipeline, _ parts: Parts, _ limits: PipelineLimits, on text: [UInt8],
        split: [Range<Int>], isAbandoned: Bool
    ) throws -> String? {
        var chain = try ChainedPlaylist(parts, limits)
        var pieces = OutputPieces(mergingThreshold: 20, longestPiece: 64)
        var output: [UInt8] = []
        pipeline.reset()
        for range in split {
            var failure: LimitError?
            text[range].withUnsafeBytes { bytes in
                do { try pipeline.write(bytes, into: &pieces) } catch { failure = error as? LimitError }
                for piece in pieces { output += piece.bytes(in: bytes) }
            }
            let expected = chain.write(text[range])
            let faults = chain.faults(in: pipeline.report)
            if failure != expected || !chain.agrees(with: output, pipeline.report) || !faults.isEmpty {
                return "after \(range): \(failure.map { "\($0)" } ?? "nothing") is thrown, not "
                    + "\(expected.map { "\($0)" } ?? "nothing"); \(faults); \(chain.difference(from: output))"
            }
        }
        if isAbandoned {
            chain.abandon()
            pipeline.abandon(into: &pieces)
        } else {
            chain.finish()
            pipeline.finish(into: &pieces)
        }
        for case .own(let bytes) in pieces { output += bytes }
        let faults = chain.faults(in: pipeline.report)
        return output == chain.output && faults.isEmpty
            ? nil : "\(isAbandoned ? "broken off" : "ended"): \(faults); \(chain.difference(from: output))"
    }

    /// Whether `output` is the same as far as it goes, and what it lacks or has more is held by the other.
    private func agrees(with output: [UInt8], _ report: PlaylistReport) -> Bool {
        guard mayHoldOthers else { return output == self.output }
        let together = min(output.count, self.output.count)
        return output[..<together] == self.output[..<together]
            && output.count + report.heldBytes == self.output.count + heldBytes
    }

    private var heldBytes: Int {
        switch sideloader {
        case .some(let master): editor.heldBytes + master.heldBytes
        case .none: editor.heldBytes
        }
    }

    private func difference(from other: [UInt8]) -> String {
        other == output
            ? "the same is handed out"
            : "\(String(decoding: other, as: UTF8.self)) is handed out, not \(String(decoding: output, as: UTF8.self))"
    }

    /// In what `report` says something else, in words.
    public func faults(in report: PlaylistReport) -> [String] {
        var faults: [String] = []
        func expect<Value: Equatable>(_ value: Value, is expected: Value, _ name: String) {
            if value != expected { faults.append("\(name) is \(value), not \(expected)") }
        }
        var first = [editor.firstUneditableLine, filter?.firstUnreadableLine].compactMap { $0 }
        var count = editor.uneditableLines - editor.uneditableForFilter + (filter?.unreadableLines ?? 0)
        var (verdict, position, limit) = (editor.verdict, editor.verdictPosition, editor.exceededLimit)
        var (isSettled, added) = (!hasEdits || editor.isSettled, 0)
        switch sideloader {
        case .some(let master):
            (verdict, position, limit) = (master.verdict, master.verdictPosition, limit ?? master.exceededLimit)
            isSettled = isSettled && master.isSettled
            added = master.addedBytes
            count += master.uneditableLines
            first += [master.firstUneditableLine].compactMap { $0 }
            expect(report.uneditableVariants, is: master.uneditableLines, "uneditableVariants")
            expect(report.variants, is: master.variants, "variants")
        case .none: break
        }
        expect(report.verdict, is: verdict, "verdict")
        expect(report.verdictPosition, is: position, "verdictPosition")
        expect(report.exceededLimit, is: limit, "exceededLimit")
        if !mayHoldOthers { expect(report.heldBytes, is: heldBytes, "heldBytes") }
        expect(report.isSettled, is: isSettled, "isSettled")
        expect(report.addedBytes, is: added, "addedBytes")
        expect(report.uneditableLines, is: count, "uneditableLines")
        expect(report.firstUneditableLine, is: first.min(), "firstUneditableLine")
        expect(report.keptVariants, is: filter?.keptVariants ?? 0, "keptVariants")
        expect(report.droppedVariants, is: filter?.droppedVariants ?? 0, "droppedVariants")
        switch mapper {
        case .some(let mapper):
            expect(report.mappedURIs, is: mapper.mappedURIs, "mappedURIs")
            expect(report.unresolvedURIs, is: mapper.unresolvedURIs, "unresolvedURIs")
            expect(report.firstUnresolvedURI, is: mapper.firstUnresolvedURI, "firstUnresolvedURI")
        case .none:
            expect(report.mappedURIs, is: 0, "mappedURIs")
            expect(report.unresolvedURIs, is: 0, "unresolvedURIs")
            expect(report.firstUnresolvedURI, is: nil, "firstUnresolvedURI")
        }
        return faults
    }
}
