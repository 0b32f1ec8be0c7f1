import type { Language } from '@hengfu/contract/languages';
import type { Receipt, receiptEndpoints } from '@hengfu/contract/receipts';
import { CallError, payerRead } from '../cashier.api.ts';
import { withinTime } from '../time-limit.ts';

// Types only, like the checkout page's calls.
const receiptPath: (typeof receiptEndpoints)['get']['path'] = '/api/receipts/:token';
const pdfPath: (typeof receiptEndpoints)['pdf']['path'] = '/api/receipts/:token/pdf';

const pdfTimeoutMs = 30_000;

/** Reads the receipt behind a link. Throws {@link CallError}. */
export async function readReceipt(token: string, language: Language, signal: AbortSignal): Promise<Receipt> {
  const json = await payerRead(receiptPath.replace(':token', token), language, signal);
  if (!isReceipt(json)) throw new CallError('internal');
  return json;
}

/** A receipt as a PDF, with the file name that the server gives it. */
export interface ReceiptFile {
  name: string;
  content: Blob;
}

/** Fetches the receipt as a PDF. Throws {@link CallError}: `too_many_requests`, `offline`. */
export function fetchPdf(token: string, language: Language): Promise<ReceiptFile> {
  const path = `${pdfPath.replace(':token', token)}?lang=${language}`;
  return withinTime(pdfTimeoutMs, async (signal) => {
    const response = await fetch(path, { signal, credentials: 'omit' }).catch(() => undefined);
    if (response?.status === 429) throw new CallError('too_many_requests');
    const content = response?.ok ? await response.blob().catch(() => undefined) : undefined;
    if (!response || !content) throw new CallError('offline');
    return { name: nameIn(response.headers.get('content-disposition')), content };
  });
}

function nameIn(disposition: string | null): string {
  return /filename="([^"]+)"/.exec(disposition ?? '')?.[1] ?? 'receipt.pdf';
}

/** Whether a reply is a receipt: it has the fields that the page needs. */
export function isReceipt(json: unknown): json is Receipt {
  if (typeof json !== 'object' || json === null) return false;
  const { amount, currency, paidAt, zone, merchant } = json as Partial<Record<keyof Receipt, unknown>>;
  const areTexts = [amount, currency, paidAt, zone].every((value) => typeof value === 'string');
  return areTexts && typeof merchant === 'object' && merchant !== null;
}
