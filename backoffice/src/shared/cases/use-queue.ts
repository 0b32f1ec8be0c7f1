import type { CallArguments } from '@hengfu/client/request.ts';
import type { EndpointShape, ReplyOf } from '@hengfu/contract/endpoint';
import { casesPerPage } from '@hengfu/contract/staff/cases';
import type { FollowedTopic } from '@hengfu/contract/staff/events';
import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../../platform/http.ts';
import { useLive } from '../../platform/live.ts';

interface QueueReply<C> {
  data: C[];
}
type CaseOf<E extends EndpointShape> = ReplyOf<E> extends QueueReply<infer C> ? C : never;

/** The cases of a queue that have been read so far. */
export type Queue<C> = Pick<
  UseInfiniteQueryResult<C[], Error | null>,
  'data' | 'error' | 'refetch' | 'isPending' | 'hasNextPage' | 'fetchNextPage' | 'isFetchingNextPage'
>;

/** Reads a queue page by page, and asks again for the pages that are shown when one of the topics changes. */
export function useQueue<E extends EndpointShape>(
  endpoint: E,
  topics: readonly FollowedTopic[],
): Queue<CaseOf<E>> {
  useLive(topics, [endpoint.path]);
  return useInfiniteQuery({
    queryKey: [endpoint.path],
    queryFn: async ({ pageParam, signal }) => {
      const query = pageParam === undefined ? {} : { after: pageParam };
      const reply = await call(endpoint, ...([{ query, signal }] as unknown as CallArguments<E>));
      return (reply as unknown as QueueReply<CaseOf<E> & { trade_no: string }>).data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.length < casesPerPage ? undefined : page.at(-1)?.trade_no),
    select: ({ pages }): CaseOf<E>[] => pages.flat(),
  });
}
