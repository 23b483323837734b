// surtitle_cache: playlists of files as they go out, kept by each worker.
//
//     a body that is one file ─▶ known by device, inode, size and times ─▶ kept? sent
//                                                                        else read and rewritten as a whole, kept, sent
//
// What passes through nginx from a file is sent by sendfile, which copies nothing. Whatever edits a file has to read it and to write it, and so
// costs a large one three times as much. What is kept lies in a file in memory, and goes out by sendfile again. Small playlists go from
// memory, in one system call with their header. Of a playlist in which nothing is edited, a media playlist mostly, only that is kept: it goes out
// as the file that it is.
//
// A file that changed less than two seconds ago is not kept: it might change again without its times telling.
#include "ngx_http_surtitle.h"

#include <sys/mman.h>

#define BUCKETS 64
#define SENDFILE_FROM (16 << 10)
// Of a worker's connections, what may be taken in descriptors.
#define FILES_OF_CONNECTIONS 8
#define SETTLED_AFTER 2

#if (NGX_DARWIN)
#define st_mtim st_mtimespec
#define st_ctim st_ctimespec
#endif

// What tells whether a playlist would go out as another. Compared byte by byte: all fields are of eight bytes.
typedef struct {
    uint64_t fingerprint, device, inode, start, count;
    uint64_t modified_seconds, modified_nanoseconds, changed_seconds, changed_nanoseconds;
} ngx_http_surtitle_key_t;

struct ngx_http_surtitle_whole_s {
    ngx_queue_t bucket;
    ngx_queue_t order; // the last to be used comes first
    ngx_http_surtitle_key_t key;
    surtitle_report report;
    u_char *memory; // NULL if the bytes are those of the original
    size_t count;
    ngx_fd_t fd; // of a file with the same bytes; NGX_INVALID_FILE for small ones
    ngx_uint_t users; // requests that are sending it
    unsigned is_forgotten:1; // freed by its last user
};

static struct {
    ngx_queue_t buckets[BUCKETS];
    ngx_queue_t order; // whose `next` is NULL until they are made
    size_t size;
    ngx_uint_t files; // that are open
} ngx_http_surtitle_wholes;

// ---- Keeping ------------------------------------------------------------------------------------------------------------------

static void ngx_http_surtitle_whole_free(ngx_http_surtitle_whole_t *whole) {
    if (whole->fd != NGX_INVALID_FILE) {
        (void)munmap(whole->memory, whole->count);
        (void)ngx_close_file(whole->fd);
        ngx_http_surtitle_wholes.files--;
    } else {
        ngx_free(whole->memory);
    }
    ngx_free(whole);
}

static size_t ngx_http_surtitle_whole_cost(ngx_http_surtitle_whole_t *whole) {
    return sizeof(*whole) + (whole->memory == NULL ? 0 : ngx_align(whole->count, ngx_pagesize));
}

static void ngx_http_surtitle_whole_forget(ngx_http_surtitle_whole_t *whole) {
    ngx_queue_remove(&whole->bucket);
    ngx_queue_remove(&whole->order);
    ngx_http_surtitle_wholes.size -= ngx_http_surtitle_whole_cost(whole);
    whole->is_forgotten = 1;
    if (whole->users == 0) ngx_http_surtitle_whole_free(whole);
}

static ngx_queue_t *ngx_http_surtitle_bucket(ngx_http_surtitle_key_t *key) {
    if (ngx_http_surtitle_wholes.order.next == NULL) {
        ngx_queue_init(&ngx_http_surtitle_wholes.order);
        for (ngx_uint_t i = 0; i < BUCKETS; i++) {
            ngx_queue_init(&ngx_http_surtitle_wholes.buckets[i]);
        }
    }
    return &ngx_http_surtitle_wholes.buckets[(key->inode ^ key->fingerprint ^ key->start) % BUCKETS];
}

static ngx_http_surtitle_whole_t *ngx_http_surtitle_whole_find(ngx_http_surtitle_key_t *key) {
    ngx_queue_t *bucket = ngx_http_surtitle_bucket(key);
    for (ngx_queue_t *at = ngx_queue_head(bucket); at != ngx_queue_sentinel(bucket); at = ngx_queue_next(at)) {
        ngx_http_surtitle_whole_t *whole = ngx_queue_data(at, ngx_http_surtitle_whole_t, bucket);
        if (ngx_memcmp(&whole->key, key, sizeof(*key)) != 0) continue;
        ngx_queue_remove(&whole->order);
        ngx_queue_insert_head(&ngx_http_surtitle_wholes.order, &whole->order);
        return whole;
    }
    return NULL;
}

