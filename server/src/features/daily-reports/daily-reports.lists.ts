import { dailyReportQuery } from '@hengfu/contract/daily-reports';
import type { Exportable } from '#domain/exportable.sql.ts';
import { timeFiltersOf } from '#domain/time-filters.ts';
import { validate } from '#domain/validate.ts';
import { readDays } from './daily-reports.sql.ts';
import { toReport } from './daily-reports.view.ts';

/** The days of a report, which are computed rather than listed. */
export const dailyReportExport: Exportable = {
  check: (filters) => void validate(dailyReportQuery, filters),
  timeFilters: timeFiltersOf(dailyReportQuery),
  async *read(tx, { currency }, filters) {
    const query = validate(dailyReportQuery, filters);
    const days = await readDays(tx, currency, query);
    yield days.map((day) => ({ ...toReport(day, query.offset, currency), currency }));
  },
};
