/*
 * surtitle.h - subtitles beside an HLS stream, while its playlists pass by
 *
 * SYNOPSIS
 *
 *     #include <surtitle.h>                        cc program.c $(pkg-config --cflags --libs surtitle)
 *
 *     surtitle_configuration *configuration;       // once: what is done to playlists
 *     surtitle_configuration_create(&settings, &configuration, &error);
 *     surtitle_rewriter *rewriter;                 // one a response, used again
 *     surtitle_rewriter_create(configuration, NULL, &rewriter);
 *
 *     surtitle_rewriter_write(rewriter, bytes, count, &pieces, &piece_count);     // any chunk, any number of times
 *     for (size_t i = 0; i < piece_count; i++) send(pieces[i].bytes, pieces[i].count);
 *     surtitle_rewriter_finish(rewriter, &pieces, &piece_count);                  // or _abandon, if the source broke off
 *     surtitle_rewriter_reset(rewriter);                                          // for the next response
 *
 * For players that ask for one URL after the other there are routes, and for what they need of origins fetches: see there.
 *
 * DESCRIPTION
 *
 * Every function that can fail returns an int: one of enum surtitle_status, 0 for success. surtitle_status_text() puts it into words.
 * No function takes a callback for output: what there is, is in an array or in your memory when the call returns. So nothing of the
 * library is running while you send. The allocation hooks are the one exception: see surtitle_set_allocator().
 *
 * Misuse. A NULL handle, NULL bytes with a count above 0, a NULL place for a result, a count above PTRDIFF_MAX, a value that no enum
 * has, a struct whose `size` is too small, a call after the end: each is a status, and nothing has been done then. What cannot be
 * noticed: a handle that has been destroyed, a pointer to memory that is not there.
 *
 * Texts are pointers and lengths, in UTF-8, and need no NUL at their end. Invalid UTF-8 is refused. A text whose `bytes` is NULL is
 * not given; one of 0 bytes that is not NULL is empty. The bytes of playlists, subtitles and header fields may be
 * anything; they go in as `const void *`, so that a `char *` needs no cast.
 *
 * Structs that you fill or hand over for filling begin with `size`: set it to sizeof of the struct. A later version of the library may
 * add fields to their ends, and reads and writes no more than `size` says. Set the rest to 0 first. Of an array of such structs all
 * have the same size.
 *
 *     surtitle_settings settings = {sizeof settings};
 *
 * Memory. What a handle hands out by pointer is valid until the next call on the same handle or its destruction, unless the
 * function says otherwise. What you hand over is never needed after the call. Memory that the library cannot get ends the process.
 *
 * Threads. Handles of the same kind know nothing of each other. A handle may be used by one thread at a time, and may move from thread
 * to thread. A surtitle_configuration, a surtitle_http_rules and a surtitle_router never change: any number of threads use them at once,
 * and so do processes forked after their creation. Only destroying them needs that no call on them is running. Functions without a handle may be
 * called from anywhere.
 *
 * Versions follow Semantic Versioning. Statuses and the values of enums keep their numbers; later versions may have more.
 */
#ifndef SURTITLE_H
#define SURTITLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version --------------------------------------------------------------------------------------------------------------- */

/* The version that this header belongs to. */
#define SURTITLE_VERSION_MAJOR 0
#define SURTITLE_VERSION_MINOR 1
#define SURTITLE_VERSION_PATCH 0
#define SURTITLE_VERSION_NUMBER (SURTITLE_VERSION_MAJOR * 1000000 + SURTITLE_VERSION_MINOR * 1000 + SURTITLE_VERSION_PATCH)

/* The version of the library that runs, as SURTITLE_VERSION_NUMBER. */
uint32_t surtitle_version(void);

/* The version of the library that runs, "0.1.0". It ends in a NUL and lives as long as the library is loaded. */
const char *surtitle_version_text(void);

/* ---- Statuses -------------------------------------------------------------------------------------------------------------- */

typedef enum surtitle_status {
    SURTITLE_OK = 0,

    /* Answers that are no failures. */
    SURTITLE_NOT_FOUND = 1,   /* there is none: no cue */
    SURTITLE_NEEDS_MORE = 2,  /* the bytes so far do not tell; hand over more */
    SURTITLE_UNDECIDED = 3,   /* the budget of bytes is spent, and the answer is not known */
    SURTITLE_MORE_OUTPUT = 4, /* your memory is full, and output is left: surtitle_rewriter_take() */
    SURTITLE_TOO_SMALL = 5,   /* your memory is too small for the whole; how much is needed has been told */
    SURTITLE_NEEDS_DECRYPTION = 6, /* bytes are to be decrypted: surtitle_fetch_decryption() */

    /* Misuse; nothing has been done. */
    SURTITLE_NULL_ARGUMENT = 16, /* a pointer is NULL that may not be */
    SURTITLE_TOO_LONG = 17,      /* a count is above PTRDIFF_MAX */
    SURTITLE_STRUCT_SIZE = 18,   /* a struct's size is less than what this version needs, or differs within an array */
    SURTITLE_INVALID_VALUE = 19, /* a number is not among those that it may be */
    SURTITLE_ENDED = 20,         /* the playlist or file has ended; reset the handle first */
    SURTITLE_OUTPUT_LEFT = 21,   /* output is left; take it first */
    SURTITLE_BUSY = 22,          /* the call comes from inside another on the same handle: from an allocation hook */
    SURTITLE_UNSUPPORTED = 23,   /* this build of the library cannot do it */
    SURTITLE_TOO_LATE = 24,      /* memory has been allocated already, or the hooks are set */

    /* Values that are refused; struct surtitle_error says which and why. */
    SURTITLE_INVALID_UTF8 = 32,          /* a text is not UTF-8 */
    SURTITLE_TRACK_REFUSED = 33,         /* a track's field, or tracks that contradict each other */
    SURTITLE_EDIT_REFUSED = 34,          /* an edit of lines */
    SURTITLE_URI_REFUSED = 35,           /* a part of a URI, or a base */
    SURTITLE_CONDITION_REFUSED = 36,     /* a condition on variants */
    SURTITLE_JSON_REFUSED = 37,          /* the text is no JSON (RFC 8259), or is longer or deeper than the limit */
    SURTITLE_CONFIGURATION_REFUSED = 38, /* the JSON is no configuration, or there is nothing to do */
    SURTITLE_PATTERN_REFUSED = 39,       /* a pattern of paths */
    SURTITLE_SEGMENT_REFUSED = 40,       /* a segment of a subtitle playlist */

    /* What is the matter with the bytes that came. */
    SURTITLE_LIMIT_EXCEEDED = 48, /* a limit was exceeded; of a rewriter the output is there all the same */
    SURTITLE_NOT_WEBVTT = 49,     /* the file has no signature */
    SURTITLE_NOT_PLAYLIST = 50,   /* the first line is not #EXTM3U */
    SURTITLE_FETCH_FAILED = 51,   /* a fetch came to nothing; its result says why */
    SURTITLE_OUT_OF_ORDER = 52,   /* a cue starts in a segment that has ended; surtitle_segmenter_cut() takes any order */
    SURTITLE_LIVE_REFUSED = 53,   /* a version of a live playlist, or a saved state, cannot be used */
    SURTITLE_CUES_REFUSED = 54,   /* cues that come while a stream goes on cannot be read */

    /* Why a media segment has no first time stamp. */
    SURTITLE_NOT_MEDIA = 64,
    SURTITLE_ENCRYPTED = 65,
    SURTITLE_NO_TIMESTAMP = 66,
    SURTITLE_MEDIA_TOO_LONG = 67,
    SURTITLE_NO_INIT_SEGMENT = 68,
    SURTITLE_MALFORMED_MEDIA = 69,
    SURTITLE_TOO_MANY_STREAMS = 70,
    SURTITLE_UNSYNCHRONISED_TAG = 71
} surtitle_status;

/* A status in words, in English, without a full stop. It ends in a NUL and lives as long as the library is loaded. Never NULL: a number
 * that is no status is "unknown status". */
const char *surtitle_status_text(int status);

/* What was refused, and where. Functions that take one may be given NULL. It is filled if the call fails, and not touched otherwise. */
typedef struct surtitle_error {
    size_t size;
    int32_t status;        /* what the call returns */
    int32_t message_count; /* how many bytes the message has; sizeof message or more if it was cut short */
    int64_t index;         /* of the track, edit, segment or pattern, from 0; -1 if it is about none of them */
    int64_t position;      /* the byte of the value, of the JSON text or of the file, from 0, at which it is wrong; -1 if it is about none */
    char field[96];        /* which value, as "tracks[2].language"; ends in a NUL, empty if it is about none, cut short if it is longer */
    char message[256];     /* what is wrong and what to do, in English, without its place; ends in a NUL */
} surtitle_error;

/* ---- Texts and pieces ------------------------------------------------------------------------------------------------------ */

/* A text in UTF-8. */
typedef struct surtitle_text {
    const char *bytes; /* NULL if the text is not given */
    size_t count;
} surtitle_text;

/* A piece of output. */
typedef struct surtitle_piece {
    const uint8_t *bytes;
    size_t count;         /* at least 1 */
    int64_t chunk_offset; /* where the bytes lie in the chunk that was written, whose memory `bytes` points into; -1 for the library's own */
} surtitle_piece;

/* ---- Configurations: what is done to playlists ----------------------------------------------------------------------------- */

/* What a key of a track says: `language`, with the value `en`. */
typedef struct surtitle_track_key {
    surtitle_text name;  /* as in the table below */
    surtitle_text value; /* need not be given for `default`, `forced`, `sdh` and `variables`, which then are `yes` */
} surtitle_track_key;

/*
 * A subtitle track: the fields of one EXT-X-MEDIA tag of TYPE=SUBTITLES (RFC 8216 4.3.4.1), in the words of the command line and of
 * configurations in JSON. Each key is there once. The guide Reference.md has the table of all; those that the playlist says are:
 *
 *   uri             URI of the track's subtitle playlist; required. Unless `type` or its end says otherwise it is one
 *   name            NAME, what players show; otherwise the language, or the file's name
 *   language        LANGUAGE: a BCP 47 tag, or an ISO 639-2 code
 *   default         yes: shown unless the viewer chooses otherwise; one track at most
 *   autoselect      no: players may not choose it by language; not for default and SDH tracks
 *   forced          yes: holds only what is essential
 *   sdh             yes: for the deaf and hard of hearing; so is `kind` with the value `captions`
 *   assoc-language  ASSOC-LANGUAGE
 *   stable-id       STABLE-RENDITION-ID
 *   group           GROUP-ID if the playlist declares no group; the same for all tracks
 *   variables       yes: values may hold references to variables, {$name}
 *
 * `shift` and `encoding` are of a file of subtitles, and refused for a playlist: the fetches of a router shift (see
 * surtitle_fetch_settings), and a router refuses `encoding`, because nobody here decodes but UTF-16 with a byte order mark. So are
 * `at` and `cues`, which say how it stands beside a live stream.
 */
typedef struct surtitle_track {
    size_t size;
    const surtitle_track_key *keys;
    size_t key_count;
} surtitle_track;

/* What an edit does. */
typedef enum surtitle_edit_verb {
    SURTITLE_SET = 0,          /* `TAG:NAME=VALUE`: replaces the attribute's value, or appends the attribute */
    SURTITLE_REPLACE = 1,      /* `TAG:NAME=VALUE`: replaces the attribute's value where the attribute is */
    SURTITLE_REMOVE = 2,       /* `TAG:NAME`: removes the attribute */
    SURTITLE_DROP = 3,         /* `TAG`: leaves its lines out; of EXT-X-STREAM-INF the URI lines too */
    SURTITLE_APPEND_LINE = 4,  /* a line for the end of the playlist */
    SURTITLE_MAP_URI = 5,      /* a base, against which every URI is resolved (RFC 3986 5) */
    SURTITLE_SCHEME = 6,       /* a new scheme of http and https URIs; `OLD:NEW` for those of the scheme OLD alone */
    SURTITLE_HOST = 7,         /* a new host, `name` or `name:port` */
    SURTITLE_APPEND_QUERY = 8, /* `K=V`, one more item of the query */
    SURTITLE_KEEP_VARIANTS = 9 /* a condition such as `BANDWIDTH<=3000000 && RESOLUTION>=720`; other variants are dropped */
} surtitle_edit_verb;

/* Which URIs SURTITLE_SCHEME, SURTITLE_HOST and SURTITLE_APPEND_QUERY are for. Other verbs want SURTITLE_ROLE_ALL. */
typedef enum surtitle_uri_role {
    SURTITLE_ROLE_ALL = 0,
    SURTITLE_ROLE_VARIANT = 1,   /* playlists of variants */
    SURTITLE_ROLE_MEDIA = 2,     /* segments, parts and hints */
    SURTITLE_ROLE_RENDITION = 3, /* playlists of renditions */
    SURTITLE_ROLE_KEY = 4,
    SURTITLE_ROLE_MAP = 5, /* EXT-X-MAP */
    SURTITLE_ROLE_OTHER = 6
} surtitle_uri_role;

