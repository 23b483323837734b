import ByteScan
import Drivers
import M3U8
import Support

/// URIs parsed, resolved and edited as RFC 3986 says, alone and on every line of a playlist. The first line is a base.
enum URICheck {
    static func run(_ input: inout FuzzInput, _ faults: inout Faults) {
        let end = input.text.firstIndex(of: ASCII.lineFeed) ?? input.text.count
        let base = Array(input.text[..<end])
        let rest = Array(input.text[min(end + 1, input.text.count)...])
        var naive = NaiveMapping()
        if input.choices.flag() { naive.base = NaiveURI(base) }
        if input.choices.flag() { naive.scheme = Array("skd".utf8) }
        if input.choices.flag() { naive.host = Array("[::1]".utf8) }
        if input.choices.flag() { naive.queryItem = Array("k=v".utf8) }
        guard let edits = try? URIEdits(scheme: naive.scheme, host: naive.host, queryItem: naive.queryItem) else {
            return faults.add("the edits are refused")
        }
        for line in rest.split(separator: ASCII.lineFeed).prefix(6) + [base[...]] {
            check(Array(line), base, naive, edits, &faults)
        }
        guard let mapping = try? URIMapping(base: naive.base.map { _ in base }, edits: edits) else {
            let isGood = NaiveURI(base).scheme != nil && !NaiveMapping.isData(base)
            let isPlain = base.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"<>\\^`{|}".utf8.contains($0) }
            return faults.expect(!(isGood && isPlain), "\(String(decoding: base, as: UTF8.self)) is refused as a base")
        }
        checkPlaylist(Array("#EXTM3U\n".utf8) + rest, base, mapping, naive, &input.choices, &faults)
    }

    private static func check(
        _ text: [UInt8], _ base: [UInt8], _ naive: NaiveMapping, _ edits: URIEdits, _ faults: inout Faults
    ) {
        let guarded = GuardedBytes(text)
        defer { withExtendedLifetime(guarded) {} }
        let reference = URIReference(ByteView(guarded.buffer))
        let parts = NaiveURI(text)
        func part(_ range: Range<Int>?) -> [UInt8]? { range.map { Array(text[$0]) } }
        let name = String(decoding: text, as: UTF8.self)
        faults.expect(part(reference.scheme), is: parts.scheme, "scheme of \(name)")
        faults.expect(part(reference.authority), is: parts.authority, "authority of \(name)")
        faults.expect(part(reference.path), is: parts.path, "path of \(name)")
        faults.expect(part(reference.query), is: parts.query, "query of \(name)")
        faults.expect(part(reference.fragment), is: parts.fragment, "fragment of \(name)")
        faults.expect(
            part(reference.host), is: parts.authority.map { Array($0[NaiveMapping.host(in: $0)]) }, "host of \(name)")
        faults.expect(reference.isData, is: NaiveMapping.isData(text), "data: \(name)")
        var output = ReusableBuffer<UInt8>()
        edits.write(reference, into: &output)
        faults.expect(Array(output.view), is: naive.edited(text), "\(name) edited")
        output.removeAll()
        let guardedBase = GuardedBytes(base)
        defer { withExtendedLifetime(guardedBase) {} }
        reference.writeResolved(against: URIReference(ByteView(guardedBase.leadingBuffer)), into: &output)
        let expected = NaiveMapping.resolved(text, against: NaiveURI(base))
        faults.expect(
            Array(output.view), is: expected, "\(name) seen from \(String(decoding: base, as: UTF8.self))")
    }

    /// The mapper does what the naive rewriter does, wherever the playlist is cut.
    private static func checkPlaylist(
        _ text: [UInt8], _ base: [UInt8], _ mapping: URIMapping, _ naive: NaiveMapping,
        _ choices: inout Choices, _ faults: inout Faults
    ) {
        guard let edits = try? PlaylistEdits([], observing: URIMapping.tags, selectsURIs: true) else {
            return faults.add("the mapping's tags are refused")
        }
        var rewriter = NaiveRewriter { line in decision(line, naive) }
        rewriter.longestLine = .max
        // The naive forms edit text.
        var expected = String(validating: text + base, as: UTF8.self).map { _ in rewriter.rewrite(text).bytes }
        var mapper = URIMapper(mapping)
        for split in [[0..<text.count], choices.split(of: text.count)] {
            let output = RewriterRun.output(of: edits, text, split) { line, edits in mapper.map(line, &edits) }
            faults.expect(output, is: expected ?? output, "mapped, \(Faults.words(split))")
            expected = output
            mapper.reset()
        }
    }

    private static func decision(_ line: NaivePlaylist.Line, _ naive: NaiveMapping) -> NaiveRewriter.Decision? {
        if line.isURI {
            let space = { (byte: UInt8) in NaiveAttributes.isSpace(byte) }
            let leading = line.content.prefix(while: space)
            let trailing = line.content.reversed().prefix { space($0) || $0 == ASCII.carriageReturn }.reversed()
            // White space and CRs alone, and what looks like a comment after white space, are no URIs.
            guard leading.count + trailing.count < line.content.count, line.content[leading.count] != ASCII.hash
            else { return nil }
            let uri = Array(line.content[leading.count..<(line.content.count - trailing.count)])
            let mapped = naive.map(uri)
            // A line cannot be replaced by two.
            return mapped.contains(ASCII.carriageReturn) ? nil : .replaceLine(leading + mapped + trailing)
        }
        guard let name = line.tagName.map({ String(decoding: $0, as: UTF8.self) }), let names = attributes[name],
            line.value != nil
        else { return nil }
        let items = NaiveAttributes.items(of: line.list)
        let operations = names.compactMap { name -> NaiveRewriter.Operation? in
            guard let item = items.first(where: { $0.name == Array(name.utf8) }) else { return nil }
            let uri = item.content
            let mapped = naive.map(uri)
            let value = [ASCII.quote] + mapped + [ASCII.quote]
            // A value that breaks the list is not written.
            let fits =
                NaiveAttributes.isClosed(value) && NaiveAttributes.pieces(of: value).count == 1
                && !value.contains(ASCII.carriageReturn)
            return mapped == uri || !fits ? nil : .replace(name: name, value: String(decoding: value, as: UTF8.self))
        }
        return .attributes(operations)
    }

    private static let attributes = [
        "EXT-X-KEY": ["URI"], "EXT-X-MAP": ["URI"], "EXT-X-MEDIA": ["URI"], "EXT-X-I-FRAME-STREAM-INF": ["URI"],
        "EXT-X-SESSION-KEY": ["URI"], "EXT-X-SESSION-DATA": ["URI"], "EXT-X-PART": ["URI"],
        "EXT-X-PRELOAD-HINT": ["URI"], "EXT-X-RENDITION-REPORT": ["URI"], "EXT-X-IMAGE-STREAM-INF": ["URI"],
        "EXT-X-CONTENT-STEERING": ["SERVER-URI"], "EXT-X-DATERANGE": ["X-ASSET-URI", "X-ASSET-LIST"],
    ]
}
