import type { ApprovalState } from '@hengfu/contract/approval-states';
import type { KeyScope } from '@hengfu/contract/key-scopes';
import type { Language } from '@hengfu/contract/languages';
import type { Currency } from '@hengfu/contract/money';
import type { OwnRoleCode, RoleCode } from '@hengfu/contract/permissions';
import type { SettlementCycle } from '@hengfu/contract/staff/limits';
import type { StaffRole } from '@hengfu/contract/staff/permissions';
import type { Generated, GeneratedAlways } from 'kysely';

export interface MerchantTables {
  merchant: MerchantTable;
  app_user: UserTable;
  membership: MembershipTable;
  invitation: InvitationTable;
  own_role: OwnRoleTable;
  workplace: WorkplaceView;
  access_key: AccessKeyTable;
  access_key_directory: AccessKeyDirectoryTable;
  access_key_use: AccessKeyUseTable;
  access_key_warning: AccessKeyWarningTable;
  channel: ChannelTable;
  merchant_terms: TermsTable;
  past_settlement_cycle: PastSettlementCycleTable;
  audit: AuditTable;
}

/** A role that somebody acted with: a merchant's, or one of our staff. */
type ActingRole = RoleCode | StaffRole;

interface MerchantTable {
  id: GeneratedAlways<bigint>;
  code: string;
  name: string;
  home_currency: Currency;
  zone: string;
  settlement_cut_off: Generated<string>;
  settlement_cycle: Generated<SettlementCycle>;
  settlement_weekday: number | null;
  payout_limit_minor: bigint | null;
  payout_day_limit_minor: bigint | null;
  withdrawal_day_limit_minor: bigint | null;
  collection_limit_minor: bigint | null;
  next_settlement_at: Date;
  allowed_addresses: Generated<string[]>;
  suspended_at: Date | null;
  approval_days: Generated<number>;
  suspension_reason: string | null;
  suspended_by: string | null;
  requires_two_factor: Generated<boolean>;
  mode: Generated<'live' | 'test'>;
  live_merchant_id: bigint | null;
  retired_at: Date | null;
  created_at: Generated<Date>;
}

interface UserTable {
  id: GeneratedAlways<bigint>;
  email: string;
  name: string;
  password_hash: string;
  disabled_at: Date | null;
  two_factor_secret: Buffer | null;
  two_factor_confirmed_at: Date | null;
  two_factor_last_step: bigint | null;
  recovery_codes: Buffer | null;
  payment_password_hash: string | null;
  zone: string | null;
  language: Language | null;
  created_at: Generated<Date>;
  last_merchant_id: bigint | null;
}

interface MembershipTable {
  merchant_id: bigint;
  user_id: bigint;
  roles: RoleCode[];
  disabled_at: Date | null;
  created_at: Generated<Date>;
  removed_at: Date | null;
}

interface InvitationTable {
  merchant_id: bigint;
  id: GeneratedAlways<bigint>;
  token_hash: Buffer;
  email: string;
  roles: RoleCode[];
  invited_by: bigint | null;
  created_at: Generated<Date>;
  expires_at: Date;
  accepted_at: Date | null;
  accepted_by: bigint | null;
  revoked_at: Date | null;
  approval_state: ApprovalState | null;
}

interface OwnRoleTable {
  merchant_id: bigint;
  code: OwnRoleCode;
  name: string;
  name_key: string;
  description: string;
  perms: string[];
  version: Generated<number>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  retired_at: Date | null;
}

/** The merchant that is offered first to a person who signs in, and whether there are others to choose from. */
interface WorkplaceView {
  user_id: bigint;
  merchant_id: bigint;
  requires_two_factor: boolean;
  is_one_of_several: boolean;
}

interface AccessKeyDirectoryTable {
  key_id: string;
  merchant_id: bigint;
}

interface AccessKeyTable {
  key_id: string;
  merchant_id: bigint;
  secret_encrypted: Buffer;
  created_at: Generated<Date>;
  revoked_at: Date | null;
  note: string | null;
  callback_url: string | null;
  disabled_at: Date | null;
  ends_at: Date | null;
  created_by: bigint | null;
  name: string | null;
  scopes: Generated<KeyScope[]>;
  /** CIDR blocks. */
  allowed_addresses: string[] | null;
  successor: string | null;
  line_began_at: Date | null;
  expiry_changed_at: Date | null;
}

interface AccessKeyUseTable {
  merchant_id: bigint;
  key_id: string;
  used_at: Date;
  address: string;
  call: string;
}

interface AccessKeyWarningTable {
  merchant_id: bigint;
  key_id: string;
  ends_at: Date;
  days: number;
  warned_at: Generated<Date>;
}

interface ChannelTable {
  code: string;
  adapter: string;
  currency: Currency;
  collection_open: Generated<boolean>;
  payout_open: Generated<boolean>;
  test_adapter: Generated<string>;
  is_live: Generated<boolean>;
}

interface TermsTable {
  merchant_id: bigint;
  channel: string;
  valid_from: Generated<Date>;
  collection_rate_ppm: number;
  collection_fixed_minor: bigint;
  payout_rate_ppm: number;
  payout_fixed_minor: bigint;
  refund_fee_kept: Generated<boolean>;
  refund_from_available: Generated<boolean>;
}

interface PastSettlementCycleTable {
  merchant_id: bigint;
  valid_until: Date;
  cycle: SettlementCycle;
  weekday: number | null;
  cut_off: string;
}

interface AuditTable {
  id: Generated<bigint>;
  merchant_id: bigint;
  at: Generated<Date>;
  actor: string;
  action: string;
  subject: string | null;
  address: string | null;
  request_id: string | null;
  before: unknown;
  after: unknown;
  roles: ActingRole[] | null;
  user_agent: string | null;
}
