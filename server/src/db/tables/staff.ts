import type { Language } from '@hengfu/contract/languages';
import type { Currency } from '@hengfu/contract/money';
import type { StaffRole } from '@hengfu/contract/staff/permissions';
import type { WaitingKind } from '@hengfu/contract/staff/today';
import type { TopupStatus } from '@hengfu/contract/topups';
import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type { TopupTables } from './topups.ts';

export interface StaffTables {
  staff_user: StaffUserTable;
  staff_session: StaffSessionTable;
  staff_throttle: StaffThrottleTable;
  topup_claim: TopupClaimTable;
  staff_merchant: StaffMerchantView;
  staff_topup: StaffTopupView;
  staff_topup_image: StaffTopupImageView;
  staff_topup_claim: StaffTopupClaimView;
  staff_waiting: StaffWaitingView;
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
}

interface StaffThrottleTable {
  key: Buffer;
  failures: number;
  window_started_at: Date;
  blocked_until: Date | null;
  expires_at: Generated<Date>;
}

interface TopupClaimTable {
  merchant_id: bigint;
  topup_id: bigint;
  status: TopupStatus;
  staff_id: bigint;
  claimed_at: Generated<Date>;
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

interface StaffTopupImageView {
  merchant_id: bigint;
  topup_id: bigint;
  sha256: Buffer;
}

interface StaffTopupClaimView {
  merchant_id: bigint;
  topup_id: bigint;
  status: TopupStatus;
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
