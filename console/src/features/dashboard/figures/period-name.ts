import type { DashboardQuery } from '@hengfu/contract/dashboard';
import { formatDay } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';

/** Returns a function that names a period: "Today", "7 days", "1 Nov 2026 – 10 Nov 2026". */
export function usePeriodName(): (query: DashboardQuery) => string {
  const t = useT();
  const language = useLanguage();
  return ({ period, from = '', to = '' }) => {
    if (period === 'today') return t('dashboard.today');
    if (period !== 'range') return t(`dashboard.period.${period}`);
    if (from === to) return formatDay(from, language);
    return t('dashboard.span', { from: formatDay(from, language), to: formatDay(to, language) });
  };
}
