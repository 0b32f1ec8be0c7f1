import { accountEndpoints } from '@hengfu/contract/account';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/http.ts';
import { shownInPlace } from '../../ui/in-place.ts';

/** The account's figures. */
export const accountOptions = queryOptions({
  queryKey: [accountEndpoints.get.path] as const,
  queryFn: async ({ signal }) => (await call(accountEndpoints.get, { signal })).data,
  meta: { inPlace: shownInPlace },
});
