import type { ReactElement, ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './notice.module.css';

interface NoticeProps {
  tone: 'bad' | 'waiting' | 'good' | 'calm';
  icon?: IconName;
  children: ReactNode;
  /** What can be done about it. */
  action?: ReactNode;
}

/** A strip that says how things stand. A bad one is read out at once. */
export function Notice({ tone, icon, children, action }: NoticeProps): ReactElement {
  return (
    <div className={styles.notice} data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon name={icon ?? (tone === 'bad' || tone === 'waiting' ? 'alert' : 'circleInfo')} />
      <div className={styles.text}>{children}</div>
      {action}
    </div>
  );
}
