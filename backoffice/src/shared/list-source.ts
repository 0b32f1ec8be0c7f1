import { ApiError } from '@hengfu/client/api-error.ts';
import { shownInPlace } from '@hengfu/client/in-place.ts';
import type { CallArguments } from '@hengfu/client/request.ts';
import type { EndpointShape, ReplyOf } from '@hengfu/contract/endpoint';
import type { ListSource } from '@hengfu/ui/list/list-source.ts';
import type { ListReply } from '@hengfu/ui/list/list-types.ts';
import { messageOf } from '../platform/failures.ts';
import { call } from '../platform/http.ts';

type RowOf<E extends EndpointShape> = ReplyOf<E> extends ListReply<infer R> ? R : never;

/**
 * The rows of an endpoint as a list's source, with the values of its path if it has any. Call it once for a list: the source must stay
 * the same object.
 */
export function listSource<E extends EndpointShape & Pick<ListSource<unknown>, 'query'>>(
  endpoint: E,
  params?: Readonly<Record<string, string>>,
): ListSource<RowOf<E>> {
  const key = [endpoint.path, ...Object.values(params ?? {})];
  return {
    query: endpoint.query,
    key,
    page: (query) => ({
      queryKey: [...key, query],
      queryFn: async ({ signal }) => {
        const reply = await call(
          endpoint,
          ...([{ query, signal, ...(params && { params }) }] as unknown as CallArguments<E>),
        );
        return reply as unknown as ListReply<RowOf<E>>;
      },
      meta: { inPlace: shownInPlace },
    }),
    explain: (error) => ({
      text: messageOf(error),
      requestId: error instanceof ApiError ? error.requestId : undefined,
    }),
  };
}
