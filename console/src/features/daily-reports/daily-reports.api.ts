import { type DailyReportQuery, dailyReportEndpoints, type MovedQuery } from '@hengfu/contract/daily-reports';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/http.ts';

/** The days of a range under an offset. */
export function reportOptions(query: DailyReportQuery) {
  return queryOptions({
    queryKey: [dailyReportEndpoints.list.path, query],
    queryFn: ({ signal }) => call(dailyReportEndpoints.list, { query, signal }),
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  });
}

/** The months of a range under an offset. */
export function monthsOptions(query: DailyReportQuery) {
  return queryOptions({
    queryKey: [dailyReportEndpoints.months.path, query],
    queryFn: ({ signal }) => call(dailyReportEndpoints.months, { query, signal }),
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  });
}

/** The orders that two offsets count to different days. */
export function movedOptions(query: MovedQuery) {
  return queryOptions({
    queryKey: [dailyReportEndpoints.moved.path, query],
    queryFn: async ({ signal }) => (await call(dailyReportEndpoints.moved, { query, signal })).data,
    meta: { inPlace: true },
  });
}
