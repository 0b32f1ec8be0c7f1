import type { ReactElement, ReactNode } from 'react';
import { Icon } from './icon.tsx';
import type { StatusLook } from './status-tag.tsx';
import { StatusTag } from './status-tag.tsx';
import { TimeText } from './time-text.tsx';
import styles from './timeline.module.css';

/** One thing that happened: when, what it led to, and why. */
export interface TimelineEntry {
  at: string;
  look: StatusLook;
  text?: ReactNode;
  /** Somebody else's words (a channel's, a person's), shown as they are. */
  detail?: string | null;
}

/** What happened, in order; the last entry is the present state. */
export function Timeline({ entries }: { entries: readonly TimelineEntry[] }): ReactElement {
  return (
    <ol className={styles.timeline}>
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: history only grows at its end.
        <li key={index}>
          <span className={styles.mark} data-tone={entry.look.tone}>
            <Icon name={entry.look.icon} size={18} />
          </span>
          <p className={styles.head}>
            <StatusTag look={entry.look} />
            <TimeText at={entry.at} />
          </p>
          {entry.text && <p>{entry.text}</p>}
          {entry.detail && <p className={styles.detail}>{entry.detail}</p>}
        </li>
      ))}
    </ol>
  );
}
