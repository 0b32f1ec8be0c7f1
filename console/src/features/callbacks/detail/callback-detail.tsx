import type { CallbackRow } from '@hengfu/contract/callback-messages';
import { buttonClass } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useLive } from '../../../platform/live.ts';
import { HasPerm } from '../../../platform/session-store.ts';
import { Failure } from '../../../shared/failure.tsx';
import { callbackLooks } from '../callback-looks.ts';
import { callbackDetailKey, callbackOptions } from '../callbacks.api.ts';
import styles from '../callbacks.module.css';
import { Receiver } from '../receiver.tsx';
import { SendAgain } from '../send-again.tsx';
import { AttemptHistory } from './attempt-history.tsx';
import { SentMessageView } from './sent-message.tsx';

/** Shows one callback: first the list's row, then its message and attempts once they have loaded. */
export function CallbackDetailView({ id, row }: { id: string; row: CallbackRow | undefined }): ReactElement {
  const t = useT();
  const { data, error, refetch } = useQuery(callbackOptions(id));
  useLive(['callbacks'], callbackDetailKey);
  const known = data ?? row;
  return (
    <>
      {error && <Failure error={error} isStale={known !== undefined} onRetry={() => void refetch()} />}
      {known && (
        <div className={styles.parts}>
          <p className={styles.line}>
            <StatusTag look={callbackLooks[known.state]} />
            <code>{known.event}</code>
          </p>
          {known.isHeld && <Notice tone="waiting">{t('callbacks.held')}</Notice>}
          <div className={styles.buttons}>
            <SendAgain ids={[known.id]} label={t('callbacks.sendAgain')} />
            <OrderLink of={known} />
          </div>
          <Facts of={known} />
        </div>
      )}
      {data && (
        <>
          <SentMessageView of={data.message} />
          <AttemptHistory of={data.history} />
        </>
      )}
    </>
  );
}

function OrderLink({ of }: { of: CallbackRow }): ReactElement {
  const t = useT();
  const search = { open: of.trade_no };
  const className = buttonClass('outline');
  return of.subjectKind === 'collection' ? (
    <HasPerm any={['collections.read']}>
      <Link to="/collection/payments" search={search} className={className}>
        {t('callbacks.toOrder')}
      </Link>
    </HasPerm>
  ) : (
    <HasPerm any={['payouts.read']}>
      <Link to="/behalfPay/transfers" search={search} className={className}>
        {t('callbacks.toOrder')}
      </Link>
    </HasPerm>
  );
}

function Facts({ of }: { of: CallbackRow }): ReactElement {
  const t = useT();
  const time = (at: string | null) => at && <TimeText at={at} />;
  return (
    <Fields
      fields={[
        { label: t('callbacks.tradeNo'), value: of.trade_no, copy: of.trade_no },
        { label: t('callbacks.endpoint'), value: <Receiver of={of} /> },
        { label: t('callbacks.createdAt'), value: time(of.createdAt) },
        { label: t('callbacks.deliveredAt'), value: time(of.deliveredAt) },
        { label: t('callbacks.resentAt'), value: time(of.resentAt) },
        { label: t('callbacks.id'), value: of.id, copy: of.id, isWide: true },
        { label: t('callbacks.url'), value: of.url, copy: of.url, isWide: true },
      ]}
    />
  );
}
