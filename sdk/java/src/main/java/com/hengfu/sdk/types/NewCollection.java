// Generated from sdk/openapi.json by "npm run sdk". Do not edit.
package com.hengfu.sdk.types;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** The body of a call that creates one. Amounts are decimal texts. */
public final class NewCollection {
    private final Map<String, Object> json;

    private NewCollection(Map<String, Object> json) {
        this.json = json;
    }

    /** Creates a body with the fields that are required. */
    public static NewCollection of(String outTradeNo, String amount, String currency) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("out_trade_no", Objects.requireNonNull(outTradeNo, "out_trade_no"));
        json.put("amount", Objects.requireNonNull(amount, "amount"));
        json.put("currency", Objects.requireNonNull(currency, "currency"));
        return new NewCollection(json);
    }

    /** Returns a copy with another value. */
    public NewCollection channel(String value) {
        Map<String, Object> changed = new LinkedHashMap<>(json);
        changed.put("channel", value);
        return new NewCollection(changed);
    }

    /** Returns a copy with another value. */
    public NewCollection subject(String value) {
        Map<String, Object> changed = new LinkedHashMap<>(json);
        changed.put("subject", value);
        return new NewCollection(changed);
    }

    /** Returns a copy with another value. */
    public NewCollection notifyUrl(String value) {
        Map<String, Object> changed = new LinkedHashMap<>(json);
        changed.put("notifyUrl", value);
        return new NewCollection(changed);
    }

    /** Returns a copy with another value. */
    public NewCollection returnUrl(String value) {
        Map<String, Object> changed = new LinkedHashMap<>(json);
        changed.put("returnUrl", value);
        return new NewCollection(changed);
    }

    /** Returns a copy with another value. */
    public NewCollection expiresIn(Integer value) {
        Map<String, Object> changed = new LinkedHashMap<>(json);
        changed.put("expiresIn", value);
        return new NewCollection(changed);
    }

    /** Returns the body as it is sent. */
    public Map<String, Object> toJson() {
        return new LinkedHashMap<>(json);
    }
}
