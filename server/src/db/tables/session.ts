import type { SecondFactor } from '@hengfu/contract/authentication';
import type { SecurityAction } from '@hengfu/contract/profile';
import type { Generated, GeneratedAlways } from 'kysely';

export interface SessionTables {
  session: SessionTable;
  access_event: AccessEventTable;
  pending_sign_in: PendingSignInTable;
  passkey: PasskeyTable;
  passkey_challenge: PasskeyChallengeTable;
  unlock_code: UnlockCodeTable;
  two_factor_binding: BindingTable;
  enrolment_code: EnrolmentCodeTable;
  sign_in_throttle: ThrottleTable;
  sign_in_address: TriedAccountsTable;
  used_nonce: NonceTable;
  signed_call_count: CallCountTable;
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
  id: Generated<string>;
  password_confirmed_at: Date | null;
  passkey_shown_at: Date | null;
  second_factor: SecondFactor | null;
  second_factor_at: Date | null;
  is_invited: Generated<boolean>;
  is_chosen: Generated<boolean>;
}

interface AccessEventTable {
  merchant_id: bigint;
  user_id: bigint;
  at: Generated<Date>;
  id: GeneratedAlways<bigint>;
  action: SecurityAction;
  address: string | null;
}

interface PendingSignInTable {
  id_hash: Buffer;
  user_id: bigint;
  remember: boolean;
  created_at: Generated<Date>;
}

interface PasskeyTable {
  id: Generated<string>;
  user_id: bigint;
  credential_id: string;
  public_key: Buffer;
  sign_count: bigint;
  transports: string[];
  name: string;
  created_at: Generated<Date>;
  last_used_at: Date | null;
}

interface PasskeyChallengeTable {
  id_hash: Buffer;
  challenge: string;
  created_at: Generated<Date>;
}

interface UnlockCodeTable {
  user_id: bigint;
  code_hash: Buffer;
  expires_at: Date;
  tries: Generated<number>;
}

interface BindingTable {
  session_id: string;
  user_id: bigint;
  secret: Buffer;
  recovery_codes: Buffer | null;
  created_at: Generated<Date>;
}

interface EnrolmentCodeTable {
  user_id: bigint;
  code_hash: Buffer;
  expires_at: Date;
}

interface ThrottleTable {
  key: Buffer;
  failures: number;
  window_started_at: Date;
  blocked_until: Date | null;
  expires_at: Generated<Date>;
}

interface TriedAccountsTable {
  key: Buffer;
  accounts: Buffer[];
  window_started_at: Date;
  blocked_until: Date | null;
  expires_at: Date;
}

interface NonceTable {
  merchant_id: bigint;
  key_id: string;
  nonce: string;
  used_at: Generated<Date>;
}

interface CallCountTable {
  merchant_id: bigint;
  day: Date;
  address: string;
  calls: bigint;
}
