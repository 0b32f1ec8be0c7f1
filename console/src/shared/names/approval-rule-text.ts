import { type ApprovalRule, isSettingKind } from '@hengfu/contract/approval-rules';
import type { Currency } from '@hengfu/contract/money';
import { formatMoney } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';

/** Returns how a rule reads in one line: kind, amount, number of approvals, roles and people. */
export function useRuleText(currency: Currency): (rule: ApprovalRule) => string {
  const t = useT();
  const language = useLanguage();
  return ({ kind, amount, approvers, roles, people }) => {
    const isEvery = /^[0.]+$/.test(amount);
    const from = isEvery
      ? t(isSettingKind(kind) ? 'approvals.everyChange' : 'approvals.every')
      : t('approvals.fromOn', { amount: formatMoney(amount, currency, language) });
    const who = [...roles.map((role) => t(`team.role.${role}`)), ...people.map(({ name }) => name)];
    return t('approvals.ruleText', {
      kind: t(`approvals.ruleKinds.${kind}`),
      from,
      needs: t('approvals.needs', { count: approvers }),
      who: who.join(t('ui.listComma')),
    });
  };
}
