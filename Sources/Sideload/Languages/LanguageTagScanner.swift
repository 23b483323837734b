internal import ByteScan

/// Reads a language tag from left to right, subtag by subtag (RFC 5646 2.1).
///
///     langtag    = language ["-" script] ["-" region] *("-" variant) *("-" extension) ["-" privateuse]
///     language   = 2*3ALPHA ["-" extlang] / 4*8ALPHA
///     extlang    = 3ALPHA *2("-" 3ALPHA)
///     script     = 4ALPHA
///     region     = 2ALPHA / 3DIGIT
///     variant    = 5*8alphanum / (DIGIT 3alphanum)
///     extension  = singleton 1*("-" (2*8alphanum))
///     privateuse = "x" 1*("-" (1*8alphanum))
///
/// No subtag can be two of these in the same position, so reading never has to go back.
struct LanguageTagScanner {
    /// The tag in lower case, with hyphens.
    private var bytes: [UInt8]
    /// The next subtag; empty after the last one.
    private var subtag = 0..<0
    private var primaryLanguage = 0..<0

    /// Reads no more of `tag` than tells that it is too long. An underscore is a hyphen.
    init(_ tag: some Collection<UInt8>) {
        bytes = tag.prefix(LanguageTag.longestTag + 1)
            .map { $0 == UInt8(ascii: "_") ? ASCII.hyphen : ASCII.lowercased($0) }
    }

    /// Reads the whole tag, and tells whether it is one.
    mutating func scan() -> Bool {
        guard hasSubtags else { return false }
        subtag = 0..<endOfSubtag(from: 0)
        primaryLanguage = subtag
        // All of those have a hyphen.
        if primaryLanguage.upperBound < bytes.count, isIrregular { return true }
        if !isPrivateUse {
            guard scanLanguage() else { return false }
            skip { $0.isLetters(4...4) }
            skip { $0.isLetters(2...2) || $0.isDigits(3) }
            guard scanVariants(), scanExtensions() else { return false }
        }
        if isPrivateUse, !scanSubtags(ofAtLeast: 1) { return false }
        return subtag.isEmpty
    }

    /// Whether there are only letters, digits and hyphens, and subtags of one to eight bytes.
    private var hasSubtags: Bool {
        guard bytes.count <= LanguageTag.longestTag else { return false }
        var count = 0
        for byte in bytes {
            if byte == ASCII.hyphen {
                if count == 0 { return false }
                count = 0
            } else {
                count += 1
                guard count <= 8, ASCII.isLetter(byte) || ASCII.isDigit(byte) else { return false }
            }
        }
        return count > 0
    }

    private mutating func scanLanguage() -> Bool {
        guard isLetters(2...8) else { return false }
        let mayHaveExtension = subtag.count <= 3
        advance()
        if mayHaveExtension { for _ in 0..<3 { skip { $0.isLetters(3...3) } } }
        return true
    }

    /// Reads variants, of which none may be there twice.
    private mutating func scanVariants() -> Bool {
        let start = subtag.lowerBound
        while subtag.count >= 5 || (subtag.count == 4 && ASCII.isDigit(bytes[subtag.lowerBound])) {
            let variants = bytes[start..<max(start, subtag.lowerBound - 1)].split(separator: ASCII.hyphen)
            if variants.contains(where: { $0.elementsEqual(bytes[subtag]) }) { return false }
            advance()
        }
        return true
    }

    private mutating func scanExtensions() -> Bool {
        var seen: UInt64 = 0
        while subtag.count == 1, !isPrivateUse {
            let singleton = bytes[subtag.lowerBound]
            let bit: UInt64 = 1 << UInt64(ASCII.digit(singleton) ?? singleton &- UInt8(ascii: "a") &+ 10)
            guard seen & bit == 0, scanSubtags(ofAtLeast: 2) else { return false }
            seen |= bit
        }
        return true
    }

    /// Reads the next subtag, of one byte, and one or more subtags after it.
    private mutating func scanSubtags(ofAtLeast count: Int) -> Bool {
        advance()
        guard subtag.count >= count else { return false }
        while subtag.count >= count { advance() }
        return true
    }

    private var isPrivateUse: Bool { subtag.count == 1 && bytes[subtag.lowerBound] == UInt8(ascii: "x") }

    private func isLetters(_ counts: ClosedRange<Int>) -> Bool {
        counts ~= subtag.count && bytes[subtag].allSatisfy(ASCII.isLetter)
    }

    private func isDigits(_ count: Int) -> Bool { subtag.count == count && bytes[subtag].allSatisfy(ASCII.isDigit) }

    private mutating func skip(where matches: (LanguageTagScanner) -> Bool) { if matches(self) { advance() } }

    private mutating func advance() {
        let start = min(subtag.upperBound + 1, bytes.count)
        subtag = start..<endOfSubtag(from: start)
    }

    private func endOfSubtag(from start: Int) -> Int { bytes[start...].firstIndex(of: ASCII.hyphen) ?? bytes.count }
}

extension LanguageTagScanner {
    /// The tag with its two-letter language and the case of 2.1.1: all in lower case, but regions `US` and scripts
    /// `Latn`.
    ///
    /// After a singleton, two letters are no region and four no script.
    func recommendedForm() -> [UInt8] {
        var form = ISO639.twoLetterCode(for: bytes[primaryLanguage]) ?? Array(bytes[primaryLanguage])
        var hasSingleton = primaryLanguage.count == 1
        var start = primaryLanguage.upperBound + 1
        while start < bytes.count {
            let end = endOfSubtag(from: start)
            form.append(ASCII.hyphen)
            hasSingleton = hasSingleton || end - start == 1
            for position in start..<end {
                let isCapital = !hasSingleton && (end - start == 2 || (end - start == 4 && position == start))
                form.append(isCapital && ASCII.isLetter(bytes[position]) ? bytes[position] & ~0x20 : bytes[position])
            }
            start = end + 1
        }
        return form
    }
}

extension LanguageTagScanner {
    /// Whether the tag is one from before the grammar that does not fit it, as RFC 5646 2.1 lists them.
    ///
    /// How to change this: not at all, the list is closed. The regular ones (`zh-min-nan`, `art-lojban`) are not in it,
    /// because they fit the grammar. The tags are in lower case.
    private var isIrregular: Bool {
        ByteView(
            """
            en-gb-oed i-ami i-bnn i-default i-enochian i-hak i-klingon i-lux i-mingo i-navajo i-pwn i-tao i-tay i-tsu
            sgn-be-fr sgn-be-nl sgn-ch-de
            """
        ).lists(bytes[...])
    }
}

extension ByteView {
    /// Whether `word` is one of the words here, between which are spaces or line feeds.
    func lists(_ word: ArraySlice<UInt8>) -> Bool {
        var start = 0
        while start < count {
            let end = offset(from: start) { $0 != ASCII.space && $0 != ASCII.lineFeed }
            if end - start == word.count, self[start..<end].elementsEqual(word) { return true }
            start = end + 1
        }
        return false
    }
}
