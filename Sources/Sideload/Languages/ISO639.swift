internal import ByteScan

/// The three-letter codes of ISO 639-2 that have a two-letter code in ISO 639-1.
///
/// How to change this: an entry is seven bytes, the three-letter code, `=`, the two-letter code and one separator, a
/// space or the end of the line. The codes are in alphabetical order, for a binary search. Twenty languages have two
/// codes here, a bibliographic and a terminological one (`ger`, `deu`). Three codes are withdrawn, but files still have
/// them: `mol`, now Romanian, `scc`, the former `srp`, and `scr`, the former `hrv`. The set is closed: a language that
/// has only a three-letter code will not be given a shorter one (RFC 5646 3.4).
enum ISO639 {
    private static var table: StaticString {
        """
        aar=aa abk=ab afr=af aka=ak alb=sq amh=am ara=ar arg=an arm=hy asm=as ava=av ave=ae aym=ay aze=az bak=ba
        bam=bm baq=eu bel=be ben=bn bih=bh bis=bi bod=bo bos=bs bre=br bul=bg bur=my cat=ca ces=cs cha=ch che=ce
        chi=zh chu=cu chv=cv cor=kw cos=co cre=cr cym=cy cze=cs dan=da deu=de div=dv dut=nl dzo=dz ell=el eng=en
        epo=eo est=et eus=eu ewe=ee fao=fo fas=fa fij=fj fin=fi fra=fr fre=fr fry=fy ful=ff geo=ka ger=de gla=gd
        gle=ga glg=gl glv=gv gre=el grn=gn guj=gu hat=ht hau=ha heb=he her=hz hin=hi hmo=ho hrv=hr hun=hu hye=hy
        ibo=ig ice=is ido=io iii=ii iku=iu ile=ie ina=ia ind=id ipk=ik isl=is ita=it jav=jv jpn=ja kal=kl kan=kn
        kas=ks kat=ka kau=kr kaz=kk khm=km kik=ki kin=rw kir=ky kom=kv kon=kg kor=ko kua=kj kur=ku lao=lo lat=la
        lav=lv lim=li lin=ln lit=lt ltz=lb lub=lu lug=lg mac=mk mah=mh mal=ml mao=mi mar=mr may=ms mkd=mk mlg=mg
        mlt=mt mol=ro mon=mn mri=mi msa=ms mya=my nau=na nav=nv nbl=nr nde=nd ndo=ng nep=ne nld=nl nno=nn nob=nb
        nor=no nya=ny oci=oc oji=oj ori=or orm=om oss=os pan=pa per=fa pli=pi pol=pl por=pt pus=ps que=qu roh=rm
        ron=ro rum=ro run=rn rus=ru sag=sg san=sa scc=sr scr=hr sin=si slk=sk slo=sk slv=sl sme=se smo=sm sna=sn
        snd=sd som=so sot=st spa=es sqi=sq srd=sc srp=sr ssw=ss sun=su swa=sw swe=sv tah=ty tam=ta tat=tt tel=te
        tgk=tg tgl=tl tha=th tib=bo tir=ti ton=to tsn=tn tso=ts tuk=tk tur=tr twi=tw uig=ug ukr=uk urd=ur uzb=uz
        ven=ve vie=vi vol=vo wel=cy wln=wa wol=wo xho=xh yid=yi yor=yo zha=za zho=zh zul=zu
        """
    }

    private static var entrySize: Int { 7 }

    /// The two-letter code of the language that `code`, in lower case, stands for; nil if it has none.
    static func twoLetterCode(for code: ArraySlice<UInt8>) -> [UInt8]? {
        guard code.count == 3 else { return nil }
        let entries = ByteView(table)
        var low = 0
        var high = (entries.count + 1) / entrySize
        while low < high {
            let middle = (low + high) / 2
            let entry = entries.suffix(from: middle * entrySize)
            switch order(of: code, and: entry) {
            case 0: return [entry[4], entry[5]]
            case ..<0: high = middle
            default: low = middle + 1
            }
        }
        return nil
    }

    /// Whether `code`, in lower case, is the two-letter code of a language.
    static func hasShortCode(_ code: ArraySlice<UInt8>) -> Bool {
        code.count == 2 && ByteView(table).split { $0 <= ASCII.space }.contains { $0.suffix(2).elementsEqual(code) }
    }

    /// Less than 0 if `code` comes before the code of `entry`, 0 if they are the same.
    private static func order(of code: ArraySlice<UInt8>, and entry: ByteView) -> Int {
        for (offset, byte) in code.enumerated() where byte != entry[offset] { return Int(byte) - Int(entry[offset]) }
        return 0
    }
}
