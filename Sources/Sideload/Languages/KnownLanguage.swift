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
        guard let language = subtags.popFirst(), ByteView(Self.codes).lists(language) else { return nil }
        if let script = subtags.first, ByteView(Self.scripts).lists(script) { subtags.removeFirst() }
        if let region = subtags.first, region.count == 2 || region.allSatisfy({ ASCII.digit($0) != nil }) {
            subtags.removeFirst()
        }
        guard subtags.isEmpty else { return nil }
        self = tag
    }

    private static var scripts: StaticString {
        """
        Arab Armn Beng Cyrl Deva Ethi Geor Grek Gujr Guru Hans Hant Hebr Jpan Khmr Knda Kore Laoo Latn Mlym Mong Mymr Orya
        Sinh Taml Telu Thai Tibt
        """
    }

    /// ISO 639-1, then ISO 639-2, bibliographic and terminological codes. The latter grow by a code in some years.
    private static var codes: StaticString {
        """
        aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en
        eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja
        jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb
        nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq
        sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
        aar abk ace ach ada ady afh afr ain aka akk alb ale alt amh ang anp ara arc arg arm arn arp arw asm ast ava
        ave awa aym aze bak bal bam ban baq bas bej bel bem ben bho bik bin bis bla bod bos bra bre bua bug bul bur
        byn cad car cat ceb ces cha chb che chg chi chk chm chn cho chp chr chu chv chy cnr cop cor cos cre crh csb
        cym cze dak dan dar del den deu dgr din div doi dsb dua dum dut dyu dzo efi egy eka ell elx eng enm epo est
        eus ewe ewo fan fao fas fat fij fil fin fon fra fre frm fro frr frs fry ful fur gaa gay gba geo ger gez gil
        gla gle glg glv gmh goh gon gor got grb grc gre grn gsw guj gwi hai hat hau haw heb her hil him hin hit hmn
        hmo hrv hsb hun hup hye iba ibo ice ido iii iku ile ilo ina ind inh ipk isl ita jav jbo jpn jpr jrb kaa kab
        kac kal kam kan kas kat kau kaw kaz kbd kha khm kho kik kin kir kmb kok kom kon kor kos kpe krc krl kru kua
        kum kur kut lad lah lam lao lat lav lez lim lin lit lol loz ltz lua lub lug lui lun luo lus mac mad mag mah
        mai mak mal man mao mar mas may mdf mdr men mga mic min mkd mlg mlt mnc mni moh mon mos mri msa mus mwl mwr
        mya myv nap nau nav nbl nde ndo nds nep new nia niu nld nno nob nog non nor nqo nso nwc nya nym nyn nyo nzi
        oci oji ori orm osa oss ota pag pal pam pan pap pau peo per phn pli pol pon por pro pus que raj rap rar roh
        rom ron rum run rup rus sad sag sah sam san sas sat scn sco sel sga shn sid sin slk slo slv sma sme smj smn
        smo sms sna snd snk sog som sot spa sqi srd srn srp srr ssw suk sun sus sux swa swe syc syr tah tam tat tel
        tem ter tet tgk tgl tha tib tig tir tiv tkl tlh tli tmh tog ton tpi tsi tsn tso tuk tum tur tvl twi tyv udm
        uga uig ukr umb urd uzb vai ven vie vol vot wal war was wel wln wol xal xho yao yap yid yor zap zbl zen zgh
        zha zho zul zun zza
        """
    }
}
