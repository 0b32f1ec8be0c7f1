import {
  type CallbackEndpoint,
  callbackEndpointEndpoints,
  failingDays,
  maxCountedWaiting,
} from '@hengfu/contract/callback-endpoints';
import { buttonClass } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { formatCount, formatInstant } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { call } from '../../platform/http.ts';
import { HasPerm, useUser } from '../../platform/session-store.ts';
import { ShownSecret } from '../../shared/access/shown-secret.tsx';
import { endpointLooks } from './callback-looks.ts';
import { endpointsOptions } from './callbacks.api.ts';
import styles from './callbacks.module.css';
import { CheckPanel } from './check-panel.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { EndpointSecret, type NewSecret } from './endpoint-secret.tsx';

interface EndpointCardProps {
  endpoint: CallbackEndpoint;
  onEdit: () => void;
}

/** One endpoint: where it is, how it is doing, and what can be done with it. */
export function EndpointCard({ endpoint, onEdit }: EndpointCardProps): ReactElement {
  const t = useT();
  const hasFactor = useUser().twoFactor === 'on';
  const [shown, setShown] = useState<NewSecret>();
  const title = endpoint.description ?? new URL(endpoint.url).host;
  return (
    <Section isCard title={title} extra={<StatusTag look={endpointLooks[endpoint.state]} />}>
      <div className={styles.parts}>
        <Notices of={endpoint} />
        <Facts of={endpoint} />
        {shown && <ShownSecret {...shown} onHide={() => setShown(undefined)} />}
        <div className={styles.buttons}>
          <Link
            to="/developers/callbacks"
            search={{ endpoint: endpoint.id }}
            className={buttonClass('outline')}
          >
            {t('endpoints.messages')}
          </Link>
          <HasPerm any={['callbacks.manage']}>
            <EndpointActions endpoint={endpoint} onEdit={onEdit} />
          </HasPerm>
        </div>
        {hasFactor && (
          <HasPerm any={['callbacks.manage']}>
            <EndpointSecret endpoint={endpoint} onShown={setShown} />
          </HasPerm>
        )}
        <CheckPanel
          url={endpoint.url}
          check={endpoint.check}
          start={() => call(callbackEndpointEndpoints.check, { params: { endpoint_id: endpoint.id } })}
          queryKey={endpointsOptions.queryKey}
        />
      </div>
    </Section>
  );
}

function Notices({ of: { state, failingSince, previousEndsAt } }: { of: CallbackEndpoint }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { zone } = useUser();
  const time = (instant: string) => formatInstant(instant, zone, language, 'minute');
  return (
    <>
      {state === 'autoPaused' && (
        <Notice tone="bad">{t('endpoints.autoPaused', { days: failingDays })}</Notice>
      )}
      {state === 'on' && failingSince !== null && (
        <Notice tone="waiting">
          {t('endpoints.failing', { time: time(failingSince), days: failingDays })}
        </Notice>
      )}
      {previousEndsAt !== null && (
        <Notice tone="calm">{t('endpoints.previous', { time: time(previousEndsAt) })}</Notice>
      )}
    </>
  );
}

function Facts({ of }: { of: CallbackEndpoint }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const waiting =
    of.waiting === maxCountedWaiting
      ? t('endpoints.waitingMany', { most: formatCount(maxCountedWaiting, language) })
      : formatCount(of.waiting, language);
  return (
    <Fields
      fields={[
        { label: t('endpoints.url'), value: of.url, copy: of.url, isWide: true },
        {
          label: t('endpoints.events'),
          value: of.events === null ? t('endpoints.allEvents') : of.events.join(', '),
          isWide: true,
        },
        { label: t('endpoints.waiting'), value: waiting },
        { label: t('endpoints.createdAt'), value: <TimeText at={of.createdAt} /> },
      ]}
    />
  );
}
