import type { NoticeRow } from '@hengfu/contract/notices';
import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { formatInstant } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { deviceName } from '@hengfu/ui/values/device-name.ts';
import { Money } from '@hengfu/ui/values/money.tsx';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useUser } from '../../platform/session-store.ts';
import { noticeLooks, targetOf } from './notice-looks.ts';
import { NoticeTime } from './notice-time.tsx';
import styles from './notices.module.css';

/** One notice: what happened, the amount, the time, and a link to its subject. */
export function NoticeItem({ row, onChoose }: { row: NoticeRow; onChoose: () => void }): ReactElement {
  const t = useT();
  const user = useUser();
  const { icon, tone } = noticeLooks[row.kind];
  const about = useAbout(row);
  return (
    <li className={styles.item} data-unread={!row.isRead}>
      <Link {...targetOf(row, user)} onClick={onChoose}>
        <span className={styles.icon} data-tone={tone}>
          <Icon name={icon} size={18} />
        </span>
        <span className={styles.what}>
          <span className={styles.line}>
            <span className={styles.title}>{t(`notices.kind.${row.kind}`)}</span>
            {row.money && <Money {...row.money} />}
          </span>
          {about.map((text) => (
            <span key={text} className={styles.about}>
              {text}
            </span>
          ))}
          <span className={styles.line}>
            <NoticeTime at={row.createdAt} />
            {!row.isRead && <span className={styles.unread}>{t('notices.unread')}</span>}
          </span>
        </span>
      </Link>
    </li>
  );
}

/** Returns the lines below a notice's title. */
function useAbout({
  kind,
  subject,
  batch,
  export: exported,
  exports,
  signIn,
  access,
  asked,
  key,
}: NoticeRow): string[] {
  const t = useT();
  const language = useLanguage();
  const { zone } = useUser();
  const lines = subject === null ? [] : [subject];
  if (batch) {
    const { rows, failed, rejected } = batch;
    if (failed > 0) lines.push(t('notices.batchFailed', { count: rows, failed }));
    if (rejected > 0) lines.push(t('notices.batchRejected', { count: rejected }));
  }
  if (exported) {
    lines.unshift(t(`exports.lists.${exported.list}`));
    if (exported.reason) lines.push(t(`exports.reason.${exported.reason}`));
  }
  if (exports) {
    const { ready, failed } = exports;
    if (ready > 0) lines.push(t('notices.exportsReady', { count: ready }));
    if (failed > 0) lines.push(t('notices.exportsFailed', { count: failed }));
  }
  if (asked) {
    lines.unshift(t(`notices.setting.${asked.setting}`));
    if (asked.reason !== null) lines.push(t('notices.refusedBecause', { reason: asked.reason }));
  }
  if (key) {
    if (key.name !== null) lines.unshift(key.name);
    const time = formatInstant(key.endsAt, zone, language, 'minute');
    lines.push(t(kind === 'accessKeyExpired' ? 'notices.keyExpired' : 'notices.keyExpires', { time }));
  }
  if (access) {
    lines.push(t(`profile.event.${access.change}`));
    const device = deviceName(access.userAgent) ?? t('profile.unknownDevice');
    if (access.address === null) lines.push(t('notices.byStaff'));
    else lines.push(`${device} · ${access.address}`);
    // The person who changed it may have locked the owner out, so the text points to our support team.
    lines.push(t('notices.notYouAccess'));
  }
  if (signIn) {
    lines.push(`${deviceName(signIn.userAgent) ?? t('profile.unknownDevice')} · ${signIn.address}`);
    lines.push(t('notices.notYou'));
  }
  return lines;
}
