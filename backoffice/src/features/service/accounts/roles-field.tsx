import { type StaffRole, staffRoles } from '@hengfu/contract/staff/permissions';
import { Checkbox } from '@hengfu/ui/controls/checkbox.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { type ReactElement, useId, useState } from 'react';
import styles from '../service.module.css';

/** The choice of roles; the form sends them as one text. */
export function RolesField({
  form,
  given = [],
}: {
  form: FormState;
  given?: readonly StaffRole[];
}): ReactElement {
  const t = useT();
  const [roles, setRoles] = useState<readonly StaffRole[]>(given);
  const id = useId();
  const fault = form.faults.roles;
  const toggle = (role: StaffRole) => {
    setRoles(roles.includes(role) ? roles.filter((each) => each !== role) : [...roles, role]);
    form.forget('roles');
  };
  return (
    <fieldset className={styles.roles} aria-describedby={`${id}-text`}>
      <legend>{t('officeService.roles')}</legend>
      <input type="hidden" name="roles" value={staffRoles.filter((role) => roles.includes(role)).join(',')} />
      {staffRoles.map((role) => (
        <Checkbox key={role} checked={roles.includes(role)} onChange={() => toggle(role)}>
          {t(`officeService.role.${role}`)}
        </Checkbox>
      ))}
      <p id={`${id}-text`} className={styles.fault}>
        {fault}
      </p>
    </fieldset>
  );
}
