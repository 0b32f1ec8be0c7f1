import { formatDay, formatInstant, formatMoney } from '../language/format.ts';
import { useLanguage, useT } from '../language/i18n.ts';
import { useUiSettings } from '../language/ui-settings.ts';
import { daysOf, type InstantRange, isWholeDays, presetOf } from './day-range.ts';
import { choicesOf } from './list-search.ts';
import type { ListFilter, ListSearch } from './list-types.ts';

/** Returns a function that formats a filter's current value for its chip; undefined if it is not set. */
export function useFilterText(): (filter: ListFilter, search: ListSearch) => string | undefined {
  const t = useT();
  const language = useLanguage();
  const { zone, currency } = useUiSettings();
  const money = (amount: string | undefined) => amount && formatMoney(amount, currency, language);

  const rangeText = (from: string | undefined, to: string | undefined) => {
    if (from !== undefined && to !== undefined) return from === to ? from : `${from} – ${to}`;
    if (from !== undefined) return t('ui.since', { value: from });
    return to === undefined ? undefined : t('ui.until', { value: to });
  };
  const daysText = (range: InstantRange) => {
    if (range.from === undefined && range.to === undefined) return undefined;
    const preset = presetOf(range, Date.now(), zone);
    if (preset) return t(`ui.preset.${preset}`);
    if (isWholeDays(range, zone)) {
      const { first, last } = daysOf(range, zone);
      const text = (day: string) => (day === '' ? undefined : formatDay(day, language));
      return rangeText(text(first), text(last));
    }
    const moment = (iso: string | undefined) => iso && formatInstant(iso, zone, language, 'minute');
    return rangeText(moment(range.from), moment(range.to));
  };
  return (filter, search) => {
    switch (filter.kind) {
      case 'text':
        return search[filter.name];
      case 'choice': {
        const chosen = new Set(choicesOf(search[filter.name]));
        const labels = filter.options
          .filter(({ value }) => chosen.has(value))
          .map((option) => option.text ?? t(option.label));
        return labels.length > 0 ? labels.join(t('ui.listComma')) : undefined;
      }
      case 'days':
        return daysText({ from: search[filter.from], to: search[filter.to] });
      case 'amount':
        return rangeText(money(search[filter.from]), money(search[filter.to]));
    }
  };
}
