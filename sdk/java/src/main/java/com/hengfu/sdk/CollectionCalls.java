package com.hengfu.sdk;

import com.hengfu.sdk.types.Collection;
import com.hengfu.sdk.types.NewCollection;
import java.util.Map;

/** Orders by which payers pay you. */
public final class CollectionCalls {
    private static final String PATH = "/openapi/v1/collections";

    private final Transport transport;

    CollectionCalls(Transport transport) {
        this.transport = transport;
    }

    /** Creates an order. The same number with the same body returns the same order. */
    public Collection create(NewCollection body) {
        return create(body, null);
    }

    /** Creates one, with an {@code Idempotency-Key}: 1–64 visible ASCII characters, the same on every attempt. */
    public Collection create(NewCollection body, String idempotencyKey) {
        return transport.post(PATH, body.toJson(), idempotencyKey, Collection::of);
    }

    /** Finds an order by your number. */
    public Collection find(String outTradeNo) {
        return transport.get(PATH, Map.of("out_trade_no", outTradeNo), Collection::of);
    }

    /** Returns an order by our number. */
    public Collection get(String tradeNo) {
        return transport.get(PATH + "/" + Signature.encode(tradeNo), Map.of(), Collection::of);
    }

    /** Cancels an unpaid order. */
    public Collection cancel(String tradeNo) {
        return transport.post(PATH + "/" + Signature.encode(tradeNo) + "/cancel", null, null, Collection::of);
    }

    /** Refunds all that is left of an order. For a part, or to name the refund, use {@link RefundCalls#create}. */
    public Collection refund(String tradeNo) {
        return refund(tradeNo, null);
    }

    /** Refunds all that is left of an order, with an {@code Idempotency-Key}. */
    public Collection refund(String tradeNo, String idempotencyKey) {
        String path = PATH + "/" + Signature.encode(tradeNo) + "/refund";
        return transport.post(path, null, idempotencyKey, Collection::of);
    }

    /** Lists orders, newest first, page by page as you read on. */
    public Iterable<Collection> list(Filters filters) {
        return () -> new Pages<>(transport, PATH + "/list", filters.query(), Collection::of);
    }
}
