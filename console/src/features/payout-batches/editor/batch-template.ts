import { banksOf } from '@hengfu/contract/banks';
import { type ChannelCode, channelCatalogue } from '@hengfu/contract/channels';
import { csvText } from '@hengfu/contract/csv';
import { batchFieldsOf } from '@hengfu/contract/payout-batch-rows';
import type { Translate } from '@hengfu/ui/language/i18n.ts';
import { saveFile } from '../../../platform/save-file.ts';

/**
 * Empty rows of the template, formatted as text so that a spreadsheet keeps all digits of an account. With
 * more rows the library would zip in a worker made from a blob, which the content security policy forbids.
 */
const textRows = 600;

/** Downloads a channel's XLSX template, with headings in the reader's language. */
export async function saveXlsxTemplate(channel: ChannelCode, t: Translate): Promise<void> {
  saveFile(await xlsxTemplate(channel, t), `${nameOf(channel, t)}.xlsx`);
}

/** Builds the XLSX template: a sheet for the rows, and one that explains the fields. */
export async function xlsxTemplate(channel: ChannelCode, t: Translate): Promise<Blob> {
  const { default: writeXlsxFile } = await import('write-excel-file/universal');
  const fields = batchFieldsOf(channel);
  const bold = (value: string) => ({ value, fontWeight: 'bold' as const });
  const empty = fields.map(() => ({ value: '', type: String, format: '@' }));
  const { currency } = channelCatalogue[channel];
  const notes = fields.map((field) => [
    t(`payoutBatches.column.${field}`),
    t(`payoutBatches.note.${field}`, { currency }),
  ]);
  const banks = (banksOf[channel] ?? []).map(({ code, name, latinName }) => [
    code,
    latinName ? `${name} (${latinName})` : name,
  ]);
  const bankList =
    banks.length === 0
      ? []
      : [[], [bold(t('payoutBatches.sheet.code')), bold(t('payoutBatches.sheet.name'))], ...banks];
  const file = writeXlsxFile([
    {
      sheet: t('payoutBatches.sheet.rows'),
      columns: fields.map(() => ({ width: 24 })),
      stickyRowsCount: 1,
      data: [
        fields.map((field) => bold(t(`payoutBatches.column.${field}`))),
        ...Array.from({ length: textRows }, () => empty),
      ],
    },
    {
      sheet: t('payoutBatches.sheet.notes'),
      columns: [{ width: 28 }, { width: 60 }],
      data: [
        [bold(t('payoutBatches.sheet.field')), bold(t('payoutBatches.sheet.meaning'))],
        ...notes,
        ...bankList,
      ],
    },
  ]);
  return file.toBlob();
}

/** Downloads a channel's CSV template. */
export function saveCsvTemplate(channel: ChannelCode, t: Translate): void {
  saveFile(csvTemplate(channel, t), `${nameOf(channel, t)}.csv`);
}

/** Builds the CSV template: headings only, with a byte order mark so that Excel reads UTF-8. */
export function csvTemplate(channel: ChannelCode, t: Translate): Blob {
  const headings = batchFieldsOf(channel).map((field) => csvText(t(`payoutBatches.column.${field}`)));
  return new Blob([`\uFEFF${headings.join(',')}\r\n`], { type: 'text/csv' });
}

function nameOf(channel: ChannelCode, t: Translate): string {
  return `${t('payoutBatches.template')} ${t(`channels.${channel}`)}`;
}
