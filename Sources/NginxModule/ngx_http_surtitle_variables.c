// Variables: of the request, and totals of all workers since nginx was started.
#include "ngx_http_surtitle.h"

static ngx_int_t ngx_http_surtitle_set_value(ngx_http_variable_value_t *value, const char *text) {
    value->data = (u_char *)text;
    value->len = ngx_strlen(text);
    value->valid = 1;
    value->no_cacheable = 0;
    value->not_found = 0;
    return NGX_OK;
}

static ngx_int_t ngx_http_surtitle_set_number(ngx_http_request_t *r, ngx_http_variable_value_t *value, uint64_t number) {
    u_char *digits = ngx_pnalloc(r->pool, NGX_INT64_LEN + 1);
    if (digits == NULL) return NGX_ERROR;
    *ngx_sprintf(digits, "%uL", number) = '\0';
    return ngx_http_surtitle_set_value(value, (const char *)digits);
}

// The context, once the response has been asked about; else NULL.
static ngx_http_surtitle_ctx_t *ngx_http_surtitle_asked(ngx_http_request_t *r, ngx_http_variable_value_t *value) {
    ngx_http_surtitle_ctx_t *ctx = ngx_http_get_module_ctx(r, ngx_http_surtitle_module);
    if (ctx != NULL && ctx->is_asked) return ctx;
    value->not_found = 1;
    return NULL;
}

static ngx_int_t ngx_http_surtitle_action(ngx_http_request_t *r, ngx_http_variable_value_t *value, uintptr_t data) {
    ngx_http_surtitle_ctx_t *ctx = ngx_http_surtitle_asked(r, value);
    if (ctx == NULL) return NGX_OK;
    switch (ctx->decision.action) {
    case SURTITLE_RESPONSE_HOLD: return ngx_http_surtitle_set_value(value, "hold");
    case SURTITLE_RESPONSE_STREAM: return ngx_http_surtitle_set_value(value, "stream");
    case SURTITLE_RESPONSE_LOOK: return ngx_http_surtitle_set_value(value, "look");
    case SURTITLE_RESPONSE_ASK_AGAIN: return ngx_http_surtitle_set_value(value, "ask-again");
    default: return ngx_http_surtitle_set_value(value, "pass");
    }
}

static ngx_int_t ngx_http_surtitle_reason(ngx_http_request_t *r, ngx_http_variable_value_t *value, uintptr_t data) {
    static const char *const reasons[] = {
        [SURTITLE_REASON_METHOD] = "method",
        [SURTITLE_REASON_UNLIKELY_PATH] = "unlikely-path",
        [SURTITLE_REASON_LIKELY_PATH] = "likely-path",
        [SURTITLE_REASON_DERIVED_TAG] = "derived-tag",
        [SURTITLE_REASON_SECOND_REQUEST] = "second-request",
        [SURTITLE_REASON_NO_TRANSFORM] = "no-transform",
        [SURTITLE_REASON_FIELDS_TOO_LONG] = "fields-too-long",
        [SURTITLE_REASON_PLAYLIST_TYPE] = "playlist-type",
        [SURTITLE_REASON_PLAYLIST_CONTENT] = "playlist-content",
        [SURTITLE_REASON_UNKNOWN_CONTENT] = "unknown-content",
        [SURTITLE_REASON_OTHER_TYPE] = "other-type",
        [SURTITLE_REASON_OTHER_CONTENT] = "other-content",
        [SURTITLE_REASON_ENCODED] = "encoded",
        [SURTITLE_REASON_PARTIAL_CONTENT] = "partial-content",
        [SURTITLE_REASON_NOT_MODIFIED] = "not-modified",
        [SURTITLE_REASON_HEAD] = "head",
        [SURTITLE_REASON_NO_CONTENT] = "no-content",
        [SURTITLE_REASON_REDIRECT] = "redirect",
        [SURTITLE_REASON_ERROR_STATUS] = "error-status",
        [SURTITLE_REASON_OTHER_STATUS] = "other-status",
    };
    ngx_http_surtitle_ctx_t *ctx = ngx_http_surtitle_asked(r, value);
    if (ctx == NULL) return NGX_OK;
    size_t reason = (size_t)ctx->decision.reason;
    return ngx_http_surtitle_set_value(value, reason < sizeof(reasons) / sizeof(reasons[0]) ? reasons[reason] : "other");
}

