internal import ByteScan

/// The tags of the time before the grammar, as RFC 5646 2.1 lists them.
///
/// Advice for those who change this: the list is closed, no tag will ever be added. The regular ones (`zh-min-nan`,
/// `art-lojban`) are not in it, because the grammar takes them. In lower case, with one line feed between two.
enum GrandfatheredTags {
    private static var irregular: StaticString {
        """
        en-gb-oed
        i-ami
        i-bnn
        i-default
        i-enochian
        i-hak
        i-klingon
        i-lux
        i-mingo
        i-navajo
        i-pwn
        i-tao
        i-tay
        i-tsu
        sgn-be-fr
        sgn-be-nl
        sgn-ch-de
        """
    }

    /// Whether `tag`, in lower case, is one that the grammar does not take.
    static func hasIrregular(_ tag: [UInt8]) -> Bool {
        let list = ByteView(irregular)
        var start = 0
        while start < list.count {
            let end = list.firstOffset(of: ASCII.lineFeed, from: start) ?? list.count
            if end - start == tag.count, tag.indices.allSatisfy({ tag[$0] == list[start + $0] }) { return true }
            start = end + 1
        }
        return false
    }
}
