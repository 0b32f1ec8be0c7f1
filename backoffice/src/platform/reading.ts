import type { CallArguments } from '@hengfu/client/request.ts';
import type { EndpointShape, ReplyOf } from '@hengfu/contract/endpoint';
import { queryOptions } from '@tanstack/react-query';
import { call } from './http.ts';

type DataOf<E extends EndpointShape> = ReplyOf<E> extends { data: infer D } ? D : never;

/** Builds the query options of a read endpoint. The key is the endpoint's path, the values of its path parameters, and its query. */
export function reading<E extends EndpointShape>(endpoint: E, ...args: CallArguments<E>) {
  const input: object = args[0] ?? {};
  const params = 'params' in input && input.params ? Object.values(input.params) : [];
  const query = 'query' in input && input.query ? [input.query] : [];
  return queryOptions({
    queryKey: [endpoint.path, ...params.map(String), ...query] as const,
    queryFn: async ({ signal }): Promise<DataOf<E>> => {
      const reply = await call(endpoint, ...([{ ...input, signal }] as CallArguments<E>));
      return (reply as { data: DataOf<E> }).data;
    },
  });
}
