import { ApiError } from '@hengfu/client/api-error.ts';
import type { Grant, RoleCode } from '@hengfu/contract/permissions';
import { type TeamMember, teamEndpoints } from '@hengfu/contract/team';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { Form } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { call } from '../../platform/http.ts';
import { useForm } from '../../shared/forms/use-form.ts';
import { RoleChoice } from './role-choice.tsx';
import { grantBy, teamOptions, useOwnRoles } from './team.api.ts';
import styles from './team.module.css';

interface RolesDialogProps {
  member: TeamMember;
  /** Called with the number of the request, if the change waits for approval. */
  onDone: (requestNo: string | null) => void;
  onClose: () => void;
}

/** Changes the roles of a member. */
export function RolesDialog({ member, onDone, onClose }: RolesDialogProps): ReactElement {
  const t = useT();
  const [chosen, setChosen] = useState<RoleCode[]>(member.roles);
  // The roles as they were shown: a colleague's change in the meantime must not be undone.
  const [from, setFrom] = useState(member.roles);
  const own = useOwnRoles();
  const losesKey = canReadKey(grantBy(own, from)) && !canReadKey(grantBy(own, chosen));
  const client = useQueryClient();
  /** Shows the roles that a colleague has given meanwhile. */
  const showCurrent = async () => {
    const team = await client.fetchQuery({ ...teamOptions, staleTime: 0 }).catch(() => undefined);
    const current = team?.members.find(({ id }) => id === member.id);
    if (!current) return;
    setFrom(current.roles);
    setChosen(current.roles);
  };
  const form = useForm({
    send: () =>
      call(teamEndpoints.setRoles, {
        params: { member_id: member.id },
        body: { roles: chosen, from },
      }).catch(async (error: unknown) => {
        if (isConflict(error)) await showCurrent();
        throw error;
      }),
    onDone: ({ data }) => onDone(data.request_no),
    inPlace: ['roles_exceed', 'own_membership', 'last_owner', 'approvers_missing'],
  });
  return (
    <Dialog title={t('team.changeRolesTitle', { name: member.name })} onClose={onClose}>
      <Form
        state={isConflict(form.error) ? { ...form, refusal: t('team.rolesChanged') } : form}
        action={t('team.save')}
        extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
      >
        <RoleChoice form={form} chosen={chosen} onChange={setChosen} />
        <p className={styles.note}>{t('team.rolesHint')}</p>
        {losesKey && <Notice tone="waiting">{t('team.rotateKey', { name: member.name })}</Notice>}
      </Form>
    </Dialog>
  );
}

const isConflict = (error: unknown): boolean => error instanceof ApiError && error.code === 'conflict';

/** Whether a person's roles have allowed reading the secret of the access key. */
export function canReadKey({ perms }: Pick<Grant, 'perms'>): boolean {
  return perms.includes('access.manage');
}