/* An edit of a playlist. Values are written as given: the quotes of a quoted string are yours. */
typedef struct surtitle_edit {
    size_t size;
    int32_t verb;       /* of surtitle_edit_verb */
    int32_t role;       /* of surtitle_uri_role */
    surtitle_text text; /* what the verb says; required */
} surtitle_edit;

/* Flags of a configuration. */
typedef enum surtitle_settings_flags {
    SURTITLE_REPLACES_DEFAULT = 1, /* a track that is the default takes that from the playlist's own */
    SURTITLE_FAILS_PAST_LIMIT = 2  /* a write that exceeds a limit returns SURTITLE_LIMIT_EXCEEDED; the bytes pass through all the same */
} surtitle_settings_flags;

/* What is done to playlists. Limits are in bytes, at most 1 GiB; 0 is the default. */
typedef struct surtitle_settings {
    size_t size;
    uint32_t flags;    /* of surtitle_settings_flags */
    uint32_t reserved; /* 0 */
    const surtitle_track *tracks;
    size_t track_count;
    const surtitle_edit *edits; /* done in order, before the tracks are put in */
    size_t edit_count;
    surtitle_text fallback_group; /* GROUP-ID for variants if the playlist declares no group; "subs" if it is not given */
    size_t longest_line;          /* the longest line that is carried from chunk to chunk: 64 KiB */
    size_t held_renditions;       /* what is remembered of the playlist's own subtitles: 256 KiB */
    size_t longest_group_id;      /* the longest name of a subtitle group: 256 */
    size_t appended_tags;         /* what is appended to the playlist at most: 4 MiB */
    size_t held_variables;        /* what is remembered of EXT-X-DEFINE to map URIs: 256 KiB */
    size_t longest_uri;           /* the longest URI with the values of its variables: 64 KiB */
} surtitle_settings;

/* What is done to playlists, checked: immutable, shared by threads and forked processes. */
typedef struct surtitle_configuration surtitle_configuration;

/*
 * Checks `settings` and makes a configuration of them.
 *
 * With tracks, multivariant playlists get them, and all others stay as they are. With edits, every playlist is edited. With both, the
 * edits come first. At least one of either is needed.
 *
 *   settings       copied; not needed afterwards
 *   configuration  gets the new configuration, to be destroyed by surtitle_configuration_destroy(); NULL if the call fails
 *   error          NULL, or filled if the call fails: index and field say which track or edit, as in tracks[1].language
 *
 * Returns SURTITLE_OK, SURTITLE_INVALID_UTF8, SURTITLE_TRACK_REFUSED, SURTITLE_EDIT_REFUSED, SURTITLE_URI_REFUSED,
 * SURTITLE_CONDITION_REFUSED, SURTITLE_CONFIGURATION_REFUSED if there is neither a track nor an edit, or a status of misuse. Takes O(n^2)
 * for n tracks; at most 1000 tracks and 10000 edits. Any thread.
 */
int surtitle_configuration_create(const surtitle_settings *settings, surtitle_configuration **configuration, surtitle_error *error);

/*
 * Makes a configuration of a JSON text (RFC 8259) of at most 1 MiB, in the words of the command line: tracks, replace-default, edits, map-uri,
 * scheme, host, append-query, keep-variants, limits. The guide Configuration.md has the table. Tracks must name subtitle playlists, not .vtt files. Keys
 * that are about files of cues, map, segment and target, are checked and not used.
 *
 *   bytes, count   the text; not needed afterwards
 *   error          NULL, or filled if the call fails: position is the byte of the text, field the path of the value, index that of the
 *                  first array on that path
 *
 * Returns SURTITLE_OK, SURTITLE_JSON_REFUSED, SURTITLE_CONFIGURATION_REFUSED, SURTITLE_TRACK_REFUSED, SURTITLE_EDIT_REFUSED,
 * or a status of misuse. Any thread.
 */
int surtitle_configuration_create_json(
    const void *bytes, size_t count, surtitle_configuration **configuration, surtitle_error *error);

/*
 * A number that is another if the output of a rewriter may be, for ETag and cache keys: the same in every process and on every machine.
 * Where a JSON text asks for URIs to be mapped or variants to be kept, every change of the text changes it.
 */
int surtitle_configuration_fingerprint(const surtitle_configuration *configuration, uint64_t *fingerprint);

/* Destroys the configuration; NULL does nothing. Rewriters made of it live on. No call on it may be running. */
void surtitle_configuration_destroy(surtitle_configuration *configuration);

/* ---- Rewriters ------------------------------------------------------------------------------------------------------------- */

/* How output is cut into pieces. */
typedef struct surtitle_rewriter_options {
    size_t size;
    size_t merging_threshold; /* parts of the chunk of fewer bytes are copied together: 1024 if 0; 1 hands out each part, SIZE_MAX copies all */
    size_t longest_piece;     /* the longest piece of the library's own: 32768 if 0; from 64 to 1 GiB */
} surtitle_rewriter_options;

/* Rewrites one playlist after the other, each while its bytes pass by. Used again it allocates nothing. */
typedef struct surtitle_rewriter surtitle_rewriter;

/*
 * Makes a rewriter, ready for a playlist.
 *
 *   options   NULL for the defaults
 *   rewriter  gets it, to be destroyed by surtitle_rewriter_destroy(); NULL if the call fails
 *
 * Returns SURTITLE_OK or a status of misuse. Any thread; the configuration may be in use by others.
 */
int surtitle_rewriter_create(
    const surtitle_configuration *configuration, const surtitle_rewriter_options *options, surtitle_rewriter **rewriter);

/*
 * Rewrites the next chunk, of any size, and hands out what is decided. Where chunks end never changes the output.
 *
 *   bytes, count   the chunk
 *   pieces         gets the output, in order; it may have no piece. The array, and pieces of the library's own, are valid until the next
 *                  call on the rewriter or its destruction; pieces of the chunk as long as you keep that
 *   piece_count    gets the number of pieces
 *
 * Returns SURTITLE_OK; SURTITLE_LIMIT_EXCEEDED once, if the configuration says so, with all output in the pieces, and later chunks pass
 * through; SURTITLE_ENDED after a finish or abandon; SURTITLE_OUTPUT_LEFT; or a status of misuse.
 */
int surtitle_rewriter_write(
    surtitle_rewriter *rewriter, const void *bytes, size_t count, const surtitle_piece **pieces, size_t *piece_count);

/*
 * Ends the playlist, and hands out the rest of the output as surtitle_rewriter_write() does. Then reset or destroy the rewriter. Of a limit that
 * is exceeded only now, by a last line without an ending, the report alone tells.
 */
int surtitle_rewriter_finish(surtitle_rewriter *rewriter, const surtitle_piece **pieces, size_t *piece_count);

/* Ends a playlist whose source broke off: hands out what was held, unedited, and appends nothing. Else as surtitle_rewriter_finish(). */
int surtitle_rewriter_abandon(surtitle_rewriter *rewriter, const surtitle_piece **pieces, size_t *piece_count);

/*
 * Rewrites the next chunk, of any size, and copies what is decided into your memory: the fastest way for small playlists.
 *
 *   memory, capacity   where the output goes; must not overlap the chunk
 *   written            gets how many bytes were written
 *
 * Returns what surtitle_rewriter_write() does, and SURTITLE_MORE_OUTPUT if the memory is full. The chunk has been taken even then: take the
 * rest by surtitle_rewriter_take() before any other call but reset and report. What has no room is copied once more. Output may be left with
 * SURTITLE_LIMIT_EXCEEDED too: `output_left` of the report tells.
 */
int surtitle_rewriter_write_to(
    surtitle_rewriter *rewriter, const void *bytes, size_t count, void *memory, size_t capacity, size_t *written);

/* Ends the playlist, and copies the rest of the output into your memory, as surtitle_rewriter_write_to(). */
int surtitle_rewriter_finish_to(surtitle_rewriter *rewriter, void *memory, size_t capacity, size_t *written);

/* Ends a playlist whose source broke off, and copies what was held into your memory, as surtitle_rewriter_write_to(). */
int surtitle_rewriter_abandon_to(surtitle_rewriter *rewriter, void *memory, size_t capacity, size_t *written);

/* Copies output that is left into your memory. Returns SURTITLE_OK if that was all, SURTITLE_MORE_OUTPUT if not, or a status of misuse. */
int surtitle_rewriter_take(surtitle_rewriter *rewriter, void *memory, size_t capacity, size_t *written);

/*
 * Rewrites a whole playlist into your memory, and forgets it: the one call for languages in which calls are dear. The rewriter is
 * reset before; a report is of this playlist.
 *
 *   memory, capacity   where the output goes; must not overlap the playlist
 *   written            gets how many bytes the output has, exactly
 *
 * Returns SURTITLE_OK; SURTITLE_TOO_SMALL, if the output does not fit, which `written` tells the size of, and the memory holds nothing of
 * use; SURTITLE_LIMIT_EXCEEDED as the calls that write and finish; or a status of misuse.
 */
int surtitle_rewriter_whole(
    surtitle_rewriter *rewriter, const void *bytes, size_t count, void *memory, size_t capacity, size_t *written);

/* Forgets the playlist and its output, and keeps the memory for the next one. */
int surtitle_rewriter_reset(surtitle_rewriter *rewriter);

/* Destroys the rewriter, and what it has handed out; NULL does nothing. */
void surtitle_rewriter_destroy(surtitle_rewriter *rewriter);

/* What a playlist turned out to be (RFC 8216 4.1). */
typedef enum surtitle_verdict {
    SURTITLE_VERDICT_UNDECIDED = 0,    /* no tag has told yet */
    SURTITLE_VERDICT_MULTIVARIANT = 1, /* it gets the tracks */
    SURTITLE_VERDICT_MEDIA = 2,
    SURTITLE_VERDICT_MIXED = 3,       /* tags of both kinds, which is against the rules */
    SURTITLE_VERDICT_NO_PLAYLIST = 4 /* the first line is not #EXTM3U */
} surtitle_verdict;

/* Which limit was exceeded. */
typedef enum surtitle_limit {
    SURTITLE_LIMIT_NONE = 0,
    SURTITLE_LIMIT_LONGEST_LINE = 1,
    SURTITLE_LIMIT_HELD_RENDITIONS = 2,
    SURTITLE_LIMIT_LONGEST_GROUP_ID = 3,
    SURTITLE_LIMIT_APPENDED_TAGS = 4,
    SURTITLE_LIMIT_HELD_VARIABLES = 5,
    SURTITLE_LIMIT_LONGEST_URI = 6,
    SURTITLE_LIMIT_OTHER = 255
} surtitle_limit;

/* What there is to say of the playlist so far. With edits and tracks, positions are those of the edited playlist. */
typedef struct surtitle_report {
    size_t size;
    int32_t verdict;               /* of surtitle_verdict */
    int32_t is_settled;            /* 1 if all that is still to come passes through unchanged: a proxy can step aside; else 0 */
    int64_t verdict_position;      /* of the line that decided the verdict; -1 as long as it is undecided */
    uint64_t held_bytes;           /* have been written, and have not been handed out */
    uint64_t output_left;          /* bytes that surtitle_rewriter_take() has still to take */
    uint64_t added_bytes;          /* of tags, which the end of the playlist got; 0 if all tracks were there already */
    uint64_t uneditable_lines;     /* lines that could not be edited, and variants that could not get the tracks: an open quote, no list */
    int64_t first_uneditable_line; /* the position of the first of them; -1 if there is none */
    uint64_t mapped_uris;          /* URIs that have become others */
    uint64_t dropped_variants;     /* variants that did not meet the condition */
    int32_t exceeded_limit;        /* of surtitle_limit; from its line on nothing was edited */
    int32_t reserved;              /* 0 */
    int64_t limit_position;        /* of that line; -1 if no limit was exceeded */
} surtitle_report;

/* Fills `report`, whose size is set. It may be called at any time between two calls. */
int surtitle_rewriter_report(const surtitle_rewriter *rewriter, surtitle_report *report);

/* ---- The final cue --------------------------------------------------------------------------------------------------------- */

/*
 * Finds the time at which the final cue of a whole WebVTT file ends: the last cue in the file, not the one that ends last. Only the first
 * bytes and the tail are looked at.
 *
 *   bytes, count   the file
 *   milliseconds   gets the time; not touched if there is none
 *
 * Returns 0 if there is one, SURTITLE_NOT_FOUND if the file has no cue or no signature, or a status of misuse. Any thread.
 */
int surtitle_final_cue_end(const void *bytes, size_t count, int64_t *milliseconds);

/* Finds the latest time at which any cue of a whole WebVTT file ends; else as surtitle_final_cue_end(). It reads the whole file. */
int surtitle_latest_cue_end(const void *bytes, size_t count, int64_t *milliseconds);

/* Finds the end of a file's final cue by reading the file from its tail, block by block. No block is kept. */
typedef struct surtitle_final_cue_search surtitle_final_cue_search;

/* Makes a search that looks at the last `byte_budget` bytes of a file at most; SIZE_MAX for all of them. */
int surtitle_final_cue_search_create(size_t byte_budget, surtitle_final_cue_search **search);

