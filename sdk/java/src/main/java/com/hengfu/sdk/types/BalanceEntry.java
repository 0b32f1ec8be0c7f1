// Generated from sdk/openapi.json by "npm run sdk". Do not edit.
package com.hengfu.sdk.types;

import java.time.Instant;
import java.util.Map;

/**
 * As the service returns it. Amounts are decimal texts.
 *
 * @param type collectionSettlement, payoutDeduction, payoutRefund, recharge, withdrawal, withdrawalRejected, transferIn, transferOut; more may be added.
 * @param currency CNY, USD, INR, BRL, VND, USDT; more may be added.
 */
public record BalanceEntry(
        String entryNo,
        String type,
        String amount,
        String balance,
        String currency,
        String subjectNo,
        Instant createdAt) {

    /** Reads a reply of the service, or the data of a callback. Fields that this version does not know are ignored. */
    public static BalanceEntry of(Map<String, Object> json) {
        return new BalanceEntry(
            Fields.text(json, "entry_no"),
            Fields.text(json, "type"),
            Fields.text(json, "amount"),
            Fields.text(json, "balance"),
            Fields.text(json, "currency"),
            Fields.text(json, "subject_no"),
            Fields.instant(json, "createdAt"));
    }
}
