import type { Generated } from 'kysely';

export interface DashboardTables {
  first_steps_dismissal: FirstStepsDismissalTable;
}

interface FirstStepsDismissalTable {
  merchant_id: bigint;
  user_id: bigint;
  dismissed_at: Generated<Date>;
}
