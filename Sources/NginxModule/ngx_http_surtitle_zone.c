// surtitle_live_zone: the states of streams, in memory that all workers share.
//
//     name     server, how the track's times count, path of the video's playlist: nothing of the client's but the path that led to the track
//     state    surtitle_stream_save(): about 1 KiB and 16 bytes a segment
//
// All functions here are called with the zone locked. A stream of which no version has come is soon forgotten: anybody can ask for one. Others
// stay for ten minutes after somebody has asked for them. If there is no room then, there is none: no state in the zone means that nothing
// is asked for, so that what is not there costs nobody anything.
#include "ngx_http_surtitle.h"

// After how many seconds a stream may be forgotten that nobody asks for, and how many there may be of which nothing has come.
#define IDLE 600
#define MOST_UNBEGUN 128

typedef struct {
    ngx_rbtree_t tree;
    ngx_rbtree_node_t sentinel;
    ngx_queue_t begun; // the last used first
    ngx_queue_t unbegun;
    ngx_uint_t unbegun_count;
    uint64_t generation;
} ngx_http_surtitle_zone_t;

static ngx_int_t ngx_http_surtitle_zone_init(ngx_shm_zone_t *zone, void *old) {
    ngx_slab_pool_t *pool = (ngx_slab_pool_t *)zone->shm.addr;
    if (old != NULL || zone->shm.exists) return NGX_OK;
    ngx_http_surtitle_zone_t *kept = ngx_slab_calloc(pool, sizeof(ngx_http_surtitle_zone_t));
    if (kept == NULL) return NGX_ERROR;
    ngx_rbtree_init(&kept->tree, &kept->sentinel, ngx_str_rbtree_insert_value);
    ngx_queue_init(&kept->begun);
    ngx_queue_init(&kept->unbegun);
    pool->data = kept;
    pool->log_nomem = 0; // who asks is told
    return NGX_OK;
}

// Adds shared memory; NULL, and the log says why, if there is some of this name already.
ngx_shm_zone_t *ngx_http_surtitle_zone_add(ngx_conf_t *cf, ngx_str_t *name, size_t size, ngx_shm_zone_init_pt init) {
    ngx_shm_zone_t *zone = ngx_shared_memory_add(cf, name, size, &ngx_http_surtitle_module);
    if (zone == NULL) return NULL;
    if (zone->init != NULL) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "\"%V\" is the name of two zones of surtitle", name);
        return NULL;
    }
    zone->init = init;
    zone->data = ngx_http_conf_get_module_main_conf(cf, ngx_http_surtitle_module);
    return zone;
}

// The directive: NAME:SIZE.
char *ngx_http_surtitle_live_zone(ngx_conf_t *cf, ngx_command_t *command, void *conf) {
    ngx_http_surtitle_main_conf_t *main = conf;
    ngx_str_t *words = cf->args->elts, name = words[1];
    if (main->live != NULL) return "is duplicate";
    u_char *colon = ngx_strlchr(name.data, name.data + name.len, ':');
    if (colon == NULL || colon == name.data) return "must be a name, a colon and a size";
    ngx_str_t size = {name.data + name.len - colon - 1, colon + 1};
    name.len = colon - name.data;
    ssize_t count = ngx_parse_size(&size);
    if (count == NGX_ERROR) return "must be a name, a colon and a size";
    if (count < (ssize_t)(8 * ngx_pagesize)) return "has too small a size";
    main->live = ngx_http_surtitle_zone_add(cf, &name, count, ngx_http_surtitle_zone_init);
    return main->live != NULL ? NGX_CONF_OK : NGX_CONF_ERROR;
}

ngx_http_surtitle_kept_t *ngx_http_surtitle_zone_find(ngx_slab_pool_t *pool, ngx_str_t *name) {
    ngx_http_surtitle_zone_t *zone = pool->data;
    return (ngx_http_surtitle_kept_t *)ngx_str_rbtree_lookup(&zone->tree, name, ngx_crc32_long(name->data, name->len));
}

