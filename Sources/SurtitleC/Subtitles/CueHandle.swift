// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

internal import ByteScan
public import CSurtitle
internal import WebVTT

/// A scanner of cues that a caller of the C interface keeps.
///
/// A cue's bytes are the chunk's, or carried, during the scan alone. So they are copied.
@safe
final class CueHandle: Handle {
    private var scanner: CueScanner

    /// How many blocks were longer than the limit.
    private(set) var skipped = 0

    // What is handed out.
    private var texts = HandedTexts()
    private var cues = unsafe ReusableBuffer<surtitle_cue>()

    init(largestBlock: Int) { scanner = CueScanner(limits: CueLimits(largestBlock: largestBlock)) }

    override func reset() {
        super.reset()
        scanner.reset()
        skipped = 0
    }

    /// Scans `chunk`, or ends the file if that is nil.
    fileprivate func scan(
        to place: ArrayPlace<surtitle_cue>, _ chunk: UnsafeRawBufferPointer?
    ) throws(Refusal) -> surtitle_status {
        try unsafe begin(chunk)
        texts.removeAll()
        unsafe cues.removeAll()
        // The policy is to skip what is too long, so nothing is thrown.
        if let chunk = unsafe chunk {
            try? unsafe scanner.scan(chunk) { note($0) }
        } else {
            try? scanner.finish { note($0) }
        }
        unsafe place.give(cues.elements)
        return scanner.signature == .invalid ? SURTITLE_NOT_WEBVTT : SURTITLE_OK
    }

    private func note(_ event: CueEvent) {
        switch event {
        case .cue(let cue):
            let identifier = texts.append(cue.identifier.bytes)
            let settings = texts.append(cue.settingsText.bytes)
            let text = texts.append(cue.text.bytes)
            unsafe cues.append(
                surtitle_cue(
                    start_milliseconds: cue.start.milliseconds, end_milliseconds: cue.end.milliseconds,
                    position: UInt64(cue.position), identifier: identifier.start, identifier_count: identifier.count,
                    settings: settings.start, settings_count: settings.count, text: text.start, text_count: text.count))
        case .skipped: skipped += 1
        default: break
        }
    }
}

@c @implementation
public func surtitle_cue_scanner_create(_ largest_block: Int, _ scanner: Place<OpaquePointer?>!) -> Int32 {
    unsafe make(scanner, nil, CueHandle(largestBlock: try Arguments.limit(largest_block, or: CueLimits().largestBlock)))
}

@c @implementation
public func surtitle_cue_scanner_write(
    _ scanner: OpaquePointer!, _ bytes: UnsafeRawPointer!, _ count: Int, _ cues: StartPlace<surtitle_cue>!,
    _ cue_count: Place<Int>!
) -> Int32 {
    unsafe scanner.ask(CueHandle.self) { scanner throws(Refusal) in
        try unsafe scanner.scan(to: ArrayPlace(cues, cue_count), Arguments.bytes(bytes, count))
    }
}

@c @implementation
public func surtitle_cue_scanner_finish(
    _ scanner: OpaquePointer!, _ cues: StartPlace<surtitle_cue>!, _ cue_count: Place<Int>!
) -> Int32 {
    unsafe scanner.ask(CueHandle.self) { scanner throws(Refusal) in
        try unsafe scanner.scan(to: ArrayPlace(cues, cue_count), nil)
    }
}

@c @implementation
public func surtitle_cue_scanner_skipped(_ scanner: OpaquePointer!, _ skipped: Place<UInt64>!) -> Int32 {
    unsafe scanner.use(CueHandle.self) { scanner throws(Refusal) in
        try unsafe Arguments.required(skipped).pointee = UInt64(scanner.skipped)
    }
}

@c @implementation
public func surtitle_cue_scanner_reset(_ scanner: OpaquePointer!) -> Int32 { unsafe scanner.reset() }

@c @implementation
public func surtitle_cue_scanner_destroy(_ scanner: OpaquePointer!) { unsafe scanner.destroy(CueHandle.self) }
