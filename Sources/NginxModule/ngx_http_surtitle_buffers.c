// Output buffers, whose memory is used again.
//
//     filling   one buffer, which goes on being filled when the next bytes come
//     out       full ones, on their way down
//     busy      those that the client has not taken; they become free, and are filled again
//
// The memory goes to the next request of the worker, since fresh pages cost more than rewriting does.
#include "ngx_http_surtitle.h"

// ---- Memory -------------------------------------------------------------------------------------------------------------------

// Memory that has served a request of this worker and waits for the next: all of one size.
static struct {
    u_char *memory[NGX_HTTP_SURTITLE_KEPT_BUFFERS];
    ngx_uint_t count;
    size_t size;
} ngx_http_surtitle_kept;

static u_char *ngx_http_surtitle_memory_get(ngx_http_request_t *r, size_t size) {
    if (ngx_http_surtitle_kept.count > 0 && ngx_http_surtitle_kept.size == size) {
        return ngx_http_surtitle_kept.memory[--ngx_http_surtitle_kept.count];
    }
    return ngx_alloc(size, r->connection->log);
}

void ngx_http_surtitle_buffers_release(ngx_http_surtitle_ctx_t *ctx) {
    while (ctx->buffer_count > 0) {
        u_char *memory = ctx->buffers[--ctx->buffer_count];
        if (ngx_http_surtitle_kept.count == 0) ngx_http_surtitle_kept.size = ctx->conf->buffers.size;
        if (ngx_http_surtitle_kept.count < NGX_HTTP_SURTITLE_KEPT_BUFFERS
            && ngx_http_surtitle_kept.size == ctx->conf->buffers.size)
        {
            ngx_http_surtitle_kept.memory[ngx_http_surtitle_kept.count++] = memory;
        } else {
            ngx_free(memory);
        }
    }
}

void ngx_http_surtitle_buffers_exit(ngx_cycle_t *cycle) {
    while (ngx_http_surtitle_kept.count > 0) ngx_free(ngx_http_surtitle_kept.memory[--ngx_http_surtitle_kept.count]);
}

// ---- Output buffers -----------------------------------------------------------------------------------------------------------

// The buffer that is being filled is on its way, or free again if nothing is in it.
void ngx_http_surtitle_buffer_close(ngx_http_surtitle_ctx_t *ctx) {
    ngx_chain_t *link = ctx->filling;
    if (link == NULL) return;
    ctx->filling = NULL;
    if (link->buf->last == link->buf->pos) {
        link->next = ctx->free;
        ctx->free = link;
        return;
    }
    link->next = NULL;
    *ctx->last_out = link;
    ctx->last_out = &link->next;
}

// Makes sure that there is a buffer with room; NGX_AGAIN if all are with the client.
ngx_int_t ngx_http_surtitle_buffer_room(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx) {
    if (ctx->filling != NULL) {
        if (ctx->filling->buf->last < ctx->filling->buf->end) return NGX_OK;
        ngx_http_surtitle_buffer_close(ctx);
    }
    ngx_bufs_t *buffers = &ctx->conf->buffers;
    ngx_chain_t *link = ctx->free;
    ngx_buf_t *buffer;
    if (link != NULL) {
        ctx->free = link->next;
        buffer = link->buf;
        buffer->flush = 0;
        buffer->last_buf = 0;
        buffer->last_in_chain = 0;
    } else {
        if (ctx->buffer_count == (ngx_uint_t)buffers->num) return NGX_AGAIN;
        link = ngx_alloc_chain_link(r->pool);
        buffer = ngx_calloc_buf(r->pool);
        u_char *memory = ngx_http_surtitle_memory_get(r, buffers->size);
        if (ctx->buffers == NULL) ctx->buffers = ngx_palloc(r->pool, buffers->num * sizeof(u_char *));
        if (memory == NULL || ctx->buffers == NULL) {
            ngx_free(memory);
            return NGX_ERROR;
        }
        ctx->buffers[ctx->buffer_count++] = memory;
        if (link == NULL || buffer == NULL) return NGX_ERROR;
        buffer->start = buffer->pos = buffer->last = memory;
        buffer->end = memory + buffers->size;
        buffer->temporary = 1;
        buffer->tag = (ngx_buf_tag_t)&ngx_http_surtitle_module;
        link->buf = buffer;
    }
    link->next = NULL;
    ctx->filling = link;
    return NGX_OK;
}
