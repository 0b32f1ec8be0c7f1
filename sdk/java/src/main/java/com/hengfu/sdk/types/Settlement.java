// Generated from sdk/openapi.json by "npm run sdk". Do not edit.
package com.hengfu.sdk.types;

import java.time.Instant;
import java.util.Map;

/**
 * As the service returns it. Amounts are decimal texts.
 *
 * @param status pendingSettlement, settled; more may be added.
 * @param currency CNY, USD, INR, BRL, VND, USDT; more may be added.
 */
public record Settlement(
        String settlementNo,
        String status,
        String currency,
        Integer orderCount,
        Integer refundCount,
        String amount,
        String fee,
        String refunded,
        String net,
        Instant cutOffAt,
        Instant createdAt,
        Instant settledAt) {

    /** Reads a reply of the service, or the data of a callback. Fields that this version does not know are ignored. */
    public static Settlement of(Map<String, Object> json) {
        return new Settlement(
            Fields.text(json, "settlement_no"),
            Fields.text(json, "status"),
            Fields.text(json, "currency"),
            Fields.integer(json, "orderCount"),
            Fields.integer(json, "refundCount"),
            Fields.text(json, "amount"),
            Fields.text(json, "fee"),
            Fields.text(json, "refunded"),
            Fields.text(json, "net"),
            Fields.instant(json, "cutOffAt"),
            Fields.instant(json, "createdAt"),
            Fields.instantOrNull(json, "settledAt"));
    }
}
