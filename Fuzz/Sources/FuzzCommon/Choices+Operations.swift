import Support

extension Choices {
    /// Up to `largest` changes of attributes, of few names, so that some meet.
    mutating func operations(upTo largest: Int) -> [NaiveRewriter.Operation] {
        (0..<number(upTo: largest)).map { _ in
            let byte = Int(byte())
            let name = Self.names[byte / 3 % Self.names.count]
            let value = Self.values[byte / 3 / Self.names.count % Self.values.count]
            switch byte % 3 {
            case 0: return .set(name: name, value: value)
            case 1: return .replace(name: name, value: value)
            default: return .remove(name: name)
            }
        }
    }

    private static let names = ["SUBTITLES", "A", "BANDWIDTH", "X-SUBTITLES", "CODECS", "URI"]
    private static let values = ["\"x\"", "1", "\"a,b=c\"", "\"\"", "\"longer than what was there before, by far\""]
}
