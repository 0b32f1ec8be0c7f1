import { merchantHeader, merchantParameter } from '@hengfu/contract/workplaces';
import type { FastifyRequest } from 'fastify';
import type { Person } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import { isWrite } from './session-cookies.ts';

const header = merchantHeader.toLowerCase();

/**
 * Throws `merchant_switched` if the page that makes a call was rendered for another merchant than the session works for now. A
 * person who works for several merchants, or in test mode, may have switched in another tab. Of such a person, a write that names no
 * merchant is refused, too: nobody knows what its page showed.
 */
export function assertPageMerchant(
  request: FastifyRequest,
  { home, hasOtherMerchants, hasTwin }: Person,
): void {
  const query = request.query as Readonly<Record<string, unknown>>;
  const named = [request.headers[header], query[merchantParameter]].filter((name) => name !== undefined);
  const isUnnamed = named.length === 0 && (hasOtherMerchants || hasTwin) && isWrite(request);
  if (isUnnamed || named.some((name) => name !== home.code)) throw new Refusal('merchant_switched');
}
