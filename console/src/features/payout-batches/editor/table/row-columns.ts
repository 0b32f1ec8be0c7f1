import { bankNameIn, banksOf } from '@hengfu/contract/banks';
import type { ChannelCode } from '@hengfu/contract/channels';
import type { Language } from '@hengfu/contract/languages';
import { type BatchField, batchFieldsOf } from '@hengfu/contract/payout-batch-rows';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import type { ComboboxOption } from '@hengfu/ui/overlays/combobox-options.ts';
import { useMemo } from 'react';

/** A field of the rows, with its texts. */
export interface RowColumn {
  field: BatchField;
  label: string;
  /** Names its cell in a row, whose number is given as text. */
  cellLabel: (line: string) => string;
  /** Of a field that is one of many. */
  options?: readonly ComboboxOption[];
}

/** Stands for the number of the row; never occurs in a phrase. */
const marker = '\u{FFFC}';

/** The columns of a channel. Their texts and choices are made once: scrolling renders hundreds of cells. */
export function useRowColumns(channel: ChannelCode): readonly RowColumn[] {
  const t = useT();
  const language = useLanguage();
  return useMemo(
    () =>
      batchFieldsOf(channel).map((field) => {
        const label = t(`payoutBatches.column.${field}`);
        const phrase = t('payoutBatches.cell', { line: marker, column: label });
        return {
          field,
          label,
          cellLabel: (line: string) => phrase.replace(marker, line),
          ...(field === 'bank' && { options: bankOptions(channel, language) }),
        };
      }),
    [t, language, channel],
  );
}

function bankOptions(channel: ChannelCode, language: Language): ComboboxOption[] {
  return (banksOf[channel] ?? []).map((bank) => ({
    value: bank.code,
    label: bankNameIn(bank, language),
    keywords: [bank.code, bank.name, bank.latinName, bank.initials].filter((word) => word !== undefined),
  }));
}
