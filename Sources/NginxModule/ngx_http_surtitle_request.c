// Before the content handler: the tracks are chosen, and the question of the request is asked.
//
// What is edited is what content handlers see: proxy_pass reads the list, static files and nginx's not-modified filter the pointers. So a tag
// that was derived here is the origin's while the origin is asked, and 304 comes out right whoever answers. The header filter puts back
// what the client sent, for gzip, the range filter and logs.
//
// A subrequest shares the list of its parent, so that an edited list is always a new one.
#include "ngx_http_surtitle.h"

static const struct {
    ngx_str_t name;
    size_t offset;
} ngx_http_surtitle_pointers[NGX_HTTP_SURTITLE_POINTERS] = {
    [NGX_HTTP_SURTITLE_RANGE] = {ngx_string("range"), offsetof(ngx_http_headers_in_t, range)},
    [NGX_HTTP_SURTITLE_IF_RANGE] = {ngx_string("if-range"), offsetof(ngx_http_headers_in_t, if_range)},
    [NGX_HTTP_SURTITLE_IF_NONE_MATCH] = {ngx_string("if-none-match"), offsetof(ngx_http_headers_in_t, if_none_match)},
    [NGX_HTTP_SURTITLE_IF_MATCH] = {ngx_string("if-match"), offsetof(ngx_http_headers_in_t, if_match)},
    [NGX_HTTP_SURTITLE_IF_MODIFIED_SINCE] =
        {ngx_string("if-modified-since"), offsetof(ngx_http_headers_in_t, if_modified_since)},
    [NGX_HTTP_SURTITLE_IF_UNMODIFIED_SINCE] =
        {ngx_string("if-unmodified-since"), offsetof(ngx_http_headers_in_t, if_unmodified_since)},
    // It is there in every build with gzip, and there is no module of gzip to compress playlists without.
    [NGX_HTTP_SURTITLE_ACCEPT_ENCODING] =
        {ngx_string("accept-encoding"), offsetof(ngx_http_headers_in_t, accept_encoding)},
    [NGX_HTTP_SURTITLE_HOST] = {ngx_string("host"), offsetof(ngx_http_headers_in_t, host)},
};

static ngx_table_elt_t **ngx_http_surtitle_pointer(ngx_http_request_t *r, ngx_uint_t which) {
    return (ngx_table_elt_t **)((u_char *)&r->headers_in + ngx_http_surtitle_pointers[which].offset);
}

// ---- Fields for the library ---------------------------------------------------------------------------------------------------

ngx_uint_t ngx_http_surtitle_field_count(ngx_list_t *list) {
    ngx_uint_t count = 0;
    for (ngx_list_part_t *part = &list->part; part != NULL; part = part->next) count += part->nelts;
    return count;
}

// Whether the edit is of fields with this name, in any case. Mostly the case is the same too, which takes far less to find out.
ngx_uint_t ngx_http_surtitle_names(const surtitle_field *edit, const u_char *name, size_t length) {
    if (edit->name_count != length) return 0;
    return ngx_memcmp(edit->name, name, length) == 0 || ngx_strncasecmp((u_char *)edit->name, (u_char *)name, length) == 0;
}

// Fills `fields`, which has room for all; returns the end of what is filled.
surtitle_field *ngx_http_surtitle_fields_list(ngx_list_t *list, surtitle_field *fields) {
    for (ngx_list_part_t *part = &list->part; part != NULL; part = part->next) {
        ngx_table_elt_t *lines = part->elts;
        for (ngx_uint_t i = 0; i < part->nelts; i++) {
            if (lines[i].hash == 0) continue;
            *fields++ = (surtitle_field){
                (const char *)lines[i].key.data, lines[i].key.len, (const char *)lines[i].value.data, lines[i].value.len};
        }
    }
    return fields;
}

// ---- Edits of a request -------------------------------------------------------------------------------------------------------

static const surtitle_field *ngx_http_surtitle_find_edit(const surtitle_decision *decision, ngx_str_t *name) {
    for (size_t i = 0; i < decision->edit_count; i++) {
        const surtitle_field *edit = &decision->edits[i];
        if (ngx_http_surtitle_names(edit, name->data, name->len)) return edit;
    }
    return NULL;
}

// Fills a line in memory of the request, since the edits are the exchange's.
static ngx_int_t ngx_http_surtitle_set_line(ngx_http_request_t *r, ngx_table_elt_t *line, const surtitle_field *edit) {
    u_char *memory = ngx_pnalloc(r->pool, 2 * edit->name_count + edit->value_count + 1);
    if (memory == NULL) return NGX_ERROR;
    u_char *name = memory + edit->name_count, *value = ngx_cpymem(name, edit->name, edit->name_count);
    *ngx_cpymem(value, edit->value, edit->value_count) = '\0';
    *line = (ngx_table_elt_t){
        .hash = ngx_hash_strlow(memory, (u_char *)edit->name, edit->name_count),
        .key = {edit->name_count, name},
        .value = {edit->value_count, value},
        .lowcase_key = memory,
    };
    return NGX_OK;
}

