// Generated from sdk/openapi.json by "npm run sdk". Do not edit.
package com.hengfu.sdk.types;

import java.time.Instant;
import java.util.Map;

/**
 * As the service returns it. Amounts are decimal texts.
 *
 * @param status requested, processing, refunded, failed; more may be added.
 * @param currency CNY, USD, INR, BRL, VND, USDT; more may be added.
 * @param approvalState waiting, approved, refused, withdrawn, expired; more may be added.
 * @param failureCode notApproved, withdrawn, expired, channelRefused, neverArrived; more may be added.
 */
public record Refund(
        String refundNo,
        String outRefundNo,
        String tradeNo,
        String outTradeNo,
        String status,
        String amount,
        String fee,
        String currency,
        String reason,
        String approvalState,
        String failureCode,
        Instant createdAt,
        Instant endedAt) {

    /** Reads a reply of the service, or the data of a callback. Fields that this version does not know are ignored. */
    public static Refund of(Map<String, Object> json) {
        return new Refund(
            Fields.text(json, "refund_no"),
            Fields.textOrNull(json, "out_refund_no"),
            Fields.text(json, "trade_no"),
            Fields.text(json, "out_trade_no"),
            Fields.text(json, "status"),
            Fields.text(json, "amount"),
            Fields.text(json, "fee"),
            Fields.text(json, "currency"),
            Fields.textOrNull(json, "reason"),
            Fields.textOrNull(json, "approvalState"),
            Fields.textOrNull(json, "failureCode"),
            Fields.instant(json, "createdAt"),
            Fields.instantOrNull(json, "endedAt"));
    }
}