// Adds it, and forgets those that were used longest ago, until all fit into `most` bytes.
static void ngx_http_surtitle_whole_add(ngx_http_surtitle_whole_t *whole, size_t most) {
    ngx_queue_insert_head(ngx_http_surtitle_bucket(&whole->key), &whole->bucket);
    ngx_queue_insert_head(&ngx_http_surtitle_wholes.order, &whole->order);
    ngx_http_surtitle_wholes.size += ngx_http_surtitle_whole_cost(whole);
    while (ngx_http_surtitle_wholes.size > most && ngx_queue_last(&ngx_http_surtitle_wholes.order) != &whole->order) {
        ngx_queue_t *last = ngx_queue_last(&ngx_http_surtitle_wholes.order);
        ngx_http_surtitle_whole_forget(ngx_queue_data(last, ngx_http_surtitle_whole_t, order));
    }
}

void ngx_http_surtitle_cache_exit(ngx_cycle_t *cycle) {
    ngx_queue_t *order = &ngx_http_surtitle_wholes.order;
    while (order->next != NULL && !ngx_queue_empty(order)) {
        ngx_http_surtitle_whole_forget(ngx_queue_data(ngx_queue_head(order), ngx_http_surtitle_whole_t, order));
    }
}

// ---- Making -------------------------------------------------------------------------------------------------------------------

#ifdef MFD_CLOEXEC
// Puts what was rewritten into a file in memory, for sendfile, if there may be one more.
static ngx_int_t ngx_http_surtitle_whole_file(ngx_http_surtitle_whole_t *whole, const u_char *bytes) {
    if (whole->count < SENDFILE_FROM || ngx_http_surtitle_wholes.files >= ngx_cycle->connection_n / FILES_OF_CONNECTIONS) return NGX_DECLINED;
    whole->fd = memfd_create("surtitle", MFD_CLOEXEC);
    if (whole->fd == NGX_INVALID_FILE) return NGX_DECLINED;
    if (pwrite(whole->fd, bytes, whole->count, 0) == (ssize_t)whole->count) {
        whole->memory = mmap(NULL, whole->count, PROT_READ, MAP_SHARED, whole->fd, 0);
        if (whole->memory != MAP_FAILED) {
            ngx_http_surtitle_wholes.files++;
            return NGX_OK;
        }
    }
    (void)ngx_close_file(whole->fd);
    whole->fd = NGX_INVALID_FILE;
    return NGX_DECLINED;
}
#endif

// Puts what was rewritten where it stays.
static ngx_int_t ngx_http_surtitle_whole_store(ngx_http_surtitle_whole_t *whole, const u_char *bytes, ngx_log_t *log) {
#ifdef MFD_CLOEXEC
    if (ngx_http_surtitle_whole_file(whole, bytes) == NGX_OK) return NGX_OK;
#endif
    whole->memory = ngx_alloc(whole->count, log);
    if (whole->memory == NULL) return NGX_ERROR;
    ngx_memcpy(whole->memory, bytes, whole->count);
    return NGX_OK;
}

// Reads what the buffer is of. A file that has become shorter cannot be kept.
static u_char *ngx_http_surtitle_read_all(ngx_http_request_t *r, ngx_buf_t *input, size_t count) {
    u_char *bytes = ngx_alloc(count, r->connection->log);
    if (bytes != NULL && ngx_read_file(input->file, bytes, count, input->file_pos) != (ssize_t)count) {
        ngx_free(bytes);
        return NULL;
    }
    return bytes;
}

static ngx_http_surtitle_whole_t *ngx_http_surtitle_whole_make(
    ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx, ngx_buf_t *input, ngx_http_surtitle_key_t *key) {
    ngx_log_t *log = r->connection->log;
    u_char *bytes = ngx_http_surtitle_read_all(r, input, key->count), *output = NULL;
    ngx_http_surtitle_whole_t *whole = ngx_calloc(sizeof(*whole), log);
    size_t room = key->count + key->count / 2 + 4096;
    int status = SURTITLE_TOO_SMALL;
    while (bytes != NULL && whole != NULL && status == SURTITLE_TOO_SMALL) {
        ngx_free(output);
        output = ngx_alloc(room, log);
        if (output == NULL) break;
        status = surtitle_rewriter_whole(ctx->rewriter, bytes, key->count, output, room, &whole->count);
        room = whole->count;
    }
    if (whole != NULL) {
        ngx_uint_t is_edited = bytes == NULL || output == NULL || whole->count != key->count || ngx_memcmp(output, bytes, key->count) != 0;
        whole->key = *key;
        whole->fd = NGX_INVALID_FILE;
        whole->report.size = sizeof(whole->report);
        // With SURTITLE_LIMIT_EXCEEDED the output is there all the same.
        if ((status != SURTITLE_OK && status != SURTITLE_LIMIT_EXCEEDED) || whole->count == 0
            || surtitle_rewriter_report(ctx->rewriter, &whole->report) != SURTITLE_OK
            || (is_edited && ngx_http_surtitle_whole_store(whole, output, log) != NGX_OK))
        {
            ngx_free(whole);
            whole = NULL;
        }
    }
    ngx_free(bytes);
    ngx_free(output);
    (void)surtitle_rewriter_reset(ctx->rewriter);
    return whole;
}

