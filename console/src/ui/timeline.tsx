import type { ReactElement, ReactNode } from 'react';
import { useT } from '../platform/i18n.ts';
import { Filled } from './filled.tsx';
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
  /** More about it: why a channel refused, or a person's own words. */
  detail?: string | null | undefined;
  /** What the channel sent, word for word: for support, and marked as such. */
  channelWords?: string | null | undefined;
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
          {entry.channelWords && <ChannelWords words={entry.channelWords} />}
        </li>
      ))}
    </ol>
  );
}

function ChannelWords({ words }: { words: string }): ReactElement {
  const t = useT();
  return (
    <p className={styles.words}>
      <Filled phrase={(value) => t('channels.ownWords', { words: value })}>
        <bdi translate="no">{words}</bdi>
      </Filled>
    </p>
  );
}
