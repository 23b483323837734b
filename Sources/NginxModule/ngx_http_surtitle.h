// What the files of the module share.
//
//     ngx_http_surtitle_module.c      directives, levels of the configuration, counters in shared memory
//     ngx_http_surtitle_tracks.c      surtitle_track and surtitle_config: what is checked and made of them
//     ngx_http_surtitle_files.c       surtitle_serve: what is made and kept of tracks' files when the configuration is read
//     ngx_http_surtitle_serving.c     surtitle_serve: requests for them
//     ngx_http_surtitle_maps.c        map=auto: the video's first time stamp, found out by subrequests and kept
//     ngx_http_surtitle_live.c        live=URI: playlists and segments beside a stream that goes on
//     ngx_http_surtitle_streams.c     the streams of a worker, and their state, which all workers share
//     ngx_http_surtitle_zone.c        surtitle_live_zone: where that is kept
//     ngx_http_surtitle_fetching.c    fetches of the library, by subrequests
//     ngx_http_surtitle_request.c     before the content handler: what is changed of the request
//     ngx_http_surtitle_response.c    the header filter: what is done with the response
//     ngx_http_surtitle_body.c        the body filter: which way a body goes, and when the header goes
//     ngx_http_surtitle_rewriting.c   bytes through the rewriter
//     ngx_http_surtitle_buffers.c     output buffers, whose memory is used again
//     ngx_http_surtitle_cache.c       surtitle_cache: playlists of files, kept as they go out
//     ngx_http_surtitle_variables.c   what logs can tell
//
// A request's way:
//
//     precontent ─▶ a file of a track? ─▶ answered here
//          │        else: the set of tracks that `surtitle` chooses, and the question of the request
//          ▼
//     content handler (proxy_pass, static, …), which sees the header fields as they were edited
//          ▼
//     header filter: fields as the client sent them again, the question of the response
//          │        pass │ look │ hold │ stream
//          ▼
//     body filter: nothing │ 12 bytes first │ all of it, then the header with its length │ the header, then as it comes
//                  a file: header and body as they were kept
//
// All decisions are the library's (surtitle.h); here they are carried out.
#ifndef NGX_HTTP_SURTITLE_H
#define NGX_HTTP_SURTITLE_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>
#include <surtitle.h>

// Handles and buffers that are kept for later requests, by each worker.
#define NGX_HTTP_SURTITLE_KEPT_HANDLES 8
#define NGX_HTTP_SURTITLE_KEPT_BUFFERS 32
#define NGX_HTTP_SURTITLE_MOST_BUFFERS 64

// How much of a file is read at once, where the module reads it.
#define NGX_HTTP_SURTITLE_READ 32768

// Of r->buffered, whose low bits 0x01 to 0x04 belong to SSI, sub_filter and the copy filter.
#define NGX_HTTP_SURTITLE_BUFFERED 0x08

// The bytes that tell a playlist from anything else, at most.
#define NGX_HTTP_SURTITLE_LOOKED 12

#define NGX_HTTP_SURTITLE_FIELD(name, text) {name, sizeof(name) - 1, (const char *)(text)->data, (text)->len}

// ---- Configuration ------------------------------------------------------------------------------------------------------------

// A track as `surtitle_track` gives it.
typedef struct {
    ngx_array_t keys; // of surtitle_track_key: the parameters that are the library's
    surtitle_text uri; // among them; not given if there is none
    ngx_str_t file; // empty if it is not served here
    uint64_t duration; // in nanoseconds; 0 if the file tells
    int64_t shift; // by how many milliseconds its cues are shown later, or earlier if it is below 0
    uint64_t mpegts; // of the X-TIMESTAMP-MAP; with has_map
    ngx_str_t video; // whose first time stamp the map is, with is_auto: a path, or relative as `uri` is
    ngx_str_t live; // the media playlist of the video beside which it goes on; empty if it does not
    ngx_str_t at; // what its cues' time 0 is then; empty if that is not said
    unsigned has_map:1;
    unsigned is_auto:1;
} ngx_http_surtitle_track_t;

