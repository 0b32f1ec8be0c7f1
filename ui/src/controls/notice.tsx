import type { ReactElement, ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './notice.module.css';

interface NoticeProps {
  tone: 'bad' | 'waiting' | 'good' | 'calm';
  icon?: IconName;
  children: ReactNode;
  /** A button or link beside the text. */
  action?: ReactNode;
}

/** A status message; screen readers announce a `bad` one immediately. */
export function Notice({ tone, icon, children, action }: NoticeProps): ReactElement {
  return (
    <div className={styles.notice} data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon name={icon ?? (tone === 'bad' || tone === 'waiting' ? 'alert' : 'circleInfo')} />
      <div className={styles.text}>{children}</div>
      {action}
    </div>
  );
}
