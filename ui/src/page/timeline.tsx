import type { ReactElement, ReactNode } from 'react';
import { Icon } from '../controls/icon.tsx';
import { useT } from '../language/i18n.ts';
import { Filled } from '../values/filled.tsx';
import type { StatusLook } from '../values/status-tag.tsx';
import { StatusTag } from '../values/status-tag.tsx';
import { TimeText } from '../values/time-text.tsx';
import styles from './timeline.module.css';

/** An event: when it happened, the resulting status, and why. */
export interface TimelineEntry {
  at: string;
  look: StatusLook;
  text?: ReactNode;
  /** Details: why a channel refused, or a user's own comment. */
  detail?: string | null | undefined;
  /** The channel's verbatim message, for support; labeled as such. */
  channelMessage?: string | null | undefined;
}

/** Events in chronological order; the last entry is the current status. */
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
          {entry.channelMessage && <ChannelMessage text={entry.channelMessage} />}
        </li>
      ))}
    </ol>
  );
}

function ChannelMessage({ text }: { text: string }): ReactElement {
  const t = useT();
  return (
    <p className={styles.words}>
      <Filled phrase={(value) => t('channels.ownWords', { words: value })}>
        <bdi translate="no">{text}</bdi>
      </Filled>
    </p>
  );
}
