import type { PayoutChannel } from '@hengfu/contract/payouts';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { Select } from '@hengfu/ui/controls/select.tsx';
import { FileButton, useFileDrop } from '@hengfu/ui/form/file-drop.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useId, useState } from 'react';
import { headingsOptions } from '../payout-batch-check.api.ts';
import { startDraft } from './batch-draft.ts';
import styles from './batch-editor.module.css';

const accepted = '.csv,.txt,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

interface BatchStartProps {
  channels: readonly [PayoutChannel, ...PayoutChannel[]];
}

/** Starts a batch: a channel, its template, and the file. */
export function BatchStart({ channels }: BatchStartProps): ReactElement {
  const t = useT();
  const id = useId();
  const [code, setCode] = useState(channels[0].code);
  return (
    <Section isCard title={t('payoutBatches.fileTitle')}>
      <div className={styles.start}>
        <div className={styles.channel}>
          <label htmlFor={id}>{t('payouts.channel')}</label>
          <Select
            look="field"
            id={id}
            value={code}
            onChange={({ target }) => {
              const chosen = channels.find((one) => one.code === target.value);
              if (chosen) setCode(chosen.code);
            }}
          >
            {channels.map((channel) => (
              <option key={channel.code} value={channel.code}>
                {t(`channels.${channel.code}`)}
              </option>
            ))}
          </Select>
        </div>
        <Templates channel={code} />
        <FileDrop key={code} channel={code} />
      </div>
    </Section>
  );
}

function Templates({ channel }: { channel: PayoutChannel['code'] }): ReactElement {
  const t = useT();
  const save = useMutation({
    mutationFn: async (kind: 'xlsx' | 'csv') => {
      const { saveCsvTemplate, saveXlsxTemplate } = await import('./batch-template.ts');
      return kind === 'csv' ? saveCsvTemplate(channel, t) : saveXlsxTemplate(channel, t);
    },
  });
  return (
    <div className={styles.templates}>
      <Button icon="table" onClick={() => save.mutate('xlsx')}>
        {t('payoutBatches.templateExcel')}
      </Button>
      <Button icon="arrowDown" onClick={() => save.mutate('csv')}>
        {t('payoutBatches.templateCsv')}
      </Button>
      <p>{t('payoutBatches.templateHint')}</p>
    </div>
  );
}

/** Turns a chosen or dropped file into a draft. */
function FileDrop({ channel }: { channel: PayoutChannel['code'] }): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const read = useMutation({
    mutationFn: async (file: File) => {
      const [{ readFile }, remembered] = await Promise.all([
        import('./batch-file.ts'),
        // Without them, the columns are mapped by hand.
        client.fetchQuery(headingsOptions).catch(() => []),
      ]);
      return { file, found: await readFile(file, channel, remembered) };
    },
    onSuccess: ({ file, found }) => {
      if ('refusal' in found) return;
      const rows = found.rows.map((fields, index) => ({ line: index + 1, fields }));
      startDraft({ name: file.name, channel, named: found.named, columns: found.columns }, rows);
    },
  });
  const found = read.data?.found;
  const choose = (file: File | undefined) => {
    if (file && !read.isPending) read.mutate(file);
  };
  const { isOver, target } = useFileDrop(choose);
  return (
    <>
      {/* Dropping is an alternative to the button inside. */}
      <div className={styles.drop} data-over={isOver} {...target}>
        <FileButton accept={accepted} look="primary" onFile={choose}>
          {t('payoutBatches.choose')}
        </FileButton>
        <span role="status">{t(read.isPending ? 'payoutBatches.reading' : 'payoutBatches.drop')}</span>
      </div>
      {found && 'refusal' in found && <Notice tone="bad">{t(found.refusal, found.values)}</Notice>}
    </>
  );
}
