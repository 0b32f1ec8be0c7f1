import type { ApprovalRules } from '@hengfu/contract/approval-rules';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import { useUser } from '../../platform/session-store.ts';
import styles from './approval-rule-list.module.css';
import { useRuleText } from './approval-rule-text.ts';

/** Rules as sentences. */
export function RuleList({ of: { rules, days } }: { of: ApprovalRules }): ReactElement {
  const t = useT();
  const textOf = useRuleText(useUser().merchant.currency);
  if (rules.length === 0) return <p className={styles.note}>{t('approvals.noRules')}</p>;
  return (
    <>
      <ul className={styles.rules}>
        {rules.map((rule) => (
          <li key={`${rule.kind} ${rule.amount}`}>{textOf(rule)}</li>
        ))}
      </ul>
      <p className={styles.note}>{t('approvals.expiry', { count: days })}</p>
    </>
  );
}
