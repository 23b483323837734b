// Streams: what of them is in this worker, and how their state goes from worker to worker.
//
//     lock the zone ─▶ is the state another than this worker's? then restored ─▶ step or take ─▶ saved if it has changed ─▶ unlock
//
// All that is decided about a stream the library decides (surtitle_stream). A worker that is told to fetch something does so in the background
// of the request for which it was told, and takes what comes for all. Others wait: those of this worker are woken when a fetch has ended,
// those of other workers see a new state when they look, 50 times a second.
//
// A fetch that ends with its request, because the client has gone, is cancelled: one of those who wait carries it out. That of a worker which
// has died the library forgets.
#include "ngx_http_surtitle.h"

// How many streams a worker has at hand, and how often those who wait look whether other workers have done something, in milliseconds.
#define MOST_STREAMS 256
#define LOOK_EVERY 20

// How many time stamps are asked for at once.
#define MOST_EARLY 4

// For how many seconds nothing is asked for after there was no room for what came of it.
#define FULL_FOR 1

// A fetch that is carried out for a stream.
typedef struct {
    ngx_http_surtitle_job_t job; // first: one is the other
    ngx_http_surtitle_stream_t *stream;
    ngx_slab_pool_t *pool;
    uint64_t number;
    ngx_log_t *log;
    ngx_http_surtitle_ctx_t *ctx; // of the request in whose background it is; NULL if that has none
    ngx_uint_t has_ended;
} ngx_http_surtitle_work_t;

static struct {
    ngx_rbtree_t tree;
    ngx_rbtree_node_t sentinel;
    ngx_queue_t order; // the last used first; its `next` is NULL until it is made
    ngx_uint_t count;
    u_char *state; // memory for a state that is saved
    size_t room;
} ngx_http_surtitle_streams;

static void ngx_http_surtitle_begin(
    ngx_http_request_t *main, ngx_slab_pool_t *pool, ngx_http_surtitle_stream_t *stream, uint64_t number, surtitle_fetch *fetch);

// ---- Those of a worker --------------------------------------------------------------------------------------------

static void ngx_http_surtitle_stream_free(ngx_http_surtitle_stream_t *stream) {
    ngx_queue_remove(&stream->order);
    ngx_rbtree_delete(&ngx_http_surtitle_streams.tree, &stream->node.node);
    ngx_http_surtitle_streams.count--;
    if (stream->look.timer_set) ngx_del_timer(&stream->look);
    for (ngx_uint_t i = 0; i < NGX_HTTP_SURTITLE_KEPT_HANDLES; i++) ngx_free(stream->renditions[i].memory);
    surtitle_stream_destroy(stream->stream);
    ngx_free(stream);
}

void ngx_http_surtitle_streams_exit(ngx_cycle_t *cycle) {
    ngx_queue_t *order = &ngx_http_surtitle_streams.order;
    while (order->next != NULL && !ngx_queue_empty(order)) {
        ngx_http_surtitle_stream_free(ngx_queue_data(ngx_queue_head(order), ngx_http_surtitle_stream_t, order));
    }
    ngx_free(ngx_http_surtitle_streams.state);
    ngx_http_surtitle_streams.state = NULL;
    ngx_http_surtitle_streams.room = 0;
}

static void ngx_http_surtitle_wake(ngx_http_surtitle_stream_t *stream) {
    ngx_queue_t *waiting = &stream->waiting;
    for (ngx_queue_t *at = ngx_queue_head(waiting); at != ngx_queue_sentinel(waiting); at = ngx_queue_next(at)) {
        ngx_http_surtitle_asking_t *asking = ngx_queue_data(at, ngx_http_surtitle_asking_t, queue);
        ngx_post_event(&asking->event, &ngx_posted_events);
    }
}

