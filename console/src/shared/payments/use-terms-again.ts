import type { ApiError } from '@hengfu/client/api-error.ts';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** Reads the terms of a payment again once it has been refused because they have changed. */
export function useTermsAgain(error: ApiError | undefined, queryKey: QueryKey): void {
  const client = useQueryClient();
  const isStale = error?.code === 'terms_changed';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is a constant of its page.
  useEffect(() => {
    if (isStale) void client.invalidateQueries({ queryKey });
  }, [isStale, client]);
}
