import type { RequestReason } from '@hengfu/contract/request-log';
import type { Generated } from 'kysely';

export interface RequestLogTables {
  api_request: ApiRequestTable;
  api_request_block: ApiRequestBlockTable;
  api_request_count: ApiRequestCountTable;
}

interface ApiRequestTable {
  id: Generated<bigint>;
  merchant_id: bigint;
  at: Date;
  request_id: string;
  key_id: string;
  method: string;
  path: string;
  query: string | null;
  status: number;
  code: string | null;
  duration_ms: number;
  address: string | null;
  trade_no: string | null;
  out_trade_no: string | null;
  reason: RequestReason | null;
  request_bytes: number;
  request_body: string | null;
  response_bytes: number;
  response_body: string | null;
  is_request_cut: Generated<boolean>;
  is_response_cut: Generated<boolean>;
}

interface ApiRequestBlockTable {
  id: Generated<bigint>;
  merchant_id: bigint;
  key_id: string;
  method: string;
  path: string;
  status: number;
  address: string;
  first_at: Date;
  last_at: Date;
  first_order_at: Date;
  last_order_at: Date;
  calls: number;
  content: Buffer;
}

interface ApiRequestCountTable {
  merchant_id: bigint;
  key_id: string;
  hour: Date;
  refused: bigint;
  lost: bigint;
  unverified: Generated<bigint>;
}
