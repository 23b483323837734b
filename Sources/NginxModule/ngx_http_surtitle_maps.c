// map=auto: the first time stamp of a video, found out where the video is and kept in shared memory.
//
//     GET …/film/subs/en.vtt ─▶ precontent: is the map of …/film/master.m3u8 kept? ─▶ the file, with it
//                                   │ no
//                                   ▼
//     the library's fetch says what to ask for: master.m3u8, its first variant with video, the beginning of a segment
//                                   │ a subrequest each (ngx_http_surtitle_fetching.c)
//                                   ▼
//     the request waits as one does for auth_request
//
// Requests that come together each find out for themselves; the last to be done is kept.
#include "ngx_http_surtitle.h"

// How long a map is kept, in seconds, and how long it is that there is none.
#define VALID 600
#define VALID_NONE 10

// What is known of a video.
typedef struct {
    ngx_str_node_t node; // by server and path
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
    ngx_http_surtitle_job_t job;
    ngx_str_t name; // by which the map is kept
    ngx_str_t url; // of the video
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
    surtitle_fetch_destroy(wait->job.fetch);
    wait->job.fetch = NULL;
}

// Where the video is that belongs to a file which the request's path ends with, in `matched` bytes: the track's own path, or its name beside
// that from which the track's URI counts.
ngx_int_t ngx_http_surtitle_video_path(ngx_http_request_t *r, ngx_str_t *video, size_t matched, ngx_str_t *path) {
    size_t base = video->data[0] == '/' ? 0 : r->uri.len - matched;
    path->data = ngx_pnalloc(r->pool, base + video->len);
    if (path->data == NULL) return NGX_ERROR;
    path->len = ngx_cpymem(ngx_cpymem(path->data, r->uri.data, base), video->data, video->len) - path->data;
    return NGX_OK;
}

static ngx_http_surtitle_wait_t *ngx_http_surtitle_wait_create(ngx_http_request_t *r, ngx_http_surtitle_file_t *file) {
    ngx_http_surtitle_wait_t *wait = ngx_pcalloc(r->pool, sizeof(ngx_http_surtitle_wait_t));
    ngx_pool_cleanup_t *cleanup = ngx_pool_cleanup_add(r->pool, 0);
    ngx_str_t path, kind = ngx_string("map");
    if (wait == NULL || cleanup == NULL || ngx_http_surtitle_video_path(r, &file->video, file->path.len, &path) != NGX_OK) return NULL;
    cleanup->data = wait;
    cleanup->handler = ngx_http_surtitle_wait_cleanup;
    wait->job.name = "map=auto";
    if (ngx_http_surtitle_name(r, &kind, &path, &wait->name) != NGX_OK) return NULL;
    return ngx_http_surtitle_url(r, &path, &wait->url, &wait->job.origin) == NGX_OK ? wait : NULL;
}

static ngx_int_t ngx_http_surtitle_wait_begin(ngx_http_surtitle_wait_t *wait) {
    surtitle_fetch_settings settings = {.size = sizeof(settings)};
    settings.job = SURTITLE_FETCH_MEDIA_START;
    settings.video = (surtitle_text){(const char *)wait->url.data, wait->url.len};
    return surtitle_fetch_create(&settings, &wait->job.fetch) == SURTITLE_OK ? NGX_OK : NGX_ERROR;
}

static void ngx_http_surtitle_wait_end(ngx_http_request_t *r, ngx_http_surtitle_wait_t *wait) {
    surtitle_fetched found = {.size = sizeof(found)};
    wait->is_known = surtitle_fetch_result(wait->job.fetch, &found) == SURTITLE_OK && found.has_map;
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

// ---- For the phase handler ---------------------------------------------------------------------------------------

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
    if (ctx->wait->job.is_asking) return NGX_AGAIN;
    if (ctx->wait->job.fetch == NULL) return NGX_OK;
    ngx_int_t answer = ngx_http_surtitle_job_next(r, &ctx->wait->job);
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
