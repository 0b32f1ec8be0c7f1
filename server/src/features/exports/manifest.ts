import { exportColumns } from '@hengfu/contract/export-columns';
import { translate } from '#language.ts';
import type { ExportTask } from './exports.sql.ts';

/** What a file holds, for whoever is handed it. */
export interface ManifestFacts {
  rows: number;
  sums: readonly { key: string; currency: string; amount: string }[];
  createdBy: string;
  merchant: string;
  /** Hexadecimal; absent inside the file itself, which can't hold its own. */
  sha256?: string;
}

/** The lines of a manifest: names and values, in the file's language. */
export function manifestLines(task: ExportTask, facts: ManifestFacts): [name: string, value: string][] {
  const { language, list, columns, zone } = task;
  const t = (key: Parameters<typeof translate>[1]) => translate(language, key);
  const titles = new Map(exportColumns[list].map(({ key, title }) => [key, t(title)]));
  const filters = Object.entries(task.filters as Record<string, string>);
  return [
    [t('exports.title'), t(`exports.lists.${list}`)],
    [t('exports.export_no'), task.export_no],
    [t('exports.merchant'), facts.merchant],
    [t('exports.createdBy'), facts.createdBy],
    [t('exports.createdAt'), task.created_at.toISOString()],
    [t('exports.zone'), zone],
    [t('exports.rowCount'), String(facts.rows)],
    ...facts.sums.map(({ key, currency, amount }): [string, string] => [
      `${t('exports.sum')} ${titles.get(key) ?? key}`,
      `${amount} ${currency}`,
    ]),
    [t('exports.columns'), columns.map((key) => titles.get(key) ?? key).join(', ')],
    ...(filters.length === 0
      ? [[t('exports.filters'), t('exports.noFilters')] as [string, string]]
      : filters.map(([name, value]): [string, string] => [`${t('exports.filters')}: ${name}`, value])),
    ...(facts.sha256 === undefined ? [] : [['SHA-256', facts.sha256] as [string, string]]),
  ];
}
