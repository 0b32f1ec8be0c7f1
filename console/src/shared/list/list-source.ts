import { ApiError } from '@hengfu/client/api-error.ts';
import { shownInPlace } from '@hengfu/client/in-place.ts';
import type { ExportList } from '@hengfu/contract/export-columns';
import { type CountedList, countedLists, totalEndpoints } from '@hengfu/contract/totals';
import type { ListSource, QueryValues } from '@hengfu/ui/list/list-source.ts';
import type { Totals } from '@hengfu/ui/list/list-types.ts';
import { useMemo } from 'react';
import { callLines } from '../../platform/http.ts';
import { listKey } from '../../platform/query-client.ts';
import { explain } from '../failure.tsx';
import { type ListEndpoint, type PathParams, pageQuery } from './list-query.ts';

/** The rows of an endpoint as a list's source. A list that can be exported can be counted exactly. */
export function useListSource<R>(
  endpoint: ListEndpoint<R>,
  params: PathParams | undefined,
  exportAs: ExportList | undefined,
): ListSource<R> {
  return useMemo(() => {
    const counted = countedLists.find((list) => list === exportAs);
    return {
      query: endpoint.query,
      fixed: params,
      key: listKey(endpoint),
      page: (query) => pageQuery(endpoint, query, params),
      ...(counted && { totals: (filters, onProgress) => totalsQuery(counted, filters, onProgress) }),
      explain,
    };
  }, [endpoint, params, exportAs]);
}

const totalsQuery = (
  list: CountedList,
  filters: QueryValues,
  onProgress: (counted: number | undefined) => void,
) => ({
  queryKey: [totalEndpoints.count.path, list, filters],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Totals> => {
    onProgress(undefined);
    const input = { body: { list, filters: { ...filters } }, signal };
    const last = await callLines(totalEndpoints.count, input, (line) => {
      if ('counted' in line) onProgress(line.counted);
    });
    // The connection ended before the count did.
    if (!('data' in last)) throw new ApiError({ status: 0, code: 'network', message: '' });
    return last.data;
  },
  meta: { inPlace: shownInPlace },
});
