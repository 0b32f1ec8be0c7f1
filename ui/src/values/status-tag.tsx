import type { PhraseKey } from '@hengfu/phrases/phrases';
import type { ReactElement } from 'react';
import { Icon, type IconName } from '../controls/icon.tsx';
import { useT } from '../language/i18n.ts';
import styles from './status-tag.module.css';

export type Tone = 'good' | 'active' | 'waiting' | 'bad' | 'calm';

/**
 * How a status looks. Each feature has one table, status → look, used by lists, details and filters. No two
 * statuses of a table share an icon, so that color is not needed to tell them apart.
 */
export interface StatusLook {
  label: PhraseKey;
  tone: Tone;
  icon: IconName;
}

/** A status with icon, color and label. */
export function StatusTag({ look }: { look: StatusLook }): ReactElement {
  const t = useT();
  return (
    <span className={styles.tag} data-tone={look.tone}>
      <Icon name={look.icon} size={14} />
      {t(look.label)}
    </span>
  );
}

/** The options of a status filter, from the feature's table of looks. */
export function statusOptions<S extends string>(
  statuses: readonly S[],
  looks: Readonly<Record<S, StatusLook>>,
): { value: S; label: PhraseKey }[] {
  return statuses.map((value) => ({ value, label: looks[value].label }));
}
