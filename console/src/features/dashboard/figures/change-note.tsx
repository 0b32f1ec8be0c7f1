import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { formatDecimal, formatRate } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import styles from '../dashboard-page.module.css';
import { type Change, directionOf } from './comparison.ts';

interface ChangeNoteProps {
  /** Undefined: there is nothing to compare with. */
  change: Change | undefined;
  /** The figures that are compared, in words; undefined if there are none. */
  compared: string | undefined;
}

/** A figure's change against the period before: an arrow and a number, which screen readers hear as a sentence. */
export function ChangeNote({ change, compared }: ChangeNoteProps): ReactElement {
  const t = useT();
  return (
    <span className={styles.change}>
      {change ? <ChangeText change={change} /> : <span>{t('dashboard.before.none')}</span>}
      {compared !== undefined && <span>{compared}</span>}
    </span>
  );
}

function ChangeText({ change }: { change: Change }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const direction = directionOf(change);
  if (direction === 'same')
    return (
      <b>
        <span aria-hidden="true">{t('dashboard.before.noChange')}</span>
        <span className="visually-hidden">{t('dashboard.before.same')}</span>
      </b>
    );
  const size = Math.abs(change.by);
  const text =
    change.kind === 'share'
      ? formatRate(size, language)
      : t('dashboard.before.points', { number: formatDecimal(size.toFixed(1), language) });
  return (
    <b>
      <span aria-hidden="true">
        <Icon name={direction === 'more' ? 'arrowUp' : 'arrowDown'} size={12} />
        {text}
      </span>
      <span className="visually-hidden">{t(`dashboard.before.${direction}`, { change: text })}</span>
    </b>
  );
}
