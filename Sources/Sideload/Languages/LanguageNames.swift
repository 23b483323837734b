internal import ByteScan

/// What languages are called in themselves.
///
/// How to change this: an entry is a tag in its recommended form and the name that players show, a comma between two.
/// Languages for which a script tells more than a region have an entry for each script. What is written from the right
/// has lines of its own.
enum LanguageNames {
    /// What a track in `language` is called: `Français`, `Français (SDH)`, `Français (forced)` or, if it is both,
    /// `Français (forced, SDH)`.
    ///
    /// A language whose name is not known is called by its tag as it was given, and so is what is no tag.
    static func name(of language: [UInt8], isForced: Bool, isSDH: Bool) -> [UInt8] {
        var name = language
        if let tag = LanguageTag(language), let known = self.name(of: tag) { name = known }
        let flags: StaticString? =
            switch (isForced, isSDH) {
            case (false, false): nil
            case (true, false): " (forced)"
            case (false, true): " (SDH)"
            case (true, true): " (forced, SDH)"
            }
        return flags.map { name + Array(ByteView($0)) } ?? name
    }

    /// The name of the language of `tag`, with what more the tag says after it; nil if it is not known.
    ///
    ///     sv     Svenska
    ///     pt-BR  Português (Brasil)
    ///     en-GB  English (GB)
    static func name(of tag: LanguageTag) -> [UInt8]? {
        var known = tag.bytes[...]
        while !known.isEmpty {
            if let name = listed(known) {
                let rest = tag.bytes[known.endIndex...].dropFirst()
                return rest.isEmpty ? name : name + Array(ByteView(" (")) + rest + [UInt8(ascii: ")")]
            }
            known = known[..<(known.lastIndex(of: ASCII.hyphen) ?? known.startIndex)]
        }
        return nil
    }

    /// The name in the entry that begins with `tag`.
    private static func listed(_ tag: ArraySlice<UInt8>) -> [UInt8]? {
        for part in ByteView(names).split(separator: ASCII.comma) {
            let entry = part.drop { $0 <= ASCII.space }
            guard entry.starts(with: tag), entry.dropFirst(tag.count).first == ASCII.space else { continue }
            return Array(entry.dropFirst(tag.count + 1))
        }
        return nil
    }

    private static var names: StaticString {
        """
        bg Български, bn বাংলা, bs Bosanski, ca Català, cs Čeština, cy Cymraeg, da Dansk, de Deutsch, el Ελληνικά,
        en English, es Español, es-419 Español (Latinoamérica), et Eesti, eu Euskara, fi Suomi, fil Filipino,
        fr Français, ga Gaeilge, gl Galego, gu ગુજરાતી, hi हिन्दी, hr Hrvatski, hu Magyar, hy Հայերեն,
        id Bahasa Indonesia, is Íslenska, it Italiano, ja 日本語, ka ქართული, kk Қазақ тілі, km ខ្មែរ, kn ಕನ್ನಡ, ko 한국어,
        lo ລາວ, lt Lietuvių, lv Latviešu, mk Македонски, ml മലയാളം, mn Монгол, mr मराठी, ms Bahasa Melayu,
        my မြန်မာဘာသာ, nb Norsk bokmål, ne नेपाली, nl Nederlands, nn Norsk nynorsk, no Norsk, pa ਪੰਜਾਬੀ, pl Polski,
        pt Português, pt-BR Português (Brasil), ro Română, ru Русский, si සිංහල, sk Slovenčina, sl Slovenščina,
        sq Shqip, sr Српски, sr-Latn Srpski, sv Svenska, sw Kiswahili, ta தமிழ், te తెలుగు, th ไทย, tl Tagalog,
        tr Türkçe, uk Українська, uz Oʻzbekcha, vi Tiếng Việt, yue 粵語, zh 中文, zh-Hans 简体中文, zh-Hant 繁體中文, zu isiZulu,
        ar العربية,
        fa فارسی,
        he עברית,
        ur اردو
        """
    }
}
