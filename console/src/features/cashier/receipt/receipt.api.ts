import type { Language } from '@hengfu/contract/languages';
import type { Receipt, receiptEndpoints } from '@hengfu/contract/receipts';
import { CallError, payerCall } from '../cashier.api.ts';

// Types only, like the checkout page's calls.
const receiptPath: (typeof receiptEndpoints)['get']['path'] = '/api/receipts/:token';
const pdfPath: (typeof receiptEndpoints)['pdf']['path'] = '/api/receipts/:token/pdf';

const pdfTimeoutMs = 30_000;

/** Reads the receipt behind a link. Throws {@link CallError}. */
export async function readReceipt(token: string, language: Language, signal: AbortSignal): Promise<Receipt> {
  const json = await payerCall(receiptPath.replace(':token', token), { language, signal });
  if (!isReceipt(json)) throw new CallError('internal');
  return json;
}

/** Fetches the receipt as a PDF. Throws {@link CallError}: `too_many_requests`, `offline`. */
export async function fetchPdf(token: string, language: Language): Promise<Blob> {
  const signal = AbortSignal.timeout(pdfTimeoutMs);
  const path = `${pdfPath.replace(':token', token)}?lang=${language}`;
  const response = await fetch(path, { signal, credentials: 'omit' }).catch(() => undefined);
  if (response?.status === 429) throw new CallError('too_many_requests');
  const content = response?.ok ? await response.blob().catch(() => undefined) : undefined;
  if (!content) throw new CallError('offline');
  return content;
}

/** Whether a reply is a receipt: it has the fields that the page needs. */
export function isReceipt(json: unknown): json is Receipt {
  if (typeof json !== 'object' || json === null) return false;
  const { amount, currency, paidAt, zone, merchant } = json as Partial<Record<keyof Receipt, unknown>>;
  const areTexts = [amount, currency, paidAt, zone].every((value) => typeof value === 'string');
  return areTexts && typeof merchant === 'object' && merchant !== null;
}
