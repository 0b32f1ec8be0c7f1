import type { ApprovalState } from '@hengfu/contract/approval-states';
import type { Currency } from '@hengfu/contract/money';
import type { RefundFailure, RefundStatus } from '@hengfu/contract/refunds';
import type { Generated, GeneratedAlways } from 'kysely';

export interface RefundTables {
  refund: RefundTable;
}

interface RefundTable {
  id: GeneratedAlways<bigint>;
  merchant_id: bigint;
  refund_no: string;
  out_refund_no: string | null;
  request_hash: Buffer | null;
  collection_id: bigint;
  status: RefundStatus;
  currency: Currency;
  amount_minor: bigint;
  fee_minor: Generated<bigint>;
  available_minor: Generated<bigint>;
  channel: string;
  reason: string | null;
  requested_by: string;
  approval_state: ApprovalState | null;
  failure_code: RefundFailure | null;
  failure_reason: string | null;
  created_at: Generated<Date>;
  sent_at: Date | null;
  ended_at: Date | null;
  settlement_id: bigint | null;
  never_settles: Generated<boolean>;
  bank_reference: string | null;
}
