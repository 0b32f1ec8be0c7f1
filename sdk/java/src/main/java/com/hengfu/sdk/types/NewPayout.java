// Generated from sdk/openapi.json by "npm run sdk". Do not edit.
package com.hengfu.sdk.types;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** The body of a call that creates one. Amounts are decimal texts. */
public final class NewPayout {
    private final Map<String, Object> json;

    private NewPayout(Map<String, Object> json) {
        this.json = json;
    }

    /** Creates a body with the fields that are required. */
    public static NewPayout of(String outTradeNo, String currency, String channel, String amount, String payee, String payeeAccount) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("out_trade_no", Objects.requireNonNull(outTradeNo, "out_trade_no"));
        json.put("currency", Objects.requireNonNull(currency, "currency"));
        json.put("channel", Objects.requireNonNull(channel, "channel"));
        json.put("amount", Objects.requireNonNull(amount, "amount"));
        json.put("payee", Objects.requireNonNull(payee, "payee"));
        json.put("payeeAccount", Objects.requireNonNull(payeeAccount, "payeeAccount"));
        return new NewPayout(json);
    }

    /** Returns a copy with another value. */
    public NewPayout bank(String value) {
        Map<String, Object> changed = new LinkedHashMap<>(json);
        changed.put("bank", value);
        return new NewPayout(changed);
    }

    /** Returns a copy with another value. */
    public NewPayout bankName(String value) {
        Map<String, Object> changed = new LinkedHashMap<>(json);
        changed.put("bankName", value);
        return new NewPayout(changed);
    }

    /** Returns a copy with another value. */
    public NewPayout branchName(String value) {
        Map<String, Object> changed = new LinkedHashMap<>(json);
        changed.put("branchName", value);
        return new NewPayout(changed);
    }

    /** Returns a copy with another value. */
    public NewPayout ifsc(String value) {
        Map<String, Object> changed = new LinkedHashMap<>(json);
        changed.put("ifsc", value);
        return new NewPayout(changed);
    }

    /** Returns a copy with another value. One of CPF, CNPJ, PHONE, EMAIL, EVP; more may be added. */
    public NewPayout accountType(String value) {
        Map<String, Object> changed = new LinkedHashMap<>(json);
        changed.put("accountType", value);
        return new NewPayout(changed);
    }

    /** Returns a copy with another value. */
    public NewPayout taxId(String value) {
        Map<String, Object> changed = new LinkedHashMap<>(json);
        changed.put("taxId", value);
        return new NewPayout(changed);
    }

    /** Returns a copy with another value. */
    public NewPayout remark(String value) {
        Map<String, Object> changed = new LinkedHashMap<>(json);
        changed.put("remark", value);
        return new NewPayout(changed);
    }

    /** Returns a copy with another value. */
    public NewPayout notifyUrl(String value) {
        Map<String, Object> changed = new LinkedHashMap<>(json);
        changed.put("notifyUrl", value);
        return new NewPayout(changed);
    }

    /** Returns a copy with another value. */
    public NewPayout confirmSimilar(Boolean value) {
        Map<String, Object> changed = new LinkedHashMap<>(json);
        changed.put("confirmSimilar", value);
        return new NewPayout(changed);
    }

    /** Returns the body as it is sent. */
    public Map<String, Object> toJson() {
        return new LinkedHashMap<>(json);
    }
}
