import type { RequestDetail, RequestRow } from '@hengfu/contract/request-log';
import type { CallDetail, CallRow } from './request-log.sql.ts';

/** Maps a signed call to its wire format. */
export function toRow(row: CallRow): RequestRow {
  return {
    request_id: row.request_id,
    at: row.at.toISOString(),
    method: row.method,
    path: row.path,
    status: row.status,
    code: row.code,
    durationMs: row.duration_ms,
    keyId: row.key_id,
    address: row.address,
    trade_no: row.trade_no,
    out_trade_no: row.out_trade_no,
  };
}

/** Maps a signed call with its bodies to its wire format. */
export function toDetail(row: CallDetail): RequestDetail {
  return {
    ...toRow(row),
    query: row.query,
    reason: row.reason,
    request: { bytes: row.request_bytes, text: row.request_body, isCut: row.is_request_cut },
    response: { bytes: row.response_bytes, text: row.response_body, isCut: row.is_response_cut },
  };
}