/*
 * Searches the block before all those handed over, the first one being the end of the file.
 *
 *   starts_file    1 if the block holds the first byte of the file, else 0. The signature is not looked at
 *   milliseconds   gets the time if it is found
 *
 * Returns SURTITLE_OK if it is found; SURTITLE_NEEDS_MORE: hand over the bytes before; SURTITLE_NOT_FOUND: the whole file has no cue;
 * SURTITLE_UNDECIDED: the budget is spent; or a status of misuse. All but SURTITLE_NEEDS_MORE is final, and returned again.
 */
int surtitle_final_cue_search_prepend(
    surtitle_final_cue_search *search, const void *bytes, size_t count, int starts_file, int64_t *milliseconds);

/* Makes the search as new. */
int surtitle_final_cue_search_reset(surtitle_final_cue_search *search);

/* Destroys the search; NULL does nothing. */
void surtitle_final_cue_search_destroy(surtitle_final_cue_search *search);

/* ---- Cues ------------------------------------------------------------------------------------------------------------------ */

/* A cue as it stands in the file (W3C WebVTT, section 3.3): nothing is decoded, and any byte may come. */
typedef struct surtitle_cue {
    int64_t start_milliseconds;
    int64_t end_milliseconds; /* may be at or before the start: the cue never shows then */
    uint64_t position;        /* of the cue's first byte in the file */
    const uint8_t *identifier;
    size_t identifier_count; /* 0 if there is none */
    const uint8_t *settings; /* what follows the end time on its line, without white space around it */
    size_t settings_count;
    const uint8_t *text; /* its lines, with the terminators between them and none after the last */
    size_t text_count;
} surtitle_cue;

/* Scans a WebVTT file from its beginning, and hands out its cues. Used again it allocates nothing. */
typedef struct surtitle_cue_scanner surtitle_cue_scanner;

/* Makes a scanner. Blocks of more than `largest_block` bytes are skipped: 1 MiB if 0, at most 1 GiB. */
int surtitle_cue_scanner_create(size_t largest_block, surtitle_cue_scanner **scanner);

/*
 * Scans the next chunk, of any size.
 *
 *   cues        gets the cues that are whole; the array and its bytes are valid until the next call on the scanner or its
 *               destruction, whatever becomes of the chunk
 *   cue_count   gets their number
 *
 * Returns SURTITLE_OK; SURTITLE_NOT_WEBVTT once it is known that the file has no signature, and has no cues therefore; SURTITLE_ENDED
 * after a finish; or a status of misuse.
 */
int surtitle_cue_scanner_write(
    surtitle_cue_scanner *scanner, const void *bytes, size_t count, const surtitle_cue **cues, size_t *cue_count);

/* Ends the file, and hands out the cue that its end ends, as surtitle_cue_scanner_write(). */
int surtitle_cue_scanner_finish(surtitle_cue_scanner *scanner, const surtitle_cue **cues, size_t *cue_count);

/* How many blocks of the file were longer than the limit, and were skipped: cues may be among them. */
int surtitle_cue_scanner_skipped(const surtitle_cue_scanner *scanner, uint64_t *skipped);

/* Makes the scanner as new; the memory it has is kept. */
int surtitle_cue_scanner_reset(surtitle_cue_scanner *scanner);

/* Destroys the scanner, and what it has handed out; NULL does nothing. */
void surtitle_cue_scanner_destroy(surtitle_cue_scanner *scanner);

/* ---- Subtitle playlists ---------------------------------------------------------------------------------------------------- */

/* A WebVTT file in a subtitle playlist, and how long it plays. */
typedef struct surtitle_playlist_entry {
    size_t size;
    surtitle_text uri;             /* as it stands in the playlist; required */
    uint64_t duration_nanoseconds; /* above 0 */
    int32_t is_discontinuous;      /* 1 if EXT-X-DISCONTINUITY stands before it, else 0 */
    int32_t reserved;              /* 0 */
} surtitle_playlist_entry;

/* Flags of a subtitle playlist. */
typedef enum surtitle_playlist_flags {
    SURTITLE_PLAYLIST_OMITS_COMMA = 1, /* EXTINF goes without its comma */
    SURTITLE_PLAYLIST_EVENT = 2,       /* EXT-X-PLAYLIST-TYPE is EVENT, and not VOD */
    SURTITLE_PLAYLIST_UNTYPED = 4      /* there is no EXT-X-PLAYLIST-TYPE */
} surtitle_playlist_flags;

/*
 * Writes the media playlist of a subtitle track into your memory: one segment for each file, and EXT-X-ENDLIST.
 *
 *   entries, entry_count   the files, at least one
 *   flags                  of surtitle_playlist_flags
 *   memory, capacity       where the playlist goes
 *   written                gets how many bytes the playlist has, exactly
 *   error                  NULL, or filled if the call fails
 *
 * Returns SURTITLE_OK; SURTITLE_TOO_SMALL if the playlist does not fit: `written` says how much is needed, and nothing has been
 * written; SURTITLE_SEGMENT_REFUSED; SURTITLE_INVALID_UTF8; or a status of misuse. Any thread.
 */
int surtitle_subtitle_playlist(
    const surtitle_playlist_entry *entries, size_t entry_count, uint32_t flags, void *memory, size_t capacity, size_t *written,
    surtitle_error *error);

/* ---- Other formats --------------------------------------------------------------------------------------------------------- */

/* What a file of subtitles is, or what a track refers to. */
typedef enum surtitle_track_format {
    SURTITLE_FORMAT_UNKNOWN = -1, /* its first bytes tell */
    SURTITLE_FORMAT_WEBVTT = 0,
    SURTITLE_FORMAT_SUBRIP = 1,  /* it becomes WebVTT; one that begins with WEBVTT is WebVTT all the same */
    SURTITLE_FORMAT_PLAYLIST = 2 /* a subtitle playlist */
} surtitle_track_format;

/*
 * Tells the format, of surtitle_track_format, of files that are called `name`: by the end of a name or path ("film.sv.srt"), by the
 * word that configurations have for it ("srt"), or by its media type ("application/x-subrip").
 *
 * Returns SURTITLE_OK; SURTITLE_NOT_FOUND if the name does not tell, and `format` is as it was; or a status of misuse. Any thread.
 */
int surtitle_format_of(const void *name, size_t count, int32_t *format);

/*
 * Converts a whole file of subtitles into WebVTT, in your memory. WebVTT stays as it is. Lines of more than 64 KiB become several.
 *
 *   format             what the file is, of surtitle_track_format, but no playlist
 *   memory, capacity   where the WebVTT goes; must not overlap the file
 *   written            gets how many bytes the WebVTT has, exactly
 *   error              NULL, or filled if the call fails: position is the first byte that is no UTF-8
 *
 * Returns SURTITLE_OK; SURTITLE_TOO_SMALL if the WebVTT does not fit: `written` says how much is needed, and the memory holds nothing of
 * use; SURTITLE_NOT_WEBVTT if it is to be WebVTT and is not, or its first bytes do not tell; SURTITLE_INVALID_UTF8; or a status of misuse.
 * Any thread.
 */
int surtitle_to_webvtt(
    int32_t format, const void *bytes, size_t count, void *memory, size_t capacity, size_t *written, surtitle_error *error);

/* ---- Timestamp maps -------------------------------------------------------------------------------------------------------- */

/* Puts an X-TIMESTAMP-MAP into a WebVTT file while its bytes pass by, in place of one that is there (RFC 8216 3.5). */
typedef struct surtitle_timestamp_mapper surtitle_timestamp_mapper;

/*
 * Makes a mapper. `mpegts` is the time of the media in ticks of 1/90000 s, below 2^33, and `local_milliseconds` the cue time that it stands
 * for, from 0. Output is cut into pieces as that of a rewriter with default options.
 */
int surtitle_timestamp_mapper_create(uint64_t mpegts, int64_t local_milliseconds, surtitle_timestamp_mapper **mapper);

/* Maps the next chunk, of any size, and hands out pieces as surtitle_rewriter_write() does. A file without signature passes through. */
int surtitle_timestamp_mapper_write(
    surtitle_timestamp_mapper *mapper, const void *bytes, size_t count, const surtitle_piece **pieces, size_t *piece_count);

/* Ends the file, and hands out the rest. */
int surtitle_timestamp_mapper_finish(surtitle_timestamp_mapper *mapper, const surtitle_piece **pieces, size_t *piece_count);

/* Makes the mapper as new; the map stays, and so does the memory it has. */
int surtitle_timestamp_mapper_reset(surtitle_timestamp_mapper *mapper);

/* Destroys the mapper, and what it has handed out; NULL does nothing. */
void surtitle_timestamp_mapper_destroy(surtitle_timestamp_mapper *mapper);

/* ---- HTTP as data ---------------------------------------------------------------------------------------------------------- */

/* A header field line. */
typedef struct surtitle_field {
    const char *name; /* in any case */
    size_t name_count;
    const char *value; /* without the line's end. Of an edit: NULL if all lines of that name are removed, else in their place */
    size_t value_count;
} surtitle_field;

/* How header fields are treated. */
typedef struct surtitle_http_settings {
    size_t size;
    const surtitle_text *patterns; /* forms of paths that are likely to lead to playlists, `*` for any bytes; NULL for the usual ones */
    size_t pattern_count;
    size_t longest_held;          /* the longest playlist that is held to be sent with its length: SIZE_MAX for 64 KiB, 0 for none */
    int32_t ignores_no_transform; /* 1 if Cache-Control: no-transform does not count, as for a gateway (RFC 9110 3.7, 7.7); else 0 */
    int32_t reserved;             /* 0 */
} surtitle_http_settings;

/* Rules for header fields: immutable, shared by threads and forked processes. */
typedef struct surtitle_http_rules surtitle_http_rules;

/* Makes rules; `settings` NULL for the defaults. Returns SURTITLE_OK, SURTITLE_PATTERN_REFUSED, or a status of misuse. Any thread. */
int surtitle_http_rules_create(const surtitle_http_settings *settings, surtitle_http_rules **rules, surtitle_error *error);

/* Destroys the rules; NULL does nothing. Exchanges made of them live on. No call on them may be running. */
void surtitle_http_rules_destroy(surtitle_http_rules *rules);

/* What is done with a request or a response. */
typedef enum surtitle_http_action {
    /* Of a request. */
    SURTITLE_REQUEST_LIKELY = 0,   /* a playlist is likely: make the edits before it goes to the origin */
    SURTITLE_REQUEST_UNLIKELY = 1, /* it goes as it is; the response may still prove to be a playlist */
    SURTITLE_REQUEST_AGAIN = 2,    /* it is sent a second time, with these edits in place of the first ones */
    SURTITLE_REQUEST_EXCLUDED = 3, /* it goes as it is, and so does the response */

    /* Of a response. */
    SURTITLE_RESPONSE_PASS = 16,     /* the body goes as it is; make the edits still, if there are any */
    SURTITLE_RESPONSE_HOLD = 17,     /* through the rewriter, held up to `hold_bytes` of the origin's: if it ends within them, it goes with
                                        its length, surtitle_exchange_set_length(); if not, it is streamed from there on */
    SURTITLE_RESPONSE_STREAM = 18,   /* through the rewriter, as it comes out, without a length */
    SURTITLE_RESPONSE_LOOK = 19,     /* the first 12 bytes must be seen: surtitle_http_content(), and ask again with the answer */
    SURTITLE_RESPONSE_ASK_AGAIN = 20 /* drop it, and send the request as surtitle_exchange_request_again() says; or pass it */
} surtitle_http_action;

/* What the first bytes of a body have told. */
typedef enum surtitle_content {
    SURTITLE_CONTENT_UNSEEN = 0,
    SURTITLE_CONTENT_PLAYLIST = 1,
    SURTITLE_CONTENT_OTHER = 2
} surtitle_content;

/* Why, for those who log it. */
typedef enum surtitle_http_reason {
    SURTITLE_REASON_METHOD = 0,
    SURTITLE_REASON_UNLIKELY_PATH = 1,
    SURTITLE_REASON_LIKELY_PATH = 2,
    SURTITLE_REASON_DERIVED_TAG = 3,
    SURTITLE_REASON_SECOND_REQUEST = 4,
    SURTITLE_REASON_NO_TRANSFORM = 5,
    SURTITLE_REASON_FIELDS_TOO_LONG = 6,
    SURTITLE_REASON_PLAYLIST_TYPE = 7,
    SURTITLE_REASON_PLAYLIST_CONTENT = 8,
    SURTITLE_REASON_UNKNOWN_CONTENT = 9,
    SURTITLE_REASON_OTHER_TYPE = 10,
    SURTITLE_REASON_OTHER_CONTENT = 11,
    SURTITLE_REASON_ENCODED = 12,
    SURTITLE_REASON_PARTIAL_CONTENT = 13,
    SURTITLE_REASON_NOT_MODIFIED = 14,
    SURTITLE_REASON_HEAD = 15,
    SURTITLE_REASON_NO_CONTENT = 16,
    SURTITLE_REASON_REDIRECT = 17,
    SURTITLE_REASON_ERROR_STATUS = 18,
    SURTITLE_REASON_OTHER_STATUS = 19
} surtitle_http_reason;

