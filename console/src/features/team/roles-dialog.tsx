import type { Role } from '@hengfu/contract/permissions';
import { type TeamMember, teamEndpoints } from '@hengfu/contract/team';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Form } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { type ReactElement, useState } from 'react';
import { call } from '../../platform/http.ts';
import { useForm } from '../../shared/forms/use-form.ts';
import { RoleChoice } from './role-choice.tsx';
import styles from './team.module.css';

interface RolesDialogProps {
  member: TeamMember;
  onDone: () => void;
  onClose: () => void;
}

/** Changes the roles of a member. */
export function RolesDialog({ member, onDone, onClose }: RolesDialogProps): ReactElement {
  const t = useT();
  const [chosen, setChosen] = useState<Role[]>(member.roles);
  const form = useForm({
    send: () =>
      call(teamEndpoints.setRoles, {
        params: { member_id: member.id },
        body: { roles: chosen, from: member.roles },
      }),
    onDone,
    inPlace: ['roles_exceed', 'own_membership', 'last_owner'],
  });
  return (
    <Dialog title={t('team.changeRolesTitle', { name: member.name })} onClose={onClose}>
      <Form
        state={form}
        action={t('team.save')}
        extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
      >
        <RoleChoice form={form} chosen={chosen} onChange={setChosen} />
        <p className={styles.note}>{t('team.rolesHint')}</p>
      </Form>
    </Dialog>
  );
}
