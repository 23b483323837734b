// An output filter for Apache httpd 2.4: playlists get their tracks on their way to the client, whichever handler they come from.
//
//     fixups            the question of the request: Range, conditions and encodings are edited before the handler sees them
//     first bucket      that of the response: ETag, Content-Length and others are edited; the client's Accept-Encoding is there again
//     looking           the first bytes, if the type does not tell
//     held              up to 64 KiB, so that the length is known before the header goes; then what is longer goes as it comes
//     an error bucket   the origin broke off: what was held of a torn line is sent as it came, and nothing is appended
#include <apr_strings.h>
#include <http_core.h>
#include <http_log.h>
#include <http_protocol.h>
#include <http_request.h>
#include <httpd.h>
#include <surtitle.h>
#include <util_filter.h>

APLOG_USE_MODULE(surtitle);
module AP_MODULE_DECLARE_DATA surtitle_module;

typedef struct {
    surtitle_configuration *configuration; // NULL if there are no tracks here
    surtitle_http_rules *rules;
    uint64_t fingerprint;
} directory;

// A response on its way.
typedef struct {
    directory *tracks;
    surtitle_exchange *exchange;
    surtitle_decision decision;
    surtitle_rewriter *rewriter;
    apr_bucket_brigade *output; // held, until the header may go
    const char *accept_encoding; // as the client sent it
    uint64_t received;
    uint8_t first[12];
    size_t first_count;
    enum { UNASKED, LOOKING, HELD, STREAMED, PASSED } state;
} response;

// ---- Header fields ------------------------------------------------------------------------------------------------------------

static surtitle_field *list_fields(apr_pool_t *pool, const apr_table_t *table, size_t *count) {
    const apr_array_header_t *lines = apr_table_elts(table);
    const apr_table_entry_t *entries = (const apr_table_entry_t *)lines->elts;
    surtitle_field *fields = apr_palloc(pool, (lines->nelts + 1) * sizeof *fields);
    for (*count = 0; *count < (size_t)lines->nelts; ++*count) {
        const apr_table_entry_t *entry = &entries[*count];
        fields[*count] = (surtitle_field){entry->key, strlen(entry->key), entry->val, strlen(entry->val)};
    }
    return fields;
}

static void edit_fields(request_rec *r, apr_table_t *table, const surtitle_field *edits, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const char *name = apr_pstrmemdup(r->pool, edits[i].name, edits[i].name_count);
        apr_table_unset(table, name);
        if (edits[i].value != NULL) apr_table_setn(table, name, apr_pstrmemdup(r->pool, edits[i].value, edits[i].value_count));
    }
}

// ---- The two questions --------------------------------------------------------------------------------------------------------

static apr_status_t clean_up(void *data) {
    response *s = data;
    surtitle_exchange_destroy(s->exchange);
    surtitle_rewriter_destroy(s->rewriter);
    return APR_SUCCESS;
}

static int ask_request(request_rec *r) {
    directory *tracks = ap_get_module_config(r->per_dir_config, &surtitle_module);
    if (tracks->configuration == NULL || r->main != NULL || r->prev != NULL) return DECLINED;
    response *s = apr_pcalloc(r->pool, sizeof *s);
    s->tracks = tracks;
    s->decision.size = sizeof s->decision;
    apr_pool_cleanup_register(r->pool, s, clean_up, apr_pool_cleanup_null);
    if (surtitle_exchange_create(tracks->rules, &s->exchange) != SURTITLE_OK) return DECLINED;
    size_t count;
    surtitle_field *fields = list_fields(r->pool, r->headers_in, &count);
    surtitle_text method = {r->method, strlen(r->method)}, target = {r->unparsed_uri, strlen(r->unparsed_uri)};
    int status = surtitle_exchange_request(s->exchange, tracks->fingerprint, -1, method, target, fields, count, &s->decision);
    if (status != SURTITLE_OK || s->decision.action == SURTITLE_REQUEST_EXCLUDED) return DECLINED;
    s->accept_encoding = apr_table_get(r->headers_in, "Accept-Encoding");
    edit_fields(r, r->headers_in, s->decision.edits, s->decision.edit_count);
    ap_add_output_filter("SURTITLE", s, r, r->connection);
    return DECLINED;
}

static int ask_response(request_rec *r, response *s, int content) {
    apr_table_t *table = apr_table_overlay(r->pool, r->headers_out, r->err_headers_out);
    if (r->content_type != NULL) apr_table_setn(table, "Content-Type", r->content_type);
    size_t count;
    surtitle_field *fields = list_fields(r->pool, table, &count);
    return surtitle_exchange_response(s->exchange, r->status, content, fields, count, &s->decision);
}