static ngx_int_t ngx_http_surtitle_verdict(ngx_http_request_t *r, ngx_http_variable_value_t *value, uintptr_t data) {
    ngx_http_surtitle_ctx_t *ctx = ngx_http_surtitle_asked(r, value);
    if (ctx == NULL) return NGX_OK;
    switch (ctx->verdict) {
    case SURTITLE_VERDICT_MULTIVARIANT: return ngx_http_surtitle_set_value(value, "multivariant");
    case SURTITLE_VERDICT_MEDIA: return ngx_http_surtitle_set_value(value, "media");
    case SURTITLE_VERDICT_MIXED: return ngx_http_surtitle_set_value(value, "mixed");
    case SURTITLE_VERDICT_NO_PLAYLIST: return ngx_http_surtitle_set_value(value, "no-playlist");
    default: value->not_found = 1; return NGX_OK;
    }
}

static ngx_int_t ngx_http_surtitle_number(ngx_http_request_t *r, ngx_http_variable_value_t *value, uintptr_t data) {
    ngx_http_surtitle_ctx_t *ctx = ngx_http_surtitle_asked(r, value);
    if (ctx == NULL) return NGX_OK;
    return ngx_http_surtitle_set_number(r, value, *(uint64_t *)((u_char *)ctx + data));
}

static ngx_int_t ngx_http_surtitle_total(ngx_http_request_t *r, ngx_http_variable_value_t *value, uintptr_t data) {
    ngx_http_surtitle_main_conf_t *main = ngx_http_get_module_main_conf(r, ngx_http_surtitle_module);
    if (main->counters == NULL) {
        value->not_found = 1;
        return NGX_OK;
    }
    return ngx_http_surtitle_set_number(r, value, *(ngx_atomic_t *)((u_char *)main->counters + data));
}

ngx_int_t ngx_http_surtitle_variables_add(ngx_conf_t *cf) {
    static const struct {
        ngx_str_t name;
        ngx_http_get_variable_pt handler;
        uintptr_t data;
    } variables[] = {
        {ngx_string("surtitle_action"), ngx_http_surtitle_action, 0},
        {ngx_string("surtitle_reason"), ngx_http_surtitle_reason, 0},
        {ngx_string("surtitle_verdict"), ngx_http_surtitle_verdict, 0},
        {ngx_string("surtitle_uneditable_lines"), ngx_http_surtitle_number, offsetof(ngx_http_surtitle_ctx_t, uneditable_lines)},
        {ngx_string("surtitle_added_bytes"), ngx_http_surtitle_number, offsetof(ngx_http_surtitle_ctx_t, added_bytes)},
        {ngx_string("surtitle_multivariant_total"), ngx_http_surtitle_total,
         offsetof(ngx_http_surtitle_counters_t, multivariant)},
        {ngx_string("surtitle_uneditable_lines_total"), ngx_http_surtitle_total,
         offsetof(ngx_http_surtitle_counters_t, uneditable_lines)},
        {ngx_string("surtitle_bailouts_total"), ngx_http_surtitle_total, offsetof(ngx_http_surtitle_counters_t, bailouts)},
        {ngx_string("surtitle_abandoned_total"), ngx_http_surtitle_total, offsetof(ngx_http_surtitle_counters_t, abandoned)},
    };
    for (ngx_uint_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
        ngx_str_t name = variables[i].name;
        ngx_http_variable_t *variable = ngx_http_add_variable(cf, &name, NGX_HTTP_VAR_NOCACHEABLE);
        if (variable == NULL) return NGX_ERROR;
        variable->get_handler = variables[i].handler;
        variable->data = variables[i].data;
    }
    return NGX_OK;
}