/* What was decided. The edits are valid until the next call on the exchange or its destruction. */
typedef struct surtitle_decision {
    size_t size;
    int32_t action;     /* of surtitle_http_action */
    int32_t reason;     /* of surtitle_http_reason */
    uint64_t hold_bytes; /* with SURTITLE_RESPONSE_HOLD; else 0 */
    const surtitle_field *edits; /* each name at most once */
    size_t edit_count;
} surtitle_decision;

/* One request and its response. Used again it allocates nothing. */
typedef struct surtitle_exchange surtitle_exchange;

/* Makes an exchange, for one request after the other. Any thread; the rules may be in use by others. */
int surtitle_exchange_create(const surtitle_http_rules *rules, surtitle_exchange **exchange);

/*
 * Decides about a request. It begins the exchange anew.
 *
 *   fingerprint       surtitle_configuration_fingerprint()
 *   modified          when the tracks last changed, in seconds since the beginning of 1970; -1 if nobody knows
 *   method, target    of the request line, in origin-form or absolute-form; `:path` of HTTP/2 and HTTP/3
 *   fields            all header field lines; copied as far as they matter
 *   decision          filled; its size is set
 *
 * Returns SURTITLE_OK or a status of misuse.
 */
int surtitle_exchange_request(
    surtitle_exchange *exchange, uint64_t fingerprint, int64_t modified, surtitle_text method, surtitle_text target,
    const surtitle_field *fields, size_t field_count, surtitle_decision *decision);

/* What is changed of the request, whose fields as the client sent them are given once more, to send it again. SURTITLE_INVALID_VALUE
 * before the first request. */
int surtitle_exchange_request_again(
    surtitle_exchange *exchange, const surtitle_field *fields, size_t field_count, surtitle_decision *decision);

/*
 * Decides about the response to the request.
 *
 *   http_status   the status code
 *   content       of surtitle_content: what the first bytes have told
 *
 * Returns SURTITLE_OK, SURTITLE_INVALID_VALUE also before the first request, or a status of misuse.
 */
int surtitle_exchange_response(
    surtitle_exchange *exchange, int http_status, int content, const surtitle_field *fields, size_t field_count,
    surtitle_decision *decision);

/* Adds Content-Length to the edits of the response, for a body of `count` bytes as it goes out, and hands out all edits again. */
int surtitle_exchange_set_length(surtitle_exchange *exchange, uint64_t count, const surtitle_field **edits, size_t *edit_count);

/* Destroys the exchange, and what it has handed out; NULL does nothing. */
void surtitle_exchange_destroy(surtitle_exchange *exchange);

/*
 * Tells what a body is that begins with these bytes: `content` gets SURTITLE_CONTENT_PLAYLIST or SURTITLE_CONTENT_OTHER. `is_whole` is 1 if the
 * body has no more bytes. Returns SURTITLE_OK, SURTITLE_NEEDS_MORE, which is never so with 12 bytes, or a status of misuse. Any thread.
 */
int surtitle_http_content(const void *bytes, size_t count, int is_whole, int *content);

/* ---- Segments -------------------------------------------------------------------------------------------------------------- */

/* How a WebVTT file is cut. Times are in nanoseconds. */
typedef struct surtitle_segment_settings {
    size_t size;
    uint64_t step;             /* a segment every so long; not with durations */
    uint64_t end;              /* where the last one ends; 0 if where the cues do */
    const uint64_t *durations; /* or a segment for each of these, those of the video's segments; NULL with a step */
    size_t duration_count;
    int32_t has_map;    /* 1 if the segments get this X-TIMESTAMP-MAP, 0 if the file's own */
    int32_t cues_once;  /* 1 if a cue is only in the segment that it starts in, else 0 */
    uint64_t mpegts;    /* as surtitle_timestamp_mapper_create() */
    int64_t local_milliseconds;
} surtitle_segment_settings;

/* A segment of a WebVTT file. */
typedef struct surtitle_segment {
    const uint8_t *bytes;
    size_t count;
    uint64_t start_nanoseconds;
    uint64_t duration_nanoseconds; /* above 0; all together come to the end of the content */
    uint64_t cue_count;
} surtitle_segment;

/* What happens to a segment. */
typedef enum surtitle_segment_event_kind {
    SURTITLE_SEGMENT_BEGAN = 0, /* the one before it has ended */
    SURTITLE_SEGMENT_BYTES = 1, /* it gets some more bytes */
    SURTITLE_SEGMENT_ENDED = 2  /* nothing will be added to it, and its duration is known */
} surtitle_segment_event_kind;

/* Something that happens to a segment while its file passes by. What belongs to other kinds is 0. */
typedef struct surtitle_segment_event {
    int32_t kind;     /* of surtitle_segment_event_kind */
    int32_t reserved; /* 0 */
    uint64_t index;   /* of the segment, from 0 */
    const uint8_t *bytes; /* SURTITLE_SEGMENT_BYTES: a piece of output, as surtitle_piece; else NULL */
    size_t count;
    int64_t chunk_offset;          /* as in surtitle_piece; -1 also if there are no bytes */
    uint64_t start_nanoseconds;    /* SURTITLE_SEGMENT_ENDED: these three are as in surtitle_segment */
    uint64_t duration_nanoseconds;
    uint64_t cue_count;
} surtitle_segment_event;

/*
 * Cuts WebVTT files into the segments of an HLS rendition (RFC 8216 3.5): each whole, or while its bytes pass by. A file that passes by has
 * the same segments as one that is whole, if its cues come in the order of the segments they start in. For such files a segmenter used
 * again allocates nothing.
 *
 *     surtitle_segmenter_write(segmenter, bytes, count, &events, &event_count, &error);   // any chunk, any number of times
 *     for (size_t i = 0; i < event_count; i++) {
 *         switch (events[i].kind) {
 *         case SURTITLE_SEGMENT_BEGAN: file = open_segment(events[i].index); break;
 *         case SURTITLE_SEGMENT_BYTES: append(file, events[i].bytes, events[i].count); break;
 *         case SURTITLE_SEGMENT_ENDED: close_segment(file, events[i].duration_nanoseconds); break;
 *         }
 *     }
 *     surtitle_segmenter_finish(segmenter, &events, &event_count, &error);                // and the same loop again
 *     surtitle_segmenter_reset(segmenter);                                                // for the next file
 */
typedef struct surtitle_segmenter surtitle_segmenter;

/* Makes a segmenter. SURTITLE_INVALID_VALUE if there is neither a step nor a duration above 0, or both. */
int surtitle_segmenter_create(const surtitle_segment_settings *settings, surtitle_segmenter **segmenter);

/*
 * Cuts a whole file, whose cues may stand in any order. The segmenter is reset before and after: a file that was passing by is forgotten.
 *
 *   segments   gets the segments, in order; the array and its bytes are valid until the next call on the segmenter or its destruction
 *   error      NULL, or filled if the call fails: position is that of the block to blame
 *
 * Returns SURTITLE_OK, SURTITLE_NOT_WEBVTT, SURTITLE_LIMIT_EXCEEDED (100000 segments, blocks of 1 MiB, 64 MiB of repeated bytes; there
 * are no segments then), or a status of misuse.
 */
int surtitle_segmenter_cut(
    surtitle_segmenter *segmenter, const void *bytes, size_t count, const surtitle_segment **segments, size_t *segment_count,
    surtitle_error *error);

/*
 * Cuts the next chunk of a file, of any size, and hands out what is decided. Where chunks end never changes what a segment holds.
 *
 *   bytes, count   the chunk
 *   events         gets what happens to segments, in order; there may be none. The array, and bytes of the library's own, are valid
 *                  until the next call on the segmenter or its destruction; bytes of the chunk as long as you keep that. Output is cut
 *                  into pieces as that of a rewriter with default options
 *   event_count    gets the number of events
 *   error          NULL, or filled if the call fails: position is that of the block to blame, index the number of the segment that a
 *                  cue out of order starts in
 *
 * Returns SURTITLE_OK; SURTITLE_NOT_WEBVTT; SURTITLE_OUT_OF_ORDER; SURTITLE_LIMIT_EXCEEDED (those of surtitle_segmenter_cut(), 1 MiB of
 * cues that go on in the next segment, 1 MiB of cues that never show and wait until it is known whether content reaches them);
 * SURTITLE_ENDED after a finish or abandon; or a status of misuse. If a file cannot be cut, what came before the block to blame is in the
 * events, and the segment that has begun is never ended. Later writes, and the finish, return the same status without events, until a reset.
 */
int surtitle_segmenter_write(
    surtitle_segmenter *segmenter, const void *bytes, size_t count, const surtitle_segment_event **events, size_t *event_count,
    surtitle_error *error);

/* Ends the file, and hands out the rest as surtitle_segmenter_write() does. Then reset or destroy the segmenter. */
int surtitle_segmenter_finish(
    surtitle_segmenter *segmenter, const surtitle_segment_event **events, size_t *event_count, surtitle_error *error);

/*
 * Ends a file whose source broke off. Nothing is handed out: half a cue would show half a sentence, and nobody knows how long the segment is
 * that has begun, which is never ended. Returns SURTITLE_OK, SURTITLE_ENDED after a finish or abandon, or a status of misuse.
 */
int surtitle_segmenter_abandon(surtitle_segmenter *segmenter);

/*
 * Tells how many bytes are held of a file that passes by: of a block that has not ended, of cues that go on in the next segment, and of those
 * that wait. The map, styles and regions do not count. `held` gets 0 once the file has ended, or cannot be cut.
 */
int surtitle_segmenter_held_bytes(const surtitle_segmenter *segmenter, uint64_t *held);

/* Makes the segmenter as new; the memory it has is kept. */
int surtitle_segmenter_reset(surtitle_segmenter *segmenter);

/* Destroys the segmenter, and what it has handed out; NULL does nothing. */
void surtitle_segmenter_destroy(surtitle_segmenter *segmenter);

/* ---- Media start ----------------------------------------------------------------------------------------------------------- */

/* Finds the first time stamp of a media segment: what MPEGTS of an X-TIMESTAMP-MAP must be for cues in sync with it. */
typedef struct surtitle_media_scanner surtitle_media_scanner;

/* Makes a scanner of MPEG-TS, fragmented MP4 (the init segment first) and packed audio, that looks at 4 MiB at most. */
int surtitle_media_scanner_create(surtitle_media_scanner **scanner);

/*
 * Reads the next chunk, of any size. `mpegts` gets the time in ticks of 1/90000 s if it is found, and is not touched otherwise.
 *
 * Returns SURTITLE_OK if it is found; SURTITLE_NEEDS_MORE; the reason why there is none, SURTITLE_NOT_MEDIA to SURTITLE_UNSYNCHRONISED_TAG; or
 * a status of misuse. All but SURTITLE_NEEDS_MORE is final, and returned again.
 */
int surtitle_media_scanner_write(surtitle_media_scanner *scanner, const void *bytes, size_t count, uint64_t *mpegts);

/* Ends the segment: as surtitle_media_scanner_write(), but never SURTITLE_NEEDS_MORE. */
int surtitle_media_scanner_finish(surtitle_media_scanner *scanner, uint64_t *mpegts);

/* Makes the scanner as new; the memory it has is kept. */
int surtitle_media_scanner_reset(surtitle_media_scanner *scanner);

/* Destroys the scanner; NULL does nothing. */
void surtitle_media_scanner_destroy(surtitle_media_scanner *scanner);

/* ---- Live streams: segments of cues beside a playlist that goes on ------------------------------------------------------------- */

/*
 * A channel follows the media playlist of a live or EVENT stream: it knows which span of cue time each of its segments is, and by which map
 * cues are in sync there. One channel serves the tracks of all languages. Cues are those of a whole file (surtitle_cue_index) or come while
 * the stream goes on (surtitle_growing). None of them does input or output, or reads a clock.
 *
 *     surtitle_channel_take(channel, playlist, count, &change, &error);             // each version that you fetch, whole
 *     while (surtitle_channel_next(channel, &want) == SURTITLE_OK) {               // whose first time stamp is wanted
 *         if (first_time_stamp(&want, &mpegts)) surtitle_channel_media_start(channel, want.segment, mpegts);
 *         else surtitle_channel_no_media_start(channel, want.segment);
 *     }
 *     surtitle_growing_seal(growing, channel);                                     // if cues come while the stream goes on
 *     surtitle_channel_playlist(channel, prefix, 0, &pieces, &piece_count);        // the playlist of a track: en/17.vtt
 *
 *     surtitle_channel_find(channel, name, &span);                                 // 17.vtt, that a player asks for
 *     switch (span.place) {
 *     case SURTITLE_PLACE_SPAN: case SURTITLE_PLACE_GONE: surtitle_cue_index_write(index, &span, &pieces, &piece_count); break;
 *     case SURTITLE_PLACE_WAIT:                        // fetch the playlist once more; 404 if it is not there then
 *     case SURTITLE_PLACE_MEDIA_START:                 // once the time stamp of span.segment is known; after 3 s as it is
 *     case SURTITLE_PLACE_NOT_OURS: break;             // 404
 *     }
 */
