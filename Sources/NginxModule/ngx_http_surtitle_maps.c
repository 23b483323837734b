// map=auto: the first time stamp of a video, found out where the video is and kept in shared memory.
//
//     GET …/film/subs/en.vtt ─▶ precontent: is the map of …/film/master.m3u8 kept? ─▶ the file, with it
//                                   │ no
//                                   ▼
//     the library's fetch says what to ask for: master.m3u8, its first variant with video, the beginning of a segment
//                                   │ a subrequest each, to whichever location has them
//                                   ▼
//     this module's filters feed it what comes, and hand on nothing; the request waits as one does for auth_request
//
// What comes of a segment after the library has enough is dropped: a filter that stops a subrequest stops the client's
// connection with it. Requests that come together each find out for themselves; the last to be done is kept.
#include "ngx_http_surtitle.h"

// How long a map is kept, in seconds, and how long it is that there is none.
#define VALID 600
#define VALID_NONE 10

// What is known of a video.
typedef struct {
    ngx_str_node_t node; // by host and path
    ngx_queue_t queue; // the last used first
    time_t expires;
    uint64_t mpegts;
    int64_t milliseconds; // of the cues, at that tick
    ngx_uint_t is_known;
    u_char name[];
} ngx_http_surtitle_kept_map_t;

// The zone's memory.
struct ngx_http_surtitle_maps_s {
    ngx_rbtree_t tree;
    ngx_rbtree_node_t sentinel;
    ngx_queue_t queue;
};

// A request that waits for a map.
struct ngx_http_surtitle_wait_s {
    surtitle_fetch *fetch;
    ngx_str_t name; // by which the map is kept
    size_t origin; // how many bytes of each URL are scheme and host
    ngx_uint_t is_asking; // a subrequest is under way
    uint64_t mpegts;
    int64_t milliseconds;
    ngx_uint_t is_known;
};

// ---- What is kept -------------------------------------------------------------------------------------------------

ngx_int_t ngx_http_surtitle_maps_init_zone(ngx_shm_zone_t *zone, void *old) {
    ngx_slab_pool_t *pool = (ngx_slab_pool_t *)zone->shm.addr;
    if (old != NULL || zone->shm.exists) return NGX_OK;
    ngx_http_surtitle_maps_t *maps = ngx_slab_calloc(pool, sizeof(ngx_http_surtitle_maps_t));
    if (maps == NULL) return NGX_ERROR;
    ngx_rbtree_init(&maps->tree, &maps->sentinel, ngx_str_rbtree_insert_value);
    ngx_queue_init(&maps->queue);
    pool->data = maps;
    pool->log_nomem = 0; // what has not been used for the longest time goes then
    return NGX_OK;
}

static void ngx_http_surtitle_maps_drop(ngx_slab_pool_t *pool, ngx_http_surtitle_kept_map_t *kept) {
    ngx_http_surtitle_maps_t *maps = pool->data;
    ngx_queue_remove(&kept->queue);
    ngx_rbtree_delete(&maps->tree, &kept->node.node);
    ngx_slab_free_locked(pool, kept);
}

static ngx_http_surtitle_kept_map_t *ngx_http_surtitle_maps_find(ngx_slab_pool_t *pool, ngx_str_t *name) {
    ngx_http_surtitle_maps_t *maps = pool->data;
    return (ngx_http_surtitle_kept_map_t *)ngx_str_rbtree_lookup(&maps->tree, name, ngx_crc32_long(name->data, name->len));
}

// Fills what `wait` waits for; NGX_DECLINED if it is not kept, or no longer.
static ngx_int_t ngx_http_surtitle_maps_get(ngx_slab_pool_t *pool, ngx_http_surtitle_wait_t *wait) {
    ngx_http_surtitle_maps_t *maps = pool->data;
    ngx_int_t answer = NGX_DECLINED;
    ngx_shmtx_lock(&pool->mutex);
    ngx_http_surtitle_kept_map_t *kept = ngx_http_surtitle_maps_find(pool, &wait->name);
    if (kept != NULL && kept->expires > ngx_time()) {
        ngx_queue_remove(&kept->queue);
        ngx_queue_insert_head(&maps->queue, &kept->queue);
        wait->mpegts = kept->mpegts;
        wait->milliseconds = kept->milliseconds;
        wait->is_known = kept->is_known;
        answer = NGX_OK;
    }
    ngx_shmtx_unlock(&pool->mutex);
    return answer;
}

