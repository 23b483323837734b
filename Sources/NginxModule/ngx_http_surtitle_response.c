// The header filter: the question of the response, and what is changed of its header.
//
// It runs after nginx's not-modified filter and before the range and gzip filters. A header that waits for the body is sent by the body
// filter. The range filter may not act on such a response: its other half, which cuts the body, has seen the body by then.
#include "ngx_http_surtitle.h"

static ngx_http_output_header_filter_pt ngx_http_surtitle_next_header_filter;

// ---- The question -------------------------------------------------------------------------------------------------------------

// All header fields, those too that nginx keeps elsewhere.
ngx_int_t ngx_http_surtitle_fields_out(ngx_http_request_t *r, off_t length, surtitle_field **list, size_t few, size_t *count) {
    ngx_http_headers_out_t *headers = &r->headers_out;
    static ngx_str_t bytes = ngx_string("bytes"), some_time = ngx_string("");
    size_t most = ngx_http_surtitle_field_count(&headers->headers) + 4;
    if (most > few) *list = ngx_palloc(r->pool, most * sizeof(surtitle_field));
    if (*list == NULL) return NGX_ERROR;
    surtitle_field *fields = ngx_http_surtitle_fields_list(&headers->headers, *list);
    if (headers->content_type.len > 0) *fields++ = (surtitle_field)NGX_HTTP_SURTITLE_FIELD("Content-Type", &headers->content_type);
    if (length >= 0 && headers->content_length == NULL) {
        u_char *digits = ngx_pnalloc(r->pool, NGX_OFF_T_LEN);
        if (digits == NULL) return NGX_ERROR;
        ngx_str_t text = {ngx_sprintf(digits, "%O", length) - digits, digits};
        *fields++ = (surtitle_field)NGX_HTTP_SURTITLE_FIELD("Content-Length", &text);
    }
    if (r->allow_ranges) *fields++ = (surtitle_field)NGX_HTTP_SURTITLE_FIELD("Accept-Ranges", &bytes);
    // Which time it is does not matter: nobody knows when the tracks changed, so that it is removed.
    if (headers->last_modified_time != -1 && headers->last_modified == NULL) {
        *fields++ = (surtitle_field)NGX_HTTP_SURTITLE_FIELD("Last-Modified", &some_time);
    }
    *count = fields - *list;
    return NGX_OK;
}

ngx_int_t ngx_http_surtitle_response_ask(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx, int content) {
    surtitle_field few[32], *fields = few;
    size_t count;
    if (ngx_http_surtitle_fields_out(r, ctx->origin_length, &fields, 32, &count) != NGX_OK) return NGX_ERROR;
    ctx->decision.size = sizeof(ctx->decision);
    int status =
        surtitle_exchange_response(ctx->exchange, (int)r->headers_out.status, content, fields, count, &ctx->decision);
    if (status == SURTITLE_OK) {
        ctx->is_asked = 1;
        return NGX_OK;
    }
    ngx_log_error(NGX_LOG_ERR, r->connection->log, 0, "surtitle: %s", surtitle_status_text(status));
    return NGX_ERROR;
}

// ---- Edits of a response ------------------------------------------------------------------------------------------------------

static ngx_int_t ngx_http_surtitle_copy(ngx_http_request_t *r, const surtitle_field *edit, ngx_str_t *value) {
    value->len = edit->value_count;
    value->data = ngx_pnalloc(r->pool, edit->value_count + 1);
    if (value->data == NULL) return NGX_ERROR;
    *ngx_cpymem(value->data, edit->value, edit->value_count) = '\0';
    return NGX_OK;
}