typedef struct surtitle_channel surtitle_channel;

/* What the cues' time 0 is. */
typedef enum surtitle_anchor {
    SURTITLE_ANCHOR_AUTOMATIC = 0,    /* segment 0, if the first version is an EVENT playlist that begins there; else nobody knows */
    SURTITLE_ANCHOR_DATE = 1,         /* so many nanoseconds after the beginning of 1970 in UTC, as EXT-X-PROGRAM-DATE-TIME tells */
    SURTITLE_ANCHOR_SEGMENT = 2,      /* the beginning of the segment with this media sequence number */
    SURTITLE_ANCHOR_MEDIA = 3,        /* the time stamp 0 of the video's clock */
    SURTITLE_ANCHOR_FIRST_VERSION = 4 /* the beginning of the first version that comes */
} surtitle_anchor;

/* Which X-TIMESTAMP-MAP segments get. */
typedef enum surtitle_channel_map {
    SURTITLE_CHANNEL_MAP_AUTO = 0, /* what the video's time stamps tell */
    SURTITLE_CHANNEL_MAP_NONE = 1,
    SURTITLE_CHANNEL_MAP_GIVEN = 2 /* mpegts and local_milliseconds, all the stream long */
} surtitle_channel_map;

/* How tracks stand beside a stream. */
typedef struct surtitle_channel_settings {
    size_t size;
    int32_t anchor; /* of surtitle_anchor */
    int32_t map;    /* of surtitle_channel_map */
    int64_t anchor_value;
    uint64_t mpegts; /* as surtitle_timestamp_mapper_create() */
    int64_t local_milliseconds;
    int32_t is_plain; /* 1 leaves parts and delivery directives out, as must be done to the video's playlists then; else 0 */
    int32_t reserved; /* 0 */
    /* Limits; 0 for those in parentheses. At most 1 GiB. */
    size_t longest_playlist; /* bytes (4 MiB) */
    size_t most_segments;    /* of a version (100000) */
    size_t most_parts;       /* of a version (4096) */
    size_t longest_text;     /* bytes of lines that are kept (64 KiB) */
    size_t longest_state;    /* bytes of a saved state (4 MiB) */
} surtitle_channel_settings;

/* What a version has changed. */
typedef enum surtitle_live_change {
    SURTITLE_LIVE_FIRST = 0,
    SURTITLE_LIVE_UNCHANGED = 1,
    SURTITLE_LIVE_ADVANCED = 2,
    SURTITLE_LIVE_STALE = 3,      /* it is older than what is known, and counts for nothing */
    SURTITLE_LIVE_SUSPECT = 4,    /* perhaps the stream has begun anew; the next version tells, and this counts for nothing */
    SURTITLE_LIVE_MISSED = 5,     /* segments were never seen */
    SURTITLE_LIVE_RESTARTED = 6,  /* the stream has begun anew */
    SURTITLE_LIVE_ENDED = 7,      /* EXT-X-ENDLIST; it may go on nevertheless */
    SURTITLE_LIVE_NEEDS_FULL = 8  /* a delta update of what is not known: fetch the playlist without _HLS_skip */
} surtitle_live_change;

/* Bits of what whoever runs a channel should know. */
typedef enum surtitle_live_notes {
    SURTITLE_NOTE_NO_ANCHOR = 1,               /* nobody knows what cue time 0 is: segments have no cues */
    SURTITLE_NOTE_ANCHOR_GONE = 2,             /* the anchor's segment had gone by: the same */
    SURTITLE_NOTE_NO_TIMESTAMP = 4,            /* segments tell no time stamp: those of that clock have no cues */
    SURTITLE_NOTE_UNKNOWN_GAP = 8,             /* segments were missed, nobody knows how long: the next ones have no cues */
    SURTITLE_NOTE_MALFORMED_DATE = 16,
    SURTITLE_NOTE_DATE_WITHOUT_ZONE = 32,
    SURTITLE_NOTE_TARGET_DURATION_CHANGED = 64,
    SURTITLE_NOTE_SEGMENT_CHANGED = 128,       /* the first counts */
    SURTITLE_NOTE_MISSED = 256,
    SURTITLE_NOTE_RESTARTED = 512,
    SURTITLE_NOTE_PARTED = 1024                /* dates and time stamps have parted by more than 50 ms */
} surtitle_live_notes;

/* What is known of a stream. */
typedef struct surtitle_live_facts {
    size_t size;
    int32_t has_begun; /* 1 once a version has been taken, else 0 */
    int32_t has_ended; /* 1 if the last version has EXT-X-ENDLIST, else 0 */
    uint64_t target_duration; /* seconds */
    uint64_t first_segment;   /* media sequence numbers: of the first whole segment, */
    uint64_t end_segment;     /* and of the one behind the last; the same if there is none */
    uint64_t open_parts;      /* how many parts the segment has that is not whole */
    uint64_t held_bytes;
    uint32_t notes; /* bits of surtitle_live_notes; none goes away */
    uint32_t reserved;
} surtitle_live_facts;

/* A segment whose first time stamp is wanted: its bytes, or those of its first part as long as it is not whole, behind those of its init segment. */
typedef struct surtitle_live_want {
    size_t size;
    uint64_t segment;
    surtitle_text uri; /* as it stands in the playlist */
    int64_t offset;    /* of its bytes; -1 if all of them are the segment */
    int64_t count;
    surtitle_text init_uri; /* not given if there is none */
    int64_t init_offset;
    int64_t init_count;
    int32_t is_encrypted; /* 1 if the bytes are encrypted as a whole (METHOD=AES-128), else 0 */
    int32_t reserved;
} surtitle_live_want;

/* What the name of a segment stands for. */
typedef enum surtitle_live_place {
    SURTITLE_PLACE_SPAN = 0,        /* this span */
    SURTITLE_PLACE_GONE = 1,        /* it slid out long ago: status 200, and this span, which has no cues */
    SURTITLE_PLACE_WAIT = 2,        /* it may be in the next version */
    SURTITLE_PLACE_MEDIA_START = 3, /* it is known once the time stamp of `segment` is; until then the span has no cues */
    SURTITLE_PLACE_NOT_OURS = 4     /* the name is none, or of a segment far ahead */
} surtitle_live_place;

/* A span of cue time that is a segment of a track, or a part of one. Hand it over as it came. */
typedef struct surtitle_live_span {
    size_t size;
    int32_t place;    /* of surtitle_live_place */
    int32_t is_known; /* 1 if it is known when the segment is; else there are no cues in it, and 0 */
    uint64_t segment; /* the media sequence number */
    int64_t part;     /* from 0; -1 for the whole segment */
    int64_t start_nanoseconds;
    int64_t end_nanoseconds;
    uint64_t mpegts;  /* the X-TIMESTAMP-MAP, if there is one */
    int64_t local_milliseconds;
    int32_t has_map; /* 1 or 0 */
    uint32_t life;   /* how often the stream had begun anew */
} surtitle_live_span;

/* Makes a channel that has seen nothing. */
int surtitle_channel_create(const surtitle_channel_settings *settings, surtitle_channel **channel);

/* Makes a channel that goes on from a saved state of one with the same settings. SURTITLE_LIVE_REFUSED if the bytes are none. */
int surtitle_channel_restore(
    const surtitle_channel_settings *settings, const void *state, size_t count, surtitle_channel **channel, surtitle_error *error);

/*
 * Writes the state into your memory: about 1 KiB and 16 bytes a segment, for memory that processes share, a store, a file. What is wanted is
 * not in it: it is told again by the next version.
 *
 * Returns SURTITLE_OK; SURTITLE_TOO_SMALL, with how much is needed in `written`; SURTITLE_LIMIT_EXCEEDED.
 */
int surtitle_channel_save(surtitle_channel *channel, void *memory, size_t capacity, size_t *written);

/*
 * Takes a version of the playlist: a whole body. What broke off is none.
 *
 *   change   gets one of surtitle_live_change
 *
 * Returns SURTITLE_OK; SURTITLE_LIVE_REFUSED or SURTITLE_LIMIT_EXCEEDED: nothing has changed, and the version before holds.
 */
int surtitle_channel_take(surtitle_channel *channel, const void *playlist, size_t count, int *change, surtitle_error *error);

/* Tells whose first time stamp is wanted. SURTITLE_NOT_FOUND if none is. */
int surtitle_channel_next(surtitle_channel *channel, surtitle_live_want *want);

/* Takes the first time stamp of a segment, as surtitle_media_scanner_write() finds it: ticks of 1/90000 s, of which 33 bits count. */
int surtitle_channel_media_start(surtitle_channel *channel, uint64_t segment, uint64_t mpegts);

/* Tells that a segment's time stamp could not be had. The next version, or the same again, asks for another's. */
int surtitle_channel_no_media_start(surtitle_channel *channel, uint64_t segment);

/* Tells what is known of the stream. */
int surtitle_channel_facts(const surtitle_channel *channel, surtitle_live_facts *facts);

/*
 * Writes the playlist of a track. There is none, and no piece, before the first version.
 *
 *   prefix   what stands before the names of segments, such as `en/`: no quote and no line break
 *   lag      how many segments at the end of the video's playlist are left out
 */
int surtitle_channel_playlist(
    surtitle_channel *channel, surtitle_text prefix, size_t lag, const surtitle_piece **pieces, size_t *piece_count);

/* Tells what the name of a segment stands for, without the prefix: `17.vtt`, or `17.3.vtt` for a part. */
int surtitle_channel_find(const surtitle_channel *channel, surtitle_text name, surtitle_live_span *span);

/* Destroys the channel; NULL does nothing. */
void surtitle_channel_destroy(surtitle_channel *channel);

/*
 * Reads what a track's `at` says: a date such as 2026-11-23T20:00:00Z, `msn:1200`, or `media`. `anchor` and `anchor_value` of `settings`, whose size
 * is set, become that. SURTITLE_INVALID_VALUE if it says nothing of the kind.
 */
int surtitle_channel_anchor(surtitle_text text, surtitle_channel_settings *settings);

/*
 * A stream is a channel for a server, with all that is decided about fetching: what is asked for when somebody asks, for how long they wait, and
 * what they get if it does not come. All who ask at once share a fetch.
 *
 *     surtitle_live_ask ask = {.size = sizeof ask, .kind = SURTITLE_ASK_SEGMENT, .began = now, .text = name};   // one a request
 *     surtitle_live_step step = {.size = sizeof step};
 *     surtitle_fetch *fetch;
 *     surtitle_stream_step(stream, &ask, now, &step, &fetch);
 *     switch (step.kind) {
 *     case SURTITLE_STEP_FETCH:                        // carry `fetch` out, then:
 *         surtitle_stream_take(stream, step.fetch, fetch, now, &change, &error);
 *         surtitle_fetch_destroy(fetch);               // and step again for all who wait
 *     case SURTITLE_STEP_WAIT: break;                  // step again when a fetch has ended, after step.wait at the latest
 *     case SURTITLE_STEP_PLAYLIST: surtitle_stream_playlist(stream, prefix, 0, &pieces, &piece_count); break;
 *     case SURTITLE_STEP_SEGMENT: surtitle_cue_index_write(index, &step.span, &pieces, &piece_count); break;
 *     case SURTITLE_STEP_STATUS: break;                // step.http_status, and no body
 *     }
 *     while (surtitle_stream_early(stream, now, &number, &fetch) == SURTITLE_OK) …   // after each version: what will be asked for
 *
 * Times are in milliseconds, of a clock that never goes back. Processes that answer beside each other hand the state on, under a lock: restored
 * before a call and saved after it. Then they share the fetches too, and times must be of a clock that they have in common.
 */
typedef struct surtitle_stream surtitle_stream;

/* What is carried out for it: see below, "Fetching". */
typedef struct surtitle_fetch surtitle_fetch;

/* What somebody asks for. */
typedef enum surtitle_ask_kind {
    SURTITLE_ASK_PLAYLIST = 0, /* a track's playlist: `text` is the query of its URL, without `?`, in which _HLS_msn and _HLS_part may be */
    SURTITLE_ASK_SEGMENT = 1   /* a segment or a part: `text` is its name without the prefix, `17.vtt` */
} surtitle_ask_kind;

/* Somebody who asks, and what has been done for that. Keep it from step to step. */
typedef struct surtitle_live_ask {
    size_t size;
    int32_t kind;        /* of surtitle_ask_kind */
    int32_t has_fetched; /* the stream's; 0 at first */
    uint64_t waits_for;  /* the stream's; 0 at first */
    int64_t began;       /* when, in milliseconds */
    surtitle_text text;  /* not given: empty */
} surtitle_live_ask;

/* What is done next for somebody who asks. */
typedef enum surtitle_step_kind {
    SURTITLE_STEP_FETCH = 0,    /* a fetch is carried out: nobody else does */
    SURTITLE_STEP_WAIT = 1,     /* somebody carries it out */
    SURTITLE_STEP_PLAYLIST = 2, /* the answer is the playlist of the track */
    SURTITLE_STEP_SEGMENT = 3,  /* the answer is the segment of `span` */
    SURTITLE_STEP_STATUS = 4    /* the answer is `http_status` alone: 404, 502, 504, or what the origin has answered to _HLS_msn */
} surtitle_step_kind;

