import type { Generated, JSONColumnType } from 'kysely';

interface RepeatedCallTable {
  merchant_id: bigint;
  key_hash: Buffer;
  request_hash: Buffer;
  claimed_at: Generated<Date>;
  reply: JSONColumnType<object> | null;
}

export interface OpenApiTables {
  repeated_call: RepeatedCallTable;
}
