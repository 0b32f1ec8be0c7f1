import type { FastifyRequest } from 'fastify';
import type { Database } from '#db/database.ts';
import type { Program } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import { isOfOtherMode } from './other-mode.sql.ts';

/** The fields of a signed call that name an order. */
const numberFields = ['trade_no', 'out_trade_no', 'refund_no', 'out_refund_no'];
const maxNumberLength = 128;

/**
 * Returns the error of a signed call; `wrong_mode` in place of `not_found` if the order that it names belongs to the other mode of the
 * caller's merchant: a key of test mode was used for a live order, or the reverse. Logs it.
 */
export async function explainMode(
  database: Database,
  { keyId, home: { merchantId } }: Program,
  request: FastifyRequest,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof Refusal) || error.code !== 'not_found') return error;
  const numbers = numbersOf(request);
  if (numbers.length === 0) return error;
  if (!(await database.asSystem((tx) => isOfOtherMode(tx, merchantId, numbers), { oneStatement: true })))
    return error;
  request.log.warn({ key: keyId }, 'a call with a key of the other mode');
  return new Refusal('wrong_mode');
}

function numbersOf({ params, query, body }: FastifyRequest): string[] {
  const given = Object.assign({}, asFields(body), asFields(query), asFields(params));
  return numberFields.flatMap((name) => {
    const value = given[name];
    return typeof value === 'string' && value !== '' && value.length <= maxNumberLength ? [value] : [];
  });
}

const asFields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
