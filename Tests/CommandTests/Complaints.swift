import Testing

/// Expects one line that names `file` and holds `reason`.
func expectOneLine(
    _ errors: String, about file: String, _ reason: String, sourceLocation: SourceLocation = #_sourceLocation
) {
    let lines = errors.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 2 && lines.last == "", "\(errors)", sourceLocation: sourceLocation)
    #expect(errors.hasPrefix("surtitle: "), "\(errors)", sourceLocation: sourceLocation)
    #expect(errors.contains(file) && errors.contains(reason), "\(errors)", sourceLocation: sourceLocation)
}