typedef struct surtitle_live_step {
    size_t size;
    int32_t kind;        /* of surtitle_step_kind */
    int32_t http_status; /* SURTITLE_STEP_STATUS */
    uint64_t fetch;      /* SURTITLE_STEP_FETCH: its number, above 0 */
    int64_t wait;        /* SURTITLE_STEP_WAIT: after how many milliseconds to step again at the latest */
    int64_t lifetime;    /* SURTITLE_STEP_PLAYLIST, _SEGMENT: for how many seconds caches may keep it (max-age) */
    surtitle_live_span span; /* SURTITLE_STEP_SEGMENT; its size is set */
} surtitle_live_step;

/*
 * Makes a stream of which nothing has come.
 *
 *   playlist   the URL of the video's media playlist, absolute
 */
int surtitle_stream_create(const surtitle_channel_settings *settings, surtitle_text playlist, surtitle_stream **stream);

/* Makes a stream that goes on from a saved state of one with the same settings. SURTITLE_LIVE_REFUSED if the bytes are none. */
int surtitle_stream_restore(
    const surtitle_channel_settings *settings, surtitle_text playlist, const void *state, size_t count, surtitle_stream **stream,
    surtitle_error *error);

/* Writes the state into your memory, as surtitle_channel_save(); with what is wanted and who fetches it. */
int surtitle_stream_save(surtitle_stream *stream, void *memory, size_t capacity, size_t *written);

/*
 * Tells what is done next for `ask`.
 *
 *   step    filled; its size is set
 *   fetch   gets a fetch of yours to destroy with SURTITLE_STEP_FETCH, else NULL
 */
int surtitle_stream_step(
    surtitle_stream *stream, surtitle_live_ask *ask, int64_t now, surtitle_live_step *step, surtitle_fetch **fetch);

/* Tells which time stamp will be asked for and is best fetched at once, as SURTITLE_STEP_FETCH does. SURTITLE_NOT_FOUND if none is. */
int surtitle_stream_early(surtitle_stream *stream, int64_t now, uint64_t *number, surtitle_fetch **fetch);

/*
 * Takes what a fetch has come to.
 *
 *   number   as surtitle_stream_step() or _early() told it; of one that is not under way nothing is taken
 *   change   gets one of surtitle_live_change, -1 if no version has come
 *
 * Returns SURTITLE_OK; SURTITLE_NEEDS_MORE if the fetch has not ended: nothing is taken then; SURTITLE_FETCH_FAILED, as surtitle_fetch_result()
 * tells; SURTITLE_LIVE_REFUSED or SURTITLE_LIMIT_EXCEEDED, if the version was refused that came, and the one before holds.
 */
int surtitle_stream_take(
    surtitle_stream *stream, uint64_t number, surtitle_fetch *fetch, int64_t now, int *change, surtitle_error *error);

/* Tells that nobody carries out the fetch any more: who waits for it does, or another. */
int surtitle_stream_cancel(surtitle_stream *stream, uint64_t number);

/* Tells what is known of the stream, as surtitle_channel_facts(). */
int surtitle_stream_facts(const surtitle_stream *stream, surtitle_live_facts *facts);

/* Writes the playlist of a track, as surtitle_channel_playlist(). */
int surtitle_stream_playlist(
    surtitle_stream *stream, surtitle_text prefix, size_t lag, const surtitle_piece **pieces, size_t *piece_count);

/* One note of surtitle_live_notes in words, as surtitle_status_text(). */
const char *surtitle_stream_note_text(uint32_t note);

/* Destroys the stream; NULL does nothing. Fetches live on. */
void surtitle_stream_destroy(surtitle_stream *stream);

/* A whole WebVTT file by time, whose cues may stand in any order. */
typedef struct surtitle_cue_index surtitle_cue_index;

/*
 * Makes the index of a file, which is copied.
 *
 *   name      what cues without an identifier are called by, with a number: players leave out cues that they take for one they know. Not
 *             given: they stay without
 *   renames   1 if cues with an identifier get `name` before it, for tracks of several files; else 0
 *
 * Returns SURTITLE_OK; SURTITLE_NOT_WEBVTT; SURTITLE_LIMIT_EXCEEDED.
 */
int surtitle_cue_index_create(
    const void *file, size_t count, surtitle_text name, int renames, surtitle_cue_index **index, surtitle_error *error);

/* Writes the segment of a span: all styles and regions, and each cue that shows in it, as it stands in the file. */
int surtitle_cue_index_write(
    surtitle_cue_index *index, const surtitle_live_span *span, const surtitle_piece **pieces, size_t *piece_count);

/* Destroys the index; NULL does nothing. */
void surtitle_cue_index_destroy(surtitle_cue_index *index);

/* Cues of one writer that come while the stream goes on. */
typedef struct surtitle_growing surtitle_growing;

/* What the bytes of growing cues are. */
typedef enum surtitle_growing_format {
    SURTITLE_GROWING_WEBVTT = 0,
    SURTITLE_GROWING_SUBRIP = 1,
    SURTITLE_GROWING_JSON_LINES = 2 /* {"start":1.5,"end":3,"text":"Hello"}; "unit":"ms", "final":false is left out */
} surtitle_growing_format;

/* What becomes of a cue that comes when all segments are sealed in which it would show. */
typedef enum surtitle_growing_late {
    SURTITLE_LATE_SPOKEN = 0, /* the next segment has it with its own times, if it is no older than two target durations; else as SHIFT */
    SURTITLE_LATE_SHIFT = 1,  /* it shows from the beginning of the next segment, for 1 to 7 s */
    SURTITLE_LATE_DROP = 2
} surtitle_growing_late;

/* How cues that come are read and shown. */
typedef struct surtitle_growing_settings {
    size_t size;
    surtitle_text name;    /* identifiers of cues begin with it; given */
    uint64_t first_number; /* of the first cue; 0 for 1. Where a writer begins anew it must be a higher one than players know */
    int32_t format;        /* of surtitle_growing_format */
    int32_t late;          /* of surtitle_growing_late */
    int32_t is_in_milliseconds; /* 1 if times of JSON lines are, unless they say so themselves; 0 for seconds */
    int32_t has_latency;        /* 1 if a cue shows from so long before the live edge when it comes; 0 if its times are cue times */
    int64_t latency_milliseconds;
    size_t longest_block; /* bytes of a cue, or a line; 0 for 64 KiB */
    size_t most_kept;     /* bytes of cues that are kept, and at most one cue for each 64 of them; 0 for 4 MiB */
} surtitle_growing_settings;

/* Makes cues of which none has come. */
int surtitle_growing_create(const surtitle_growing_settings *settings, surtitle_growing **growing);

/*
 * Takes bytes, any number of them, as they come. A cue counts once its blank line, or the end of its line of JSON, is there.
 *
 * Returns SURTITLE_OK; SURTITLE_NOT_WEBVTT, SURTITLE_INVALID_UTF8, SURTITLE_CUES_REFUSED or SURTITLE_LIMIT_EXCEEDED: the cues before count,
 * and nothing that follows until the end of this writer.
 */
int surtitle_growing_append(surtitle_growing *growing, const void *bytes, size_t count, surtitle_error *error);

/* Ends the writer: a last cue counts though nothing follows it. Statuses as surtitle_growing_append(); in any case another may begin. */
int surtitle_growing_finish(surtitle_growing *growing, surtitle_error *error);

/* Breaks the writer off: a cue that is not whole is none. Another may begin. */
int surtitle_growing_abandon(surtitle_growing *growing);

/* Seals the segments that the last version has brought: from now on they never change. Call it after each version, before its playlist. */
int surtitle_growing_seal(surtitle_growing *growing, const surtitle_channel *channel);

/* Writes the segment of a span. */
int surtitle_growing_write(
    surtitle_growing *growing, const surtitle_live_span *span, const surtitle_piece **pieces, size_t *piece_count);

/* Tells how many cues are kept, how many were left out, because they end at their start or before, or came too late, and how many bytes are
 * held. */
int surtitle_growing_held(const surtitle_growing *growing, uint64_t *cues, uint64_t *left_out, uint64_t *held_bytes);

/* Forgets all cues, but not their numbers. */
int surtitle_growing_reset(surtitle_growing *growing);

/* Destroys them; NULL does nothing. */
void surtitle_growing_destroy(surtitle_growing *growing);

/* ---- Routes: what a player's requests get ---------------------------------------------------------------------------------- */

/*
 *     surtitle_router *router;                         // once, from the file that `surtitle route --config` reads
 *     surtitle_router_create(json, json_count, &router, &error);
 *     surtitle_route *route;                           // one a request, used again
 *     surtitle_route_create(router, &route);
 *
 *     surtitle_route_plan(route, &request, &plan);     // a redirect, a fetch, a playlist that is made, nothing, an error
 *     surtitle_route_hop(route, purpose, url, previous, &hop);               // for each request and redirect: whether it may be followed
 *     surtitle_route_fill(route, &material, &resource, &error);              // what was fetched becomes what the player gets
 *     surtitle_route_answer(route, &answer);           // the bytes that were asked for; or surtitle_route_http_answer()
 *
 * URLs may be any bytes.
 */

/* What the tracks, addresses and policies of a configuration come to: immutable, shared by threads and forked processes. */
typedef struct surtitle_router surtitle_router;

/*
 * Makes a router of a JSON text (RFC 8259) of at most 1 MiB, in the words of the command line: master, tracks, schemes, base, headers,
 * headers-to, probe, variants, segments, keys, webvtt, missing-track, map, replace-default, limits. The guide Configuration.md has the table. Other keys
 * are checked and not used.
 *
 * Returns SURTITLE_OK, SURTITLE_JSON_REFUSED, SURTITLE_CONFIGURATION_REFUSED, also if there is no master or the policies cannot be met,
 * SURTITLE_TRACK_REFUSED, SURTITLE_EDIT_REFUSED, or a status of misuse; `error` as surtitle_configuration_create_json(). Any thread.
 */
int surtitle_router_create(const void *bytes, size_t count, surtitle_router **router, surtitle_error *error);

/* Tells the URL that the player begins with. It is valid as long as the router. */
int surtitle_router_entry(const surtitle_router *router, surtitle_text *entry);

/* A track, and where a player finds what belongs to it. The texts are valid as long as the router. */
typedef struct surtitle_routed_track {
    size_t size;
    int32_t format;        /* of surtitle_track_format, by its configuration and its name */
    int32_t is_redirected; /* 1 if requests for its file are redirected to the origin, else 0 */
    surtitle_text name;      /* what addresses call it */
    surtitle_text url;       /* where its file or playlist is at the origin; not given for a local file */
    surtitle_text path;      /* the local file that is named for it, as it is written */
    surtitle_text rendition; /* the URI that the multivariant playlist has for it */
    surtitle_text file;      /* the URI of its WebVTT file in the subtitle playlist that is made: its own, with "auto" where it may stay as it is
                              * and with "direct", or an address of ours; not given if its playlist is another's */
    uint64_t duration_nanoseconds; /* 0 if the configuration does not say */
} surtitle_routed_track;

/* Fills `track`, whose size is set, with the track at `index`, in the configuration's order. SURTITLE_NOT_FOUND if there are not so many. */
int surtitle_router_track(const surtitle_router *router, size_t index, surtitle_routed_track *track);

/* Destroys the router; NULL does nothing. Routes and fetches made of it live on. No call on it may be running. */
void surtitle_router_destroy(surtitle_router *router);

/* A player's request, its plan, and what it gets. */
typedef struct surtitle_route surtitle_route;

/* Makes a route, for one request after the other. Any thread; the router may be in use by others. */
int surtitle_route_create(const surtitle_router *router, surtitle_route **route);

/* What a player asks for. */
typedef struct surtitle_route_request {
    size_t size;
    surtitle_text url;         /* as the player has it; required */
    int64_t offset;            /* where the bytes begin; below 0 it is unsatisfiable */
    int64_t length;            /* how many they are; not looked at with to_end */
    int32_t to_end;            /* 1 for all bytes from `offset` on, else 0 */
    int32_t wants_information; /* 1 if the content's type and length are asked for, else 0 */
    const surtitle_field *fields; /* header fields that go along */
    size_t field_count;
    const surtitle_text *content_types; /* uniform types that are asked for or allowed: with one of content keys it is not ours */
    size_t content_type_count;
} surtitle_route_request;

