import type { BatchField } from '@hengfu/contract/payout-batch-rows';
import type { Generated } from 'kysely';

export interface BatchHeadingTables {
  batch_heading: BatchHeadingTable;
}

interface BatchHeadingTable {
  merchant_id: bigint;
  heading: string;
  field: BatchField;
  saved_at: Generated<Date>;
}
