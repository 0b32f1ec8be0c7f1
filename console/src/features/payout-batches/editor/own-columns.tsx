import { batchHeadingEndpoints } from '@hengfu/contract/batch-headings';
import { batchFieldsOf } from '@hengfu/contract/payout-batch-rows';
import { Select } from '@hengfu/ui/controls/select.tsx';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { type ReactElement, useId } from 'react';
import { call } from '../../../platform/http.ts';
import { type Draft, hasColumn, mapColumn } from './batch-draft.ts';
import styles from './batch-editor.module.css';
import type { OwnColumn } from './batch-file.rules.ts';

/** The columns under headings that the template does not have: what each of them holds is chosen here. */
export function OwnColumns({ draft }: { draft: Draft }): ReactElement {
  const t = useT();
  return (
    <Section isCard title={t('payoutBatches.columnsTitle')}>
      <p className={styles.none}>{t('payoutBatches.columnsHint')}</p>
      <div className={styles.columns}>
        {draft.columns.map((column, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same heading; none moves.
          <ColumnChoice key={at} draft={draft} column={column} at={at} />
        ))}
      </div>
    </Section>
  );
}

interface ColumnChoiceProps {
  draft: Draft;
  column: OwnColumn;
  /** Its position among these columns. */
  at: number;
}

/** Maps a column to a field, and remembers its heading for the merchant's next files. */
function ColumnChoice({ draft, column, at }: ColumnChoiceProps): ReactElement {
  const t = useT();
  const id = useId();
  const { heading, field, values } = column;
  const example = values.find((value) => value !== '');
  const remember = useAction({
    mutationFn: async (chosen: typeof field) => {
      const body = { heading, field: chosen ?? null };
      // A heading of signs alone, or a very long one, is not remembered.
      if (batchHeadingEndpoints.save.body.safeParse(body).success)
        await call(batchHeadingEndpoints.save, { body });
    },
  });
  const free = batchFieldsOf(draft.channel).filter((one) => one === field || !hasColumn(draft, one));
  return (
    <div className={styles.channel}>
      <label htmlFor={id}>{heading}</label>
      <Select
        look="field"
        id={id}
        value={field ?? ''}
        aria-describedby={`${id}-example`}
        onChange={({ target }) => {
          const chosen = free.find((one) => one === target.value);
          mapColumn(at, chosen);
          remember.mutate(chosen);
        }}
      >
        <option value="">{t('payoutBatches.columnUnused')}</option>
        {free.map((one) => (
          <option key={one} value={one}>
            {t(`payoutBatches.column.${one}`)}
          </option>
        ))}
      </Select>
      <span id={`${id}-example`} className={styles.example}>
        {example && t('payoutBatches.columnExample', { value: example })}
      </span>
    </div>
  );
}
