import { contactEndpoints } from '@hengfu/contract/contact';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/http.ts';
import { shownInPlace } from '../../ui/in-place.ts';

/** Ways to reach the support team. */
export const contactOptions = queryOptions({
  queryKey: [contactEndpoints.list.path] as const,
  queryFn: async ({ signal }) => (await call(contactEndpoints.list, { signal })).data,
  meta: { inPlace: shownInPlace },
});
