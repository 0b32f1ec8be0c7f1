import type { AccessRequest } from '@hengfu/contract/access-requests';
import type { SeenRequest } from '../approvals.sql.ts';
import { toRow } from '../approvals.view.ts';
import { toAccessChange } from './access-change.view.ts';

/** Converts a request to what people see of it who may see the access key, but no requests. Returns none for requests of other kinds. */
export function toAccessRequests(request: SeenRequest, userId: bigint): AccessRequest[] {
  const { change } = request;
  if (!(change && 'setting' in change)) return [];
  const { request_no, requestedBy, createdAt, isYours } = toRow(request, userId);
  return [{ request_no, change: toAccessChange(change), requestedBy, createdAt, isYours }];
}
