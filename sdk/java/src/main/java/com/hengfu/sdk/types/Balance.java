// Generated from sdk/openapi.json by "npm run sdk". Do not edit.
package com.hengfu.sdk.types;

import java.util.Map;

/**
 * As the service returns it. Amounts are decimal texts.
 *
 * @param currency CNY, USD, INR, BRL, VND, USDT; more may be added.
 */
public record Balance(
        String currency,
        String available,
        String locked,
        String balance,
        String unsettled,
        String total) {

    /** Reads a reply of the service, or the data of a callback. Fields that this version does not know are ignored. */
    public static Balance of(Map<String, Object> json) {
        return new Balance(
            Fields.text(json, "currency"),
            Fields.text(json, "available"),
            Fields.text(json, "locked"),
            Fields.text(json, "balance"),
            Fields.text(json, "unsettled"),
            Fields.text(json, "total"));
    }
}
