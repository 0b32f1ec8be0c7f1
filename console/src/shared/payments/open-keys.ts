import { ApiError } from '@hengfu/client/api-error.ts';
import { newIdempotencyKey } from '../../platform/new-key.ts';
import { sessionUser } from '../../platform/session-store.ts';

/** Keys of payments whose outcome is unknown, by their content. */
const openKeys = new Map<string, string>();
let owner: string | undefined;

/**
 * Returns the idempotency key for a payment: the one of an earlier attempt with the same content whose outcome is unknown, so that
 * repeating it cannot pay twice, or else a new one.
 */
export function keyFor(content: string): string {
  const user = sessionUser();
  const current = user ? `${user.id}.${user.merchant.code}` : undefined;
  if (current !== owner) openKeys.clear();
  owner = current;
  return openKeys.get(content) ?? newIdempotencyKey();
}

/** Sends a payment, and keeps its key until its outcome is known. */
export async function sendWithKey<R>(content: string, key: string, send: () => Promise<R>): Promise<R> {
  const isRepetition = openKeys.has(content);
  openKeys.set(content, key);
  try {
    const reply = await send();
    openKeys.delete(content);
    return reply;
  } catch (error) {
    // The refusal of a repetition (a wrong password) says nothing about the attempt before.
    if (!isRepetition && error instanceof ApiError && isRefusal(error)) openKeys.delete(content);
    throw error;
  }
}

/** Whether the server has certainly done nothing under the key: not if an earlier attempt is under way or was carried out. */
const isRefusal = ({ status, code }: ApiError) =>
  status >= 400 && status < 500 && code !== 'idempotency_in_flight' && code !== 'idempotency_key_reused';
