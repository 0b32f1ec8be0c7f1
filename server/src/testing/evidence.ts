import type { Answer, Visitor } from './visitor.ts';

/** A document as far as its first bytes say. */
export const somePdf = '%PDF-1.7 line 7';

/** Uploads a file that shows the outcome of a payout. */
export function uploadEvidence(
  by: Visitor,
  tradeNo: string,
  file: string | Uint8Array = somePdf,
  name = 'statement.pdf',
): Promise<Answer> {
  const path = `/api/staff/payouts/${tradeNo}/evidence?${new URLSearchParams({ name })}`;
  return by.post(path, file, { 'content-type': 'application/octet-stream' });
}
