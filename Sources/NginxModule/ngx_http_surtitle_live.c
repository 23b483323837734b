// live=URI: a track beside a stream that goes on.
//
//     surtitle_track uri=subs/en.m3u8 file=/srv/en.vtt live=video.m3u8 at=2026-11-23T20:00:00Z …;
//
//     …/subs/en.m3u8        the playlist of the track, made of that of the video, …/video.m3u8, in its latest version
//     …/subs/en/17.vtt      the cues that show in segment 17
//
// The file is read when the configuration is, and found by time from then on. Which version counts, whether one is fetched, and what somebody
// gets if none comes, the library decides (ngx_http_surtitle_streams.c); a request waits for three seconds at most.
#include "ngx_http_surtitle.h"

// ---- With the configuration ---------------------------------------------------------------------------------------

static void ngx_http_surtitle_index_cleanup(void *data) {
    surtitle_cue_index_destroy(data);
}

static ngx_int_t ngx_http_surtitle_index(
    ngx_conf_t *cf, ngx_http_surtitle_track_t *track, ngx_str_t *text, ngx_str_t *name, surtitle_cue_index **index) {
    ngx_pool_cleanup_t *cleanup = ngx_pool_cleanup_add(cf->pool, 0);
    surtitle_error error = {.size = sizeof(error)};
    if (cleanup == NULL) return NGX_ERROR;
    surtitle_text called = {(const char *)name->data, name->len - 5}; // without .m3u8
    int status = surtitle_cue_index_create(text->data, text->len, called, 0, index, &error);
    if (status == SURTITLE_OK) {
        cleanup->data = *index;
        cleanup->handler = ngx_http_surtitle_index_cleanup;
        return NGX_OK;
    }
    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "\"%V\": %s", &track->file, error.message);
    return NGX_ERROR;
}

// Makes `playlist` and `segments` what is served of a track beside a stream, whose playlist has this path and this name.
ngx_int_t ngx_http_surtitle_live_add(
    ngx_conf_t *cf, ngx_http_surtitle_track_t *track, ngx_str_t *name, ngx_http_surtitle_file_t *playlist,
    ngx_http_surtitle_file_t *segments) {
    ngx_http_surtitle_live_t *live = ngx_pcalloc(cf->pool, sizeof(ngx_http_surtitle_live_t));
    u_char *prefix = ngx_pnalloc(cf->pool, name->len), *kind = ngx_pnalloc(cf->pool, 4 * NGX_INT64_LEN);
    u_char *folder = ngx_pnalloc(cf->pool, playlist->path.len);
    if (live == NULL || prefix == NULL || kind == NULL || folder == NULL) return NGX_ERROR;
    live->playlist = track->live;
    live->prefix = (ngx_str_t){ngx_cpymem(ngx_cpymem(prefix, name->data, name->len - 5), "/", 1) - prefix, prefix};
    surtitle_channel_settings *settings = &live->settings;
    settings->size = sizeof(*settings);
    settings->map = track->has_map ? SURTITLE_CHANNEL_MAP_GIVEN : SURTITLE_CHANNEL_MAP_AUTO;
    settings->mpegts = track->mpegts;
    surtitle_text at = {(const char *)track->at.data, track->at.len};
    if (track->at.len > 0 && surtitle_channel_anchor(at, settings) != SURTITLE_OK) {
        ngx_conf_log_error(
            NGX_LOG_EMERG, cf, 0, "\"at=%V\" is neither a date such as 2026-11-23T20:00:00Z, nor msn:NUMBER, nor media", &track->at);
        return NGX_ERROR;
    }
    live->kind.data = kind;
    live->kind.len = ngx_sprintf(kind, "%D/%L/%D/%uL", settings->anchor, settings->anchor_value, settings->map, settings->mpegts) - kind;
    if (ngx_http_surtitle_index(cf, track, &segments->body, name, &live->index) != NGX_OK) return NGX_ERROR;

    playlist->live = segments->live = live;
    u_char *end = ngx_cpymem(ngx_cpymem(folder, playlist->path.data, playlist->path.len - 5), "/", 1);
    segments->path = (ngx_str_t){end - folder, folder};
    ngx_str_set(&playlist->type, "application/vnd.apple.mpegurl");
    return NGX_OK;
}

// ---- Requests -----------------------------------------------------------------------------------------------------

static void ngx_http_surtitle_asking_cleanup(void *data) {
    ngx_http_surtitle_stream_leave(data);
}

// Goes on with a request that waits.
static void ngx_http_surtitle_asking_event(ngx_event_t *event) {
    ngx_http_surtitle_asking_t *asking = event->data;
    ngx_http_request_t *r = asking->request;
    ngx_connection_t *connection = r->connection;
    ngx_http_set_log_request(connection->log, r);
    r->write_event_handler(r);
    ngx_http_run_posted_requests(connection);
}