// Looks whether another worker has done something for those who wait here.
static void ngx_http_surtitle_look(ngx_event_t *event) {
    ngx_http_surtitle_stream_t *stream = event->data;
    if (ngx_queue_empty(&stream->waiting)) return;
    ngx_http_surtitle_asking_t *asking = ngx_queue_data(ngx_queue_head(&stream->waiting), ngx_http_surtitle_asking_t, queue);
    ngx_http_surtitle_main_conf_t *main = ngx_http_get_module_main_conf(asking->request, ngx_http_surtitle_module);
    ngx_slab_pool_t *pool = (ngx_slab_pool_t *)main->live->shm.addr;
    ngx_shmtx_lock(&pool->mutex);
    ngx_http_surtitle_kept_t *kept = ngx_http_surtitle_zone_find(pool, &stream->node.str);
    ngx_uint_t has_changed = kept == NULL || kept->generation != stream->generation;
    ngx_shmtx_unlock(&pool->mutex);
    if (has_changed) ngx_http_surtitle_wake(stream);
    ngx_add_timer(event, LOOK_EVERY);
}

static ngx_http_surtitle_stream_t *ngx_http_surtitle_stream_create(
    ngx_http_request_t *r, ngx_http_surtitle_live_t *live, ngx_str_t *path, ngx_str_t *name) {
    ngx_str_t url, origin;
    if (ngx_http_surtitle_url(r, path, &url, &origin) != NGX_OK) return NULL;
    ngx_http_surtitle_stream_t *stream = ngx_calloc(sizeof(*stream) + name->len + url.len, ngx_cycle->log);
    if (stream == NULL) return NULL;
    u_char *memory = (u_char *)(stream + 1);
    stream->node.str = (ngx_str_t){name->len, memory};
    stream->node.node.key = ngx_crc32_long(name->data, name->len);
    stream->url.data = ngx_cpymem(memory, name->data, name->len);
    stream->url.len = url.len;
    ngx_memcpy(stream->url.data, url.data, url.len);
    stream->origin = (ngx_str_t){origin.len, stream->url.data + (origin.data - url.data)};
    stream->settings = live->settings;
    ngx_queue_init(&stream->waiting);
    stream->look.handler = ngx_http_surtitle_look;
    stream->look.data = stream;
    stream->look.log = ngx_cycle->log;
    stream->look.cancelable = 1;
    ngx_rbtree_insert(&ngx_http_surtitle_streams.tree, &stream->node.node);
    ngx_queue_insert_head(&ngx_http_surtitle_streams.order, &stream->order);
    ngx_http_surtitle_streams.count++;
    return stream;
}

// Finds the stream of the playlist at `path`, which a request asks for, or makes it; it is the caller's to leave.
ngx_int_t ngx_http_surtitle_stream_get(
    ngx_http_request_t *r, ngx_http_surtitle_live_t *live, ngx_str_t *path, ngx_http_surtitle_stream_t **stream) {
    ngx_str_t name;
    if (ngx_http_surtitle_name(r, &live->kind, path, &name) != NGX_OK) return NGX_ERROR;

    if (ngx_http_surtitle_streams.order.next == NULL) {
        ngx_rbtree_init(&ngx_http_surtitle_streams.tree, &ngx_http_surtitle_streams.sentinel, ngx_str_rbtree_insert_value);
        ngx_queue_init(&ngx_http_surtitle_streams.order);
    }
    ngx_queue_t *order = &ngx_http_surtitle_streams.order;
    *stream = (ngx_http_surtitle_stream_t *)ngx_str_rbtree_lookup(
        &ngx_http_surtitle_streams.tree, &name, ngx_crc32_long(name.data, name.len));
    if (*stream != NULL) {
        ngx_queue_remove(&(*stream)->order);
        ngx_queue_insert_head(order, &(*stream)->order);
    } else {
        for (ngx_queue_t *at = ngx_queue_last(order); ngx_http_surtitle_streams.count >= MOST_STREAMS && at != ngx_queue_sentinel(order);) {
            ngx_http_surtitle_stream_t *old = ngx_queue_data(at, ngx_http_surtitle_stream_t, order);
            at = ngx_queue_prev(at);
            if (old->users == 0) ngx_http_surtitle_stream_free(old);
        }
        *stream = ngx_http_surtitle_stream_create(r, live, path, &name);
        if (*stream == NULL) return NGX_ERROR;
    }
    (*stream)->users++;
    return NGX_OK;
}

