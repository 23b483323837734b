internal import ByteScan

extension LanguageTag {
    /// The language of subtitles as the name of their file tells it, `sv`, `eng`, `pt-BR`, `zh_Hans`; nil if `word`
    /// names none.
    ///
    /// A word is a language only if its first part is a code of ISO 639-1 or ISO 639-2, codes for groups of languages
    /// aside, and the others are a script that subtitles have and a region. Any other tag may be a word of a title.
    init?(fileWord word: ArraySlice<UInt8>) {
        guard let tag = LanguageTag(word) else { return nil }
        var subtags = tag.bytes.split(separator: ASCII.hyphen)[...]
        guard let language = subtags.popFirst(), Self.isKnown(language) else { return nil }
        if let script = subtags.first, ByteView(Self.scripts).lists(script) { subtags = subtags.dropFirst() }
        if let region = subtags.first, region.count == 2 || region.allSatisfy({ ASCII.digit($0) != nil }) {
            subtags = subtags.dropFirst()
        }
        guard subtags.isEmpty else { return nil }
        self = tag
    }

    private static func isKnown(_ code: ArraySlice<UInt8>) -> Bool {
        // Bihari is a group.
        ISO639.hasShortCode(code) && !code.elementsEqual(ByteView("bh")) || ByteView(longCodes).lists(code)
    }

    private static var scripts: StaticString {
        """
        Arab Armn Beng Cyrl Deva Ethi Geor Grek Gujr Guru Hans Hant Hebr Jpan Khmr Knda Kore Laoo Latn Mlym Mong Mymr Orya
        Sinh Taml Telu Thai Tibt
        """
    }

    /// The codes of ISO 639-2 that have none in ISO 639-1; ``ISO639`` has the others. They grow by a code in some
    /// years.
    private static var longCodes: StaticString {
        """
        ace ach ada ady afh ain akk ale alt ang anp arc arn arp arw ast awa bal ban bas bej bem bho bik bin bla bra
        bua bug byn cad car ceb chb chg chk chm chn cho chp chr chy cnr cop crh csb dak dar del den dgr din doi dsb
        dua dum dyu efi egy eka elx enm ewo fan fat fil fon frm fro frr frs fur gaa gay gba gez gil gmh goh gon gor
        got grb grc gsw gwi hai haw hil him hit hmn hsb hup iba ilo inh jbo jpr jrb kaa kab kac kam kaw kbd kha kho
        kmb kok kos kpe krc krl kru kum kut lad lah lam lez lol loz lua lui lun luo lus mad mag mai mak man mas mdf
        mdr men mga mic min mnc mni moh mos mus mwl mwr myv nap nds new nia niu nog non nqo nso nwc nym nyn nyo nzi
        osa ota pag pal pam pap pau peo phn pon pro raj rap rar rom rup sad sah sam sas sat scn sco sel sga shn sid
        sma smj smn sms snk sog srn srr suk sus sux syc syr tem ter tet tig tiv tkl tlh tli tmh tog tpi tsi tum tvl
        tyv udm uga umb vai vot wal war was xal yao yap zap zbl zen zgh zun zza
        """
    }
}
