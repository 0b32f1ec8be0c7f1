package com.hengfu.sdk;

import com.hengfu.sdk.types.Payout;
import com.hengfu.sdk.types.NewPayout;
import java.util.Map;

/** Orders that pay payees from your available funds. */
public final class PayoutCalls {
    private static final String PATH = "/openapi/v1/payouts";

    private final Transport transport;

    PayoutCalls(Transport transport) {
        this.transport = transport;
    }

    /** Creates a payout. The same number with the same body returns the same payout. */
    public Payout create(NewPayout body) {
        return create(body, null);
    }

    /** Creates one, with an {@code Idempotency-Key}: 1–64 visible ASCII characters, the same on every attempt. */
    public Payout create(NewPayout body, String idempotencyKey) {
        return transport.post(PATH, body.toJson(), idempotencyKey, Payout::of);
    }

    /** Finds a payout by your number. */
    public Payout find(String outTradeNo) {
        return transport.get(PATH, Map.of("out_trade_no", outTradeNo), Payout::of);
    }

    /** Returns a payout by our number. */
    public Payout get(String tradeNo) {
        return transport.get(PATH + "/" + Signature.encode(tradeNo), Map.of(), Payout::of);
    }

    /** Lists payouts, newest first. */
    public Iterable<Payout> list(Filters filters) {
        return () -> new Pages<>(transport, PATH + "/list", filters.query(), Payout::of);
    }
}
