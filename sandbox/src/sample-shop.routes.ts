import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BankError } from './errors.ts';
import { isFresh } from './signature.ts';

/** The path at which the sample system of a merchant receives callbacks. */
export const sampleShopPath = '/shop/callbacks';

/** Returns the key that verifies the callbacks of the sample system, by the secret that the bank shares with the service. */
export function sampleShopKey(secret: string): Buffer {
  return createHmac('sha256', secret).update('sample shop').digest();
}

/**
 * Plays the system of a merchant, so that the demo's endpoint has a receiver: verifies callbacks by Standard Webhooks, and keeps nothing of
 * them.
 */
export function registerSampleShop(app: FastifyInstance, secret: string): void {
  const key = sampleShopKey(secret);
  app.register(async (shop) => {
    // The signature covers the bytes as sent.
    shop.removeAllContentTypeParsers();
    shop.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    shop.post(sampleShopPath, async (request) => {
      if (!isSigned(request, key))
        throw new BankError(
          'invalid_signature',
          'The signature or its timestamp is missing, wrong or too old.',
        );
      return { received: true };
    });
  });
}

function isSigned({ headers, body }: FastifyRequest, key: Buffer): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': given } = headers;
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof given !== 'string') return false;
  if (!isFresh(timestamp, Date.now())) return false;
  const sent = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(sent).digest();
  return given.split(' ').some((each) => {
    const signature = Buffer.from(/^v1,(.*)$/.exec(each)?.[1] ?? '', 'base64');
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
}
