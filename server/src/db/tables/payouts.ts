import type { ApprovalState } from '@hengfu/contract/approval-states';
import type { ChannelCode, PayoutRefusal, PixKeyType } from '@hengfu/contract/channels';
import type { ErrorCode } from '@hengfu/contract/errors';
import type { Currency } from '@hengfu/contract/money';
import type { BatchRowState } from '@hengfu/contract/payout-batches';
import type { PayoutStatus } from '@hengfu/contract/payouts';
import type { Generated, GeneratedAlways } from 'kysely';

export interface PayoutTables {
  payout: PayoutTable;
  payout_event: PayoutEventTable;
  payout_party: PayoutPartyTable;
  payout_batch: PayoutBatchTable;
  payout_batch_row: PayoutBatchRowTable;
  payout_slip_revocation: PayoutSlipRevocationTable;
  payout_contradiction: PayoutContradictionTable;
  idempotent_reply: IdempotentReplyTable;
}

interface PayoutTable {
  id: GeneratedAlways<bigint>;
  merchant_id: bigint;
  trade_no: string;
  out_trade_no: string | null;
  request_hash: Buffer;
  status: Generated<PayoutStatus>;
  currency: Currency;
  amount_minor: bigint;
  fee_minor: bigint;
  channel: ChannelCode;
  payee: string;
  payee_account: string;
  account_key: string;
  bank: string | null;
  bank_name: string | null;
  branch_name: string | null;
  ifsc: string | null;
  account_type: PixKeyType | null;
  tax_id: string | null;
  remark: string | null;
  notify_url: string | null;
  source: 'console' | 'openApi';
  created_by: string;
  batch_no: string | null;
  batch_line: number | null;
  bank_reference: string | null;
  reject_code: PayoutRefusal | null;
  reject_reason: string | null;
  approval_state: ApprovalState | null;
  created_at: Generated<Date>;
  sent_at: Date | null;
  paid_at: Date | null;
  rejected_at: Date | null;
}

interface PayoutEventTable {
  merchant_id: bigint;
  payout_id: bigint;
  id: Generated<bigint>;
  at: Generated<Date>;
  status: PayoutStatus;
  reason: string | null;
  refusal: PayoutRefusal | null;
  detail: string | null;
}

interface PayoutPartyTable {
  merchant_id: bigint;
  search_key: string;
  field: 'payee' | 'account_key';
  value: string;
}

interface PayoutBatchTable {
  id: GeneratedAlways<bigint>;
  merchant_id: bigint;
  batch_no: string;
  name: string;
  channel: ChannelCode;
  currency: Currency;
  content_hash: Buffer;
  row_count: number;
  amount_minor: bigint;
  fee_minor: bigint;
  created_by: string;
  created_at: Generated<Date>;
  finished_at: Date | null;
  told_at: Date | null;
  taken_count: number | null;
  failed_count: number | null;
  approval_state: ApprovalState | null;
}

interface PayoutBatchRowTable {
  merchant_id: bigint;
  batch_id: bigint;
  line: number;
  fields: unknown;
  means_similar: boolean;
  state: Generated<BatchRowState>;
  trade_no: string | null;
  reason: ErrorCode | null;
  try_at: Generated<Date>;
  tries: Generated<number>;
}

interface PayoutContradictionTable {
  merchant_id: bigint;
  payout_id: bigint;
  trade_no: string;
  source: 'channel' | 'statement';
  reported: 'paid' | 'failed';
  bank_reference: string;
  at: Generated<Date>;
  settled_at: Date | null;
  settled_by: string | null;
  note: string | null;
}

interface PayoutSlipRevocationTable {
  merchant_id: bigint;
  payout_id: bigint;
  times: number;
  revoked_at: Generated<Date>;
}

interface IdempotentReplyTable {
  merchant_id: bigint;
  user_id: bigint;
  key_hash: Buffer;
  request_hash: Buffer;
  reply: unknown;
  created_at: Generated<Date>;
}