static ngx_int_t ngx_http_surtitle_fields_edit(
    ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx, const surtitle_decision *decision) {
    ngx_list_t *list = &r->headers_in.headers;
    size_t room = ngx_http_surtitle_field_count(list) + decision->edit_count;
    ngx_table_elt_t *lines = ngx_palloc(r->pool, room * sizeof(ngx_table_elt_t)), *last = lines;
    if (lines == NULL) return NGX_ERROR;

    ctx->client_fields.list = *list;
    for (ngx_uint_t i = 0; i < NGX_HTTP_SURTITLE_POINTERS; i++) {
        ctx->client_fields.pointers[i] = *ngx_http_surtitle_pointer(r, i);
    }
    ctx->are_edited = 1;

    for (ngx_list_part_t *part = &list->part; part != NULL; part = part->next) {
        ngx_table_elt_t *old = part->elts;
        for (ngx_uint_t i = 0; i < part->nelts; i++) {
            if (ngx_http_surtitle_find_edit(decision, &old[i].key) == NULL) *last++ = old[i];
        }
    }
    for (size_t i = 0; i < decision->edit_count; i++) {
        const surtitle_field *edit = &decision->edits[i];
        ngx_table_elt_t *line = NULL;
        if (edit->value != NULL) {
            line = last++;
            if (ngx_http_surtitle_set_line(r, line, edit) != NGX_OK) return NGX_ERROR;
        }
        for (ngx_uint_t j = 0; j < NGX_HTTP_SURTITLE_POINTERS; j++) {
            const ngx_str_t *name = &ngx_http_surtitle_pointers[j].name;
            if (ngx_http_surtitle_names(edit, name->data, name->len)) *ngx_http_surtitle_pointer(r, j) = line;
        }
    }
    list->part = (ngx_list_part_t){.elts = lines, .nelts = last - lines};
    list->last = &list->part;
    list->nalloc = room;
    return NGX_OK;
}

// A subrequest has the fields that a fetch wants, the server's own name, and no condition of the client's. What is edited stays so: the
// subrequest is nobody else's.
ngx_int_t ngx_http_surtitle_fields_fetch(
    ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx, const surtitle_field *fields, size_t count) {
    surtitle_field *edits = ngx_pcalloc(r->pool, (count + 1 + NGX_HTTP_SURTITLE_POINTERS) * sizeof(surtitle_field));
    if (edits == NULL) return NGX_ERROR;
    surtitle_decision decision = {.size = sizeof(decision)};
    for (size_t i = 0; i < count; i++) edits[decision.edit_count++] = fields[i];
    edits[decision.edit_count++] = (surtitle_field)NGX_HTTP_SURTITLE_FIELD("Host", &r->headers_in.server);
    for (ngx_uint_t i = 0; i < NGX_HTTP_SURTITLE_POINTERS; i++) {
        ngx_str_t name = ngx_http_surtitle_pointers[i].name;
        decision.edits = edits;
        if (ngx_http_surtitle_find_edit(&decision, &name) != NULL) continue;
        edits[decision.edit_count++] = (surtitle_field){(const char *)name.data, name.len, NULL, 0};
    }
    decision.edits = edits;
    ngx_int_t answer = ngx_http_surtitle_fields_edit(r, ctx, &decision);
    ctx->are_edited = 0;
    return answer;
}

// The fields are the client's again; nothing if they have not been edited.
void ngx_http_surtitle_fields_restore(ngx_http_surtitle_ctx_t *ctx) {
    ngx_http_request_t *r = ctx->request;
    if (!ctx->are_edited) return;
    ctx->are_edited = 0;
    r->headers_in.headers = ctx->client_fields.list;
    for (ngx_uint_t i = 0; i < NGX_HTTP_SURTITLE_POINTERS; i++) {
        *ngx_http_surtitle_pointer(r, i) = ctx->client_fields.pointers[i];
    }
    // Whether gzip may be sent was found out with Accept-Encoding as it was edited, if anybody asked.
    r->gzip_tested = 0;
    r->gzip_ok = 0;
}

// ---- The context --------------------------------------------------------------------------------------------------------------

// Gives the request a rewriter, if it has none.
ngx_int_t ngx_http_surtitle_rewriter_get(ngx_http_surtitle_ctx_t *ctx) {
    ngx_http_surtitle_set_t *set = ctx->set;
    if (ctx->rewriter != NULL) return NGX_OK;
    if (set->kept_count > 0) {
        ctx->rewriter = set->kept[--set->kept_count];
        return NGX_OK;
    }
    return surtitle_rewriter_create(set->configuration, NULL, &ctx->rewriter) == SURTITLE_OK ? NGX_OK : NGX_ERROR;
}

