import { type ExportColumn, type ExportList, filterColumn } from '@hengfu/contract/export-columns';
import { formatDay, formatInstant, formatMoney } from '@hengfu/ui/language/format.ts';
import { translateIssue, useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { daysOf, isWholeDays } from '@hengfu/ui/list/day-range.ts';
import { useUser } from '../../platform/session-store.ts';

/** The filters of an export, by the names of its list's query parameters. */
export interface FilteredExport {
  list: ExportList;
  filters: Readonly<Record<string, string>>;
  zone: string;
}

/** A filter with the values of its ends; a filter without ends has a `value`. */
interface Criterion {
  column: ExportColumn;
  value?: string;
  from?: string;
  to?: string;
}

/** Returns a function that describes an export's filters, one line each: "Status: Rejected". */
export function useFilterLines(): (exported: FilteredExport) => string[] {
  const t = useT();
  const language = useLanguage();
  const { currency } = useUser().merchant;

  const valueText = ({ kind, values, namesIn }: ExportColumn, value: string): string => {
    if (namesIn) return namesIn(language)[value] ?? value;
    if (kind === 'choice') {
      const names = value.split(',').map((one) => {
        const key = `${values}.${one}`;
        const name = translateIssue(key);
        return name === key ? one : name;
      });
      return names.join(t('ui.listComma'));
    }
    if (kind === 'money') return formatMoney(value, currency, language);
    if (kind === 'usd' || kind === 'usdt')
      return formatMoney(value, kind === 'usd' ? 'USD' : 'USDT', language);
    return /^\d{4}-\d\d-\d\d$/.test(value) ? formatDay(value, language) : value;
  };
  const rangeText = (from: string | undefined, to: string | undefined) => {
    if (from !== undefined && to !== undefined) return from === to ? from : `${from} – ${to}`;
    return from === undefined ? t('ui.until', { value: to ?? '' }) : t('ui.since', { value: from });
  };
  const endsText = ({ column, from, to }: Criterion, zone: string) => {
    if (column.kind !== 'time')
      return rangeText(from && valueText(column, from), to && valueText(column, to));
    const range = { from, to };
    if (isWholeDays(range, zone)) {
      const { first, last } = daysOf(range, zone);
      return rangeText(from && formatDay(first, language), to && formatDay(last, language));
    }
    const moment = (iso: string | undefined) => iso && formatInstant(iso, zone, language, 'minute');
    return rangeText(moment(from), moment(to));
  };
  return ({ list, filters, zone }) =>
    criteriaOf(list, filters).map((criterion) => {
      const { column, value } = criterion;
      const shown = value === undefined ? endsText(criterion, zone) : valueText(column, value);
      return t('ui.labelled', { label: t(column.title), value: shown });
    });
}

/** Groups filters by the column that they apply to, with both ends of a range together. */
export function criteriaOf(list: ExportList, filters: Readonly<Record<string, string>>): Criterion[] {
  const found = new Map<string, Criterion>();
  for (const [name, value] of Object.entries(filters)) {
    const filter = filterColumn(list, name);
    if (!filter) continue;
    const { column, end } = filter;
    const criterion = found.get(column.key) ?? { column };
    const side = end === undefined ? 'value' : end === 'ui.since' ? 'from' : 'to';
    found.set(column.key, { ...criterion, [side]: value });
  }
  return [...found.values()];
}
