// Generated from sdk/openapi.json by "npm run sdk". Do not edit.
package com.hengfu.sdk.types;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** The body of a call that creates one. Amounts are decimal texts. */
public final class NewRefund {
    private final Map<String, Object> json;

    private NewRefund(Map<String, Object> json) {
        this.json = json;
    }

    /** Creates a body with the fields that are required. */
    public static NewRefund of(String outRefundNo, String tradeNo) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("out_refund_no", Objects.requireNonNull(outRefundNo, "out_refund_no"));
        json.put("trade_no", Objects.requireNonNull(tradeNo, "trade_no"));
        return new NewRefund(json);
    }

    /** Returns a copy with another value. */
    public NewRefund amount(String value) {
        Map<String, Object> changed = new LinkedHashMap<>(json);
        changed.put("amount", value);
        return new NewRefund(changed);
    }

    /** Returns a copy with another value. */
    public NewRefund reason(String value) {
        Map<String, Object> changed = new LinkedHashMap<>(json);
        changed.put("reason", value);
        return new NewRefund(changed);
    }

    /** Returns the body as it is sent. */
    public Map<String, Object> toJson() {
        return new LinkedHashMap<>(json);
    }
}
