// Generated from sdk/openapi.json by "npm run sdk". Do not edit.
package com.hengfu.sdk.types;

import java.time.Instant;
import java.util.Map;

/**
 * As the service returns it. Amounts are decimal texts.
 *
 * @param status toBePaid, paid, success, refunded, cancelled, closed, failed; more may be added.
 * @param currency CNY, USD, INR, BRL, VND, USDT; more may be added.
 * @param failureCode insufficientFunds, declinedByPayer, other; more may be added.
 * @param refundApprovalState waiting, approved, refused, withdrawn, expired; more may be added.
 */
public record Collection(
        String tradeNo,
        String outTradeNo,
        String status,
        String amount,
        String fee,
        String currency,
        String channel,
        String subject,
        String cashierUrl,
        Instant createdAt,
        Instant expiresAt,
        Instant paidAt,
        Instant refundedAt,
        String failureCode,
        String failureReason,
        String refunded,
        Boolean refundPending,
        String refundApprovalState) {

    /** Reads a reply of the service, or the data of a callback. Fields that this version does not know are ignored. */
    public static Collection of(Map<String, Object> json) {
        return new Collection(
            Fields.text(json, "trade_no"),
            Fields.text(json, "out_trade_no"),
            Fields.text(json, "status"),
            Fields.text(json, "amount"),
            Fields.text(json, "fee"),
            Fields.text(json, "currency"),
            Fields.textOrNull(json, "channel"),
            Fields.textOrNull(json, "subject"),
            Fields.text(json, "cashierUrl"),
            Fields.instant(json, "createdAt"),
            Fields.instant(json, "expiresAt"),
            Fields.instantOrNull(json, "paidAt"),
            Fields.instantOrNull(json, "refundedAt"),
            Fields.textOrNull(json, "failureCode"),
            Fields.textOrNull(json, "failureReason"),
            Fields.text(json, "refunded"),
            Fields.flag(json, "refundPending"),
            Fields.textOrNull(json, "refundApprovalState"));
    }
}