static void ngx_http_surtitle_maps_keep(ngx_slab_pool_t *pool, ngx_http_surtitle_wait_t *wait) {
    ngx_http_surtitle_maps_t *maps = pool->data;
    size_t size = sizeof(ngx_http_surtitle_kept_map_t) + wait->name.len;
    ngx_shmtx_lock(&pool->mutex);
    ngx_http_surtitle_kept_map_t *kept = ngx_http_surtitle_maps_find(pool, &wait->name);
    if (kept != NULL) ngx_http_surtitle_maps_drop(pool, kept);
    kept = ngx_slab_alloc_locked(pool, size);
    while (kept == NULL && !ngx_queue_empty(&maps->queue)) {
        ngx_queue_t *oldest = ngx_queue_last(&maps->queue);
        ngx_http_surtitle_maps_drop(pool, ngx_queue_data(oldest, ngx_http_surtitle_kept_map_t, queue));
        kept = ngx_slab_alloc_locked(pool, size);
    }
    if (kept != NULL) {
        ngx_memzero(kept, sizeof(*kept));
        ngx_memcpy(kept->name, wait->name.data, wait->name.len);
        kept->node.str = (ngx_str_t){wait->name.len, kept->name};
        kept->node.node.key = ngx_crc32_long(wait->name.data, wait->name.len);
        kept->expires = ngx_time() + (wait->is_known ? VALID : VALID_NONE);
        kept->mpegts = wait->mpegts;
        kept->milliseconds = wait->milliseconds;
        kept->is_known = wait->is_known;
        ngx_rbtree_insert(&maps->tree, &kept->node.node);
        ngx_queue_insert_head(&maps->queue, &kept->queue);
    }
    ngx_shmtx_unlock(&pool->mutex);
}

// ---- Asking -------------------------------------------------------------------------------------------------------

static void ngx_http_surtitle_wait_cleanup(void *data) {
    ngx_http_surtitle_wait_t *wait = data;
    surtitle_fetch_destroy(wait->fetch);
    wait->fetch = NULL;
}

// Where the video is that belongs to the file: the track's own path, or its name beside that from which the track's
// URI counts.
static ngx_int_t ngx_http_surtitle_video_path(ngx_http_request_t *r, ngx_http_surtitle_file_t *file, ngx_str_t *path) {
    size_t base = file->video.data[0] == '/' ? 0 : r->uri.len - file->path.len;
    path->data = ngx_pnalloc(r->pool, base + file->video.len);
    if (path->data == NULL) return NGX_ERROR;
    path->len = ngx_cpymem(ngx_cpymem(path->data, r->uri.data, base), file->video.data, file->video.len) - path->data;
    return NGX_OK;
}

// The URL of `path` on this server, as the client knows it: so what a playlist says of the same host is found here too.
static ngx_int_t ngx_http_surtitle_video_url(ngx_http_request_t *r, ngx_str_t *path, ngx_str_t *url, size_t *origin) {
    ngx_str_t scheme = ngx_string("http"), host = r->headers_in.server;
#if (NGX_HTTP_SSL)
    if (r->connection->ssl != NULL) scheme = (ngx_str_t)ngx_string("https");
#endif
    if (r->headers_in.host != NULL) host = r->headers_in.host->value;
    if (host.len == 0) host = (ngx_str_t)ngx_string("localhost");
    size_t escaped = path->len + 2 * ngx_escape_uri(NULL, path->data, path->len, NGX_ESCAPE_URI);
    url->data = ngx_pnalloc(r->pool, scheme.len + 3 + host.len + escaped);
    if (url->data == NULL) return NGX_ERROR;
    u_char *end = ngx_sprintf(url->data, "%V://%V", &scheme, &host);
    *origin = end - url->data;
    end = (u_char *)ngx_escape_uri(end, path->data, path->len, NGX_ESCAPE_URI);
    url->len = end - url->data;
    return NGX_OK;
}

static ngx_http_surtitle_wait_t *ngx_http_surtitle_wait_create(ngx_http_request_t *r, ngx_http_surtitle_file_t *file) {
    ngx_http_surtitle_wait_t *wait = ngx_pcalloc(r->pool, sizeof(ngx_http_surtitle_wait_t));
    ngx_pool_cleanup_t *cleanup = ngx_pool_cleanup_add(r->pool, 0);
    ngx_str_t path;
    if (wait == NULL || cleanup == NULL || ngx_http_surtitle_video_path(r, file, &path) != NGX_OK) return NULL;
    cleanup->data = wait;
    cleanup->handler = ngx_http_surtitle_wait_cleanup;
    return ngx_http_surtitle_video_url(r, &path, &wait->name, &wait->origin) == NGX_OK ? wait : NULL;
}