/* What a request gets. */
typedef enum surtitle_plan_kind {
    SURTITLE_PLAN_DECLINE = 0,  /* nothing: the request is not ours, and is left to others */
    SURTITLE_PLAN_FAIL = 1,     /* an error: it is ours, and there is nothing that it could get */
    SURTITLE_PLAN_REDIRECT = 2, /* a redirect (302) to `url` */

    /* `url` is fetched whole, by GET, with `fields`; then surtitle_route_fill(). */
    SURTITLE_PLAN_FETCH_MASTER = 16,            /* a multivariant playlist, if its content says so: it gets the tracks */
    SURTITLE_PLAN_FETCH_MEDIA_PLAYLIST = 17,    /* its URIs are mapped */
    SURTITLE_PLAN_FETCH_SUBTITLE_PLAYLIST = 18, /* that of a track, made by somebody else: its WebVTT files get addresses of ours */
    SURTITLE_PLAN_FETCH_CUES = 19,              /* a WebVTT file of such a playlist */
    SURTITLE_PLAN_FETCH_KEY = 20,
    /* What came by an address like the entry's, and is not the entry: its content says what it is, and what is no playlist is redirected. */
    SURTITLE_PLAN_FETCH_PLAYLIST = 21,

    /* Of the track `track`; then surtitle_route_fill(). */
    SURTITLE_PLAN_SUBTITLE_PLAYLIST = 32, /* made, if the track's duration is known: surtitle_fetch_create_for() */
    SURTITLE_PLAN_SUBTITLE_FILE = 33,     /* the track's file as WebVTT: surtitle_fetch_create_for() */
    SURTITLE_PLAN_EMPTY_FILE = 34         /* a WebVTT file without cues, since the track's playlist is missing */
} surtitle_plan_kind;

/* Why a request is declined or fails. */
typedef enum surtitle_plan_reason {
    SURTITLE_PLAN_NO_REASON = 0,
    SURTITLE_PLAN_OTHER_URL = 1,     /* the URL is none of ours */
    SURTITLE_PLAN_KEY_SYSTEM = 2,    /* the URL names a key of a key system: skd: */
    SURTITLE_PLAN_CONTENT_KEY = 3,   /* a content key is asked for */
    SURTITLE_PLAN_KEY_LEFT = 4,      /* the policy leaves keys to the app */
    SURTITLE_PLAN_UNKNOWN_TRACK = 5, /* fails: the URL names a track that there is not */
    SURTITLE_PLAN_NO_ADDRESS = 6     /* fails: the URL is of our scheme, and nothing that was ever given to a player */
} surtitle_plan_reason;

/* A plan. What it points to is valid until the next surtitle_route_plan() or the route's destruction. */
typedef struct surtitle_plan {
    size_t size;
    int32_t kind;   /* of surtitle_plan_kind */
    int32_t reason; /* of surtitle_plan_reason */
    int64_t track;  /* the index of the track that it is about, -1 if it is about none */
    surtitle_text url; /* to be redirected to, with ASCII percent-encoded that no URI holds, so that it can stand in Location; or to be
                        * fetched, as the origin has it; of a track's file and playlist where it is at the origin */
    const surtitle_field *fields; /* of the request to the origin: the player's, without those of its own request and connection, and the app's;
                                   * to another origin than the master's of the player's User-Agent, Accept and Accept-Language alone, unless
                                   * headers-to is "everywhere" */
    size_t field_count;
    surtitle_text description; /* the plan in words, for logs: as `surtitle route` has it */
} surtitle_plan;

/*
 * Plans what `request` gets. It begins the route anew.
 *
 *   request   copied; not needed afterwards
 *   plan      filled; its size is set
 *
 * Returns SURTITLE_OK, also for a plan that is to decline or to fail, or a status of misuse.
 */
int surtitle_route_plan(surtitle_route *route, const surtitle_route_request *request, surtitle_plan *plan);

/* Flags of material. */
typedef enum surtitle_material_flags {
    SURTITLE_MATERIAL_MISSING = 1, /* the origin does not have it (404, 410): what the policy for missing tracks says is made */
    SURTITLE_MATERIAL_READY = 2    /* the bytes are those of a resource that was made before, kept by you, and are taken as they are */
} surtitle_material_flags;

/* What a plan's resource is made of. */
typedef struct surtitle_material {
    size_t size;
    uint32_t flags;    /* of surtitle_material_flags, one at most */
    uint32_t reserved; /* 0 */
    const void *bytes; /* what was fetched; none for SURTITLE_PLAN_SUBTITLE_PLAYLIST and SURTITLE_PLAN_EMPTY_FILE */
    size_t count;
    surtitle_text url;             /* where the bytes came from, after redirects; if it is not given, the plan's */
    uint64_t duration_nanoseconds; /* of the track, for its playlist; the configuration's if 0, and of a missing one else 1 s */
    const size_t *left_out; /* indices of tracks that a multivariant playlist does not get, since their files are missing */
    size_t left_out_count;
} surtitle_material;

/* What a player gets, whole. What it points to is valid until the next surtitle_route_plan() or surtitle_route_fill(). */
typedef struct surtitle_resource {
    size_t size;
    const uint8_t *bytes;
    size_t count;
    surtitle_text uniform_type; /* as Apple's systems call it, public.m3u-playlist; not given if a player is better told none */
    surtitle_text media_type;   /* application/vnd.apple.mpegurl */
    int32_t verdict;            /* of surtitle_verdict, of a playlist that was fetched: a media playlist has got no tracks */
    int32_t exceeded_limit;     /* of surtitle_limit; from its line on nothing was edited */
    uint64_t added_bytes;       /* of tags, which the end of the playlist got */
} surtitle_resource;

/*
 * Makes the resource that the plan is for: the multivariant playlist with its tracks, a mapped playlist, the subtitle playlist of a track,
 * a file without cues, a file or a key as it is.
 *
 *   material   copied; not needed afterwards
 *   resource   NULL, or filled; its size is set
 *   error      NULL, or filled if the call fails
 *
 * Returns SURTITLE_OK; SURTITLE_NOT_FOUND if it is missing, and the player's request is to fail; SURTITLE_NOT_PLAYLIST, and the plan of
 * SURTITLE_PLAN_FETCH_PLAYLIST and _MEDIA_PLAYLIST becomes a redirect to its `url`, as surtitle_route_http_answer() tells from then on;
 * SURTITLE_LIMIT_EXCEEDED if the configuration says so; SURTITLE_SEGMENT_REFUSED for a track without a duration; SURTITLE_URI_REFUSED for
 * a `url` that is no http or https URL; SURTITLE_INVALID_VALUE also if the plan is for no resource; or a status of misuse.
 */
int surtitle_route_fill(
    surtitle_route *route, const surtitle_material *material, surtitle_resource *resource, surtitle_error *error);

/* What becomes of a request for bytes. */
typedef enum surtitle_answer_kind {
    SURTITLE_ANSWER_NO_BYTES = 0,     /* none are handed over, and the request is finished: what was asked for is the information */
    SURTITLE_ANSWER_BYTES = 1,        /* these, which may be none */
    SURTITLE_ANSWER_UNSATISFIABLE = 2 /* the request fails: its bytes lie past the end, or its numbers make no sense */
} surtitle_answer_kind;

/* What a player's request for bytes gets, as AVFoundation has it. Validity is that of the resource. */
typedef struct surtitle_answer {
    size_t size;
    int32_t kind;            /* of surtitle_answer_kind */
    int32_t has_information; /* 1 if the player is told type and length, else 0 */
    surtitle_text uniform_type; /* with information; may not be given */
    uint64_t length;            /* of the resource, with information; any range of it can be had */
    uint64_t offset;            /* of the bytes in the resource */
    const uint8_t *bytes;
    size_t count;
} surtitle_answer;

/* Answers the request of the plan from its resource. SURTITLE_INVALID_VALUE if there is none yet. */
int surtitle_route_answer(surtitle_route *route, surtitle_answer *answer);

/* What a proxy answers. Validity is that of the resource, and no longer than until the next surtitle_route_http_answer(). */
typedef struct surtitle_http_answer {
    size_t size;
    int32_t http_status; /* 200, 206, 302, 404, 405, 416, 502 */
    int32_t reserved;    /* 0 */
    const surtitle_field *fields; /* Content-Length among them */
    size_t field_count;
    uint64_t offset;      /* of the body in the resource */
    const uint8_t *bytes; /* the body; none for HEAD */
    size_t count;
} surtitle_http_answer;

/*
 * Answers an HTTP request for the plan's URL: by its resource if there is one, and with method and Range counting (RFC 9110 14.2); else a
 * redirect, a refusal or an error by the plan.
 *
 *   fields   of the client's request
 *
 * Returns SURTITLE_OK, SURTITLE_INVALID_VALUE if the plan is for a resource that there is not yet, or a status of misuse.
 */
int surtitle_route_http_answer(
    surtitle_route *route, surtitle_text method, const surtitle_field *fields, size_t field_count, surtitle_http_answer *answer);

/* Whether a request may go where a plan, a playlist or a redirect has it go. */
typedef enum surtitle_hop_permission {
    SURTITLE_HOP_GRANTED = 0,
    SURTITLE_HOP_IF_PUBLIC = 1,      /* if the address to which its host has led is public: surtitle_route_is_public() */
    SURTITLE_HOP_LEFT_TO_CLIENT = 2, /* it may not: the client is redirected there in its place, and the plan is a redirect from now on */
    SURTITLE_HOP_DENIED = 3          /* it may not */
} surtitle_hop_permission;

/* A request that is made for a route, at one of its hops. What it points to is valid as long as the plan, but until the next hop. */
typedef struct surtitle_hop {
    size_t size;
    int32_t permission; /* of surtitle_hop_permission */
    int32_t reserved;   /* 0 */
    const surtitle_field *fields; /* with which the request goes there: none that may be a credential, but to the master's origin */
    size_t field_count;
} surtitle_hop;

/*
 * Tells whether a request that is made for the route's plan may go to `url`. It is asked of the first URL, of each that a fetch asks for, and,
 * by who follows redirects, of each that a redirect leads to: an address below a base can be asked for by anybody who reaches it, and must
 * not become a way to whatever you can reach. Such an address gets a key or a file only from the origins of the master and the tracks, and
 * those of "origins". What is only read, a playlist or a segment of which the first time stamp is wanted, comes from public hosts too.
 * Nothing goes from https to http. Addresses by schemes, which only the app's own player asks for, get anything else.
 *
 *   purpose    of surtitle_fetch_purpose: that of a request of a fetch; for what the plan has fetched itself SURTITLE_PURPOSE_KEY,
 *              SURTITLE_PURPOSE_SUBTITLES for SURTITLE_PLAN_FETCH_CUES, and else SURTITLE_PURPOSE_VIDEO_PLAYLIST
 *   url        where it is to go, absolute
 *   previous   the URL whose answer redirects there; not given if none does
 *   hop        filled; its size is set
 *
 * Returns SURTITLE_OK, also for what is denied; SURTITLE_INVALID_VALUE also without a plan; or a status of misuse.
 */
int surtitle_route_hop(surtitle_route *route, int purpose, surtitle_text url, surtitle_text previous, surtitle_hop *hop);

/*
 * Tells whether an IP address, of 4 or 16 bytes in the order of the net, is of the public net (RFC 6890): not of this machine, nor of a private
 * network. Ask it of the address that you have connected to, before anything is sent. `is_public` becomes 1 or 0.
 */
int surtitle_route_is_public(const uint8_t *address, size_t count, int *is_public);

/* Destroys the route, and what it has handed out; NULL does nothing. */
void surtitle_route_destroy(surtitle_route *route);

/* ---- Fetching: what to ask for next ---------------------------------------------------------------------------------------- */

/*
 *     while ((status = surtitle_fetch_next(fetch, &request)) == SURTITLE_NEEDS_MORE) {
 *         // make the request; of its response:
 *         int need = surtitle_fetch_begin(fetch, http_status, final_url, 0, fields, field_count);
 *         while (need == SURTITLE_NEEDS_MORE && receive(chunk, &count)) need = surtitle_fetch_write(fetch, chunk, count);
 *         if (need == SURTITLE_NEEDS_MORE) is_whole ? surtitle_fetch_finish(fetch) : surtitle_fetch_fail(fetch);
 *     }
 *     surtitle_fetch_result(fetch, &result);
 */

/* surtitle_fetch, of which streams make some above: finds out or brings something of a track by HTTP. It says what to ask for, and is fed what
 * comes. To cancel is to destroy it. */

/* What is to be found out or brought. */
typedef enum surtitle_fetch_job {
    SURTITLE_FETCH_PRESENCE = 0,   /* whether the file is there, and what it should be */
    SURTITLE_FETCH_DURATION = 1,   /* how long it lasts: by its tail where that tells, else by the whole */
    SURTITLE_FETCH_CONTENT = 2,    /* the file as WebVTT, or the playlist */
    SURTITLE_FETCH_MEDIA_START = 3 /* the first time stamp of a video, for an X-TIMESTAMP-MAP */
} surtitle_fetch_job;

/* Which X-TIMESTAMP-MAP a WebVTT file gets. */
typedef enum surtitle_fetch_map {
    SURTITLE_MAP_OWN = 0,       /* none that it has not */
    SURTITLE_MAP_ALWAYS = 1,    /* `mpegts` and `local_milliseconds`, instead of its own */
    SURTITLE_MAP_IF_NONE = 2,   /* the same if it has none */
    SURTITLE_MAP_FROM_VIDEO = 3 /* what the first segment of the video tells, if it has none */
} surtitle_fetch_map;

