import type { ApprovalDetail } from '@hengfu/contract/approvals';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import type { ReactElement } from 'react';
import { RuleList } from '../../shared/names/approval-rule-list.tsx';

/** The rules before and after a change that waits for approval. */
export function RulesChange({ of }: { of: NonNullable<ApprovalDetail['change']> }): ReactElement {
  const t = useT();
  return (
    <>
      <Section title={t('approvals.current')}>
        <RuleList of={of.before} />
      </Section>
      <Section title={t('approvals.proposed')}>
        <RuleList of={of.after} />
      </Section>
    </>
  );
}
