import { ApiError } from '@hengfu/client/api-error.ts';
import { useState } from 'react';
import { newIdempotencyKey } from '../../platform/new-key.ts';

/**
 * Sends a form with an idempotency key of its own, so that one sent twice is carried out once. If an earlier attempt was carried out, whose
 * reply was lost, the next one with other values is refused; the one after that has a new key, because its sender knows by then.
 */
export function useSentOnce(): <R>(send: (idempotencyKey: string) => Promise<R>) => Promise<R> {
  const [key, setKey] = useState(newIdempotencyKey);
  return async (send) => {
    try {
      return await send(key);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'idempotency_key_reused') setKey(newIdempotencyKey());
      throw error;
    }
  };
}
