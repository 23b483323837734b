/// What languages are called in themselves.
///
/// How to change this: a line is a tag in its recommended form and the name that players show. Languages for which a script
/// tells more than a region have a line for each script.
enum LanguageNames {
    /// The name of the language of `tag`, with what more the tag says after it; nil if it is not known.
    ///
    ///     sv     Svenska
    ///     pt-BR  Português (Brasil)
    ///     en-GB  English (GB)
    static func name(of tag: String) -> String? {
        var known = tag.pieces(at: "-")
        var rest: [String] = []
        while !known.isEmpty {
            if let name = table[known.joined(separator: "-")] {
                return rest.isEmpty ? name : "\(name) (\(rest.joined(separator: "-")))"
            }
            rest.insert(known.removeLast(), at: 0)
        }
        return nil
    }

    private static let table: [String: String] = [
        "ar": "العربية",
        "bg": "Български",
        "bn": "বাংলা",
        "bs": "Bosanski",
        "ca": "Català",
        "cs": "Čeština",
        "cy": "Cymraeg",
        "da": "Dansk",
        "de": "Deutsch",
        "el": "Ελληνικά",
        "en": "English",
        "es": "Español",
        "es-419": "Español (Latinoamérica)",
        "et": "Eesti",
        "eu": "Euskara",
        "fa": "فارسی",
        "fi": "Suomi",
        "fil": "Filipino",
        "fr": "Français",
        "ga": "Gaeilge",
        "gl": "Galego",
        "gu": "ગુજરાતી",
        "he": "עברית",
        "hi": "हिन्दी",
        "hr": "Hrvatski",
        "hu": "Magyar",
        "hy": "Հայերեն",
        "id": "Bahasa Indonesia",
        "is": "Íslenska",
        "it": "Italiano",
        "ja": "日本語",
        "ka": "ქართული",
        "kk": "Қазақ тілі",
        "km": "ខ្មែរ",
        "kn": "ಕನ್ನಡ",
        "ko": "한국어",
        "lo": "ລາວ",
        "lt": "Lietuvių",
        "lv": "Latviešu",
        "mk": "Македонски",
        "ml": "മലയാളം",
        "mn": "Монгол",
        "mr": "मराठी",
        "ms": "Bahasa Melayu",
        "my": "မြန်မာဘာသာ",
        "nb": "Norsk bokmål",
        "ne": "नेपाली",
        "nl": "Nederlands",
        "nn": "Norsk nynorsk",
        "no": "Norsk",
        "pa": "ਪੰਜਾਬੀ",
        "pl": "Polski",
        "pt": "Português",
        "pt-BR": "Português (Brasil)",
        "ro": "Română",
        "ru": "Русский",
        "si": "සිංහල",
        "sk": "Slovenčina",
        "sl": "Slovenščina",
        "sq": "Shqip",
        "sr": "Српски",
        "sr-Latn": "Srpski",
        "sv": "Svenska",
        "sw": "Kiswahili",
        "ta": "தமிழ்",
        "te": "తెలుగు",
        "th": "ไทย",
        "tl": "Tagalog",
        "tr": "Türkçe",
        "uk": "Українська",
        "ur": "اردو",
        "uz": "Oʻzbekcha",
        "vi": "Tiếng Việt",
        "yue": "粵語",
        "zh": "中文",
        "zh-Hans": "简体中文",
        "zh-Hant": "繁體中文",
        "zu": "isiZulu",
    ]
}