void ngx_http_surtitle_rewriter_keep(ngx_http_surtitle_ctx_t *ctx) {
    ngx_http_surtitle_set_t *set = ctx->set;
    if (ctx->rewriter == NULL) return;
    if (set->kept_count < NGX_HTTP_SURTITLE_KEPT_HANDLES && surtitle_rewriter_reset(ctx->rewriter) == SURTITLE_OK) {
        set->kept[set->kept_count++] = ctx->rewriter;
    } else {
        surtitle_rewriter_destroy(ctx->rewriter);
    }
    ctx->rewriter = NULL;
}

static void ngx_http_surtitle_exchange_keep(ngx_http_surtitle_ctx_t *ctx) {
    if (ctx->exchange == NULL) return;
    if (ctx->rules->kept_count < NGX_HTTP_SURTITLE_KEPT_HANDLES) {
        ctx->rules->kept[ctx->rules->kept_count++] = ctx->exchange;
    } else {
        surtitle_exchange_destroy(ctx->exchange);
    }
    ctx->exchange = NULL;
}

static void ngx_http_surtitle_cleanup(void *data) {
    ngx_http_surtitle_rewriter_keep(data);
    ngx_http_surtitle_exchange_keep(data);
    ngx_http_surtitle_buffers_release(data);
}

// An internal redirect forgets the contexts of all modules: that of this request is found among the cleanups.
static ngx_http_surtitle_ctx_t *ngx_http_surtitle_context_find(ngx_http_request_t *r) {
    ngx_http_surtitle_ctx_t *ctx = ngx_http_get_module_ctx(r, ngx_http_surtitle_module);
    if (ctx != NULL || !r->internal) return ctx;
    for (ngx_pool_cleanup_t *cleanup = r->pool->cleanup; cleanup != NULL; cleanup = cleanup->next) {
        ctx = cleanup->data;
        if (cleanup->handler == ngx_http_surtitle_cleanup && ctx->request == r) return ctx;
    }
    return NULL;
}

ngx_http_surtitle_ctx_t *ngx_http_surtitle_context_create(ngx_http_request_t *r) {
    ngx_http_surtitle_ctx_t *ctx = ngx_pcalloc(r->pool, sizeof(ngx_http_surtitle_ctx_t));
    ngx_pool_cleanup_t *cleanup = ngx_pool_cleanup_add(r->pool, 0);
    if (ctx == NULL || cleanup == NULL) return NULL;
    ctx->request = r;
    cleanup->data = ctx;
    cleanup->handler = ngx_http_surtitle_cleanup;
    return ctx;
}

// ---- The phase handler --------------------------------------------------------------------------------------------------------

// The tracks that `surtitle` chooses; NULL if none.
static ngx_http_surtitle_set_t *ngx_http_surtitle_chosen(ngx_http_request_t *r, ngx_http_surtitle_loc_conf_t *conf) {
    ngx_http_surtitle_main_conf_t *main = ngx_http_get_module_main_conf(r, ngx_http_surtitle_module);
    ngx_str_t name;
    if (conf->is_constant) return conf->chosen;
    if (ngx_http_complex_value(r, conf->value, &name) != NGX_OK) return NULL;
    if (name.len == 0 || (name.len == 1 && name.data[0] == '0')) return NULL;
    if (name.len == 3 && ngx_strncmp(name.data, "off", 3) == 0) return NULL;
    if (name.len == 2 && ngx_strncmp(name.data, "on", 2) == 0) return conf->set;
    ngx_http_surtitle_set_t *set =
        (ngx_http_surtitle_set_t *)ngx_str_rbtree_lookup(&main->sets, &name, ngx_crc32_long(name.data, name.len));
    if (set == NULL) {
        ngx_log_error(NGX_LOG_WARN, r->connection->log, 0, "surtitle: there is no surtitle_tracks \"%V\"", &name);
    }
    return set;
}

