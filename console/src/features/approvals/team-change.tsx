import type { ApprovalDetail } from '@hengfu/contract/approvals';
import { nothing } from '@hengfu/ui/language/format.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import type { ReactElement } from 'react';
import { RoleNamesInLine } from '../../shared/names/role-name.tsx';

/** The person whose roles a request changes, with the roles before and after. */
export function TeamChange({ of }: { of: NonNullable<ApprovalDetail['team']> }): ReactElement {
  const t = useT();
  const { action, person, before, after } = of;
  return (
    <Section title={t(`approvals.teamAction.${action}`)}>
      <Fields
        fields={[
          { label: t('approvals.person'), value: person, isWide: true },
          {
            label: t('approvals.rolesBefore'),
            value: before.length === 0 ? nothing : <RoleNamesInLine of={before} />,
          },
          { label: t('approvals.rolesAfter'), value: <RoleNamesInLine of={after} /> },
        ]}
      />
    </Section>
  );
}
