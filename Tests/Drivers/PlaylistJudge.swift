import ByteScan
import M3U8
import Sideload

/// A rewriter of playlists, which also tells what it has made of one.
public protocol PlaylistJudge: ~Copyable, StreamRewriter where Failure == LimitError {
    var verdict: PlaylistVerdict { get }
    var verdictPosition: Int? { get }
    var position: Int { get }
    var uneditableLines: Int { get }
    var firstUneditableLine: Int? { get }
    var exceededLimit: LimitError? { get }
}

extension PlaylistRewriter: PlaylistJudge {}

extension MasterRewriter: PlaylistJudge {}
