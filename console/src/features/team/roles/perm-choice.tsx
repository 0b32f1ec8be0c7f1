import { neededBy, type Perm, withNeeded } from '@hengfu/contract/permissions';
import { Checkbox } from '@hengfu/ui/controls/checkbox.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { type ReactElement, useId } from 'react';
import { hasPerm, useUser } from '../../../platform/session-store.ts';
import { permsText, permText } from '../../../shared/names/perm-text.ts';
import { areaNames, areas } from './role-areas.ts';
import styles from './roles.module.css';

interface PermChoiceProps {
  form: FormState;
  chosen: readonly Perm[];
  onChange: (chosen: readonly Perm[]) => void;
}

/**
 * Chooses permissions, area by area. One that others need is ticked with them. One that the user does not hold cannot be ticked, and
 * says so.
 */
export function PermChoice({ form, chosen, onChange }: PermChoiceProps): ReactElement {
  const t = useT();
  const id = useId();
  const granted = withNeeded(chosen);
  const toggle = (perm: Perm, isChosen: boolean) => {
    form.forget('perms');
    onChange(isChosen ? [...chosen, perm] : chosen.filter((other) => other !== perm));
  };
  return (
    <fieldset className={styles.choice} aria-describedby={`${id}-fault`}>
      <legend>{t('ownRoles.permissions')}</legend>
      <p id={`${id}-fault`} className={styles.fault}>
        {form.faults.perms}
      </p>
      <div className={styles.areas}>
        {areaNames.map((area) => (
          <fieldset key={area} className={styles.area}>
            <legend>{t(`ownRoles.area.${area}`)}</legend>
            {areas[area].map((perm) => (
              <PermBox key={perm} perm={perm} granted={granted} onChange={toggle} />
            ))}
          </fieldset>
        ))}
      </div>
    </fieldset>
  );
}

interface PermBoxProps {
  perm: Perm;
  /** The permissions of the role: the chosen ones, and those that they need. */
  granted: readonly Perm[];
  onChange: (perm: Perm, isChosen: boolean) => void;
}

function PermBox({ perm, granted, onChange }: PermBoxProps): ReactElement {
  const t = useT();
  const id = useId();
  const isOwn = hasPerm(useUser(), perm);
  const needing = neededBy(granted, perm);
  const reason =
    needing.length > 0
      ? t('ownRoles.neededFor', { what: permsText(t, needing) })
      : isOwn
        ? undefined
        : t('ownRoles.notYours');
  return (
    <div>
      <Checkbox
        name="perms"
        value={perm}
        checked={granted.includes(perm)}
        disabled={reason !== undefined}
        aria-describedby={reason === undefined ? undefined : id}
        onChange={({ target }) => onChange(perm, target.checked)}
      >
        {permText(t, perm)}
      </Checkbox>
      {reason !== undefined && (
        <p id={id} className={styles.reason}>
          {reason}
        </p>
      )}
    </div>
  );
}
