internal import Sideload

// The options that several subcommands have, and what SPEC is.

extension CommandOption {
    static var chunk: CommandOption {
        CommandOption("--chunk BYTES", "how much is read at a time (65536)") { _, arguments throws(Failure) in
            unsafe InputFile.chunk = try arguments.byteCount(upTo: InputFile.largestChunk)
        }
    }

    /// Where a command puts its one result.
    static func outputFile(_ path: WritableKeyPath<Target, String?>) -> CommandOption {
        CommandOption(
            "-o, --output FILE",
            """
            writes to FILE instead of standard output, once all has been done; with any other exit status than 0 FILE stays
            as it was. Its directory is made if it is not there
            """, .file, path)
    }

    /// Where a command puts its files.
    static func outputDirectory(_ path: WritableKeyPath<Target, String>) -> CommandOption {
        CommandOption("-o, --output DIR", "where the files go; made if it is not there", .directory) {
            command, arguments throws(Failure) in
            let value = try arguments.value()
            guard value != "-" else {
                throw .usage("-o is -, and several files do not go to standard output; name a directory")
            }
            command[keyPath: path] = value
        }
    }

    /// Whether files are replaced that no earlier run has made.
    static func force(_ path: WritableKeyPath<Target, Bool>) -> CommandOption {
        CommandOption(
            "--force",
            """
            replaces files in DIR that are there already, differ, and were not made by an earlier run; what the command reads is never
            overwritten
            """, path)
    }

    /// What the master is called that a command writes.
    static func masterName(_ path: WritableKeyPath<Target, String?>) -> CommandOption {
        CommandOption("--name NAME", "what MASTER is called in DIR, which may then be MASTER's own directory") {
            command, arguments throws(Failure) in
            let name = try arguments.value()
            guard !name.unicodeScalars.contains("/"), name != ".", name != ".." else {
                throw .usage("--name is \(name), which is no name of a file in DIR; leave directories to -o")
            }
            command[keyPath: path] = name
        }
    }

    /// What becomes of relative URIs of the master that a command writes.
    static func masterBase(_ path: WritableKeyPath<Target, MasterBase?>) -> CommandOption {
        CommandOption(
            "--base-uri URI",
            """
            resolves the relative URIs in MASTER against URI, from where it was fetched; with the word relative, they
            become the way from DIR to where MASTER is
            """, .words(["relative"])
        ) { command, arguments throws(Failure) in
            command[keyPath: path] = try MasterBase(arguments.value())
        }
    }

    static func replacesDefault(_ path: WritableKeyPath<Target, Bool>) -> CommandOption {
        CommandOption(
            "--replace-default", "a track with the flag default replaces the playlist's own default", path)
    }

    static func tracks(_ path: WritableKeyPath<Target, [TrackConfiguration]>) -> CommandOption {
        CommandOption("--track SPEC", "a track to add; at least one, here or in --config", TrackKey.specForm) {
            command, arguments throws(Failure) in
            let number = command[keyPath: path].count + 1
            command[keyPath: path].append(try TrackConfiguration(option: arguments.value(), number: number))
        }
    }

    /// Where else a command is told what to do.
    static func configuration(_ path: WritableKeyPath<Target, String?>) -> CommandOption {
        CommandOption(
            "--config FILE.json",
            """
            reads tracks, edits and limits from FILE.json, whose keys are below; options add to it, and one with a single
            value wins. Its paths are relative to its folder
            """, .file, path)
    }

    /// How files of cues are read.
    static func reading(_ path: WritableKeyPath<Target, SubtitleReading>) -> [CommandOption] {
        [
            CommandOption(
                "--from-encoding NAME",
                """
                the encoding of subtitles that are not valid UTF-8, such as windows-1252, shift_jis or gb18030, as the
                system's iconv calls it. What is UTF-8, what begins with WEBVTT, and UTF-16 with a byte order mark stay what
                they are.
                """, .words(["windows-1252", "shift_jis", "gb18030"])
            ) { command, arguments throws(Failure) in
                try command[keyPath: path].decode(from: arguments.value())
            },
            CommandOption(
                "--shift SECONDS",
                """
                shows every cue that much later, or earlier if it is negative: --shift -1.4 or 1:00. Cues that then end at or
                before 0 are left out, with a note.
                """
            ) { command, arguments throws(Failure) in
                try command[keyPath: path].shift(by: arguments.value(mayBeNegative: true))
            },
        ]
    }

    /// Which X-TIMESTAMP-MAP files of cues get.
    static func map(_ path: WritableKeyPath<Target, MapRequest>) -> [CommandOption] {
        [
            CommandOption(
                "--map auto|none|MPEGTS[:LOCAL]",
                """
                the X-TIMESTAMP-MAP of the WebVTT files: which time of the video is which time of the cues. Without one
                players show cues too early where the video's first time stamp is not 0. auto (the default) reads that from
                the video's first segment (MPEG-TS, fragmented MP4, packed audio; not of AES-128), which is a local file or is
                fetched, and keeps a file's own map; none leaves files as they are; tick MPEGTS (90 kHz) of the video is the cues'
                time LOCAL (00:00:00.000), whatever map a file has
                """, .words(["auto", "none"])
            ) { command, arguments throws(Failure) in
                try command[keyPath: path].choose(arguments.value())
            },
            CommandOption(
                "--map-from SEGMENT",
                "reads the first time stamp from this file; twice for an init segment and a segment", .file
            ) { command, arguments throws(Failure) in
                command[keyPath: path].read(from: try arguments.value())
            },
        ]
    }
}

extension TrackKey {
    /// What a SPEC is, for the help of the commands that add tracks.
    static let help = HelpBlock(
        title: "Tracks",
        text: "SPEC describes a track: comma-separated key=value, a comma in a value after a backslash.",
        terms: [
            Term(
                "PATH",
                """
                alone or before others: the local file of subtitles, of which the URI is made (movie.sv.vtt for
                subs/movie.sv.srt); its name tells the language, and the flags after it: .sdh, .cc or .hi, .forced or
                .foreign, .default
                """)
        ] + all.map { Term("\($0)", "\($0.help)") })

    /// What a SPEC may be.
    fileprivate static var specForm: ValueForm {
        .fields(all.map { ValueForm.Field(name: "\($0.name)", isFlag: $0.isFlag, form: $0.valueForm) })
    }

    private var valueForm: ValueForm {
        switch form {
        case .text: words.first.map { "\($0)" } == "FILE" ? .file : .free
        case .flag, .word: .words(words.map { "\($0)" })
        case .time, .shift, .anchor: .free
        }
    }
}
