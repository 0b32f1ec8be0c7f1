import { covers, type RoleCode, roles } from '@hengfu/contract/permissions';
import { inOrder } from '@hengfu/contract/role-codes';
import { Checkbox } from '@hengfu/ui/controls/checkbox.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { type ReactElement, useId } from 'react';
import { useUser } from '../../platform/session-store.ts';
import { roleText } from '../../shared/names/role-name.tsx';
import { roleExplained } from './role-explained.ts';
import { grantBy, useOwnRoles } from './team.api.ts';
import styles from './team.module.css';

interface RoleChoiceProps {
  form: FormState;
  chosen: readonly RoleCode[];
  onChange: (chosen: RoleCode[]) => void;
}

/** Chooses roles among those that the user may give; each says what it allows. */
export function RoleChoice({ form, chosen, onChange }: RoleChoiceProps): ReactElement {
  const t = useT();
  const id = useId();
  const user = useUser();
  const own = useOwnRoles();
  const all: RoleCode[] = [...roles, ...own.map(({ code }) => code)];
  const fault = form.faults.roles;
  return (
    <fieldset className={styles.choice} aria-describedby={`${id}-fault`}>
      <legend>{t('team.roles')}</legend>
      {all
        .filter((role) => chosen.includes(role) || covers(user, grantBy(own, [role])))
        .map((role) => (
          <div key={role}>
            <Checkbox
              name="roles"
              value={role}
              aria-describedby={`${id}-${role}`}
              checked={chosen.includes(role)}
              onChange={({ target }) => {
                form.forget('roles');
                onChange(
                  inOrder(all.filter((other) => (other === role ? target.checked : chosen.includes(other)))),
                );
              }}
            >
              {roleText(t, role, own)}
            </Checkbox>
            <p id={`${id}-${role}`} className={styles.note}>
              {roleExplained(t, role, own)}
            </p>
          </div>
        ))}
      <p id={`${id}-fault`} className={styles.fault}>
        {fault}
      </p>
    </fieldset>
  );
}