// How a track goes on beside a stream.
typedef struct {
    ngx_str_t playlist; // of the video: a path, or relative as the track's URI is
    ngx_str_t prefix; // of its segments, in its own playlist
    ngx_str_t kind; // a text that is another where `settings` are others
    surtitle_channel_settings settings;
    surtitle_cue_index *index;
} ngx_http_surtitle_live_t;

// What is served under one path.
typedef struct {
    ngx_str_t path; // decoded; absolute, or the end of a path. With a slash at its end, whatever is in that folder
    ngx_http_surtitle_live_t *live; // NULL if it is the same at all times
    ngx_str_t type;
    ngx_str_t body; // in memory; NULL if `file` is sent
    ngx_str_t file;
    ngx_str_t etag; // of the body
    ngx_str_t video; // of which the map is found out when the file is asked for; empty if it is as it is
    time_t modified;
} ngx_http_surtitle_file_t;

// What one level of the configuration, or a surtitle_tracks block, says about its tracks.
typedef struct {
    ngx_array_t *tracks; // of ngx_http_surtitle_track_t; NULL if there is none
    ngx_str_t json; // the file of surtitle_config; empty if there is none
    ngx_flag_t replaces_default;
    size_t longest_line;
    size_t held_renditions;
    size_t longest_group_id;
    size_t appended_tags;
} ngx_http_surtitle_source_t;

// Tracks, checked, and rewriters that wait for a response.
typedef struct {
    ngx_str_node_t node; // by name, for those of a block
    surtitle_configuration *configuration;
    uint64_t fingerprint;
    ngx_array_t files; // of ngx_http_surtitle_file_t
    surtitle_rewriter *kept[NGX_HTTP_SURTITLE_KEPT_HANDLES];
    ngx_uint_t kept_count;
} ngx_http_surtitle_set_t;

// Rules for header fields, and exchanges that wait for a request.
typedef struct {
    surtitle_http_rules *rules;
    surtitle_exchange *kept[NGX_HTTP_SURTITLE_KEPT_HANDLES];
    ngx_uint_t kept_count;
} ngx_http_surtitle_rules_t;

typedef struct {
    ngx_atomic_t multivariant;
    ngx_atomic_t uneditable_lines;
    ngx_atomic_t bailouts;
    ngx_atomic_t abandoned;
} ngx_http_surtitle_counters_t;

typedef struct {
    ngx_rbtree_t sets; // of ngx_http_surtitle_set_t, by name
    ngx_rbtree_node_t sentinel;
    ngx_shm_zone_t *zone; // NULL if no directive of the module is used
    ngx_shm_zone_t *maps; // NULL if no track has map=auto
    ngx_shm_zone_t *live; // NULL without surtitle_live_zone
    ngx_http_surtitle_counters_t *counters;
    unsigned is_used:1;
    unsigned finds_maps:1;
    unsigned follows_live:1;
} ngx_http_surtitle_main_conf_t;

typedef struct {
    ngx_http_surtitle_source_t source;
    ngx_http_surtitle_set_t *set; // of this level's tracks; NULL if there are none

    ngx_http_complex_value_t *value; // of `surtitle`; NULL if it is not said
    ngx_http_surtitle_set_t *chosen; // if the value is no variable; NULL then if it is off
    unsigned is_constant:1;

    ngx_flag_t serves;
    size_t hold_size;
    ngx_array_t *paths; // of surtitle_text
    ngx_flag_t ignores_no_transform;
    ngx_http_surtitle_rules_t *rules;
    ngx_bufs_t buffers;
    size_t cache_size; // of a worker; 0 if nothing is kept
} ngx_http_surtitle_loc_conf_t;

typedef struct {
    ngx_uint_t number; // of how many servers of the same name come before this one
} ngx_http_surtitle_srv_conf_t;

// ---- A request ----------------------------------------------------------------------------------------------------------------

