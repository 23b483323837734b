import ByteScan
import CByteScan

// Cues as nearly all writers spell them, taken as wholes.
//
// A kernel finds them, and what becomes of one is known then: the same bytes, but for the commas of its times, with the
// blank line before it instead of after it. So cues that lie one after the other are copied at once.
//
//     1⏎00:00:01,000 --> 00:00:02,000⏎text⏎⏎2⏎00:00:03,000 --> …
//    ⏎1⏎00:00:01.000 --> 00:00:02.000⏎text⏎ ⏎2⏎00:00:03.000 --> …
//
// A cue whose lines end in CRLF, or with markup in it, is written line by line. All others come line by line, and this
// begins again after the next blank line.
extension SubRipCueWriter {
    /// Writes the cues that lie one after the other from `start`, and returns where the line after them begins.
    ///
    /// The line at `start` must be one at which a cue may begin: see ``expectsCue``. A cue of more than `longest` bytes
    /// is not taken, and none is once the output should be handed out.
    mutating func writeCues(in bytes: ByteView, from start: Int, longest: Int) -> Int {
        let count = finder.find(in: bytes, from: start)
        var index = 0
        while index < count, output.count < Self.outputSize {
            let first = index
            let room = finder[first].start &+ Self.outputSize &- output.count
            while index < count, finder[index].isVerbatim, finder[index].count <= longest,
                index == first || finder[index].end <= room
            { index &+= 1 }
            if index > first {
                copyCues(first..<index, of: bytes)
            } else if finder[index].count <= longest {
                writeCue(finder[index], of: bytes)
                index &+= 1
            } else {
                break
            }
        }
        return index > 0 ? finder[index &- 1].end : start
    }

    /// Copies some of the cues found last, all of them verbatim.
    private mutating func copyCues(_ found: Range<Int>, of bytes: ByteView) {
        takeCues(found.count)
        let start = finder[found.lowerBound].start
        output.append(ASCII.lineFeed)
        let moved = output.count &- start
        output.append(bytes[start..<finder[found.upperBound &- 1].blank])
        for index in found { pointTimes(at: moved &+ finder[index].times) }
    }

    /// Writes a cue line by line.
    private mutating func writeCue(_ cue: FoundCue, of bytes: ByteView) {
        takeCues(1)
        output.append(ASCII.lineFeed)
        output.append(bytes[cue.start..<(cue.times &- cue.terminator)])
        output.append(ASCII.lineFeed)
        let times = output.count
        output.append(bytes[cue.times..<(cue.text &- cue.terminator)])
        pointTimes(at: times)
        var start = cue.text
        while start < cue.blank {
            let end = (bytes.firstOffset(of: ASCII.lineFeed, from: start) ?? cue.blank) &+ 1
            let line = bytes[start..<(end &- cue.terminator)]
            if start == cue.text {
                if cue.isSpecial, let place = SubRipAlignment(leading: line) { output.append(place.settings) }
                output.append(ASCII.lineFeed)
            }
            if cue.isSpecial {
                SubRipText(line).write(to: &output, &document.styles)
            } else {
                output.append(line)
                output.append(ASCII.lineFeed)
            }
            start = end
        }
    }

    /// Notes that `count` cues begin, the last of which has text.
    private mutating func takeCues(_ count: Int) {
        endCue()
        document.stage = .text
        document.styles = SubRipStyles()
        document.cueCount &+= count
    }

    /// Makes the commas points of the times that begin at `offset` of the output.
    private mutating func pointTimes(at offset: Int) {
        output[offset &+ 8] = ASCII.period
        output[offset &+ 25] = ASCII.period
    }
}

extension FoundCue {
    /// How many bytes end each of its lines.
    fileprivate var terminator: Int { hasReturns ? 2 : 1 }

    /// Where the line after its blank line begins.
    fileprivate var end: Int { blank &+ terminator }

    /// How many bytes it has.
    fileprivate var count: Int { blank &- start }

    /// Whether nothing but the commas of its times changes.
    fileprivate var isVerbatim: Bool { !hasReturns && !isSpecial }
}
