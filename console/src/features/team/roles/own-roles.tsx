import type { OwnRole } from '@hengfu/contract/own-roles';
import type { Invitation, TeamMember } from '@hengfu/contract/team';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { type ReactElement, useState } from 'react';
import { HasPerm } from '../../../platform/session-store.ts';
import { OwnRoleList } from './own-role-list.tsx';
import { NewRoleDialog } from './role-editor.tsx';
import styles from './roles.module.css';

interface OwnRolesProps {
  team: { members: readonly TeamMember[]; invitations: readonly Invitation[]; roles: readonly OwnRole[] };
  onChanged: () => void;
}

/** The roles that the merchant has made, and the button that makes one. */
export function OwnRoles({ team: { members, invitations, roles }, onChanged }: OwnRolesProps): ReactElement {
  const t = useT();
  const [isMaking, setMaking] = useState(false);
  const make = (
    <HasPerm any={['team.manage']}>
      <Button onClick={() => setMaking(true)}>{t('ownRoles.make')}</Button>
    </HasPerm>
  );
  return (
    <Section isCard title={t('ownRoles.title')} extra={make}>
      <p className={styles.note}>{t('ownRoles.text')}</p>
      <OwnRoleList of={roles} members={members} invitations={invitations} onChanged={onChanged} />
      {isMaking && (
        <NewRoleDialog
          onDone={(_text, name) => {
            setMaking(false);
            toast('success', t('ownRoles.made', { name }), 'team');
            onChanged();
          }}
          onClose={() => setMaking(false)}
        />
      )}
    </Section>
  );
}
