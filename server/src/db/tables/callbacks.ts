import type { CheckStep, CheckVerdict } from '@hengfu/contract/callback-checks';
import type { EndpointState } from '@hengfu/contract/callback-endpoints';
import type { CallbackFailure } from '@hengfu/contract/callbacks';
import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely';

export interface CallbackTables {
  callback_message: CallbackMessageTable;
  callback_attempt: CallbackAttemptTable;
  callback_endpoint: CallbackEndpointTable;
  callback_held: CallbackHeldTable;
  callback_check: CallbackCheckTable;
  callback_address_check: CallbackAddressCheckTable;
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
  endpoint_id: bigint | null;
  is_skipped: Generated<boolean>;
  resent_at: Date | null;
  retried_from: Date | null;
  attempts_before: Generated<number>;
}

interface CallbackAttemptTable {
  merchant_id: bigint;
  message_id: string;
  attempt: number;
  at: Generated<Date>;
  http_status: number | null;
  error: string | null;
  duration_ms: number;
  failure: CallbackFailure | null;
  reply: string | null;
  is_resend: Generated<boolean>;
}

interface CallbackEndpointTable {
  merchant_id: bigint;
  id: GeneratedAlways<bigint>;
  url: string;
  origin: string;
  host: string;
  description: string | null;
  events: string[] | null;
  secret_encrypted: Buffer | null;
  previous_secret_encrypted: Buffer | null;
  previous_ends_at: Date | null;
  state: Generated<EndpointState | 'removed'>;
  failing_since: Date | null;
  created_by: string;
  created_at: Generated<Date>;
}

interface CallbackHeldTable {
  merchant_id: bigint;
  message_id: string;
  endpoint_id: bigint;
  held_at: Generated<Date>;
}

interface CallbackCheckTable {
  merchant_id: bigint;
  endpoint_id: bigint;
  run_id: Generated<string>;
  steps: Generated<JSONColumnType<CheckStep[]>>;
  verdict: CheckVerdict | null;
  started_at: Generated<Date>;
  ended_at: Date | null;
}

interface CallbackAddressCheckTable {
  merchant_id: bigint;
  key_id: string;
  url: string;
  run_id: Generated<string>;
  steps: Generated<JSONColumnType<CheckStep[]>>;
  verdict: CheckVerdict | null;
  started_at: Generated<Date>;
  ended_at: Date | null;
}