// What the next byte of the body belongs to.
typedef enum {
    NGX_HTTP_SURTITLE_ASKED, // the request has been asked about; the response has not come
    NGX_HTTP_SURTITLE_LOOKING, // to bytes that tell whether it is a playlist; the header waits
    NGX_HTTP_SURTITLE_HOLDING, // to a playlist whose header waits for its length
    NGX_HTTP_SURTITLE_STREAMING, // to a playlist whose header has gone, or goes with the first bytes
    NGX_HTTP_SURTITLE_DRAINING, // to nobody: it has ended, and output is left
    NGX_HTTP_SURTITLE_WAITING, // to nobody yet: the file that is asked for waits for its map, or for a stream
    NGX_HTTP_SURTITLE_FETCHING, // to the fetch that a subrequest was made for, and to nobody else
    NGX_HTTP_SURTITLE_PASSING // to the client, as it is
} ngx_http_surtitle_state_e;

// Header fields of the request that nginx keeps pointers to, beside their list.
typedef enum {
    NGX_HTTP_SURTITLE_RANGE,
    NGX_HTTP_SURTITLE_IF_RANGE,
    NGX_HTTP_SURTITLE_IF_NONE_MATCH,
    NGX_HTTP_SURTITLE_IF_MATCH,
    NGX_HTTP_SURTITLE_IF_MODIFIED_SINCE,
    NGX_HTTP_SURTITLE_IF_UNMODIFIED_SINCE,
    NGX_HTTP_SURTITLE_ACCEPT_ENCODING,
    NGX_HTTP_SURTITLE_HOST,
    NGX_HTTP_SURTITLE_POINTERS
} ngx_http_surtitle_pointer_e;

typedef struct {
    ngx_list_t list;
    ngx_table_elt_t *pointers[NGX_HTTP_SURTITLE_POINTERS];
} ngx_http_surtitle_fields_t;

// A fetch that is carried out by subrequests (ngx_http_surtitle_fetching.c).
typedef struct ngx_http_surtitle_job_s ngx_http_surtitle_job_t;
struct ngx_http_surtitle_job_s {
    surtitle_fetch *fetch;
    const char *name; // in the log
    ngx_str_t origin; // the host of this server behind two slashes, as URLs have it
    unsigned is_asking:1; // a subrequest is under way
    unsigned is_cancelled:1; // nothing will come of it
    // Called when the job has ended, in the background of `main`; NULL if a request waits for it.
    void (*done)(ngx_http_surtitle_job_t *job, ngx_http_request_t *main);
};

// What is found out about a video (ngx_http_surtitle_maps.c).
typedef struct ngx_http_surtitle_wait_s ngx_http_surtitle_wait_t;
typedef struct ngx_http_surtitle_maps_s ngx_http_surtitle_maps_t;

// Streams that go on: of a worker, of all workers, and somebody who asks for something of one.
typedef struct ngx_http_surtitle_stream_s ngx_http_surtitle_stream_t;
typedef struct ngx_http_surtitle_asking_s ngx_http_surtitle_asking_t;

// The playlist of a track, written once a version.
typedef struct {
    u_char *memory; // NULL before the first
    size_t room;
    size_t prefix; // bytes of the prefix, which come first
    size_t count; // of all
    uint64_t generation;
} ngx_http_surtitle_rendition_t;

struct ngx_http_surtitle_stream_s {
    ngx_str_node_t node; // by name
    ngx_queue_t order; // the last used first
    ngx_queue_t waiting; // of ngx_http_surtitle_asking_t
    surtitle_channel_settings settings;
    ngx_str_t url; // of the video's playlist
    ngx_str_t origin; // of that, without the scheme
    surtitle_stream *stream; // NULL before it has been taken from the zone
    uint64_t generation; // of the state that it has
    ngx_uint_t users; // requests and fetches that know it
    ngx_event_t look; // whether other workers have done something, while requests wait
    ngx_http_surtitle_rendition_t renditions[NGX_HTTP_SURTITLE_KEPT_HANDLES];
    ngx_uint_t next_rendition; // whose memory is used next
};