static ngx_http_surtitle_asking_t *ngx_http_surtitle_asking_create(ngx_http_request_t *r, ngx_http_surtitle_file_t *file) {
    ngx_http_surtitle_asking_t *asking = ngx_pcalloc(r->pool, sizeof(ngx_http_surtitle_asking_t));
    ngx_pool_cleanup_t *cleanup = ngx_pool_cleanup_add(r->pool, 0);
    ngx_str_t path, name = ngx_null_string;
    if (asking == NULL || cleanup == NULL) return NULL;
    if (file->path.data[file->path.len - 1] == '/') {
        while (r->uri.data[r->uri.len - name.len - 1] != '/') name.len++;
        name.data = r->uri.data + r->uri.len - name.len;
    }
    if (ngx_http_surtitle_video_path(r, &file->live->playlist, file->path.len + name.len, &path) != NGX_OK) return NULL;
    ngx_str_t *text = name.data == NULL ? &r->args : &name;
    asking->request = r;
    asking->event.handler = ngx_http_surtitle_asking_event;
    asking->event.data = asking;
    asking->event.log = r->connection->log;
    asking->ask.size = sizeof(asking->ask);
    asking->ask.kind = name.data == NULL ? SURTITLE_ASK_PLAYLIST : SURTITLE_ASK_SEGMENT;
    asking->ask.began = (int64_t)ngx_current_msec;
    asking->ask.text = (surtitle_text){(const char *)text->data, text->len};
    if (ngx_http_surtitle_stream_get(r, file->live, &path, &asking->stream) != NGX_OK) return NULL;
    cleanup->data = asking;
    cleanup->handler = ngx_http_surtitle_asking_cleanup;
    return asking;
}

static ngx_int_t ngx_http_surtitle_live_segment(ngx_http_request_t *r, ngx_http_surtitle_asking_t *asking, ngx_http_surtitle_live_t *live) {
    const surtitle_piece *pieces;
    size_t count;
    if (surtitle_cue_index_write(live->index, &asking->step.span, &pieces, &count) != SURTITLE_OK) return NGX_ERROR;
    for (size_t i = 0; i < count; i++) asking->body.len += pieces[i].count;
    u_char *end = asking->body.data = ngx_pnalloc(r->pool, asking->body.len + 1);
    if (end == NULL) return NGX_ERROR;
    for (size_t i = 0; i < count; i++) end = ngx_cpymem(end, pieces[i].bytes, pieces[i].count);
    return NGX_OK;
}

// Finds out what the request gets; NGX_AGAIN while it waits.
ngx_int_t ngx_http_surtitle_live_wait(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx) {
    ngx_http_surtitle_live_t *live = ctx->file->live;
    if (ctx->asking == NULL) ctx->asking = ngx_http_surtitle_asking_create(r, ctx->file);
    ngx_http_surtitle_asking_t *asking = ctx->asking;
    if (asking == NULL) return NGX_ERROR;
    ngx_int_t answer = ngx_http_surtitle_stream_step(r, asking);
    if (answer == NGX_OK && asking->step.kind == SURTITLE_STEP_WAIT) {
        ngx_http_surtitle_stream_wait(asking);
        return NGX_AGAIN;
    }
    if (answer == NGX_OK && asking->step.kind == SURTITLE_STEP_PLAYLIST) {
        answer = ngx_http_surtitle_stream_playlist(r, asking, &live->prefix);
    } else if (answer == NGX_OK && asking->step.kind == SURTITLE_STEP_SEGMENT) {
        answer = ngx_http_surtitle_live_segment(r, asking, live);
    }
    ngx_http_surtitle_stream_leave(asking);
    return answer;
}

// Sends what has been found out.
ngx_int_t ngx_http_surtitle_live_handler(ngx_http_request_t *r) {
    ngx_http_surtitle_ctx_t *ctx = ngx_http_get_module_ctx(r, ngx_http_surtitle_module);
    ngx_http_surtitle_asking_t *asking = ctx->asking;
    ngx_int_t answer = ngx_http_discard_request_body(r);
    if (answer != NGX_OK) return answer;
    // Over HTTP/1.1 the next request on this connection would wait until the subrequests have ended.
    if (ctx->fetch_count > 0) r->keepalive = 0;
    if (asking->step.kind == SURTITLE_STEP_STATUS) return asking->step.http_status;

    ngx_table_elt_t *control = ngx_list_push(&r->headers_out.headers);
    u_char *age = ngx_pnalloc(r->pool, sizeof("max-age=") + NGX_INT64_LEN);
    ngx_buf_t *buffer = ngx_calloc_buf(r->pool);
    if (control == NULL || age == NULL || buffer == NULL) return NGX_HTTP_INTERNAL_SERVER_ERROR;
    u_char *end = ngx_sprintf(age, "max-age=%L", asking->step.lifetime);
    *control = (ngx_table_elt_t){.hash = 1, .key = ngx_string("Cache-Control"), .value = {end - age, age}};
    r->headers_out.status = NGX_HTTP_OK;
    r->headers_out.content_type = ctx->file->type;
    r->headers_out.content_type_len = ctx->file->type.len;
    r->headers_out.content_length_n = asking->body.len;
    answer = ngx_http_send_header(r);
    if (answer == NGX_ERROR || answer > NGX_OK || r->header_only) return answer;
    buffer->pos = asking->body.data;
    buffer->last = asking->body.data + asking->body.len;
    buffer->memory = 1; // no playlist and no segment is empty
    buffer->last_buf = r == r->main;
    buffer->last_in_chain = 1;
    ngx_chain_t out = {buffer, NULL};
    return ngx_http_output_filter(r, &out);
}