static void edit_response(request_rec *r, const surtitle_field *edits, size_t count) {
    edit_fields(r, r->headers_out, edits, count);
    for (size_t i = 0; i < count; i++) apr_table_unset(r->err_headers_out, apr_pstrmemdup(r->pool, edits[i].name, edits[i].name_count));
}

// Begins what has been decided.
static int begin(request_rec *r, response *s, int content) {
    if (ask_response(r, s, content) != SURTITLE_OK) return PASSED;
    if (s->decision.action == SURTITLE_RESPONSE_LOOK) return LOOKING;
    edit_response(r, s->decision.edits, s->decision.edit_count);
    if (s->decision.action != SURTITLE_RESPONSE_HOLD && s->decision.action != SURTITLE_RESPONSE_STREAM) return PASSED;
    if (surtitle_rewriter_create(s->tracks->configuration, NULL, &s->rewriter) != SURTITLE_OK) return PASSED;
    return s->decision.action == SURTITLE_RESPONSE_HOLD ? HELD : STREAMED;
}

// ---- The body -----------------------------------------------------------------------------------------------------------------

// Pieces are valid until the next call, and short: they are copied together.
static apr_status_t take(response *s, int status, const surtitle_piece *pieces, size_t count) {
    if (status != SURTITLE_OK && status != SURTITLE_LIMIT_EXCEEDED) return APR_EGENERAL;
    for (size_t i = 0; i < count; i++) {
        apr_status_t answer = apr_brigade_write(s->output, NULL, NULL, (const char *)pieces[i].bytes, pieces[i].count);
        if (answer != APR_SUCCESS) return answer;
    }
    return APR_SUCCESS;
}

static apr_status_t end(request_rec *r, response *s, int is_broken) {
    const surtitle_piece *pieces;
    size_t count = 0;
    apr_off_t length = 0;
    int status = is_broken ? surtitle_rewriter_abandon(s->rewriter, &pieces, &count)
                           : surtitle_rewriter_finish(s->rewriter, &pieces, &count);
    apr_status_t answer = take(s, status, pieces, count);
    if (answer != APR_SUCCESS || is_broken || s->state != HELD) return answer;
    apr_brigade_length(s->output, 1, &length);
    const surtitle_field *edits;
    if (surtitle_exchange_set_length(s->exchange, length, &edits, &count) == SURTITLE_OK) edit_response(r, edits, count);
    return APR_SUCCESS;
}

// Rewrites a bucket into `output`. Those without bytes follow as they are.
static apr_status_t rewrite(request_rec *r, response *s, apr_bucket *bucket) {
    const char *bytes;
    apr_size_t length = 0;
    const surtitle_piece *pieces;
    size_t count = 0;
    apr_status_t answer = APR_SUCCESS;
    if (AP_BUCKET_IS_ERROR(bucket) || APR_BUCKET_IS_EOS(bucket)) {
        if (s->state != PASSED) answer = end(r, s, AP_BUCKET_IS_ERROR(bucket));
        s->state = PASSED;
    } else if (!APR_BUCKET_IS_METADATA(bucket) && s->state != PASSED) {
        answer = apr_bucket_read(bucket, &bytes, &length, APR_BLOCK_READ);
        if (answer != APR_SUCCESS) return answer;
        s->received += length;
        if (s->received > s->decision.hold_bytes) s->state = STREAMED;
        int status = surtitle_rewriter_write(s->rewriter, (const uint8_t *)bytes, length, &pieces, &count);
        answer = take(s, status, pieces, count); // some of them are in the bucket
        apr_bucket_delete(bucket);
        return answer;
    }
    APR_BUCKET_REMOVE(bucket);
    APR_BRIGADE_INSERT_TAIL(s->output, bucket);
    return answer;
}

// Sees whether the first bytes tell; they stay where they are.
static void look(request_rec *r, response *s, apr_bucket_brigade *brigade) {
    int is_whole = 0, content = SURTITLE_CONTENT_OTHER;
    s->first_count = 0;
    for (apr_bucket *at = APR_BRIGADE_FIRST(brigade); at != APR_BRIGADE_SENTINEL(brigade); at = APR_BUCKET_NEXT(at)) {
        const char *bytes;
        apr_size_t length = 0;
        is_whole |= APR_BUCKET_IS_EOS(at) || AP_BUCKET_IS_ERROR(at);
        if (APR_BUCKET_IS_METADATA(at) || apr_bucket_read(at, &bytes, &length, APR_BLOCK_READ) != APR_SUCCESS) continue;
        if (length > sizeof(s->first) - s->first_count) length = sizeof(s->first) - s->first_count;
        memcpy(s->first + s->first_count, bytes, length);
        s->first_count += length;
        if (s->first_count == sizeof(s->first)) break;
    }
    if (surtitle_http_content(s->first, s->first_count, is_whole, &content) == SURTITLE_OK) s->state = begin(r, s, content);
}

