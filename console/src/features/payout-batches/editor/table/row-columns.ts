import type { ChannelCode } from '@hengfu/contract/channels';
import { type BatchField, batchFieldsOf } from '@hengfu/contract/payout-batch-rows';
import { formatCount } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { useMemo } from 'react';

/** A field of the rows, with its texts. */
export interface RowColumn {
  field: BatchField;
  label: string;
  /** Names its cell in a row. */
  cellLabel: (line: number) => string;
}

/** Stands for the number of the row; never occurs in a phrase. */
const marker = '\u{FFFC}';

/** The columns of a channel. Their texts are translated once: scrolling renders hundreds of cells. */
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
          cellLabel: (line: number) => phrase.replace(marker, formatCount(line, language)),
        };
      }),
    [t, language, channel],
  );
}
