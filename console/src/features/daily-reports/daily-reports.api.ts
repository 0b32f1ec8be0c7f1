import { type DailyReportQuery, dailyReportEndpoints, type MovedQuery } from '@hengfu/contract/daily-reports';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/http.ts';

/** The days of a range at a UTC offset. */
export function reportOptions(query: DailyReportQuery) {
  return queryOptions({
    queryKey: [dailyReportEndpoints.list.path, query],
    queryFn: ({ signal }) => call(dailyReportEndpoints.list, { query, signal }),
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  });
}

/** The months of a range at a UTC offset. */
export function monthsOptions(query: DailyReportQuery) {
  return queryOptions({
    queryKey: [dailyReportEndpoints.months.path, query],
    queryFn: ({ signal }) => call(dailyReportEndpoints.months, { query, signal }),
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  });
}

/** The orders that fall on different days at two offsets. */
export function movedOptions(query: MovedQuery) {
  return queryOptions({
    queryKey: [dailyReportEndpoints.moved.path, query],
    queryFn: async ({ signal }) => (await call(dailyReportEndpoints.moved, { query, signal })).data,
    meta: { inPlace: true },
  });
}
