import type { CallbackFailure } from '@hengfu/contract/callbacks';
import type { Generated } from 'kysely';

export interface CallbackTables {
  callback_message: CallbackMessageTable;
  callback_attempt: CallbackAttemptTable;
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
  failure: CallbackFailure | null;
}
