import { formatAmount } from '@hengfu/contract/money';
import type { SearchHit, searchEndpoints } from '@hengfu/contract/search';
import type { Handlers } from '#http/bind.ts';
import type { SearchService } from './search.service.ts';

/** Handles the console's search. */
export function searchHandlers(service: SearchService): Handlers<typeof searchEndpoints> {
  return { find: async ({ caller, query }) => ({ data: (await service.find(caller, query.q)).map(toHit) }) };
}

type Hit = Awaited<ReturnType<SearchService['find']>>[number];

function toHit({ amountMinor, createdAt, ...hit }: Hit): SearchHit {
  const amount =
    amountMinor === null || hit.currency === null ? null : formatAmount(amountMinor, hit.currency);
  // The reply's schema checks that the status fits the kind.
  return { ...hit, amount, createdAt: createdAt.toISOString() } as SearchHit;
}