static ngx_int_t ngx_http_surtitle_ask(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx) {
    ngx_http_surtitle_rules_t *rules = ctx->rules;
    if (rules->kept_count > 0) {
        ctx->exchange = rules->kept[--rules->kept_count];
    } else if (surtitle_exchange_create(rules->rules, &ctx->exchange) != SURTITLE_OK) {
        return NGX_ERROR;
    }
    surtitle_field few[32], *fields = few;
    ngx_uint_t count = ngx_http_surtitle_field_count(&r->headers_in.headers);
    if (count > sizeof(few) / sizeof(few[0])) fields = ngx_palloc(r->pool, count * sizeof(surtitle_field));
    if (fields == NULL) return NGX_ERROR;
    surtitle_field *end = ngx_http_surtitle_fields_list(&r->headers_in.headers, fields);

    // After a rewrite the path is another; what is left of its escapes then does not matter to patterns.
    ngx_str_t *path = r->valid_unparsed_uri ? &r->unparsed_uri : &r->uri;
    surtitle_text method = {(const char *)r->method_name.data, r->method_name.len};
    surtitle_text target = {(const char *)path->data, path->len};
    surtitle_decision decision = {.size = sizeof(decision)};
    int status = surtitle_exchange_request(
        ctx->exchange, ctx->set->fingerprint, -1, method, target, fields, end - fields, &decision);
    if (status != SURTITLE_OK) {
        ngx_log_error(NGX_LOG_ERR, r->connection->log, 0, "surtitle: %s", surtitle_status_text(status));
        return NGX_DECLINED;
    }
    if (decision.action == SURTITLE_REQUEST_EXCLUDED) return NGX_DECLINED;
    return decision.edit_count > 0 ? ngx_http_surtitle_fields_edit(r, ctx, &decision) : NGX_OK;
}

// The file that has been found is served, once its map is known if it needs one, or what it is beside a stream.
static ngx_int_t ngx_http_surtitle_serve(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx) {
    if (ctx->file->live != NULL) {
        ctx->state = NGX_HTTP_SURTITLE_WAITING;
        ngx_int_t answer = ngx_http_surtitle_live_wait(r, ctx);
        if (answer == NGX_AGAIN) return NGX_AGAIN;
        if (answer != NGX_OK) return NGX_HTTP_INTERNAL_SERVER_ERROR;
    } else if (ctx->file->video.len > 0) {
        ctx->state = NGX_HTTP_SURTITLE_WAITING;
        ngx_int_t answer = ngx_http_surtitle_maps_wait(r, ctx);
        if (answer == NGX_AGAIN) return NGX_AGAIN;
        if (answer != NGX_OK) return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }
    ctx->state = NGX_HTTP_SURTITLE_PASSING;
    r->content_handler = ctx->file->live != NULL ? ngx_http_surtitle_live_handler : ngx_http_surtitle_file_handler;
    return NGX_DECLINED;
}

ngx_int_t ngx_http_surtitle_request_handler(ngx_http_request_t *r) {
    ngx_http_surtitle_loc_conf_t *conf = ngx_http_get_module_loc_conf(r, ngx_http_surtitle_module);
    ngx_http_surtitle_ctx_t *ctx = ngx_http_surtitle_context_find(r);
    if (ctx != NULL && ctx->state == NGX_HTTP_SURTITLE_FETCHING) {
        // After an internal redirect the context has been forgotten.
        ngx_http_set_ctx(r, ctx, ngx_http_surtitle_module);
        return NGX_DECLINED;
    }
    if (ctx != NULL && ctx->state == NGX_HTTP_SURTITLE_WAITING) return ngx_http_surtitle_serve(r, ctx);
    if (ctx != NULL) {
        if (ctx->state != NGX_HTTP_SURTITLE_ASKED) return NGX_DECLINED;
        ngx_http_surtitle_fields_restore(ctx);
        ngx_http_surtitle_exchange_keep(ctx);
        ngx_http_set_ctx(r, NULL, ngx_http_surtitle_module);
    }
    if (conf->value == NULL || r->subrequest_in_memory || r->background) return NGX_DECLINED;
    ngx_http_surtitle_set_t *set = ngx_http_surtitle_chosen(r, conf);
    if (set == NULL) return NGX_DECLINED;

    if (ctx == NULL) ctx = ngx_http_surtitle_context_create(r);
    if (ctx == NULL) return NGX_HTTP_INTERNAL_SERVER_ERROR;
    ctx->conf = conf;
    if (conf->serves && (r->method & (NGX_HTTP_GET | NGX_HTTP_HEAD))) ctx->file = ngx_http_surtitle_file_find(set, &r->uri);
    if (ctx->file != NULL) {
        ngx_http_set_ctx(r, ctx, ngx_http_surtitle_module);
        return ngx_http_surtitle_serve(r, ctx);
    }
    ctx->set = set;
    ctx->rules = conf->rules;
    ngx_int_t answer = ngx_http_surtitle_ask(r, ctx);
    if (answer == NGX_ERROR) return NGX_HTTP_INTERNAL_SERVER_ERROR;
    // Where nothing is to be done the request has no context, and its end gives the exchange back.
    if (answer == NGX_OK) ngx_http_set_ctx(r, ctx, ngx_http_surtitle_module);
    return NGX_DECLINED;
}