// Lets go what is no body, of which the length would be told.
static apr_status_t pass_head(ap_filter_t *f, apr_bucket_brigade *brigade) {
    for (apr_bucket *at = APR_BRIGADE_FIRST(brigade), *next; at != APR_BRIGADE_SENTINEL(brigade); at = next) {
        next = APR_BUCKET_NEXT(at);
        if (!APR_BUCKET_IS_METADATA(at)) apr_bucket_delete(at);
    }
    return ap_pass_brigade(f->next, brigade);
}

static apr_status_t filter_body(ap_filter_t *f, apr_bucket_brigade *brigade) {
    request_rec *r = f->r;
    response *s = f->ctx;
    if (s->state == UNASKED) {
        // For what comes after this filter, such as DEFLATE.
        if (s->accept_encoding != NULL) apr_table_setn(r->headers_in, "Accept-Encoding", s->accept_encoding);
        s->output = apr_brigade_create(r->pool, r->connection->bucket_alloc);
        s->state = begin(r, s, SURTITLE_CONTENT_UNSEEN);
    }
    if (s->state == LOOKING) {
        APR_BRIGADE_CONCAT(s->output, brigade);
        look(r, s, s->output);
        if (s->state == LOOKING) return ap_save_brigade(f, &s->output, &s->output, r->pool);
        APR_BRIGADE_CONCAT(brigade, s->output);
    }
    if (r->header_only && s->decision.edit_count > 0) return pass_head(f, brigade);
    if (s->state == PASSED && s->rewriter == NULL) {
        ap_remove_output_filter(f);
        return ap_pass_brigade(f->next, brigade);
    }
    while (!APR_BRIGADE_EMPTY(brigade)) {
        apr_status_t answer = rewrite(r, s, APR_BRIGADE_FIRST(brigade));
        if (answer != APR_SUCCESS) return answer;
    }
    if (s->state == HELD) return APR_SUCCESS;
    apr_status_t answer = ap_pass_brigade(f->next, s->output);
    apr_brigade_cleanup(s->output);
    return answer;
}

// ---- Configuration ------------------------------------------------------------------------------------------------------------

static void *create_directory(apr_pool_t *pool, char *path) {
    return apr_pcalloc(pool, sizeof(directory));
}

static void *merge_directories(apr_pool_t *pool, void *above, void *own) {
    return ((directory *)own)->configuration != NULL ? own : above;
}

static const char *set_tracks(cmd_parms *command, void *config, const char *name) {
    directory *tracks = config;
    char *text = apr_palloc(command->temp_pool, 1 << 20); // the longest that a configuration may be
    apr_file_t *file;
    apr_size_t count = 0;
    surtitle_error error = {.size = sizeof error};
    const char *path = ap_server_root_relative(command->pool, name);
    if (apr_file_open(&file, path, APR_FOPEN_READ, 0, command->temp_pool) != APR_SUCCESS) return apr_pstrcat(command->pool, "cannot open ", path, NULL);
    apr_file_read_full(file, text, 1 << 20, &count);
    apr_file_close(file);
    if (surtitle_configuration_create_json((const uint8_t *)text, count, &tracks->configuration, &error) != SURTITLE_OK
        || surtitle_http_rules_create(NULL, &tracks->rules, &error) != SURTITLE_OK)
    {
        return apr_psprintf(command->pool, "%s: %s %s", path, error.field, error.message);
    }
    surtitle_configuration_fingerprint(tracks->configuration, &tracks->fingerprint);
    return NULL;
}

static const command_rec commands[] = {
    AP_INIT_TAKE1("SurtitleTracks", set_tracks, NULL, RSRC_CONF | ACCESS_CONF, "a configuration file in JSON, whose tracks playlists get"),
    {NULL},
};

static void register_hooks(apr_pool_t *pool) {
    ap_hook_fixups(ask_request, NULL, NULL, APR_HOOK_LAST);
    ap_register_output_filter("SURTITLE", filter_body, NULL, AP_FTYPE_RESOURCE);
}

module AP_MODULE_DECLARE_DATA surtitle_module = {
    STANDARD20_MODULE_STUFF, create_directory, merge_directories, NULL, NULL, commands, register_hooks, 0,
};
