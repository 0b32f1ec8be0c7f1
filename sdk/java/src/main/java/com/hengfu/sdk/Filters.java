package com.hengfu.sdk;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which items of a list you want: all by default.
 *
 * @param status items in any of these states; null or empty for all
 * @param createdFrom items created at this instant or later; null for all
 * @param createdTo items created before this instant; null for all
 * @param limit items per call, 1–100; null for the service's choice
 */
public record Filters(List<String> status, Instant createdFrom, Instant createdTo, Integer limit) {
    /** Selects all items. */
    public static Filters none() {
        return new Filters(null, null, null, null);
    }

    Map<String, String> query() {
        Map<String, String> query = new LinkedHashMap<>();
        query.put("status", textOf(status));
        query.put("created_from", createdFrom == null ? null : createdFrom.toString());
        query.put("created_to", createdTo == null ? null : createdTo.toString());
        query.put("limit", limit == null ? null : limit.toString());
        return query;
    }

    /** Returns values as they are sent; null if there are none. */
    static String textOf(List<String> values) {
        return values == null || values.isEmpty() ? null : String.join(",", values);
    }
}