static ngx_int_t ngx_http_surtitle_wait_begin(ngx_http_surtitle_wait_t *wait) {
    surtitle_fetch_settings settings;
    ngx_memzero(&settings, sizeof(settings));
    settings.size = sizeof(settings);
    settings.job = SURTITLE_FETCH_MEDIA_START;
    settings.video = (surtitle_text){(const char *)wait->name.data, wait->name.len};
    return surtitle_fetch_create(&settings, &wait->fetch) == SURTITLE_OK ? NGX_OK : NGX_ERROR;
}

// A subrequest has ended, well or not. What is the matter with it is the fetch's matter, and not the request's.
static ngx_int_t ngx_http_surtitle_subrequest_done(ngx_http_request_t *r, void *data, ngx_int_t rc) {
    ngx_http_surtitle_ctx_t *ctx = data;
    if (rc == NGX_AGAIN || r->buffered || ctx == NULL) return rc;
    ngx_http_surtitle_wait_t *wait = ctx->wait;
    if (!wait->is_asking) return NGX_OK;
    wait->is_asking = 0;
    if (!ctx->is_asked && rc >= NGX_HTTP_SPECIAL_RESPONSE) {
        surtitle_text none = {NULL, 0};
        ctx->is_wanting = surtitle_fetch_begin(wait->fetch, (int)rc, none, 0, NULL, 0) == SURTITLE_NEEDS_MORE;
        ctx->is_asked = 1;
    }
    if (!ctx->is_asked || (ctx->is_wanting && !ctx->is_ending)) {
        surtitle_fetch_fail(wait->fetch);
    } else if (ctx->is_wanting) {
        surtitle_fetch_finish(wait->fetch);
    }
    return NGX_OK;
}

// Makes the request that the fetch wants; NGX_DECLINED if it is for no location of this server.
static ngx_int_t ngx_http_surtitle_subrequest(
    ngx_http_request_t *r, ngx_http_surtitle_wait_t *wait, const surtitle_fetch_request *wanted) {
    const u_char *url = (const u_char *)wanted->url.bytes;
    size_t count = wanted->url.count;
    if (count <= wait->origin || ngx_strncasecmp((u_char *)url, wait->name.data, wait->origin) != 0 || url[wait->origin] != '/') {
        return NGX_DECLINED;
    }
    ngx_str_t uri = {count - wait->origin, ngx_pnalloc(r->pool, count - wait->origin)}, arguments = ngx_null_string;
    ngx_uint_t flags = 0;
    if (uri.data == NULL) return NGX_ERROR;
    ngx_memcpy(uri.data, url + wait->origin, uri.len);
    if (ngx_http_parse_unsafe_uri(r, &uri, &arguments, &flags) != NGX_OK) return NGX_DECLINED;

    ngx_http_post_subrequest_t *post = ngx_palloc(r->pool, sizeof(ngx_http_post_subrequest_t));
    ngx_http_request_t *subrequest;
    if (post == NULL) return NGX_ERROR;
    post->handler = ngx_http_surtitle_subrequest_done;
    post->data = NULL;
    if (ngx_http_subrequest(r, &uri, &arguments, &subrequest, post, NGX_HTTP_SUBREQUEST_WAITED) != NGX_OK) return NGX_ERROR;
    ngx_http_surtitle_ctx_t *ctx = ngx_http_surtitle_context_create(subrequest);
    if (ctx == NULL) return NGX_ERROR;
    post->data = ctx;
    ctx->wait = wait;
    ctx->state = NGX_HTTP_SURTITLE_FETCHING;
    ngx_http_set_ctx(subrequest, ctx, ngx_http_surtitle_module);
    subrequest->filter_need_in_memory = 1;
    wait->is_asking = 1;
    return ngx_http_surtitle_fields_fetch(subrequest, ctx, wanted->fields, wanted->field_count);
}

// Goes on until a subrequest is under way, NGX_AGAIN, or all is known, NGX_OK.
static ngx_int_t ngx_http_surtitle_wait_next(ngx_http_request_t *r, ngx_http_surtitle_wait_t *wait) {
    surtitle_fetch_request wanted;
    for (;;) {
        ngx_memzero(&wanted, sizeof(wanted));
        wanted.size = sizeof(wanted);
        if (surtitle_fetch_next(wait->fetch, &wanted) != SURTITLE_NEEDS_MORE) return NGX_OK;
        ngx_int_t answer = ngx_http_surtitle_subrequest(r, wait, &wanted);
        if (answer != NGX_DECLINED) return answer == NGX_OK ? NGX_AGAIN : NGX_ERROR;
        ngx_log_error(
            NGX_LOG_WARN, r->connection->log, 0, "surtitle: map=auto asks only this server, and not for \"%*s\"", wanted.url.count,
            wanted.url.bytes);
        surtitle_fetch_fail(wait->fetch);
    }
}

