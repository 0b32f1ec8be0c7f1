import { Button } from '@hengfu/ui/controls/button.tsx';
import { formatCount, nothing } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Count } from '@hengfu/ui/values/count.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { type ReactElement, type ReactNode, useState } from 'react';
import { type CheckResult, type Draft, dropDraft } from './batch-draft.ts';
import styles from './batch-editor.module.css';
import { DraftQuestion } from './draft-question.tsx';

interface BatchBarProps {
  draft: Draft;
  checked: CheckResult | undefined;
  /** Rows with errors, which the totals leave out. */
  wrongCount: number;
  isChecking: boolean;
  isReady: boolean;
  onGo: () => void;
}

/** The totals of a batch and the way on, in view while its rows scroll. */
export function BatchBar({
  draft,
  checked,
  wrongCount,
  isChecking,
  isReady,
  onGo,
}: BatchBarProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  const money = (amount: string | undefined): ReactNode =>
    checked && amount !== undefined ? <Money amount={amount} currency={checked.currency} /> : nothing;
  const figures = [
    { label: t('payoutBatches.count'), value: checked ? <Count of={checked.count} /> : nothing },
    { label: t('payouts.amount'), value: money(checked?.amount), isMinor: true },
    { label: t('payouts.fee'), value: money(checked?.fee), isMinor: true },
    { label: t('payouts.total'), value: money(checked?.total) },
    { label: t('payouts.available'), value: money(checked?.available) },
    { label: t('payoutBatches.faulty'), value: <Count of={wrongCount} />, isBad: wrongCount > 0 },
  ];
  return (
    <div className={styles.bar}>
      <Section isCard isTitleHidden title={t('payoutBatches.sumsTitle')}>
        <div className={styles.barParts}>
          <dl className={styles.figures}>
            {figures.map(({ label, value, isMinor = false, isBad = false }) => (
              <div key={label} data-minor={isMinor} data-bad={isBad}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <div className={styles.buttons}>
            <span role="status" className={styles.none}>
              {isChecking && t('payoutBatches.checking')}
            </span>
            <Discard draft={draft} />
            <Button look="primary" disabled={!isReady} onClick={onGo}>
              {t('payoutBatches.goOn', { count: formatCount(checked?.count ?? 0, language) })}
            </Button>
          </div>
        </div>
      </Section>
    </div>
  );
}

/** Drops the draft; asks first. */
function Discard({ draft: { name, rows } }: Pick<BatchBarProps, 'draft'>): ReactElement {
  const t = useT();
  const language = useLanguage();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => (rows.length > 0 ? setAsking(true) : dropDraft())}>
        {t('payoutBatches.discard')}
      </Button>
      {isAsking && (
        <DraftQuestion
          title={t('payoutBatches.discardTitle', { name })}
          lose={t('payoutBatches.discard')}
          onLose={dropDraft}
          keep={t('payoutBatches.keep')}
          onKeep={() => setAsking(false)}
        >
          {t('payoutBatches.discardText', { count: formatCount(rows.length, language) })}
        </DraftQuestion>
      )}
    </>
  );
}
