import { collectionEndpoints } from '@hengfu/contract/collections';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/http.ts';
import { shownInPlace } from '../../ui/in-place.ts';

/** Key of every order's detail, for invalidation. */
export const collectionDetailKey = [collectionEndpoints.get.path] as const;

/** One order with its timeline and callbacks. */
export function collectionOptions(tradeNo: string) {
  return queryOptions({
    queryKey: [...collectionDetailKey, tradeNo] as const,
    queryFn: async ({ signal }) => {
      const { data } = await call(collectionEndpoints.get, { params: { trade_no: tradeNo }, signal });
      return data;
    },
    meta: { inPlace: shownInPlace },
  });
}
