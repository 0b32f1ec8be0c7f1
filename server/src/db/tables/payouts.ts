import type { ChannelCode } from '@hengfu/contract/channels';
import type { Currency } from '@hengfu/contract/money';
import type { PixKeyType } from '@hengfu/contract/payout-fields';
import type { PayoutStatus } from '@hengfu/contract/payouts';
import type { Generated, GeneratedAlways } from 'kysely';

export interface PayoutTables {
  payout: PayoutTable;
  payout_event: PayoutEventTable;
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
  bank_reference: string | null;
  reject_reason: string | null;
  created_at: Generated<Date>;
  sent_at: Date | null;
  paid_at: Date | null;
  rejected_at: Date | null;
}

interface PayoutEventTable {
  merchant_id: bigint;
  payout_id: bigint;
  id: GeneratedAlways<bigint>;
  at: Generated<Date>;
  status: PayoutStatus;
  reason: string | null;
  detail: string | null;
}

interface IdempotentReplyTable {
  merchant_id: bigint;
  user_id: bigint;
  key_hash: Buffer;
  request_hash: Buffer;
  reply: unknown;
  created_at: Generated<Date>;
}