// Sets the first line of that name to the value, or a new one, and removes all others.
static ngx_int_t ngx_http_surtitle_edit_lines(ngx_http_request_t *r, const surtitle_field *edit) {
    ngx_table_elt_t *kept = NULL;
    for (ngx_list_part_t *part = &r->headers_out.headers.part; part != NULL; part = part->next) {
        ngx_table_elt_t *lines = part->elts;
        for (ngx_uint_t i = 0; i < part->nelts; i++) {
            if (lines[i].hash == 0 || !ngx_http_surtitle_names(edit, lines[i].key.data, lines[i].key.len)) continue;
            if (edit->value != NULL && kept == NULL) {
                kept = &lines[i];
            } else {
                lines[i].hash = 0;
            }
        }
    }
    if (edit->value == NULL) return NGX_OK;
    if (kept == NULL) {
        kept = ngx_list_push(&r->headers_out.headers);
        if (kept == NULL) return NGX_ERROR;
        *kept = (ngx_table_elt_t){.hash = 1, .key = {edit->name_count, ngx_pnalloc(r->pool, edit->name_count)}};
        if (kept->key.data == NULL) return NGX_ERROR;
        ngx_memcpy(kept->key.data, edit->name, edit->name_count);
    }
    return ngx_http_surtitle_copy(r, edit, &kept->value);
}

#define IS_FIELD(edit, text) ngx_http_surtitle_names(edit, (const u_char *)(text), sizeof(text) - 1)

static ngx_int_t ngx_http_surtitle_edit(ngx_http_request_t *r, const surtitle_field *edit) {
    ngx_http_headers_out_t *headers = &r->headers_out;
    if (IS_FIELD(edit, "Content-Length")) {
        ngx_http_clear_content_length(r);
        if (edit->value != NULL) headers->content_length_n = ngx_atoof((u_char *)edit->value, edit->value_count);
        return NGX_OK;
    }
    if (IS_FIELD(edit, "Last-Modified")) {
        ngx_http_clear_last_modified(r);
        if (edit->value != NULL) headers->last_modified_time = ngx_parse_http_time((u_char *)edit->value, edit->value_count);
        return NGX_OK;
    }
    if (IS_FIELD(edit, "ETag") && edit->value == NULL) {
        ngx_http_clear_etag(r);
        return NGX_OK;
    }
    if (IS_FIELD(edit, "Accept-Ranges")) {
        ngx_http_clear_accept_ranges(r);
    }
    // Trailers may be digests of the origin's bytes, and go with what announces them.
    if (IS_FIELD(edit, "Trailer")) r->expect_trailers = 0;
    return ngx_http_surtitle_edit_lines(r, edit);
}

static ngx_int_t ngx_http_surtitle_edit_all(ngx_http_request_t *r, const surtitle_field *edits, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (ngx_http_surtitle_edit(r, &edits[i]) != NGX_OK) return NGX_ERROR;
    }
    return NGX_OK;
}

// ---- Sending ------------------------------------------------------------------------------------------------------------------

// How long the body will be as it goes out; -1 if nobody knows yet.
static off_t ngx_http_surtitle_length(ngx_http_surtitle_ctx_t *ctx) {
    if (ctx->is_abandoned) return -1;
    // Nothing has been edited, and nothing will be: it is as long as it was.
    if (ctx->is_settled) return ctx->received == ctx->written ? ctx->origin_length : -1;
    if (ctx->state != NGX_HTTP_SURTITLE_DRAINING || ctx->must_end) return -1;
    surtitle_report report = {.size = sizeof(report)};
    if (ctx->has_rest && surtitle_rewriter_report(ctx->rewriter, &report) != SURTITLE_OK) return -1;
    return (off_t)(ctx->written + report.output_left);
}

// Sends the header that has waited for the body, with its length if that is known by now.
ngx_int_t ngx_http_surtitle_header_send(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx) {
    const surtitle_field *edits = ctx->decision.edits;
    size_t count = ctx->decision.edit_count;
    off_t length = ngx_http_surtitle_length(ctx);
    ctx->is_header_waiting = 0;
    r->allow_ranges = 0;
    if (length >= 0 && surtitle_exchange_set_length(ctx->exchange, length, &edits, &count) != SURTITLE_OK) return NGX_ERROR;
    if (ngx_http_surtitle_edit_all(r, edits, count) != NGX_OK) return NGX_ERROR;
    return ngx_http_surtitle_next_header_filter(r);
}