// ---- The state, with the zone locked ------------------------------------------------------------------------------

static surtitle_text ngx_http_surtitle_stream_url(ngx_http_surtitle_stream_t *stream) {
    return (surtitle_text){(const char *)stream->url.data, stream->url.len};
}

// Makes the stream what the state in the zone says.
static ngx_int_t ngx_http_surtitle_sync(ngx_http_surtitle_stream_t *stream, ngx_http_surtitle_kept_t *kept) {
    if (stream->stream != NULL && stream->generation == kept->generation) return NGX_OK;
    surtitle_stream_destroy(stream->stream);
    stream->stream = NULL;
    surtitle_text url = ngx_http_surtitle_stream_url(stream);
    int status = SURTITLE_LIVE_REFUSED;
    if (kept->count > 0) status = surtitle_stream_restore(&stream->settings, url, kept->state, kept->count, &stream->stream, NULL);
    // A state that cannot be read is none.
    if (status == SURTITLE_LIVE_REFUSED) status = surtitle_stream_create(&stream->settings, url, &stream->stream);
    stream->generation = kept->generation;
    return status == SURTITLE_OK ? NGX_OK : NGX_ERROR;
}

static surtitle_live_facts ngx_http_surtitle_facts(ngx_http_surtitle_stream_t *stream) {
    surtitle_live_facts facts = {.size = sizeof(facts)};
    (void)surtitle_stream_facts(stream->stream, &facts);
    return facts;
}

// Saves the stream; if there is no room, NGX_DECLINED, it is what it was before.
static ngx_int_t ngx_http_surtitle_save(ngx_slab_pool_t *pool, ngx_http_surtitle_stream_t *stream, ngx_http_surtitle_kept_t *kept) {
    size_t count = 0;
    int status = surtitle_stream_save(stream->stream, ngx_http_surtitle_streams.state, ngx_http_surtitle_streams.room, &count);
    if (status == SURTITLE_TOO_SMALL) {
        size_t room = count + count / 2;
        ngx_free(ngx_http_surtitle_streams.state);
        ngx_http_surtitle_streams.state = ngx_alloc(room, ngx_cycle->log);
        ngx_http_surtitle_streams.room = ngx_http_surtitle_streams.state == NULL ? 0 : room;
        status = surtitle_stream_save(stream->stream, ngx_http_surtitle_streams.state, ngx_http_surtitle_streams.room, &count);
    }
    ngx_int_t answer = status != SURTITLE_OK
        ? NGX_DECLINED
        : ngx_http_surtitle_zone_keep(
              pool, kept, ngx_http_surtitle_streams.state, count, (ngx_uint_t)ngx_http_surtitle_facts(stream).has_begun);
    if (answer == NGX_OK) {
        stream->generation = kept->generation;
    } else {
        kept->full_until = ngx_time() + FULL_FOR;
        surtitle_stream_destroy(stream->stream);
        stream->stream = NULL;
    }
    return answer;
}

// ---- Fetches ------------------------------------------------------------------------------------------------------

