package com.hengfu.sdk;

import com.hengfu.sdk.types.Refund;
import com.hengfu.sdk.types.NewRefund;
import java.util.Map;

/** Collections, or parts of them, that are given back. */
public final class RefundCalls {
    private static final String PATH = "/openapi/v1/refunds";

    private final Transport transport;

    RefundCalls(Transport transport) {
        this.transport = transport;
    }

    /** Refunds an order or a part of it; without an amount, all that is left. The same number with the same body returns the same refund. */
    public Refund create(NewRefund body) {
        return create(body, null);
    }

    /** Creates one, with an {@code Idempotency-Key}: 1–64 visible ASCII characters, the same on every attempt. */
    public Refund create(NewRefund body, String idempotencyKey) {
        return transport.post(PATH, body.toJson(), idempotencyKey, Refund::of);
    }

    /** Finds a refund by your number. */
    public Refund find(String outRefundNo) {
        return transport.get(PATH, Map.of("out_refund_no", outRefundNo), Refund::of);
    }

    /** Returns a refund by our number. */
    public Refund get(String refundNo) {
        return transport.get(PATH + "/" + Signature.encode(refundNo), Map.of(), Refund::of);
    }

    /** Lists refunds, newest first. */
    public Iterable<Refund> list(Filters filters) {
        return () -> new Pages<>(transport, PATH + "/list", filters.query(), Refund::of);
    }
}
