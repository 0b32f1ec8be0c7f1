import type { ApprovalState } from '@hengfu/contract/approval-states';
import type { CollectionRefusal } from '@hengfu/contract/channels';
import type { CollectionStatus, SettlementStatus } from '@hengfu/contract/collections';
import type { Currency } from '@hengfu/contract/money';
import type { Generated, GeneratedAlways } from 'kysely';

export interface CollectionTables {
  collection: CollectionTable;
  collection_event: CollectionEventTable;
  receipt_link: ReceiptLinkTable;
}

interface CollectionTable {
  id: GeneratedAlways<bigint>;
  merchant_id: bigint;
  trade_no: string;
  out_trade_no: string;
  request_hash: Buffer;
  status: Generated<CollectionStatus>;
  settlement_status: SettlementStatus | null;
  currency: Currency;
  amount_minor: bigint;
  fee_minor: Generated<bigint>;
  channel: string | null;
  subject: string | null;
  notify_url: string | null;
  return_url: string | null;
  cashier_token: string;
  pay_url: string | null;
  qr_content: string | null;
  bank_reference: string | null;
  failure_code: CollectionRefusal | null;
  failure_reason: string | null;
  created_at: Generated<Date>;
  expires_at: Date;
  paid_at: Date | null;
  refund_requested_at: Date | null;
  refunded_at: Date | null;
  settlement_id: bigint | null;
  refund_settlement_id: bigint | null;
  refund_approval_state: ApprovalState | null;
  refunded_minor: Generated<bigint>;
  refunded_fee_minor: Generated<bigint>;
  refunding_minor: Generated<bigint>;
  refunding_fee_minor: Generated<bigint>;
  never_settles: Generated<boolean>;
  latest_refund_approval: ApprovalState | null;
  payment_link_id: bigint | null;
  holds_link_use: boolean | null;
}

interface CollectionEventTable {
  merchant_id: bigint;
  collection_id: bigint;
  id: Generated<bigint>;
  at: Generated<Date>;
  status: CollectionStatus;
  reason: string | null;
  refusal: CollectionRefusal | null;
  detail: string | null;
}

interface ReceiptLinkTable {
  merchant_id: bigint;
  collection_id: bigint;
  token: string;
  created_at: Generated<Date>;
}