static void ngx_http_surtitle_tell(ngx_http_surtitle_work_t *work, int status, surtitle_error *error, uint32_t notes) {
    ngx_str_t *url = &work->stream->url;
    if (status == SURTITLE_FETCH_FAILED) {
        surtitle_fetched found = {.size = sizeof(found)};
        (void)surtitle_fetch_result(work->job.fetch, &found);
        ngx_log_error(
            NGX_LOG_WARN, work->log, 0, "surtitle: live: %*s: %*s", found.url.count, found.url.bytes, found.message.count,
            found.message.bytes);
    } else if (status != SURTITLE_OK) {
        const char *message = error->message[0] != '\0' ? error->message : surtitle_status_text(status);
        ngx_log_error(NGX_LOG_ERR, work->log, 0, "surtitle: live: %V: %s, at byte %L", url, message, error->position);
    }
    for (ngx_uint_t bit = 0; bit < 32; bit++) {
        uint32_t note = notes & (uint32_t)1 << bit;
        if (note != 0) ngx_log_error(NGX_LOG_WARN, work->log, 0, "surtitle: live: %V: %s", url, surtitle_stream_note_text(note));
    }
}

// Takes what a fetch has come to, or that nothing will; returns how many others are to be begun.
static ngx_uint_t ngx_http_surtitle_take(ngx_http_surtitle_work_t *work, uint64_t *numbers, surtitle_fetch **fetches) {
    ngx_http_surtitle_stream_t *stream = work->stream;
    ngx_slab_pool_t *pool = work->pool;
    ngx_uint_t count = 0, is_full = 0;
    int status = SURTITLE_OK, change;
    uint32_t notes = 0;
    surtitle_error error = {.size = sizeof(error)};

    ngx_shmtx_lock(&pool->mutex);
    ngx_http_surtitle_kept_t *kept =
        work->job.is_cancelled ? ngx_http_surtitle_zone_find(pool, &stream->node.str) : ngx_http_surtitle_zone_open(pool, &stream->node.str);
    if (kept != NULL && ngx_http_surtitle_sync(stream, kept) == NGX_OK) {
        notes = ngx_http_surtitle_facts(stream).notes;
        if (work->job.is_cancelled) {
            (void)surtitle_stream_cancel(stream->stream, work->number);
        } else {
            status = surtitle_stream_take(stream->stream, work->number, work->job.fetch, (int64_t)ngx_current_msec, &change, &error);
            while (count < MOST_EARLY
                   && surtitle_stream_early(stream->stream, (int64_t)ngx_current_msec, &numbers[count], &fetches[count]) == SURTITLE_OK)
            {
                count++;
            }
        }
        notes = ngx_http_surtitle_facts(stream).notes & ~notes;
        is_full = ngx_http_surtitle_save(pool, stream, kept) != NGX_OK;
        // The state before stays, and there is a fetch in it that has ended.
        if (is_full && ngx_http_surtitle_sync(stream, kept) == NGX_OK) {
            (void)surtitle_stream_cancel(stream->stream, work->number);
            (void)ngx_http_surtitle_save(pool, stream, kept);
        }
    }
    ngx_shmtx_unlock(&pool->mutex);

    if (is_full || kept == NULL) {
        while (count > 0) surtitle_fetch_destroy(fetches[--count]);
        if (!work->job.is_cancelled) {
            ngx_log_error(NGX_LOG_ERR, work->log, 0, "surtitle: live: %V: surtitle_live_zone has no room for it", &stream->url);
        }
    }
    ngx_http_surtitle_tell(work, status, &error, notes);
    return count;
}

// A fetch has ended, or been cancelled.
static void ngx_http_surtitle_work_done(ngx_http_surtitle_job_t *job, ngx_http_request_t *main) {
    ngx_http_surtitle_work_t *work = (ngx_http_surtitle_work_t *)job;
    ngx_http_surtitle_stream_t *stream = work->stream;
    uint64_t numbers[MOST_EARLY];
    surtitle_fetch *fetches[MOST_EARLY];
    if (work->has_ended) return;
    work->has_ended = 1;
    ngx_uint_t count = ngx_http_surtitle_take(work, numbers, fetches);
    surtitle_fetch_destroy(job->fetch);
    job->fetch = NULL;
    if (main != NULL && work->ctx != NULL) work->ctx->fetch_count--;
    for (ngx_uint_t i = 0; i < count; i++) ngx_http_surtitle_begin(main, work->pool, stream, numbers[i], fetches[i]);
    ngx_http_surtitle_wake(stream);
    stream->users--;
}