// ---- Using --------------------------------------------------------------------------------------------------------------------

static ngx_int_t ngx_http_surtitle_key(
    ngx_http_surtitle_ctx_t *ctx, ngx_buf_t *input, ngx_http_surtitle_key_t *key) {
    ngx_file_info_t information;
    if (ngx_fd_info(input->file->fd, &information) == NGX_FILE_ERROR) return NGX_DECLINED;
    if (ngx_time() - ngx_max(information.st_mtim.tv_sec, information.st_ctim.tv_sec) < SETTLED_AFTER) return NGX_DECLINED;
    *key = (ngx_http_surtitle_key_t){
        .fingerprint = ctx->set->fingerprint,
        .device = information.st_dev,
        .inode = information.st_ino,
        .start = input->file_pos,
        .count = input->file_last - input->file_pos,
        .modified_seconds = information.st_mtim.tv_sec,
        .modified_nanoseconds = information.st_mtim.tv_nsec,
        .changed_seconds = information.st_ctim.tv_sec,
        .changed_nanoseconds = information.st_ctim.tv_nsec,
    };
    return NGX_OK;
}

// Finds the playlist that the body is as it goes out, or makes it; NULL if the body is nothing that can be kept.
ngx_http_surtitle_whole_t *ngx_http_surtitle_cache_get(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx, ngx_chain_t *in) {
    ngx_http_surtitle_key_t key;
    ngx_buf_t *input = in->buf;
    if (in->next != NULL || !input->in_file || ngx_buf_in_memory(input) || !(input->last_buf || input->last_in_chain)) return NULL;
    if (input->file_last - input->file_pos != ctx->origin_length) return NULL;
    if (ngx_http_surtitle_key(ctx, input, &key) != NGX_OK) return NULL;
    ngx_http_surtitle_whole_t *whole = ngx_http_surtitle_whole_find(&key);
    if (whole != NULL) return whole;
    if (ngx_http_surtitle_rewriter_get(ctx) != NGX_OK) return NULL;
    whole = ngx_http_surtitle_whole_make(r, ctx, input, &key);
    if (whole != NULL) ngx_http_surtitle_whole_add(whole, ctx->conf->cache_size);
    return whole;
}

static void ngx_http_surtitle_whole_release(void *data) {
    ngx_http_surtitle_whole_t *whole = data;
    if (--whole->users == 0 && whole->is_forgotten) ngx_http_surtitle_whole_free(whole);
}

// Gives a buffer of what is kept, to be sent in place of the input, or the input itself, and what the rewriter reported of it; NULL without
// memory.
ngx_buf_t *ngx_http_surtitle_cache_use(
    ngx_http_request_t *r, ngx_http_surtitle_whole_t *whole, ngx_buf_t *input, const surtitle_report **report) {
    *report = &whole->report;
    if (whole->memory == NULL) return input;
    ngx_pool_cleanup_t *cleanup = ngx_pool_cleanup_add(r->pool, 0);
    ngx_buf_t *buffer = ngx_calloc_buf(r->pool);
    if (cleanup == NULL || buffer == NULL) return NULL;
    whole->users++;
    cleanup->data = whole;
    cleanup->handler = ngx_http_surtitle_whole_release;

    buffer->start = buffer->pos = whole->memory;
    buffer->end = buffer->last = whole->memory + whole->count;
    buffer->memory = 1;
    buffer->last_buf = input->last_buf;
    buffer->last_in_chain = input->last_in_chain;
    if (whole->fd != NGX_INVALID_FILE && r->connection->sendfile) {
        buffer->file = ngx_pcalloc(r->pool, sizeof(ngx_file_t));
        if (buffer->file == NULL) return NULL;
        buffer->file->fd = whole->fd;
        buffer->file->name = input->file->name;
        buffer->file->log = r->connection->log;
        buffer->file_last = whole->count;
        buffer->in_file = 1;
    }
    input->file_pos = input->file_last;
    return buffer;
}