struct ngx_http_surtitle_asking_s {
    ngx_http_request_t *request;
    ngx_http_surtitle_stream_t *stream;
    ngx_queue_t queue; // of those who wait; its `next` is NULL if it does not
    ngx_event_t event; // goes on with the request: at last, or when something has happened
    surtitle_live_ask ask;
    surtitle_live_step step;
    ngx_str_t body; // of the answer
};

// A state in shared memory.
typedef struct {
    ngx_str_node_t node; // by name
    ngx_queue_t queue; // the last used first
    uint64_t generation; // another for each state of any stream
    time_t used;
    time_t full_until; // since there was no room for a state, nothing is asked for until then
    u_char *state; // NULL before the first
    size_t count;
    size_t room;
    unsigned has_begun:1; // a version has come
    u_char name[];
} ngx_http_surtitle_kept_t;

typedef struct {
    ngx_http_request_t *request;
    ngx_http_surtitle_loc_conf_t *conf;
    ngx_http_surtitle_set_t *set;
    ngx_http_surtitle_rules_t *rules;
    ngx_http_surtitle_file_t *file; // what is served; NULL if the response is another's
    ngx_http_surtitle_wait_t *wait; // for its map; NULL if it needs none
    ngx_http_surtitle_asking_t *asking; // for something of a stream; NULL if it does not
    ngx_http_surtitle_job_t *job; // for which this subrequest is made
    ngx_uint_t fetch_count; // those that are carried out in the background of this request
    unsigned is_wanting:1; // the fetch wants more of the response
    surtitle_exchange *exchange;
    surtitle_rewriter *rewriter; // NULL unless a playlist goes through it

    ngx_http_surtitle_state_e state;
    ngx_http_surtitle_fields_t client_fields; // as the client sent them; with are_edited
    unsigned are_edited:1;
    unsigned is_header_waiting:1;
    unsigned may_be_kept:1; // the body may be a file whose playlist is kept as it goes out
    unsigned is_abandoned:1;
    unsigned is_verdict_known:1;
    unsigned is_settled:1;
    unsigned is_flushing:1;
    unsigned is_ending:1; // the last buffer of the body has come; `end` has its marks
    unsigned is_last_buf:1;
    unsigned is_last_in_chain:1;
    unsigned is_blocked:1; // all buffers are with the client
    unsigned is_inside_line:1; // what has been rewritten ends inside a line
    unsigned has_rest:1; // the rewriter has output for which there was no room
    unsigned must_end:1; // the playlist has ended, and the rewriter is still to be told

    surtitle_decision decision; // about the response; its edits are the exchange's
    off_t origin_length; // -1 if it is not known
    uint64_t received;
    uint64_t written;

    u_char looked[NGX_HTTP_SURTITLE_LOOKED];
    size_t looked_count;

    ngx_chain_t *in; // what waits to be rewritten
    ngx_chain_t *filling; // the buffer that is being filled
    ngx_chain_t *out; // full ones
    ngx_chain_t **last_out;
    ngx_chain_t *free;
    ngx_chain_t *busy;
    u_char **buffers; // their memory; NULL before the first
    ngx_uint_t buffer_count;
    u_char *read; // what is read of a file; NULL before the first

    // What variables tell.
    unsigned is_asked:1; // about the response, too
    surtitle_verdict verdict;
    uint64_t uneditable_lines;
    uint64_t added_bytes;
} ngx_http_surtitle_ctx_t;

// A playlist as it goes out.
typedef struct ngx_http_surtitle_whole_s ngx_http_surtitle_whole_t;

// By which nginx finds what is the module's. It is all that the other files know of ngx_http_surtitle_module.c, which calls them.
extern ngx_module_t ngx_http_surtitle_module;

