import type { AuditAction, AuditChange, AuditRow } from '@hengfu/contract/audit-log';
import { auditValue, fieldName } from '@hengfu/ui/audit/audit-words.ts';
import { nothing } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { useUiSettings } from '@hengfu/ui/language/ui-settings.ts';
import type { ReactElement } from 'react';
import { permText } from '../../shared/names/perm-text.ts';
import { roleText } from '../../shared/names/role-name.tsx';
import styles from './audit-log.module.css';

/** Names an action. */
export function ActionName({ action }: { action: AuditAction }): ReactElement {
  return <>{useT()(`auditLog.actions.${action}`)}</>;
}

/** Names who acted: a person, a program by its key, or the kind of anybody else. */
export function Actor({ of }: { of: AuditRow }): ReactElement {
  const t = useT();
  const kind = t(`auditLog.kinds.${of.actorKind}`);
  if (of.actor === null) return <>{kind}</>;
  if (of.actorKind === 'person') return <span>{of.actor}</span>;
  return (
    <>
      {kind} <span className={styles.muted}>{of.actor}</span>
    </>
  );
}

/** Returns a function that puts a recorded value into the reader's words. */
export function useValueText(): (
  action: AuditAction,
  change: AuditChange,
  side: 'before' | 'after',
) => string {
  const { zone } = useUiSettings();
  const language = useLanguage();
  const t = useT();
  const reader = {
    t,
    language,
    zone,
    roleText: (code: string) => roleText(t, code),
    permText: (code: string) => permText(t, code),
  };
  return (action, change, side) => auditValue({ field: change.field, value: change[side], action }, reader);
}

/** The first change of an entry in one line, and how many more there are. */
export function FirstChange({ of: { action, changes } }: { of: AuditRow }): ReactElement {
  const t = useT();
  const valueText = useValueText();
  const [first, ...more] = changes;
  if (!first) return <span>{nothing}</span>;
  const after = valueText(action, first, 'after');
  const change = first.before === null ? after : `${valueText(action, first, 'before')} → ${after}`;
  return (
    <span className={styles.change}>
      {`${fieldName(t, first.field)}: ${change}`}
      {more.length > 0 && <span className={styles.muted}> +{more.length}</span>}
    </span>
  );
}
