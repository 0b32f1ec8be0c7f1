import type { RequestDetail as Detail, LoggedBody } from '@hengfu/contract/request-log';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { CopyButton } from '@hengfu/ui/controls/copy-button.tsx';
import { formatCount } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { detailSkeleton } from '@hengfu/ui/list/list-states.tsx';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Failure } from '../../shared/failure.tsx';
import { indentedJson } from '../../shared/indented-json.ts';
import { lookOfStatus } from '../../shared/request-looks.ts';
import { OrderOfCall } from './order-of-call.tsx';
import { RefusalReason } from './refusal-reason.tsx';
import { Duration } from './request-columns.tsx';
import { requestOptions } from './request-log.api.ts';
import styles from './request-log.module.css';

/** One signed call: what was sent and replied, and why it was refused. Calls never change. */
export function RequestDetail({ requestId }: { requestId: string }): ReactElement {
  const t = useT();
  const { data: call, error, refetch } = useQuery(requestOptions(requestId));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!call) return detailSkeleton;
  return (
    <>
      {call.status >= 400 && (
        <Section title={t('requestLog.why')}>
          <RefusalReason of={call} />
        </Section>
      )}
      <Facts of={call} />
      <Body title="requestLog.request" of={call.request} />
      <Body title="requestLog.response" of={call.response} />
    </>
  );
}

function Facts({ of }: { of: Detail }): ReactElement {
  const t = useT();
  return (
    <Section title={t('requestLog.details')}>
      <Fields
        fields={[
          { label: t('requestLog.at'), value: <TimeText at={of.at} style="full" /> },
          {
            label: t('requestLog.result'),
            value: (
              <>
                <StatusTag look={lookOfStatus(of.status)} /> HTTP {of.status}
              </>
            ),
          },
          { label: t('requestLog.code'), value: of.code, copy: of.code ?? undefined },
          { label: t('requestLog.duration'), value: <Duration ms={of.durationMs} /> },
          {
            label: t('requestLog.call'),
            value: (
              <code>
                {of.method} {of.path}
              </code>
            ),
            isWide: true,
          },
          { label: t('requestLog.query'), value: of.query && <code>{of.query}</code>, isWide: true },
          {
            label: t('requestLog.trade_no'),
            value: <OrderOfCall of={of} />,
            copy: of.trade_no ?? undefined,
          },
          { label: t('requestLog.out_trade_no'), value: of.out_trade_no, copy: of.out_trade_no ?? undefined },
          { label: t('requestLog.keyId'), value: of.keyId, copy: of.keyId },
          { label: t('requestLog.address'), value: of.address },
          { label: t('requestLog.request_id'), value: of.request_id, copy: of.request_id, isWide: true },
        ]}
      />
    </Section>
  );
}

function Body({ title, of }: { title: PhraseKey; of: LoggedBody }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const text = of.text === null ? undefined : indentedJson(of.text);
  return (
    <Section title={t(title)} extra={text !== undefined && <CopyButton text={text} name={t(title)} />}>
      {text !== undefined && <pre className={styles.body}>{text}</pre>}
      <p className={styles.muted}>
        {of.bytes === 0
          ? t('requestLog.noBody')
          : t('requestLog.bytes', { bytes: formatCount(of.bytes, language) })}
        {of.bytes > 0 && of.text === null && <> {t('requestLog.notJson')}</>}
        {of.isCut && <> {t('requestLog.isCut')}</>}
      </p>
    </Section>
  );
}
