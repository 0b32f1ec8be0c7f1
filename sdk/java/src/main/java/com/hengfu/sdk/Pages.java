package com.hengfu.sdk;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Function;

/** Reads a list to its end, a page per call, and no page before it is needed. */
final class Pages<T> implements Iterator<T> {
    private final Transport transport;
    private final String path;
    private final Map<String, String> query;
    private final Function<Map<String, Object>, T> item;
    private final Deque<Map<String, Object>> items = new ArrayDeque<>();
    private boolean isLast;

    Pages(Transport transport, String path, Map<String, String> query, Function<Map<String, Object>, T> item) {
        this.transport = transport;
        this.path = path;
        this.query = new LinkedHashMap<>(query);
        this.item = item;
    }

    @Override
    public boolean hasNext() {
        while (items.isEmpty() && !isLast) {
            readPage();
        }
        return !items.isEmpty();
    }

    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return item.apply(items.remove());
    }

    @SuppressWarnings("unchecked")
    private void readPage() {
        Map<String, Object> page = transport.get(path, query, reply -> reply);
        if (!(page.get("items") instanceof List<?> found)) {
            throw new ConnectionException(HengfuException.unreadable(200, "the page has no items", null, null));
        }
        found.forEach(each -> items.add((Map<String, Object>) each));
        if (page.get("next_cursor") instanceof String cursor) {
            query.put("cursor", cursor);
        } else {
            isLast = true;
        }
    }
}
