import type { EndpointShape, ReplyOf } from '@hengfu/contract/endpoint';
import { queryOptions } from '@tanstack/react-query';
import { type CallArguments, call } from './http.ts';
import { shownInPlace } from './in-place.ts';

type DataOf<E extends EndpointShape> = ReplyOf<E> extends { data: infer D } ? D : never;

/**
 * A call that reads, as a query. Its key is the endpoint's path and then the values of its parameters, so that
 * `[endpoint.path]` stands for all of them; what it answers is the reply's `data`. Its screen shows its failure itself.
 */
export function reading<E extends EndpointShape>(endpoint: E, ...args: CallArguments<E>) {
  const input: object = args[0] ?? {};
  const params = 'params' in input && input.params ? Object.values(input.params) : [];
  return queryOptions({
    queryKey: [endpoint.path, ...params.map(String)] as const,
    queryFn: async ({ signal }): Promise<DataOf<E>> => {
      const reply = await call(endpoint, ...([{ ...input, signal }] as CallArguments<E>));
      return (reply as { data: DataOf<E> }).data;
    },
    meta: { inPlace: shownInPlace },
  });
}