/* A job. Limits are in bytes, at most 1 GiB; 0 is the default. */
typedef struct surtitle_fetch_settings {
    size_t size;
    int32_t job;     /* of surtitle_fetch_job */
    int32_t format;  /* of surtitle_track_format */
    surtitle_text url;   /* of the track, absolute; required but for SURTITLE_FETCH_MEDIA_START */
    surtitle_text video; /* of the video's multivariant or media playlist, absolute; for SURTITLE_FETCH_MEDIA_START and SURTITLE_MAP_FROM_VIDEO */
    uint64_t duration_nanoseconds; /* how long the track lasts, if that is known; else 0 */
    int32_t map;      /* of surtitle_fetch_map, for SURTITLE_FETCH_CONTENT; else 0 */
    int32_t reserved; /* 0 */
    uint64_t mpegts;  /* as surtitle_timestamp_mapper_create() */
    int64_t local_milliseconds;
    size_t tail;     /* what is asked for first of a file's end: 16 KiB */
    size_t block;    /* the longest range of a file that is held: 256 KiB */
    size_t file;     /* the longest file of subtitles: 16 MiB */
    size_t playlist; /* the longest playlist: 4 MiB */
    size_t segment;  /* the most that is read of a media segment: 4 MiB */
    size_t requests; /* the most requests: 16 */
    int64_t shift_milliseconds; /* by how much the cues of a file are shown later, or earlier if it is below 0 */
} surtitle_fetch_settings;

/* Makes a fetch. Returns SURTITLE_OK or a status of misuse. Any thread. */
int surtitle_fetch_create(const surtitle_fetch_settings *settings, surtitle_fetch **fetch);

/*
 * Makes a fetch for a track of a router, with its URL, format and duration, and with the map that the policies say. For SURTITLE_FETCH_MEDIA_START
 * it is the router's multivariant playlist, whichever track there is.
 *
 * Returns SURTITLE_OK; SURTITLE_NOT_FOUND if there are not so many tracks, or it is a local file; or a status of misuse. Any thread.
 */
int surtitle_fetch_create_for(const surtitle_router *router, size_t track, int job, surtitle_fetch **fetch);

/*
 * Decrypts `count` bytes, a multiple of 16, in place: AES with a key of 128 bits (FIPS 197) in blocks that are chained (CBC, SP 800-38A). Nothing
 * is done about padding. Of OpenSSL it is EVP_DecryptInit_ex() with EVP_aes_128_cbc(), and EVP_CIPHER_CTX_set_padding(…, 0).
 *
 *   context   as it was given to surtitle_fetch_set_decrypt()
 *   key       16 bytes
 *   vector    the initialization vector: 16 bytes
 *
 * Returns 0, or another number if it cannot. It must not call a function on the fetch that calls it.
 */
typedef int surtitle_decrypt(void *context, const uint8_t *key, const uint8_t *vector, uint8_t *bytes, size_t count);

/*
 * Says who decrypts the first segment of a video with METHOD=AES-128, for its time stamp. surtitle_fetch_next() calls `decrypt`, on its own thread.
 * NULL, as at first: nobody does, and such a video tells none. surtitle_fetch_reset() leaves it as it is.
 *
 * Returns SURTITLE_OK or a status of misuse.
 */
int surtitle_fetch_set_decrypt(surtitle_fetch *fetch, surtitle_decrypt *decrypt, void *context);

/*
 * The same for what decrypts later than in a call. With 1, surtitle_fetch_next() returns SURTITLE_NEEDS_DECRYPTION where it has no function to
 * call; with 0, as at first, such a video tells no time stamp.
 */
int surtitle_fetch_set_decrypts(surtitle_fetch *fetch, int decrypts);

/* Bytes that are to be decrypted, as a surtitle_decrypt has them. Valid until the next call on the fetch or its destruction. */
typedef struct surtitle_decryption {
    size_t size;
    const uint8_t *key;    /* 16 bytes */
    const uint8_t *vector; /* 16 bytes */
    const uint8_t *bytes;
    size_t count; /* a multiple of 16 */
} surtitle_decryption;

/* Fills `decryption`, whose size is set. SURTITLE_NOT_FOUND if nothing is to be decrypted. */
int surtitle_fetch_decryption(surtitle_fetch *fetch, surtitle_decryption *decryption);

/*
 * Takes what the bytes have become: as many of them. NULL and 0, or another number, if they cannot be decrypted: the fetch comes to nothing then.
 * Returns SURTITLE_OK, also if nothing is to be decrypted, and nothing happens; or a status of misuse. Then surtitle_fetch_next().
 */
int surtitle_fetch_decrypted(surtitle_fetch *fetch, const uint8_t *bytes, size_t count);

/* What a request is for. */
typedef enum surtitle_fetch_purpose {
    SURTITLE_PURPOSE_SUBTITLES = 0,
    SURTITLE_PURPOSE_SUBTITLE_PLAYLIST = 1,
    SURTITLE_PURPOSE_VIDEO_PLAYLIST = 2,
    SURTITLE_PURPOSE_INITIALIZATION = 3, /* the media initialization section of a video's first segment */
    SURTITLE_PURPOSE_SEGMENT = 4,        /* a video's first segment */
    SURTITLE_PURPOSE_KEY = 5,            /* a key that is handed on, for surtitle_route_hop(): no fetch asks for one */
    SURTITLE_PURPOSE_SEGMENT_KEY = 6     /* that of a segment, if it is encrypted: surtitle_fetch_set_decrypt() */
} surtitle_fetch_purpose;

/* Which part of a resource a request asks for. */
typedef enum surtitle_range_kind {
    SURTITLE_RANGE_NONE = 0,  /* the whole */
    SURTITLE_RANGE_BYTES = 1, /* `range_count` bytes from `range_offset` on */
    SURTITLE_RANGE_SUFFIX = 2 /* the last `range_count` bytes */
} surtitle_range_kind;

/*
 * A request that is to be made, following redirects, as far as surtitle_route_hop() lets it if it is made for a route. Valid until the next
 * call on the fetch or its destruction.
 */
typedef struct surtitle_fetch_request {
    size_t size;
    surtitle_text method; /* GET */
    surtitle_text url;    /* absolute, without a fragment */
    const surtitle_field *fields; /* those that it must have, Range among them; add the app's, but no other condition and no other Range */
    size_t field_count;
    int32_t range;   /* of surtitle_range_kind: what Range says */
    int32_t purpose; /* of surtitle_fetch_purpose */
    uint64_t range_offset;
    uint64_t range_count;
    uint64_t byte_limit; /* the most bytes of a body that are of use */
} surtitle_fetch_request;

/*
 * Tells what is to be done next. A request that is under way is given again; one whose body is being read counts as broken off.
 *
 *   request   filled if there is one; its size is set
 *
 * Returns SURTITLE_NEEDS_MORE if there is a request to make; SURTITLE_NEEDS_DECRYPTION if bytes are to be decrypted, after
 * surtitle_fetch_set_decrypts(); SURTITLE_OK if the job is done; SURTITLE_FETCH_FAILED if it came to nothing; or a status of misuse. All but the
 * first two is final, and surtitle_fetch_result() has it.
 */
int surtitle_fetch_next(surtitle_fetch *fetch, surtitle_fetch_request *request);

/*
 * Takes the beginning of the response to the request that is under way.
 *
 *   http_status   the status code, after redirects; that of a redirect which may not be followed
 *   url           the URL that answered, if a redirect led there; else not given
 *   is_decoded    1 if your client undoes content codings by itself, whatever Content-Encoding says; else 0
 *   fields        all header field lines; copied as far as they matter
 *
 * Returns SURTITLE_NEEDS_MORE: hand over the body; SURTITLE_OK: drop the rest of the response, and ask for what is next; or a status of
 * misuse.
 */
int surtitle_fetch_begin(
    surtitle_fetch *fetch, int http_status, surtitle_text url, int is_decoded, const surtitle_field *fields, size_t field_count);

/* Takes the next bytes of the body, any number of them, and returns what surtitle_fetch_begin() does. */
int surtitle_fetch_write(surtitle_fetch *fetch, const void *bytes, size_t count);

/* Ends the body, as its framing says (RFC 9112 6.3). Returns SURTITLE_OK, or a status of misuse. */
int surtitle_fetch_finish(surtitle_fetch *fetch);

/* Tells that there is no response, or no more of it: no connection, too slow, broken off. Else as surtitle_fetch_finish(). */
int surtitle_fetch_fail(surtitle_fetch *fetch);

/* Where a duration comes from. */
typedef enum surtitle_duration_source {
    SURTITLE_SOURCE_TRACK = 0,   /* it was given */
    SURTITLE_SOURCE_TAIL = 1,    /* the last cues of the file, of which the latest end counts; earlier ones might end later */
    SURTITLE_SOURCE_FILE = 2,    /* all cues of the file */
    SURTITLE_SOURCE_PLAYLIST = 3 /* the sum of all EXTINF */
} surtitle_duration_source;

/* What a failure is, for a policy. */
typedef enum surtitle_fetch_failure {
    SURTITLE_FAILURE_NONE = 0,
    SURTITLE_FAILURE_MISSING = 1,  /* it is not there: 404 or 410 */
    SURTITLE_FAILURE_REFUSED = 2,  /* another answer of the origin's */
    SURTITLE_FAILURE_NETWORK = 3,  /* no answer, or one that broke off */
    SURTITLE_FAILURE_UNUSABLE = 4, /* it came, and is of no use */
    SURTITLE_FAILURE_LIMIT = 5     /* a limit was reached */
} surtitle_fetch_failure;

/* What a job has come to. What it points to is valid until the next call on the fetch or its destruction. */
typedef struct surtitle_fetched {
    size_t size;
    int32_t is_playlist;  /* SURTITLE_FETCH_CONTENT: 1 if the bytes are a playlist; else 0 */
    int32_t is_converted; /* SURTITLE_FETCH_CONTENT: 1 if the file was of another format than WebVTT; else 0 */
    const uint8_t *bytes; /* SURTITLE_FETCH_CONTENT: the whole file or playlist */
    size_t count;
    surtitle_text url; /* where a playlist came from, after redirects; or what the failure is about */
    uint64_t duration_nanoseconds;  /* SURTITLE_FETCH_DURATION: above 0; else 0 */
    int64_t final_cue_milliseconds; /* SURTITLE_FETCH_DURATION: when the final cue ends; -1 if none was looked at */
    int32_t source;   /* SURTITLE_FETCH_DURATION: of surtitle_duration_source */
    int32_t has_map;  /* 1 if the file has a map, or a video has told one: the next two; else 0 */
    uint64_t mpegts;  /* as surtitle_timestamp_mapper_create() */
    int64_t local_milliseconds;
    uint64_t start_nanoseconds; /* SURTITLE_FETCH_MEDIA_START: when the segment begins, above 0 if gaps come before it */
    int32_t failure;     /* of surtitle_fetch_failure. SURTITLE_FETCH_CONTENT may have one and bytes: why the video has told no map */
    int32_t purpose;     /* of surtitle_fetch_purpose, with a failure */
    int32_t http_status; /* with which the origin answered, if that is the failure; else 0 */
    int32_t reserved;    /* 0 */
    surtitle_text message; /* what is wrong, in English; empty without a failure */
} surtitle_fetched;

/*
 * Fills `result`, whose size is set.
 *
 * Returns what surtitle_fetch_next() has returned: SURTITLE_OK, SURTITLE_FETCH_FAILED with the failure filled in, or SURTITLE_NEEDS_MORE or
 * SURTITLE_NEEDS_DECRYPTION, and nothing is filled; SURTITLE_NEEDS_MORE also before the first call of it; or a status of misuse.
 */
int surtitle_fetch_result(surtitle_fetch *fetch, surtitle_fetched *result);

/* Tells how many bytes are held of what has come, beside a few hundred and a line. */
int surtitle_fetch_held_bytes(const surtitle_fetch *fetch, uint64_t *held);

/* Begins the job anew, as if nothing had come: to try again. */
int surtitle_fetch_reset(surtitle_fetch *fetch);

/* Destroys the fetch, and what it has handed out; NULL does nothing. */
void surtitle_fetch_destroy(surtitle_fetch *fetch);

/* ---- Allocation ------------------------------------------------------------------------------------------------------------ */

/*
 * Sets where the library's memory comes from, once in a process, before any other function is called that allocates: all that create a
 * handle, and surtitle_subtitle_playlist().
 *
 *   allocate   returns `size` bytes at a multiple of `alignment`, a power of two. It may not return NULL: the process ends then. It may
 *              be called from several threads at once, if the library is
 *   release    gives back what `allocate` has returned; never NULL
 *   context    is handed to both
 *
 * Neither may call the library with a handle that is in use or being destroyed: SURTITLE_BUSY, or nothing happens for a destroy. Returns
 * SURTITLE_OK; SURTITLE_TOO_LATE; SURTITLE_NULL_ARGUMENT; SURTITLE_UNSUPPORTED in a build that runs on the Swift runtime, whose memory is not
 * the library's to choose.
 */
int surtitle_set_allocator(
    void *(*allocate)(size_t alignment, size_t size, void *context), void (*release)(void *memory, void *context), void *context);

#ifdef __cplusplus
}
#endif

#endif
