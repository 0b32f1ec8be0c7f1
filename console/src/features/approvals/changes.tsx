import type { ApprovalDetail } from '@hengfu/contract/approvals';
import { nothing } from '@hengfu/ui/language/format.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import type { ReactElement } from 'react';
import { AccessChange } from '../../shared/access/access-change.tsx';
import { RuleList } from '../../shared/names/approval-rule-list.tsx';
import { PermDifference, PermList } from '../../shared/names/perm-difference.tsx';
import { RoleNamesInLine } from '../../shared/names/role-name.tsx';

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

/** The person whose roles a request changes, with the roles before and after. */
export function TeamChange({ of }: { of: NonNullable<ApprovalDetail['team']> }): ReactElement {
  const t = useT();
  const { action, person, before, after, own } = of;
  return (
    <Section title={t(`approvals.teamAction.${action}`)}>
      <Fields
        fields={[
          { label: t('approvals.person'), value: person, isWide: true },
          {
            label: t('approvals.rolesBefore'),
            value: before.length === 0 ? nothing : <RoleNamesInLine of={before} own={own} />,
          },
          { label: t('approvals.rolesAfter'), value: <RoleNamesInLine of={after} own={own} /> },
        ]}
      />
      {own.map(({ code, name, perms }) => (
        <PermList key={code} title={t('ownRoles.granted', { name })} of={perms} />
      ))}
    </Section>
  );
}

/** A role of the merchant's own before and after a change, with those who hold it. */
export function RoleChange({ of }: { of: NonNullable<ApprovalDetail['role']> }): ReactElement {
  const t = useT();
  const { before, after, holders } = of;
  return (
    <Section title={t('approvals.teamAction.role')}>
      <Fields
        fields={[
          { label: t('ownRoles.nameBefore'), value: before.name },
          ...(after.name === before.name ? [] : [{ label: t('ownRoles.nameAfter'), value: after.name }]),
          ...(after.description === before.description
            ? []
            : [
                {
                  label: t('ownRoles.descriptionBefore'),
                  value: before.description || nothing,
                  isWide: true,
                },
                { label: t('ownRoles.descriptionAfter'), value: after.description || nothing, isWide: true },
              ]),
          { label: t('ownRoles.holders'), value: holders.join(t('ui.listComma')) || nothing, isWide: true },
        ]}
      />
      <PermDifference before={before.perms} after={after.perms} />
    </Section>
  );
}

/** The access key, or the whitelist, before and after. */
export function AccessChangeSection({ of }: { of: NonNullable<ApprovalDetail['access']> }): ReactElement {
  const t = useT();
  return (
    <Section title={t(`approvals.access.${of.action}`)}>
      <AccessChange of={of} />
    </Section>
  );
}