static void ngx_http_surtitle_zone_drop(ngx_slab_pool_t *pool, ngx_http_surtitle_kept_t *kept) {
    ngx_http_surtitle_zone_t *zone = pool->data;
    ngx_queue_remove(&kept->queue);
    if (!kept->has_begun) zone->unbegun_count--;
    ngx_rbtree_delete(&zone->tree, &kept->node.node);
    if (kept->state != NULL) ngx_slab_free_locked(pool, kept->state);
    ngx_slab_free_locked(pool, kept);
}

// Memory, for which others are forgotten as far as they may be: never `own`.
static void *ngx_http_surtitle_zone_alloc(ngx_slab_pool_t *pool, size_t size, ngx_http_surtitle_kept_t *own) {
    ngx_http_surtitle_zone_t *zone = pool->data;
    for (;;) {
        void *memory = ngx_slab_alloc_locked(pool, size);
        if (memory != NULL) return memory;
        ngx_queue_t *oldest = ngx_queue_last(&zone->unbegun);
        if (oldest != ngx_queue_sentinel(&zone->unbegun) && ngx_queue_data(oldest, ngx_http_surtitle_kept_t, queue) == own) {
            oldest = ngx_queue_prev(oldest);
        }
        if (oldest == ngx_queue_sentinel(&zone->unbegun)) {
            oldest = ngx_queue_last(&zone->begun);
            if (oldest == ngx_queue_sentinel(&zone->begun)) return NULL;
            ngx_http_surtitle_kept_t *kept = ngx_queue_data(oldest, ngx_http_surtitle_kept_t, queue);
            if (kept == own || ngx_time() - kept->used < IDLE) return NULL;
        }
        ngx_http_surtitle_zone_drop(pool, ngx_queue_data(oldest, ngx_http_surtitle_kept_t, queue));
    }
}

// Finds the stream, or makes room for it; NULL if there is none.
ngx_http_surtitle_kept_t *ngx_http_surtitle_zone_open(ngx_slab_pool_t *pool, ngx_str_t *name) {
    ngx_http_surtitle_zone_t *zone = pool->data;
    ngx_http_surtitle_kept_t *kept = ngx_http_surtitle_zone_find(pool, name);
    if (kept != NULL) {
        ngx_queue_remove(&kept->queue);
    } else {
        if (zone->unbegun_count >= MOST_UNBEGUN) {
            ngx_http_surtitle_zone_drop(pool, ngx_queue_data(ngx_queue_last(&zone->unbegun), ngx_http_surtitle_kept_t, queue));
        }
        kept = ngx_http_surtitle_zone_alloc(pool, sizeof(ngx_http_surtitle_kept_t) + name->len, NULL);
        if (kept == NULL) return NULL;
        *kept = (ngx_http_surtitle_kept_t){.node.str = {name->len, kept->name}, .generation = ++zone->generation};
        ngx_memcpy(kept->name, name->data, name->len);
        kept->node.node.key = ngx_crc32_long(name->data, name->len);
        ngx_rbtree_insert(&zone->tree, &kept->node.node);
        zone->unbegun_count++;
    }
    ngx_queue_insert_head(kept->has_begun ? &zone->begun : &zone->unbegun, &kept->queue);
    kept->used = ngx_time();
    return kept;
}

// Keeps a state in place of the one before; NGX_DECLINED if there is no room, and the one before stays.
ngx_int_t ngx_http_surtitle_zone_keep(
    ngx_slab_pool_t *pool, ngx_http_surtitle_kept_t *kept, const u_char *state, size_t count, ngx_uint_t has_begun) {
    ngx_http_surtitle_zone_t *zone = pool->data;
    if (count > kept->room) {
        size_t room = count + count / 8 + 64; // what grows by a few bytes stays where it is
        u_char *memory = ngx_http_surtitle_zone_alloc(pool, room, kept);
        if (memory == NULL) return NGX_DECLINED;
        if (kept->state != NULL) ngx_slab_free_locked(pool, kept->state);
        kept->state = memory;
        kept->room = room;
    }
    if (has_begun && !kept->has_begun) {
        kept->has_begun = 1;
        zone->unbegun_count--;
        ngx_queue_remove(&kept->queue);
        ngx_queue_insert_head(&zone->begun, &kept->queue);
    }
    ngx_memcpy(kept->state, state, count);
    kept->count = count;
    kept->generation = ++zone->generation;
    return NGX_OK;
}
