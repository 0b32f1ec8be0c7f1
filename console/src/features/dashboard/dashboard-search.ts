import { type DashboardQuery, dashboardQuery } from '@hengfu/contract/dashboard';
import type { PageSearch } from '@hengfu/ui/browser/page-place.ts';

/** The search parameters of the dashboard; any may be missing. */
export type DashboardSearch = { [Name in keyof DashboardQuery]?: DashboardQuery[Name] | undefined };

/** Today, as shown unless the address says otherwise. */
const today: DashboardQuery = { period: 'today' };

/**
 * Returns the period that the address names. If its days are invalid, returns today's with the phrase that says why; an unknown
 * period counts as none.
 */
export function periodOf(search: PageSearch): { query: DashboardQuery; fault?: string } {
  const { period, from, to } = search;
  const asked = dashboardQuery.safeParse({
    ...(period !== undefined && { period }),
    ...(period === 'range' && { from, to }),
  });
  if (asked.success) return { query: asked.data };
  const fault = period === 'range' ? asked.error.issues[0]?.message : undefined;
  return { query: today, ...(fault !== undefined && { fault }) };
}
