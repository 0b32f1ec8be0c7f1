import type { Dashboard, DashboardQuery } from '@hengfu/contract/dashboard';
import { formatInstant } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';

interface Compared {
  query: DashboardQuery;
  data: Dashboard;
  /** A figure of the whole period, and the two figures that are compared, in words. */
  value: string;
  current: string;
  before: string;
}

/**
 * Returns a function that names the figures behind a change. The quarter-hour in progress has no counterpart: if the period's
 * figure is another one without it, that one is named as well, so that the change can be recalculated.
 */
export function useComparedText(): (compared: Compared) => string {
  const t = useT();
  const language = useLanguage();
  return ({ query, data, value, current, before }) => {
    const side = query.period === 'today' ? 'today' : 'period';
    const time = formatInstant(data.comparison?.currentSpan.to ?? data.asOf, data.zone, language, 'time');
    return current === value
      ? t(`dashboard.before.${side}`, { time, value: before })
      : t(`dashboard.before.${side}Partly`, { time, current, value: before });
  };
}
