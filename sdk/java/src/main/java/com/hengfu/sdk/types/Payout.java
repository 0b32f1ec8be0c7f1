// Generated from sdk/openapi.json by "npm run sdk". Do not edit.
package com.hengfu.sdk.types;

import java.time.Instant;
import java.util.Map;

/**
 * As the service returns it. Amounts are decimal texts.
 *
 * @param status pending, processing, processed, rejected, pendingSettlement; more may be added.
 * @param approvalState waiting, approved, refused, withdrawn, expired; more may be added.
 * @param currency CNY, USD, INR, BRL, VND, USDT; more may be added.
 * @param channel CN_BANK, VN_NAPAS, IN_IMPS, BR_PIX; more may be added.
 * @param rejectCode accountClosed, nameMismatch, neverArrived, other; more may be added.
 */
public record Payout(
        String tradeNo,
        String outTradeNo,
        String status,
        String approvalState,
        String amount,
        String fee,
        String currency,
        String channel,
        String payee,
        String payeeAccount,
        Instant createdAt,
        Instant paidAt,
        Instant rejectedAt,
        String rejectCode,
        String rejectReason,
        String bankReference) {

    /** Reads a reply of the service, or the data of a callback. Fields that this version does not know are ignored. */
    public static Payout of(Map<String, Object> json) {
        return new Payout(
            Fields.text(json, "trade_no"),
            Fields.textOrNull(json, "out_trade_no"),
            Fields.text(json, "status"),
            Fields.textOrNull(json, "approvalState"),
            Fields.text(json, "amount"),
            Fields.text(json, "fee"),
            Fields.text(json, "currency"),
            Fields.text(json, "channel"),
            Fields.text(json, "payee"),
            Fields.text(json, "payeeAccount"),
            Fields.instant(json, "createdAt"),
            Fields.instantOrNull(json, "paidAt"),
            Fields.instantOrNull(json, "rejectedAt"),
            Fields.textOrNull(json, "rejectCode"),
            Fields.textOrNull(json, "rejectReason"),
            Fields.textOrNull(json, "bankReference"));
    }
}
