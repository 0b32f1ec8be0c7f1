import { covers, type Role, roles } from '@hengfu/contract/permissions';
import { Checkbox } from '@hengfu/ui/controls/checkbox.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { type ReactElement, useId } from 'react';
import { useUser } from '../../platform/session-store.ts';
import styles from './team.module.css';

interface RoleChoiceProps {
  form: FormState;
  chosen: readonly Role[];
  onChange: (chosen: Role[]) => void;
}

/** Chooses roles among those that the user may give; each says what it allows. */
export function RoleChoice({ form, chosen, onChange }: RoleChoiceProps): ReactElement {
  const t = useT();
  const id = useId();
  const user = useUser();
  const fault = form.faults.roles;
  return (
    <fieldset className={styles.choice} aria-describedby={`${id}-fault`}>
      <legend>{t('team.roles')}</legend>
      {roles
        .filter((role) => chosen.includes(role) || covers(user.roles, [role]))
        .map((role) => (
          <div key={role}>
            <Checkbox
              name="roles"
              value={role}
              aria-describedby={`${id}-${role}`}
              checked={chosen.includes(role)}
              onChange={({ target }) => {
                form.forget('roles');
                onChange(roles.filter((other) => (other === role ? target.checked : chosen.includes(other))));
              }}
            >
              {t(`team.role.${role}`)}
            </Checkbox>
            <p id={`${id}-${role}`} className={styles.note}>
              {t(`team.roleText.${role}`)}
            </p>
          </div>
        ))}
      <p id={`${id}-fault`} className={styles.fault}>
        {fault}
      </p>
    </fieldset>
  );
}
