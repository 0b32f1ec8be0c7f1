import { ApiError } from '@hengfu/client/api-error.ts';
import { type OwnRole, ownRoleEndpoints, ownRoleForm } from '@hengfu/contract/own-roles';
import { type Perm, permsOf, roles, withNeeded } from '@hengfu/contract/permissions';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Select } from '@hengfu/ui/controls/select.tsx';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import type { FormBody } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useId, useState } from 'react';
import { call } from '../../../platform/http.ts';
import { hasPerm, useUser } from '../../../platform/session-store.ts';
import { useForm } from '../../../shared/forms/use-form.ts';
import { PermDifference } from '../../../shared/names/perm-difference.tsx';
import { teamOptions, useOwnRoles } from '../team.api.ts';
import { PermChoice } from './perm-choice.tsx';
import { RolePreview } from './role-preview.tsx';
import styles from './roles.module.css';

interface EditorProps {
  onDone: (text: 'made' | 'saved', name: string, requestNo: string | null) => void;
  onClose: () => void;
}

const inPlace = [
  'roles_exceed',
  'own_membership',
  'approvers_missing',
  'quota_reached',
  'not_found',
] as const satisfies ApiError['code'][];

const textsIn = (body: FormBody) => ({ name: String(body.name), description: String(body.description) });

/** Makes a role from the list of permissions, or from a copy of another role. */
export function NewRoleDialog({ onDone, onClose }: EditorProps): ReactElement {
  const t = useT();
  const [chosen, setChosen] = useState<readonly Perm[]>([]);
  const form = useForm({
    // Before the login password is asked for.
    schema: ownRoleForm,
    send: (body) => call(ownRoleEndpoints.create, { body: { ...textsIn(body), perms: [...chosen] } }),
    onDone: ({ data }) => onDone('made', data.name, null),
    inPlace: [...inPlace],
  });
  return (
    <Dialog title={t('ownRoles.makeTitle')} isWide onClose={onClose}>
      <Form
        state={form}
        isWide
        action={t('ownRoles.create')}
        extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
      >
        <RoleTexts form={form} />
        <StartFrom onChosen={setChosen} />
        <PermChoice form={form} chosen={chosen} onChange={setChosen} />
      </Form>
    </Dialog>
  );
}

/** Changes a role of the merchant's own, and says for whom. */
export function RoleDialog({ role, onDone, onClose }: EditorProps & { role: OwnRole }): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const team = useQuery(teamOptions).data;
  // The role as it was shown: a colleague's change in the meantime must not be undone.
  const [seen, setSeen] = useState(role);
  const [missed, setMissed] = useState<OwnRole>();
  const [chosen, setChosen] = useState<readonly Perm[]>(role.perms);
  /** Shows the role as a colleague has left it meanwhile. */
  const showCurrent = async () => {
    const read = await client.fetchQuery({ ...teamOptions, staleTime: 0 }).catch(() => undefined);
    const current = read?.roles.find(({ code }) => code === role.code);
    if (!current) return;
    setMissed(seen);
    setSeen(current);
    setChosen(current.perms);
  };
  const form = useForm({
    // Before the login password is asked for.
    schema: ownRoleForm,
    send: (body) =>
      call(ownRoleEndpoints.change, {
        params: { role: role.code },
        body: { ...textsIn(body), perms: [...chosen], version: seen.version },
      }).catch(async (error: unknown) => {
        if (isConflict(error)) await showCurrent();
        throw error;
      }),
    onDone: ({ data }) => onDone('saved', seen.name, data.request_no),
    inPlace: [...inPlace],
  });
  const isShownAnew = isConflict(form.error) && missed !== undefined && missed.version !== seen.version;
  return (
    <Dialog title={t('ownRoles.changeTitle', { name: seen.name })} isWide onClose={onClose}>
      <Form
        state={isShownAnew ? { ...form, refusal: t('ownRoles.changedMeanwhile') } : form}
        isWide
        action={t('ownRoles.save')}
        extra={<Button onClick={onClose}>{t('profile.cancel')}</Button>}
      >
        <RoleTexts key={seen.version} form={form} of={seen} />
        <PermChoice form={form} chosen={chosen} onChange={setChosen} />
        {team && <RolePreview role={seen} after={withNeeded(chosen)} team={team} />}
        {isShownAnew && (
          <div className={styles.missed}>
            {missed.name !== seen.name && (
              <p>{t('ownRoles.renamed', { before: missed.name, after: seen.name })}</p>
            )}
            <PermDifference before={missed.perms} after={seen.perms} />
          </div>
        )}
      </Form>
    </Dialog>
  );
}

const isConflict = (error: unknown): boolean => error instanceof ApiError && error.code === 'conflict';

/** The fields for a role's name and description. */
function RoleTexts({ form, of }: { form: ReturnType<typeof useForm>; of?: OwnRole }): ReactElement {
  const t = useT();
  return (
    <>
      <TextField
        form={form}
        name="name"
        label={t('ownRoles.name')}
        defaultValue={of?.name}
        autoComplete="off"
        maxLength={40}
      />
      <TextField
        form={form}
        name="description"
        label={t('ownRoles.description')}
        hint={t('ownRoles.descriptionHint')}
        defaultValue={of?.description}
        autoComplete="off"
        maxLength={200}
      />
    </>
  );
}

/** Starts a new role with the permissions of another one, as far as the user may give them. Owners cannot be copied. */
function StartFrom({ onChosen }: { onChosen: (chosen: readonly Perm[]) => void }): ReactElement {
  const t = useT();
  const id = useId();
  const user = useUser();
  const own = useOwnRoles();
  const copies = [
    ...roles
      .filter((role) => role !== 'ROOT')
      .map((role) => ({ code: role as string, name: t(`team.role.${role}`), perms: permsOf([role]) })),
    ...own,
  ];
  return (
    <div className={styles.start}>
      <label htmlFor={id}>{t('ownRoles.startFrom')}</label>
      <Select
        id={id}
        look="field"
        onChange={({ target }) => {
          const copied = copies.find(({ code }) => code === target.value)?.perms ?? [];
          onChosen(copied.filter((perm) => hasPerm(user, perm)));
        }}
      >
        <option value="">{t('ownRoles.startEmpty')}</option>
        {copies.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </Select>
    </div>
  );
}