// ngx_http_surtitle_tracks.c
void ngx_http_surtitle_source_init(ngx_http_surtitle_source_t *source);
char *ngx_http_surtitle_source_track(ngx_conf_t *cf, ngx_http_surtitle_source_t *source);
char *ngx_http_surtitle_source_config(ngx_conf_t *cf, ngx_http_surtitle_source_t *source);
char *ngx_http_surtitle_source_limits(ngx_conf_t *cf, ngx_http_surtitle_source_t *source);
char *ngx_http_surtitle_source_replace_default(ngx_conf_t *cf, ngx_http_surtitle_source_t *source);
ngx_http_surtitle_set_t *ngx_http_surtitle_set_create(ngx_conf_t *cf, ngx_http_surtitle_source_t *source);
ngx_http_surtitle_rules_t *ngx_http_surtitle_rules_create(ngx_conf_t *cf, ngx_http_surtitle_loc_conf_t *conf);

// ngx_http_surtitle_files.c
ngx_int_t ngx_http_surtitle_files_add(ngx_conf_t *cf, ngx_http_surtitle_set_t *set, ngx_http_surtitle_track_t *track);
ngx_int_t ngx_http_surtitle_read_file(ngx_conf_t *cf, ngx_str_t *name, size_t longest, ngx_str_t *text, time_t *modified);

ngx_int_t ngx_http_surtitle_map(ngx_pool_t *pool, uint64_t mpegts, int64_t milliseconds, ngx_str_t *body);
ngx_int_t ngx_http_surtitle_tag(ngx_pool_t *pool, ngx_http_surtitle_file_t *file);

// ngx_http_surtitle_maps.c
ngx_int_t ngx_http_surtitle_maps_init_zone(ngx_shm_zone_t *zone, void *old);
ngx_int_t ngx_http_surtitle_maps_wait(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx);
ngx_int_t ngx_http_surtitle_maps_apply(ngx_http_request_t *r, ngx_http_surtitle_wait_t *wait, ngx_http_surtitle_file_t *file);
ngx_int_t ngx_http_surtitle_video_path(ngx_http_request_t *r, ngx_str_t *video, size_t matched, ngx_str_t *path);

// ngx_http_surtitle_fetching.c
ngx_int_t ngx_http_surtitle_url(ngx_http_request_t *r, ngx_str_t *path, ngx_str_t *url, ngx_str_t *origin);
ngx_int_t ngx_http_surtitle_name(ngx_http_request_t *r, ngx_str_t *kind, ngx_str_t *path, ngx_str_t *name);
ngx_int_t ngx_http_surtitle_job_next(ngx_http_request_t *r, ngx_http_surtitle_job_t *job);
ngx_int_t ngx_http_surtitle_fetching_header(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx);
ngx_int_t ngx_http_surtitle_fetching_body(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx, ngx_chain_t *in);

// ngx_http_surtitle_zone.c
ngx_shm_zone_t *ngx_http_surtitle_zone_add(ngx_conf_t *cf, ngx_str_t *name, size_t size, ngx_shm_zone_init_pt init);
char *ngx_http_surtitle_live_zone(ngx_conf_t *cf, ngx_command_t *command, void *conf);
ngx_http_surtitle_kept_t *ngx_http_surtitle_zone_find(ngx_slab_pool_t *pool, ngx_str_t *name);
ngx_http_surtitle_kept_t *ngx_http_surtitle_zone_open(ngx_slab_pool_t *pool, ngx_str_t *name);
ngx_int_t ngx_http_surtitle_zone_keep(
    ngx_slab_pool_t *pool, ngx_http_surtitle_kept_t *kept, const u_char *state, size_t count, ngx_uint_t has_begun);

// ngx_http_surtitle_streams.c
ngx_int_t ngx_http_surtitle_stream_get(
    ngx_http_request_t *r, ngx_http_surtitle_live_t *live, ngx_str_t *path, ngx_http_surtitle_stream_t **stream);
ngx_int_t ngx_http_surtitle_stream_step(ngx_http_request_t *r, ngx_http_surtitle_asking_t *asking);
ngx_int_t ngx_http_surtitle_stream_playlist(ngx_http_request_t *r, ngx_http_surtitle_asking_t *asking, ngx_str_t *prefix);
void ngx_http_surtitle_stream_wait(ngx_http_surtitle_asking_t *asking);
void ngx_http_surtitle_stream_leave(ngx_http_surtitle_asking_t *asking);
void ngx_http_surtitle_streams_exit(ngx_cycle_t *cycle);

