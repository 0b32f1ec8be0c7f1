import type { ApprovalDetail, ApprovalMark } from '@hengfu/contract/approvals';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import type { ReactElement } from 'react';
import styles from './approvals.module.css';

/** The labels of the values of marks; those that are missing here were one thing before, and are another one now. */
const beforeLabels: Readonly<Partial<Record<ApprovalMark, PhraseKey>>> = {
  fundsTooLow: 'approvals.fundsNeeded',
};
const afterLabels: Readonly<Partial<Record<ApprovalMark, PhraseKey>>> = {
  newAccount: 'approvals.account',
  equalPayment: 'approvals.order',
};

/** Lists what an approver has to know, before and now. */
export function Marks({ of }: { of: ApprovalDetail }): ReactElement {
  const t = useT();
  const isOfBatch = of.kind === 'batch';
  return (
    <Section title={t('approvals.marks')}>
      {of.marks.length === 0 && <p className={styles.note}>{t('approvals.noMarks')}</p>}
      <ul className={styles.marks}>
        {of.marks.map(({ mark, before, after }) => (
          <li key={mark}>
            <Icon name="alert" size={18} />
            <div>
              <p>{t(`approvals.mark.${mark}`)}</p>
              {before !== null && (
                <p className={styles.note}>
                  {t(beforeLabels[mark] ?? 'approvals.before', { value: before })}
                </p>
              )}
              {after !== null && (
                <p className={styles.note}>
                  {t(isOfBatch ? 'approvals.markOfPayouts' : (afterLabels[mark] ?? 'approvals.after'), {
                    value: after,
                  })}
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
