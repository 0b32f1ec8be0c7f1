package com.hengfu.sdk;

import com.hengfu.sdk.types.Balance;
import com.hengfu.sdk.types.BalanceEntry;
import com.hengfu.sdk.types.Settlement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A client of the Open API for one access key. Share one between threads. */
public final class Hengfu {
    private final Transport transport;
    private final CollectionCalls collections;
    private final RefundCalls refunds;
    private final PayoutCalls payouts;

    private Hengfu(Builder options) {
        transport = new Transport(options);
        collections = new CollectionCalls(transport);
        refunds = new RefundCalls(transport);
        payouts = new PayoutCalls(transport);
    }

    /**
     * Starts the options of a client.
     *
     * @param base scheme and host, as in {@code https://pay.example}; plain HTTP is accepted for this machine only
     * @param key the ID of the access key
     * @param secret the secret of the access key
     */
    public static Builder builder(String base, String key, String secret) {
        return new Builder(base, key, secret);
    }

    /** Returns the calls of orders by which payers pay you. */
    public CollectionCalls collections() {
        return collections;
    }

    /** Returns the calls that give collections back, or parts of them. */
    public RefundCalls refunds() {
        return refunds;
    }

    /** Returns the calls that pay payees from your available funds. */
    public PayoutCalls payouts() {
        return payouts;
    }

    /** Returns your funds. */
    public Balance balance() {
        return transport.get("/openapi/v1/balance", Map.of(), Balance::of);
    }

    /** Lists settlements, newest first. */
    public Iterable<Settlement> settlements(Filters filters) {
        return list("/openapi/v1/settlements/list", filters, Settlement::of);
    }

    /**
     * Lists the changes of your available funds, newest first.
     *
     * @param types changes for any of these reasons; null or empty for all
     * @param filters without states
     */
    public Iterable<BalanceEntry> balanceEntries(List<String> types, Filters filters) {
        Map<String, String> query = new LinkedHashMap<>(filters.query());
        query.put("type", Filters.textOf(types));
        return () -> new Pages<>(transport, "/openapi/v1/balance/entries/list", query, BalanceEntry::of);
    }

    /** Reads any list of the Open API, as in {@code /openapi/v1/collections/list}, into items of your own type. */
    public <T> Iterable<T> list(String path, Filters filters, Function<Map<String, Object>, T> item) {
        return () -> new Pages<>(transport, path, filters.query(), item);
    }

    /** The options of a client. */
    public static final class Builder {
        final String base;
        final String key;
        final String secret;
        String language;
        Duration timeout = Duration.ofSeconds(60);
        int maxRetries = 4;
        Duration retryDelay = Duration.ofSeconds(1);

        private Builder(String base, String key, String secret) {
            if (key.isEmpty() || secret.isEmpty()) {
                throw new IllegalArgumentException("key and secret must not be empty");
            }
            this.base = base;
            this.key = key;
            this.secret = secret;
        }

        /** Sets the language of error messages: {@code en}, {@code zh-CN} or {@code vi}. */
        public Builder language(String value) {
            language = value;
            return this;
        }

        /** Limits each attempt; 60 seconds by default. */
        public Builder timeout(Duration value) {
            timeout = value;
            return this;
        }

        /** Sets the number of attempts after the first one, 4 by default, and the delay before the first of them, doubled for each further one. */
        public Builder retries(int count, Duration delay) {
            maxRetries = count;
            retryDelay = delay;
            return this;
        }

        /** Creates the client. */
        public Hengfu build() {
            return new Hengfu(this);
        }
    }
}
