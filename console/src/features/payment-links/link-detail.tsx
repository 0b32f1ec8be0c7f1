import {
  type PaymentLinkDetail,
  type PaymentLinkRow,
  paymentLinkEndpoints,
} from '@hengfu/contract/payment-links';
import { Button, buttonClass } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { Figure, Figures } from '@hengfu/ui/page/figure-card.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Count } from '@hengfu/ui/values/count.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { call } from '../../platform/http.ts';
import { useLive } from '../../platform/live.ts';
import { HasPerm } from '../../platform/session-store.ts';
import { AuditLink } from '../../shared/audit-link.tsx';
import { Failure } from '../../shared/failure.tsx';
import { ShareLink } from '../../shared/link/share-link.tsx';
import { askedText } from './asked-text.ts';
import { linkLooks } from './link-looks.ts';
import { LinkPrice, LinkUses } from './link-values.tsx';
import { linkDetailKey, linkOptions, pictureOptions } from './payment-links.api.ts';
import styles from './payment-links.module.css';

/** Shows one payment link: first the list's row, then the full detail once it has loaded. */
export function LinkDetail({
  linkNo,
  row,
}: {
  linkNo: string;
  row: PaymentLinkRow | undefined;
}): ReactElement {
  const t = useT();
  const { data, error, refetch } = useQuery(linkOptions(linkNo));
  useLive(['collections'], linkDetailKey);
  const known = data ?? row;
  return (
    <>
      {error && <Failure error={error} isStale={known !== undefined} onRetry={() => void refetch()} />}
      {(known || !error) && <Head link={known} />}
      {data && (
        <div className={styles.actions}>
          <Link to="/collection/payments" search={{ link: linkNo }} className={buttonClass('outline')}>
            {t('paymentLinks.orders')}
          </Link>
          <HasPerm any={['collections.create']}>
            <Link to="/collection/editLink" search={{ link: linkNo }} className={buttonClass('outline')}>
              {t('paymentLinks.edit')}
            </Link>
            <Turn link={data} />
          </HasPerm>
        </div>
      )}
      {known && (
        <Section title={t('paymentLinks.share')}>
          <ShareLink url={known.url} name={known.title} fileName={known.link_no}>
            <Link to="/collection/linkCard" search={{ link: linkNo }} className={buttonClass('outline')}>
              {t('paymentLinks.card')}
            </Link>
          </ShareLink>
        </Section>
      )}
      {data && <Details link={data} />}
      {data?.hasPicture && <Picture linkNo={linkNo} />}
    </>
  );
}

function Head({ link }: { link: PaymentLinkRow | undefined }): ReactElement {
  const t = useT();
  return (
    <Figures isBusy={link === undefined}>
      <Figure
        label={t('paymentLinks.paid')}
        value={link && <Money amount={link.paid} currency={link.currency} />}
        size="lead"
        note={link && <StatusTag look={linkLooks[link.state]} />}
      />
      <Figure label={t('paymentLinks.paidOrders')} value={link && <Count of={link.paidOrders} />} />
      <Figure label={t('paymentLinks.uses')} value={link && <LinkUses link={link} />} />
    </Figures>
  );
}

/** Turns a link on or off. One that has expired or is used up is off already. */
function Turn({ link }: { link: PaymentLinkDetail }): ReactElement | null {
  const t = useT();
  const client = useQueryClient();
  const isOn = link.state === 'on';
  const turn = useAction({
    mutationFn: () =>
      call(paymentLinkEndpoints.turn, { params: { link_no: link.link_no }, body: { isOn: !isOn } }),
    onSuccess: () => toast('success', t(isOn ? 'paymentLinks.turnedOff' : 'paymentLinks.turnedOn')),
    onSettled: () => client.invalidateQueries({ queryKey: linkDetailKey }),
  });
  if (link.state !== 'on' && link.state !== 'off') return null;
  return (
    <Button aria-disabled={turn.isPending} onClick={() => turn.mutate()}>
      {t(isOn ? 'paymentLinks.turnOff' : 'paymentLinks.turnOn')}
    </Button>
  );
}

function Details({ link }: { link: PaymentLinkDetail }): ReactElement {
  const t = useT();
  return (
    <Section title={t('paymentLinks.details')} extra={<AuditLink subject={link.link_no} />}>
      <Fields
        fields={[
          { label: t('paymentLinks.name'), value: link.title },
          { label: t('paymentLinks.link_no'), value: link.link_no, copy: link.link_no },
          { label: t('paymentLinks.price'), value: <LinkPrice link={link} /> },
          { label: t('paymentLinks.maxQuantity'), value: <Count of={link.maxQuantity} /> },
          { label: t('paymentLinks.liveOrders'), value: <Count of={link.liveOrders} /> },
          {
            label: t('paymentLinks.expiresAt'),
            value: link.expiresAt === null ? t('paymentLinks.never') : <TimeText at={link.expiresAt} />,
          },
          { label: t('paymentLinks.createdAt'), value: <TimeText at={link.createdAt} /> },
          { label: t('paymentLinks.asked'), value: askedText(link.asked, t) },
          { label: t('paymentLinks.description'), value: link.description, isWide: true },
          { label: t('paymentLinks.note'), value: link.note, isWide: true },
          { label: t('paymentLinks.returnUrl'), value: link.returnUrl, isWide: true },
        ]}
      />
    </Section>
  );
}

function Picture({ linkNo }: { linkNo: string }): ReactElement {
  const t = useT();
  const { data, error, refetch } = useQuery(pictureOptions(linkNo));
  return (
    <Section title={t('paymentLinks.picture')}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data && (
        <img
          className={styles.picture}
          src={`data:${data.type};base64,${data.base64}`}
          alt={t('paymentLinks.picture')}
        />
      )}
    </Section>
  );
}
