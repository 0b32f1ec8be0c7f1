import type { TestCall } from '@hengfu/contract/test-calls';
import { buttonClass } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { HasPerm } from '../../platform/session-store.ts';
import { indentedJson } from '../../shared/indented-json.ts';
import { lookOfStatus } from '../../shared/request-looks.ts';
import { Code } from './code.tsx';
import styles from './test-calls.module.css';

/** A call that was sent: its outcome, the text that was signed, the headers and the reply. */
export function CallResult({ of: { signed, headers, reply } }: { of: TestCall }): ReactElement {
  const t = useT();
  const isNotAllowed = reply.status === 403 && reply.body.includes('"address_not_allowed"');
  return (
    <div className={styles.result}>
      <p className={styles.outcome} role="status">
        <StatusTag look={lookOfStatus(reply.status)} />
        {t('testCalls.status', { status: reply.status, ms: reply.durationMs })}
        <HasPerm any={['requests.read']}>
          <Link to="/developers/requests" search={{ open: reply.request_id }}>
            {t('testCalls.entry')}
          </Link>
        </HasPerm>
      </p>
      {isNotAllowed && <WhitelistNotice />}
      <Code title={t('testCalls.reply')} text={indentedJson(reply.body)} />
      <Code title={t('testCalls.received')} text={linesOf(reply.headers)} />
      <Code title={t('testCalls.signed')} text={signed.join('\n')} />
      <Code title={t('testCalls.sent')} text={linesOf(headers)} />
    </div>
  );
}

function WhitelistNotice(): ReactElement {
  const t = useT();
  const whitelist = (
    <Link to="/setting/ipAddress" className={buttonClass()}>
      {t('shell.menu.ipAddress')}
    </Link>
  );
  return (
    <Notice tone="waiting" action={whitelist}>
      {t('testCalls.notAllowed')}
    </Notice>
  );
}

const linesOf = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