// ngx_http_surtitle_live.c
ngx_int_t ngx_http_surtitle_live_add(
    ngx_conf_t *cf, ngx_http_surtitle_track_t *track, ngx_str_t *name, ngx_http_surtitle_file_t *playlist,
    ngx_http_surtitle_file_t *segments);
ngx_int_t ngx_http_surtitle_live_wait(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx);
ngx_int_t ngx_http_surtitle_live_handler(ngx_http_request_t *r);

// ngx_http_surtitle_serving.c
ngx_http_surtitle_file_t *ngx_http_surtitle_file_find(ngx_http_surtitle_set_t *set, ngx_str_t *path);
ngx_int_t ngx_http_surtitle_file_handler(ngx_http_request_t *r);

// ngx_http_surtitle_request.c
ngx_int_t ngx_http_surtitle_request_handler(ngx_http_request_t *r);
ngx_uint_t ngx_http_surtitle_field_count(ngx_list_t *list);
ngx_uint_t ngx_http_surtitle_names(const surtitle_field *edit, const u_char *name, size_t length);
surtitle_field *ngx_http_surtitle_fields_list(ngx_list_t *list, surtitle_field *fields);
void ngx_http_surtitle_fields_restore(ngx_http_surtitle_ctx_t *ctx);
ngx_int_t ngx_http_surtitle_fields_fetch(
    ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx, const surtitle_field *fields, size_t count);
ngx_http_surtitle_ctx_t *ngx_http_surtitle_context_create(ngx_http_request_t *r);
ngx_int_t ngx_http_surtitle_rewriter_get(ngx_http_surtitle_ctx_t *ctx);
void ngx_http_surtitle_rewriter_keep(ngx_http_surtitle_ctx_t *ctx);

// ngx_http_surtitle_response.c
void ngx_http_surtitle_response_init(void);
ngx_int_t ngx_http_surtitle_fields_out(ngx_http_request_t *r, off_t length, surtitle_field **list, size_t few, size_t *count);
ngx_int_t ngx_http_surtitle_response_ask(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx, int content);
ngx_int_t ngx_http_surtitle_header_send(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx);

// ngx_http_surtitle_body.c
void ngx_http_surtitle_body_init(void);

// ngx_http_surtitle_rewriting.c
void ngx_http_surtitle_note(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx, const surtitle_report *report);
ngx_int_t ngx_http_surtitle_settle(ngx_http_surtitle_ctx_t *ctx);
ngx_uint_t ngx_http_surtitle_is_break(ngx_http_request_t *r, ngx_buf_t *buffer);
ngx_uint_t ngx_http_surtitle_is_last(ngx_http_request_t *r, ngx_buf_t *buffer);
ngx_int_t ngx_http_surtitle_fill(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx);

// ngx_http_surtitle_buffers.c
void ngx_http_surtitle_buffer_close(ngx_http_surtitle_ctx_t *ctx);
ngx_int_t ngx_http_surtitle_buffer_room(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx);
void ngx_http_surtitle_buffers_release(ngx_http_surtitle_ctx_t *ctx);
void ngx_http_surtitle_buffers_exit(ngx_cycle_t *cycle);

// ngx_http_surtitle_cache.c
ngx_http_surtitle_whole_t *ngx_http_surtitle_cache_get(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx, ngx_chain_t *in);
ngx_buf_t *ngx_http_surtitle_cache_use(
    ngx_http_request_t *r, ngx_http_surtitle_whole_t *whole, ngx_buf_t *input, const surtitle_report **report);
void ngx_http_surtitle_cache_exit(ngx_cycle_t *cycle);

// ngx_http_surtitle_variables.c
ngx_int_t ngx_http_surtitle_variables_add(ngx_conf_t *cf);

#endif
