import Delivery
import NIOCore
import NIOHTTP1

/// Something short of an origin's, whole: a key.
final class WholeBody: OriginGet.Reader {
    /// Keys have 16 bytes, those of DRM some thousand.
    private static let limit = 64 << 10

    private var bytes: [UInt8] = []
    private var done: (([UInt8]?) -> Void)?
    private var get: OriginGet?

    /// Asks for `url`, and calls `done` with what is there, or with nil.
    init(
        _ url: [UInt8], by pool: OriginPool, fields: @escaping ([UInt8]) -> [HeaderLine],
        done: @escaping ([UInt8]?) -> Void
    ) {
        self.done = done
        get = OriginGet(url, by: pool, for: self) { fields($0) + [HeaderLine("Accept-Encoding", "identity")] }
    }

    func cancel() {
        done = nil
        get?.cancel()
    }

    func began(_ status: Int, _ url: String, _ headers: HTTPHeaders) -> Bool {
        if status != 200 { finish(nil) }
        return status == 200
    }

    func read(_ chunk: ByteBuffer) -> Bool {
        bytes += chunk.readableBytesView
        if bytes.count > Self.limit { finish(nil) }
        return bytes.count <= Self.limit
    }

    func ended(isWhole: Bool) { finish(isWhole ? bytes : nil) }

    private func finish(_ bytes: [UInt8]?) {
        let done = done
        self.done = nil
        get = nil
        done?(bytes)
    }
}
