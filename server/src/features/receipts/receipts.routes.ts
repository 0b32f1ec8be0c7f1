import type { receiptEndpoints } from '@hengfu/contract/receipts';
import { Refusal } from '#domain/refusal.ts';
import type { Handlers } from '#http/bind.ts';
import { TokenBuckets } from '#http/token-buckets.ts';
import { addressGroup } from '#security/address-group.ts';
import type { ReceiptService } from './receipts.service.ts';

/** PDFs for one IPv4 address or /64 of IPv6, per process. Many phones of one network share an address. */
const pdfRate = { burst: 30, perSecond: 1 };
/** An evicted bucket is a full one: the queue lets fewer PDFs pass meanwhile. */
const maxAddresses = 10_000;

/** Handles the calls about receipts: a merchant asks for the link, and anyone with the link reads the receipt. */
export function receiptHandlers(receipts: ReceiptService): Handlers<typeof receiptEndpoints> {
  const pdfs = new TokenBuckets(pdfRate, maxAddresses);
  return {
    link: async ({ caller, params }) => ({
      data: { url: await receipts.link(caller.home, params.trade_no) },
    }),
    get: ({ params }) => receipts.read(params.token),
    pdf: {
      before: async ({ request }) => {
        const { caller } = addressGroup(request.address);
        const waitMs = pdfs.waitMs(caller);
        if (waitMs > 0)
          throw new Refusal('too_many_requests', { retryAfterSeconds: Math.ceil(waitMs / 1000) });
        pdfs.take(caller);
      },
      handle: async ({ params, query }) => {
        const { name, content } = await receipts.pdf(params.token, query.lang);
        return { name, type: 'application/pdf', bytes: content.length, content };
      },
    },
  };
}
