import type { Generated, GeneratedAlways } from 'kysely';

export interface JobTables {
  merchant_job: MerchantJobTable;
  merchant_breaker: MerchantBreakerTable;
  failing_task: FailingTaskTable;
}

interface MerchantJobTable {
  id: GeneratedAlways<bigint>;
  line: string;
  merchant_id: bigint;
  target: string;
  lane: GeneratedAlways<bigint>;
  host: string;
  task: string;
  key: string | null;
  payload: unknown;
  due_at: Date;
  attempts: Generated<number>;
  last_error: string | null;
  is_trial: Generated<boolean>;
  worker: string | null;
  claimed_at: Date | null;
  leased_until: Date | null;
}

interface MerchantBreakerTable {
  merchant_id: bigint;
  target: string;
  failures: number;
  open_until: Date | null;
  failed_at: Generated<Date>;
}

interface FailingTaskTable {
  task: string;
  failing_since: Generated<Date>;
  failed_at: Generated<Date>;
  failures: Generated<number>;
  last_error: string;
}
