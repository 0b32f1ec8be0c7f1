import type { CollectionStatus, SettlementStatus } from '@hengfu/contract/collections';
import type { Currency } from '@hengfu/contract/money';
import type { Role } from '@hengfu/contract/permissions';
import type { BatchStatus } from '@hengfu/contract/settlements';
import type { Generated, GeneratedAlways } from 'kysely';

/** The tables as TypeScript sees them; the migrations are the source, and a test compares the two. */
export interface Schema {
  merchant: MerchantTable;
  app_user: UserTable;
  session: SessionTable;
  sign_in_throttle: ThrottleTable;
  access_key: AccessKeyTable;
  used_nonce: { key_id: string; nonce: string; used_at: Generated<Date> };
  audit: AuditTable;
  ledger_account: LedgerAccountTable;
  ledger_transfer: LedgerTransferTable;
  ledger_entry: LedgerEntryTable;
  channel: ChannelTable;
  merchant_terms: TermsTable;
  order_rollup: RollupTable;
  collection: CollectionTable;
  collection_event: CollectionEventTable;
  settlement: SettlementTable;
  callback_message: CallbackMessageTable;
  callback_attempt: CallbackAttemptTable;
}

interface MerchantTable {
  id: GeneratedAlways<bigint>;
  code: string;
  name: string;
  home_currency: Currency;
  zone: string;
  settlement_cut_off: Generated<string>;
  next_settlement_at: Date;
  allowed_addresses: Generated<string[]>;
  suspended_at: Date | null;
  created_at: Generated<Date>;
}

interface UserTable {
  id: GeneratedAlways<bigint>;
  merchant_id: bigint;
  email: string;
  name: string;
  password_hash: string;
  roles: Role[];
  disabled_at: Date | null;
  created_at: Generated<Date>;
}

interface SessionTable {
  id_hash: Buffer;
  merchant_id: bigint;
  user_id: bigint;
  created_at: Generated<Date>;
  last_seen_at: Generated<Date>;
  idle_seconds: number;
  expires_at: Date;
  address: string | null;
  user_agent: string | null;
}

interface ThrottleTable {
  key: Buffer;
  failures: number;
  window_started_at: Date;
  blocked_until: Date | null;
}

interface AccessKeyTable {
  key_id: string;
  merchant_id: bigint;
  secret_encrypted: Buffer;
  created_at: Generated<Date>;
  revoked_at: Date | null;
}

interface AuditTable {
  id: GeneratedAlways<bigint>;
  merchant_id: bigint | null;
  at: Generated<Date>;
  actor: string;
  action: string;
  subject: string | null;
  address: string | null;
  request_id: string | null;
  before: unknown;
  after: unknown;
}

interface LedgerAccountTable {
  id: GeneratedAlways<bigint>;
  merchant_id: bigint;
  kind: string;
  reference: string;
  currency: Currency;
  balance_minor: bigint;
  version: bigint;
}

interface LedgerTransferTable {
  id: GeneratedAlways<bigint>;
  merchant_id: bigint;
  type: string;
  idempotency_key: string;
  subject_no: string;
  created_at: Generated<Date>;
}

interface LedgerEntryTable {
  merchant_id: bigint;
  account_id: bigint;
  version: bigint;
  transfer_id: bigint;
  amount_minor: bigint;
  balance_after_minor: bigint;
  created_at: Generated<Date>;
}

interface ChannelTable {
  code: string;
  adapter: string;
  currency: Currency;
  collection_open: Generated<boolean>;
  payout_open: Generated<boolean>;
}

interface TermsTable {
  merchant_id: bigint;
  channel: string;
  valid_from: Generated<Date>;
  collection_rate_ppm: number;
  collection_fixed_minor: bigint;
  payout_rate_ppm: number;
  payout_fixed_minor: bigint;
}

interface RollupTable {
  merchant_id: bigint;
  kind: 'collection' | 'payout';
  currency: Currency;
  bucket: Date;
  stripe: number;
  created_count: Generated<bigint>;
  created_amount_minor: Generated<bigint>;
  created_succeeded_count: Generated<bigint>;
  created_lost_count: Generated<bigint>;
  done_count: Generated<bigint>;
  done_amount_minor: Generated<bigint>;
  fee_minor: Generated<bigint>;
  reversed_count: Generated<bigint>;
  reversed_amount_minor: Generated<bigint>;
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
  failure_reason: string | null;
  created_at: Generated<Date>;
  expires_at: Date;
  paid_at: Date | null;
  refund_requested_at: Date | null;
  refunded_at: Date | null;
  settlement_id: bigint | null;
  refund_settlement_id: bigint | null;
}

interface CollectionEventTable {
  merchant_id: bigint;
  collection_id: bigint;
  id: GeneratedAlways<bigint>;
  at: Generated<Date>;
  status: CollectionStatus;
  reason: string | null;
  detail: string | null;
}

interface SettlementTable {
  id: GeneratedAlways<bigint>;
  merchant_id: bigint;
  settlement_no: string;
  status: Generated<BatchStatus>;
  currency: Currency;
  order_count: number;
  refund_count: number;
  amount_minor: bigint;
  fee_minor: bigint;
  refunded_minor: bigint;
  net_minor: GeneratedAlways<bigint>;
  cut_off_at: Date;
  created_at: Generated<Date>;
  settled_at: Date | null;
}

interface CallbackMessageTable {
  id: Generated<string>;
  merchant_id: bigint;
  subject_kind: string;
  subject_no: string;
  event: string;
  url: string;
  body: string;
  created_at: Generated<Date>;
  attempts: Generated<number>;
  delivered_at: Date | null;
  given_up_at: Date | null;
}

interface CallbackAttemptTable {
  merchant_id: bigint;
  message_id: string;
  attempt: number;
  at: Generated<Date>;
  http_status: number | null;
  error: string | null;
  duration_ms: number;
}