static void ngx_http_surtitle_wait_end(ngx_http_request_t *r, ngx_http_surtitle_wait_t *wait) {
    surtitle_fetched found;
    ngx_memzero(&found, sizeof(found));
    found.size = sizeof(found);
    wait->is_known = surtitle_fetch_result(wait->fetch, &found) == SURTITLE_OK && found.has_map;
    if (wait->is_known) {
        wait->mpegts = found.mpegts;
        wait->milliseconds = found.local_milliseconds;
    } else {
        ngx_log_error(
            NGX_LOG_WARN, r->connection->log, 0, "surtitle: map=auto: %*s: %*s", found.url.count, found.url.bytes, found.message.count,
            found.message.bytes);
    }
    ngx_http_surtitle_wait_cleanup(wait);
}

// ---- For the phase handler and the filters ------------------------------------------------------------------------

// Finds out the map of the file that `ctx` has; NGX_AGAIN until that is done, and NGX_OK even if there is none.
ngx_int_t ngx_http_surtitle_maps_wait(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx) {
    ngx_http_surtitle_main_conf_t *main = ngx_http_get_module_main_conf(r, ngx_http_surtitle_module);
    ngx_slab_pool_t *pool = (ngx_slab_pool_t *)main->maps->shm.addr;
    if (ctx->wait == NULL) {
        ctx->wait = ngx_http_surtitle_wait_create(r, ctx->file);
        if (ctx->wait == NULL) return NGX_ERROR;
        if (ngx_http_surtitle_maps_get(pool, ctx->wait) == NGX_OK) return NGX_OK;
        if (ngx_http_surtitle_wait_begin(ctx->wait) != NGX_OK) return NGX_ERROR;
    }
    if (ctx->wait->is_asking) return NGX_AGAIN;
    if (ctx->wait->fetch == NULL) return NGX_OK;
    ngx_int_t answer = ngx_http_surtitle_wait_next(r, ctx->wait);
    if (answer != NGX_OK) return answer;
    ngx_http_surtitle_wait_end(r, ctx->wait);
    ngx_http_surtitle_maps_keep(pool, ctx->wait);
    return NGX_OK;
}

// The file as it is sent, with the map that has been found out, in memory of the request.
ngx_int_t ngx_http_surtitle_maps_apply(ngx_http_request_t *r, ngx_http_surtitle_wait_t *wait, ngx_http_surtitle_file_t *file) {
    if (!wait->is_known) return NGX_OK;
    return ngx_http_surtitle_map(r->pool, wait->mpegts, wait->milliseconds, &file->body) == NGX_OK
        ? ngx_http_surtitle_tag(r->pool, file)
        : NGX_ERROR;
}

// The head of a response that a fetch waits for.
ngx_int_t ngx_http_surtitle_maps_header(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx) {
    surtitle_field few[32], *fields = few;
    surtitle_text none = {NULL, 0};
    size_t count;
    if (ngx_http_surtitle_fields_out(r, r->headers_out.content_length_n, &fields, 32, &count) != NGX_OK) return NGX_ERROR;
    int need = surtitle_fetch_begin(ctx->wait->fetch, (int)r->headers_out.status, none, 0, fields, count);
    ctx->is_asked = 1;
    ctx->is_wanting = need == SURTITLE_NEEDS_MORE;
    return NGX_OK;
}

// The body of it.
ngx_int_t ngx_http_surtitle_maps_body(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx, ngx_chain_t *in) {
    for (; in != NULL; in = in->next) {
        ngx_buf_t *buffer = in->buf;
        if (ctx->is_wanting && ngx_buf_in_memory(buffer)) {
            ctx->is_wanting =
                surtitle_fetch_write(ctx->wait->fetch, buffer->pos, buffer->last - buffer->pos) == SURTITLE_NEEDS_MORE;
        }
        if (ngx_buf_in_memory(buffer)) buffer->pos = buffer->last;
        if (buffer->in_file) buffer->file_pos = buffer->file_last;
        if (ngx_http_surtitle_is_last(r, buffer)) ctx->is_ending = 1;
    }
    return NGX_OK;
}