// The request has ended before the fetch.
static void ngx_http_surtitle_work_cleanup(void *data) {
    ngx_http_surtitle_work_t *work = data;
    work->job.is_cancelled = 1;
    work->log = ngx_cycle->log;
    ngx_http_surtitle_work_done(&work->job, NULL);
}

// Carries out a fetch in the background of `main`.
static void ngx_http_surtitle_begin(
    ngx_http_request_t *main, ngx_slab_pool_t *pool, ngx_http_surtitle_stream_t *stream, uint64_t number, surtitle_fetch *fetch) {
    ngx_http_surtitle_work_t *work = ngx_pcalloc(main->pool, sizeof(*work)), none = {.has_ended = 0};
    ngx_pool_cleanup_t *cleanup = work == NULL ? NULL : ngx_pool_cleanup_add(main->pool, 0);
    ngx_int_t answer = cleanup == NULL ? NGX_ERROR : NGX_OK;
    if (answer != NGX_OK) work = &none;
    work->job.fetch = fetch;
    work->job.name = "live=";
    work->job.origin = stream->origin;
    work->job.done = ngx_http_surtitle_work_done;
    work->stream = stream;
    work->pool = pool;
    work->number = number;
    work->log = main->connection->log;
    work->ctx = ngx_http_get_module_ctx(main, ngx_http_surtitle_module);
    if (work->ctx != NULL) work->ctx->fetch_count++;
    stream->users++;
    if (answer == NGX_OK) {
        cleanup->data = work;
        cleanup->handler = ngx_http_surtitle_work_cleanup;
        answer = ngx_http_surtitle_job_next(main, &work->job);
    }
    if (answer == NGX_AGAIN) return;
    work->job.is_cancelled = answer != NGX_OK;
    ngx_http_surtitle_work_done(&work->job, main);
}

// ---- Asking -------------------------------------------------------------------------------------------------------

// Finds out what is next for somebody who asks, and begins what is to be fetched for that: `step` is then what to wait for, or the answer.
ngx_int_t ngx_http_surtitle_stream_step(ngx_http_request_t *r, ngx_http_surtitle_asking_t *asking) {
    ngx_http_surtitle_main_conf_t *main = ngx_http_get_module_main_conf(r, ngx_http_surtitle_module);
    ngx_slab_pool_t *pool = (ngx_slab_pool_t *)main->live->shm.addr;
    ngx_http_surtitle_stream_t *stream = asking->stream;
    surtitle_live_step *step = &asking->step;
    for (;;) {
        surtitle_fetch *fetch = NULL;
        ngx_int_t answer = NGX_DECLINED;
        step->size = sizeof(*step);
        ngx_shmtx_lock(&pool->mutex);
        ngx_http_surtitle_kept_t *kept = ngx_http_surtitle_zone_open(pool, &stream->node.str);
        if (kept != NULL) {
            answer = ngx_http_surtitle_sync(stream, kept);
            int64_t now = (int64_t)ngx_current_msec;
            if (answer == NGX_OK && surtitle_stream_step(stream->stream, &asking->ask, now, step, &fetch) != SURTITLE_OK) answer = NGX_ERROR;
            if (answer == NGX_OK && step->kind == SURTITLE_STEP_FETCH) {
                if (kept->full_until > ngx_time()) {
                    surtitle_stream_destroy(stream->stream);
                    stream->stream = NULL;
                    answer = NGX_DECLINED;
                } else {
                    answer = ngx_http_surtitle_save(pool, stream, kept);
                }
            }
        }
        ngx_shmtx_unlock(&pool->mutex);
        if (answer == NGX_OK && step->kind != SURTITLE_STEP_FETCH) return NGX_OK;
        if (answer == NGX_OK) {
            ngx_http_surtitle_begin(r->main, pool, stream, step->fetch, fetch);
            continue;
        }
        surtitle_fetch_destroy(fetch);
        if (answer == NGX_ERROR) return NGX_ERROR;
        ngx_log_error(NGX_LOG_ERR, r->connection->log, 0, "surtitle: live: %V: surtitle_live_zone has no room for it", &stream->url);
        step->kind = SURTITLE_STEP_STATUS;
        step->http_status = NGX_HTTP_SERVICE_UNAVAILABLE;
        return NGX_OK;
    }
}

