// What a search for the URIs of a playlist is told and what it answers.
//
// A URI is plain if one look at its bytes tells where a mapping would change it: at its beginning, and where its query ends. Then what
// takes the place of its beginning can be made ahead, once for all URIs of its kind. See kernels/find_uris.h.
#ifndef BYTESCAN_URIS_H
#define BYTESCAN_URIS_H

#include "bytescan_block.h"

/// How a URI begins, if it is plain.
typedef enum BYTESCAN_NAMED("URIForm") {
    /// It is not plain.
    bytescan_uri_odd,
    /// With a step of its path: `seg/1.ts`.
    bytescan_uri_relative,
    /// With a slash, and not with two: `/seg/1.ts`.
    bytescan_uri_rooted,
    /// With `http://`, in small letters.
    bytescan_uri_http,
    /// With `https://`, in small letters.
    bytescan_uri_https,
} bytescan_uri_form;

/// A URI: on a line of its own, or in quotes.
typedef struct BYTESCAN_NAMED("FoundURI") {
    ptrdiff_t start;
    /// Where it ends; of one that is not plain, and of the line of a tag, where it starts.
    ptrdiff_t end;
    /// What follows the authority: the path, the query, or the end. Where the URI starts if it has no authority.
    ptrdiff_t path;
    bytescan_uri_form form;
    /// Whether it has a query.
    bool has_query BYTESCAN_NAMED("hasQuery");
} bytescan_uri;

/// A URI in a tag's line.
typedef struct BYTESCAN_NAMED("FoundValue") {
    bytescan_uri uri;
    /// Where the line's LF is.
    ptrdiff_t line_end BYTESCAN_NAMED("lineEnd");
} bytescan_value;

/// What makes a URI odd besides white space around it, a variable, a fragment, and a CR.
typedef struct BYTESCAN_NAMED("URIOddities") {
    /// Whether a step of the path that begins with a dot does: where references are resolved.
    bool dots;
    /// Whether an `@` does: where hosts are replaced.
    bool at;
} bytescan_uri_oddities;

enum { bytescan_uris_capacity = 32 };

/// What a finder of URIs looks for, and what it has found.
typedef struct BYTESCAN_NAMED("URIFinderMemory") {
    /// Bit n for tags that are reported and whose hash is n.
    uint64_t hashes;
    bytescan_uri_oddities oddities;
    /// How many lines are reported at once at most.
    ptrdiff_t capacity;
    bytescan_uri found[bytescan_uris_capacity];
    /// Where to go on: lines after a line feed at or after this have not been looked at.
    ptrdiff_t next;
} bytescan_uri_finder;

/// The URI with `index`, one of those found last.
BYTESCAN_INLINE bytescan_uri bytescan_found_uri(const bytescan_uri_finder *finder, ptrdiff_t index) BYTESCAN_NAMED("foundURI(_:_:)");
BYTESCAN_INLINE bytescan_uri bytescan_found_uri(const bytescan_uri_finder *finder, ptrdiff_t index) { return finder->found[index]; }

#endif