// Whether it is worth while to see which file the body is. Then nobody else reads it.
static ngx_uint_t ngx_http_surtitle_may_be_kept(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx) {
    if (r->filter_need_in_memory || r->main_filter_need_in_memory) return 0;
    return r->connection->sendfile && (r->upstream == NULL || r->cached) && ctx->state != NGX_HTTP_SURTITLE_LOOKING
        && ctx->origin_length > 0 && ctx->origin_length <= (off_t)ctx->conf->cache_size;
}

// NULL in an nginx that has been built without it.
extern ngx_module_t ngx_http_slice_filter_module __attribute__((weak));

// Whether the body comes in slices: each is the answer to a subrequest, and looks like a whole one here.
static ngx_uint_t ngx_http_surtitle_is_sliced(ngx_http_request_t *r) {
    return &ngx_http_slice_filter_module != NULL && ngx_http_get_module_ctx(r, ngx_http_slice_filter_module) != NULL;
}

static ngx_int_t ngx_http_surtitle_header_filter(ngx_http_request_t *r) {
    ngx_http_surtitle_ctx_t *ctx = ngx_http_get_module_ctx(r, ngx_http_surtitle_module);
    if (ctx != NULL && ctx->state == NGX_HTTP_SURTITLE_FETCHING) return ngx_http_surtitle_fetching_header(r, ctx);
    if (ctx == NULL || ctx->state != NGX_HTTP_SURTITLE_ASKED) return ngx_http_surtitle_next_header_filter(r);

    ngx_http_surtitle_fields_restore(ctx);
    ctx->origin_length = r->headers_out.content_length_n;
    ctx->state = NGX_HTTP_SURTITLE_PASSING;
    if (ngx_http_surtitle_is_sliced(r) || ngx_http_surtitle_response_ask(r, ctx, SURTITLE_CONTENT_UNSEEN) != NGX_OK) {
        return ngx_http_surtitle_next_header_filter(r);
    }
    switch (ctx->decision.action) {
    case SURTITLE_RESPONSE_HOLD: ctx->state = NGX_HTTP_SURTITLE_HOLDING; break;
    case SURTITLE_RESPONSE_STREAM: ctx->state = NGX_HTTP_SURTITLE_STREAMING; break;
    case SURTITLE_RESPONSE_LOOK: ctx->state = NGX_HTTP_SURTITLE_LOOKING; break;
    case SURTITLE_RESPONSE_ASK_AGAIN:
        // The origin's answer is on its way, and a filter cannot stop it: the path should have been known.
        ngx_log_error(
            NGX_LOG_WARN, r->connection->log, 0,
            "surtitle: a playlist goes unedited, since its request was not prepared: surtitle_paths should match it");
        return ngx_http_surtitle_next_header_filter(r);
    default:
        if (ngx_http_surtitle_edit_all(r, ctx->decision.edits, ctx->decision.edit_count) != NGX_OK) return NGX_ERROR;
        return ngx_http_surtitle_next_header_filter(r);
    }
    if (r->header_only) ctx->state = NGX_HTTP_SURTITLE_PASSING;
    if (ctx->state == NGX_HTTP_SURTITLE_PASSING) return ngx_http_surtitle_next_header_filter(r);
    ctx->is_header_waiting = 1;
    ctx->last_out = &ctx->out;
    ctx->may_be_kept = ngx_http_surtitle_may_be_kept(r, ctx);
    if (!ctx->may_be_kept) r->filter_need_in_memory = 1;
    return NGX_OK;
}

void ngx_http_surtitle_response_init(void) {
    ngx_http_surtitle_next_header_filter = ngx_http_top_header_filter;
    ngx_http_top_header_filter = ngx_http_surtitle_header_filter;
}
