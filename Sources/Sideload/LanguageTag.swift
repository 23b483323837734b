struct LanguageTag { let bytes: [UInt8]; init(_ b: [UInt8]) throws(StubError) { bytes = b } }
enum StubError: Error { case x }
