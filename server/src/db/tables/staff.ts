import type { Language } from '@hengfu/contract/languages';
import type { Currency } from '@hengfu/contract/money';
import type { StaffRole } from '@hengfu/contract/staff/permissions';
import type { StaffRequestKind } from '@hengfu/contract/staff/requests';
import type { MoneyPlace, WaitingKind } from '@hengfu/contract/staff/today';
import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type { CollectionTables } from './collections.ts';
import type { MerchantTables } from './merchants.ts';
import type { PayoutTables } from './payouts.ts';
import type { StaffDecisionTables } from './staff-decisions.ts';
import type { TopupTables } from './topups.ts';
import type { WithdrawalTables } from './withdrawals.ts';

export interface StaffTables extends StaffDecisionTables {
  staff_user: StaffUserTable;
  staff_session: StaffSessionTable;
  staff_passkey: StaffPasskeyTable;
  staff_throttle: StaffThrottleTable;
  case_claim: CaseClaimTable;
  merchant_note: MerchantNoteTable;
  staff_merchant: StaffMerchantView;
  staff_topup: StaffTopupView;
  staff_topup_image: StaffTopupImageView;
  staff_case_claim: StaffCaseClaimView;
  staff_waiting: StaffWaitingView;
  staff_waiting_elsewhere: Omit<StaffWaitingView, 'merchant_id'>;
  staff_waiting_count: { kind: WaitingKind; count: number };
  staff_withdrawal: StaffWithdrawalView;
  staff_waiting_request: StaffWaitingRequestView;
  staff_look: StaffLookTable;
  staff_alert_count: { of_hour: number; refused_of_hour: number; last_at: Date | null };
  staff_balance: StaffBalanceView;
  staff_payout: StaffPayoutView;
  staff_collection: StaffCollectionView;
  staff_payout_party: Selectable<PayoutTables['payout_party']>;
  staff_payout_outcome: StaffPayoutOutcomeView;
  backup_record: BackupRecordTable;
  staff_contradicted_payout: {
    merchant_id: bigint;
    trade_no: string;
    amount_minor: bigint;
    currency: Currency;
    since: Date;
  };
  staff_factor_rule: { user_id: bigint; is_required: boolean };
  staff_merchant_job: StaffMerchantJobView;
  staff_audit: StaffAuditView;
  staff_person: StaffPersonView;
}

interface StaffUserTable {
  id: GeneratedAlways<bigint>;
  email: string;
  name: string;
  password_hash: string;
  roles: StaffRole[];
  language: Language | null;
  factor_secret: Buffer | null;
  factor_step: bigint | null;
  disabled_at: Date | null;
  signed_in_at: Date | null;
  created_at: Generated<Date>;
}

interface StaffSessionTable {
  id_hash: Buffer;
  id: Generated<string>;
  staff_id: bigint;
  created_at: Generated<Date>;
  last_seen_at: Generated<Date>;
  idle_seconds: number;
  expires_at: Date;
  address: string | null;
  user_agent: string | null;
  factor_passed_at: Date | null;
  pending_secret: Buffer | null;
  creation_challenge: string | null;
  creation_at: Date | null;
  request_challenge: string | null;
  request_at: Date | null;
}

interface StaffPasskeyTable {
  id: Generated<string>;
  staff_id: bigint;
  credential_id: string;
  public_key: Buffer;
  sign_count: bigint;
  transports: string[];
  name: string;
  created_at: Generated<Date>;
  last_used_at: Date | null;
}

interface StaffThrottleTable {
  key: Buffer;
  failures: number;
  window_started_at: Date;
  blocked_until: Date | null;
  expires_at: Generated<Date>;
}

interface CaseClaimTable {
  merchant_id: bigint;
  trade_no: string;
  status: string;
  staff_id: bigint;
  claimed_at: Generated<Date>;
}

interface StaffLookTable {
  id: GeneratedAlways<bigint>;
  staff_id: bigint;
  about_merchant: bigint;
  reason: string;
  started_at: Generated<Date>;
  ends_at: Date;
}

/** The views across merchants that our staff may read. */
interface StaffMerchantView {
  id: bigint;
  code: string;
  name: string;
  home_currency: Currency;
  zone: string;
  mode: 'live' | 'test';
  suspended_at: Date | null;
}

type StaffTopupView = Selectable<TopupTables['topup']> & { merchant_code: string; merchant_name: string };

interface StaffWaitingRequestView {
  id: bigint;
  kind: StaffRequestKind;
  merchant_id: bigint | null;
  subject: string;
  created_at: Date;
}

type StaffWithdrawalView = Selectable<WithdrawalTables['withdrawal']> & {
  merchant_code: string;
  merchant_name: string;
  /** The address, in a form that is the same however it was typed. */
  wallet: string;
};

interface StaffTopupImageView {
  merchant_id: bigint;
  topup_id: bigint;
  sha256: Buffer;
}

interface StaffCaseClaimView {
  merchant_id: bigint;
  trade_no: string;
  status: string;
  staff_id: bigint;
  staff_name: string;
  claimed_at: Date;
}

interface StaffWaitingView {
  kind: WaitingKind;
  merchant_id: bigint | null;
  merchant_code: string | null;
  number: string;
  amount_minor: bigint | null;
  currency: Currency | null;
  since: Date;
}

interface MerchantNoteTable {
  merchant_id: bigint;
  id: GeneratedAlways<bigint>;
  staff_id: bigint;
  text: string;
  at: Generated<Date>;
}

interface StaffBalanceView {
  merchant_id: bigint;
  kind: MoneyPlace['kind'];
  reference: string;
  currency: Currency;
  balance_minor: bigint;
}

type OrderColumn =
  | 'merchant_id'
  | 'id'
  | 'trade_no'
  | 'out_trade_no'
  | 'status'
  | 'currency'
  | 'amount_minor'
  | 'fee_minor'
  | 'channel'
  | 'bank_reference'
  | 'created_at'
  | 'paid_at';

type StaffPayoutView = Pick<
  Selectable<PayoutTables['payout']>,
  OrderColumn | 'payee' | 'account_key' | 'batch_no'
>;

type StaffCollectionView = Pick<Selectable<CollectionTables['collection']>, OrderColumn>;

interface StaffPayoutOutcomeView {
  id: bigint;
  merchant_id: bigint;
  trade_no: string;
  change: unknown;
}

interface BackupRecordTable {
  id: GeneratedAlways<bigint>;
  made_at: Date;
}

interface StaffMerchantJobView {
  line: string;
  due_at: Date;
  is_running: boolean;
  has_failed: boolean;
}

type StaffAuditView = Selectable<MerchantTables['audit']>;

interface StaffPersonView {
  id: bigint;
  email: string;
  name: string;
}
