import type { RequestDetail, RequestReason } from '@hengfu/contract/request-log';
import { CopyButton } from '@hengfu/ui/controls/copy-button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { type Translate, useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import styles from './request-log.module.css';

/** Says why a call was refused: the explanation of the log, or the sentence of the reply. */
export function RefusalReason({ of: { reason, response } }: { of: RequestDetail }): ReactElement {
  const t = useT();
  if (reason?.kind === 'signature') return <WrongSignature of={reason} />;
  const text = reason ? reasonText(t, reason) : messageOf(response.text);
  return <p>{text ?? t('requestLog.isCut')}</p>;
}

function WrongSignature({ of }: { of: Extract<RequestReason, { kind: 'signature' }> }): ReactElement {
  const t = useT();
  const text = of.signed.join('\n');
  return (
    <div className={styles.why}>
      {of.mistake && <Notice tone="waiting">{t(`requestLog.mistake.${of.mistake}`)}</Notice>}
      <p>
        {t('requestLog.reason.signature')} <CopyButton text={text} name={t('requestLog.why')} />
      </p>
      <pre className={styles.body}>{text}</pre>
      <p className={styles.muted}>{t('requestLog.reason.signatureNote')}</p>
    </div>
  );
}

function reasonText(t: Translate, reason: Exclude<RequestReason, { kind: 'signature' }>): string {
  switch (reason.kind) {
    case 'headers':
      return t('requestLog.reason.headers', { headers: reason.headers.join(', ') });
    case 'clock':
      return t(`requestLog.reason.${reason.secondsBehind > 0 ? 'behind' : 'ahead'}`, {
        count: Math.abs(reason.secondsBehind),
      });
    case 'timestamp':
      return t(`requestLog.reason.${reason.isMilliseconds ? 'milliseconds' : 'timestamp'}`);
    case 'key':
      return t(`requestLog.reason.${reason.state}`);
    case 'address':
      return t('requestLog.reason.address', { address: reason.address });
    case 'scope':
      return t('requestLog.reason.scope', { scope: t(`accessKeys.scope.${reason.scope}`) });
    case 'fields':
      return t('requestLog.reason.fields', { fields: reason.fields.join(', ') });
    default:
      return t(`requestLog.reason.${reason.kind}`);
  }
}

/** The sentence of an error reply, in the language in which the caller got it. */
function messageOf(text: string | null): string | undefined {
  try {
    const reply: unknown = JSON.parse(text ?? '');
    const isReply = typeof reply === 'object' && reply !== null && 'message' in reply;
    return isReply && typeof reply.message === 'string' ? reply.message : undefined;
  } catch {
    return undefined;
  }
}
