import type { PhraseKey } from '@hengfu/phrases/phrases';
import type { ReactElement } from 'react';
import { useT } from '../platform/i18n.ts';
import { Icon, type IconName } from './icon.tsx';
import styles from './status-tag.module.css';

export type Tone = 'good' | 'active' | 'waiting' | 'bad' | 'calm';

/**
 * How a status looks. A feature keeps one table, status → look, from which lists, details and filters take label and
 * colour; two statuses of a table never share a shape, so that colour is not needed to tell them apart.
 */
export interface StatusLook {
  label: PhraseKey;
  tone: Tone;
  icon: IconName;
}

/** A status in words, with colour and shape. */
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