// Lets the request wait until something has happened.
void ngx_http_surtitle_stream_wait(ngx_http_surtitle_asking_t *asking) {
    ngx_http_surtitle_stream_t *stream = asking->stream;
    if (asking->queue.next == NULL) {
        ngx_queue_insert_tail(&stream->waiting, &asking->queue);
    }
    if (asking->event.timer_set) ngx_del_timer(&asking->event);
    ngx_add_timer(&asking->event, (ngx_msec_t)asking->step.wait);
    if (!stream->look.timer_set) ngx_add_timer(&stream->look, LOOK_EVERY);
}

// The request asks for nothing any more.
void ngx_http_surtitle_stream_leave(ngx_http_surtitle_asking_t *asking) {
    if (asking->stream == NULL) return;
    if (asking->event.timer_set) ngx_del_timer(&asking->event);
    if (asking->event.posted) {
        ngx_delete_posted_event(&asking->event);
    }
    if (asking->queue.next != NULL) {
        ngx_queue_remove(&asking->queue);
    }
    asking->queue.next = NULL;
    asking->stream->users--;
    asking->stream = NULL;
}

// Copies the playlist of a track into memory of the request.
ngx_int_t ngx_http_surtitle_stream_playlist(ngx_http_request_t *r, ngx_http_surtitle_asking_t *asking, ngx_str_t *prefix) {
    ngx_http_surtitle_stream_t *stream = asking->stream;
    ngx_http_surtitle_rendition_t *rendition = NULL;
    for (ngx_uint_t i = 0; i < NGX_HTTP_SURTITLE_KEPT_HANDLES; i++) {
        ngx_http_surtitle_rendition_t *kept = &stream->renditions[i];
        if (kept->memory != NULL && kept->prefix == prefix->len && ngx_memcmp(kept->memory, prefix->data, prefix->len) == 0) {
            rendition = kept;
        }
    }
    if (rendition == NULL) {
        rendition = &stream->renditions[stream->next_rendition++ % NGX_HTTP_SURTITLE_KEPT_HANDLES];
        rendition->generation = 0;
    }
    if (rendition->generation != stream->generation) {
        const surtitle_piece *pieces;
        size_t piece_count, count = prefix->len;
        surtitle_text text = {(const char *)prefix->data, prefix->len};
        if (surtitle_stream_playlist(stream->stream, text, 0, &pieces, &piece_count) != SURTITLE_OK) return NGX_ERROR;
        for (size_t i = 0; i < piece_count; i++) count += pieces[i].count;
        if (count > rendition->room) {
            ngx_free(rendition->memory);
            rendition->room = count + count / 4;
            rendition->memory = ngx_alloc(rendition->room, ngx_cycle->log);
            if (rendition->memory == NULL) {
                rendition->room = 0;
                return NGX_ERROR;
            }
        }
        u_char *end = ngx_cpymem(rendition->memory, prefix->data, prefix->len);
        for (size_t i = 0; i < piece_count; i++) end = ngx_cpymem(end, pieces[i].bytes, pieces[i].count);
        rendition->prefix = prefix->len;
        rendition->count = count;
        rendition->generation = stream->generation;
    }
    asking->body.len = rendition->count - rendition->prefix;
    asking->body.data = ngx_pnalloc(r->pool, asking->body.len + 1);
    if (asking->body.data == NULL) return NGX_ERROR;
    ngx_memcpy(asking->body.data, rendition->memory + rendition->prefix, asking->body.len);
    return NGX_OK;
}
