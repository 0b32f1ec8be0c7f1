package com.hengfu.sdk;

import com.hengfu.sdk.types.Collection;
import com.hengfu.sdk.types.Payout;
import com.hengfu.sdk.types.Refund;
import java.util.Map;

/**
 * A genuine callback.
 *
 * @param id {@code webhook-id}: the same on every attempt. Store it, and answer a repeated one with 2xx
 * @param type as in {@code collection.paid}. Ignore types that you do not know
 * @param timestamp when it happened, ISO 8601
 * @param data the order, payout or refund as it was then
 */
public record CallbackEvent(String id, String type, String timestamp, Map<String, Object> data) {
    /** Returns the data of {@code collection.*}. */
    public Collection collection() {
        return Collection.of(data);
    }

    /** Returns the data of {@code payout.*}. */
    public Payout payout() {
        return Payout.of(data);
    }

    /** Returns the data of {@code refund.*}. */
    public Refund refund() {
        return Refund.of(data);
    }
}
