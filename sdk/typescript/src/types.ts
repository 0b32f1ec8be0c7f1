// Generated from sdk/openapi.json by "npm run sdk". Do not edit.

export interface components {
    schemas: {
        Balance: {
            /** @enum {string} */
            currency: "CNY" | "USD" | "INR" | "BRL" | "VND" | "USDT";
            available: string;
            locked: string;
            balance: string;
            unsettled: string;
            total: string;
        };
        BalanceEntry: {
            entry_no: string;
            /** @enum {string} */
            type: "collectionSettlement" | "payoutDeduction" | "payoutRefund" | "recharge" | "withdrawal" | "withdrawalRejected" | "transferIn" | "transferOut";
            amount: string;
            balance: string;
            /** @enum {string} */
            currency: "CNY" | "USD" | "INR" | "BRL" | "VND" | "USDT";
            subject_no: string;
            createdAt: string;
        };
        Collection: {
            trade_no: string;
            out_trade_no: string;
            /** @enum {string} */
            status: "toBePaid" | "paid" | "success" | "refunded" | "cancelled" | "closed" | "failed";
            amount: string;
            fee: string;
            /** @enum {string} */
            currency: "CNY" | "USD" | "INR" | "BRL" | "VND" | "USDT";
            channel: string | null;
            subject: string | null;
            cashierUrl: string;
            createdAt: string;
            expiresAt: string;
            paidAt: string | null;
            refundedAt: string | null;
            /** @enum {string|null} */
            failureCode: "insufficientFunds" | "declinedByPayer" | "other" | null;
            failureReason: string | null;
            refunded: string;
            refundPending: boolean;
            /** @enum {string|null} */
            refundApprovalState: "waiting" | "approved" | "refused" | "withdrawn" | "expired" | null;
        };
        NewCollection: {
            out_trade_no: string;
            amount: string;
            /** @enum {string} */
            currency: "CNY" | "USD" | "INR" | "BRL" | "VND" | "USDT";
            channel?: string;
            subject?: string;
            notifyUrl?: string;
            returnUrl?: string;
            expiresIn?: number;
        };
        NewPayout: {
            out_trade_no: string;
            /** @enum {string} */
            currency: "CNY" | "USD" | "INR" | "BRL" | "VND" | "USDT";
            /** @enum {string} */
            channel: "CN_BANK" | "VN_NAPAS" | "IN_IMPS" | "BR_PIX";
            amount: string;
            payee: string;
            payeeAccount: string;
            bank?: string;
            bankName?: string;
            branchName?: string;
            ifsc?: string;
            /** @enum {string} */
            accountType?: "CPF" | "CNPJ" | "PHONE" | "EMAIL" | "EVP";
            taxId?: string;
            remark?: string;
            notifyUrl?: string;
            confirmSimilar?: boolean;
        };
        NewRefund: {
            out_refund_no: string;
            trade_no: string;
            amount?: string;
            reason?: string;
        };
        Payout: {
            trade_no: string;
            out_trade_no: string | null;
            /** @enum {string} */
            status: "pending" | "processing" | "processed" | "rejected" | "pendingSettlement";
            /** @enum {string|null} */
            approvalState: "waiting" | "approved" | "refused" | "withdrawn" | "expired" | null;
            amount: string;
            fee: string;
            /** @enum {string} */
            currency: "CNY" | "USD" | "INR" | "BRL" | "VND" | "USDT";
            /** @enum {string} */
            channel: "CN_BANK" | "VN_NAPAS" | "IN_IMPS" | "BR_PIX";
            payee: string;
            payeeAccount: string;
            createdAt: string;
            paidAt: string | null;
            rejectedAt: string | null;
            /** @enum {string|null} */
            rejectCode: "accountClosed" | "nameMismatch" | "neverArrived" | "other" | null;
            rejectReason: string | null;
            bankReference: string | null;
        };
        Refund: {
            refund_no: string;
            out_refund_no: string | null;
            trade_no: string;
            out_trade_no: string;
            /** @enum {string} */
            status: "requested" | "processing" | "refunded" | "failed";
            amount: string;
            fee: string;
            /** @enum {string} */
            currency: "CNY" | "USD" | "INR" | "BRL" | "VND" | "USDT";
            reason: string | null;
            /** @enum {string|null} */
            approvalState: "waiting" | "approved" | "refused" | "withdrawn" | "expired" | null;
            /** @enum {string|null} */
            failureCode: "notApproved" | "withdrawn" | "expired" | "channelRefused" | "neverArrived" | null;
            createdAt: string;
            endedAt: string | null;
        };
        Settlement: {
            settlement_no: string;
            /** @enum {string} */
            status: "pendingSettlement" | "settled";
            /** @enum {string} */
            currency: "CNY" | "USD" | "INR" | "BRL" | "VND" | "USDT";
            orderCount: number;
            refundCount: number;
            amount: string;
            fee: string;
            refunded: string;
            net: string;
            cutOffAt: string;
            createdAt: string;
            settledAt: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
