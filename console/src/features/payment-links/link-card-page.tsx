import type { PaymentLinkDetail } from '@hengfu/contract/payment-links';
import { linkCard } from '@hengfu/phrases/en/link-card';
import { linkCard as inVietnamese } from '@hengfu/phrases/vi/link-card';
import { linkCard as inChinese } from '@hengfu/phrases/zh-cn/link-card';
import { usePageSearch } from '@hengfu/ui/browser/page-place.ts';
import { Button, buttonClass } from '@hengfu/ui/controls/button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Page } from '@hengfu/ui/page/page.tsx';
import { QrCode } from '@hengfu/ui/values/qr-code.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useUser } from '../../platform/session-store.ts';
import { Failure } from '../../shared/failure.tsx';
import { Loading } from '../../shared/loading.tsx';
import styles from './link-card.module.css';
import { LinkPrice } from './link-values.tsx';
import { linkOptions } from './payment-links.api.ts';

/** The card speaks to every payer, whatever language the console is in. */
const invitations = [
  { lang: 'zh-CN', text: inChinese.scan },
  { lang: 'en', text: linkCard.scan },
  { lang: 'vi', text: inVietnamese.scan },
];

/** A card of the size A6 with the QR code of a link, to be printed. */
export function LinkCardPage(): ReactElement {
  const t = useT();
  const { link: linkNo = '' } = usePageSearch();
  const { data, error, refetch } = useQuery(linkOptions(linkNo));
  return (
    <Page title={t('paymentLinks.cardTitle')}>
      <div className={styles.buttons}>
        <Button look="primary" aria-disabled={!data} onClick={() => data && print()}>
          {t('paymentLinks.print')}
        </Button>
        <Link to="/collection/links" search={{ open: linkNo }} className={buttonClass('outline')}>
          {t('paymentLinks.back')}
        </Link>
      </div>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data && <Card link={data} />}
    </Page>
  );
}

function Card({ link }: { link: PaymentLinkDetail }): ReactElement {
  const t = useT();
  const { merchant } = useUser();
  return (
    <article className={styles.card} aria-label={t('paymentLinks.cardTitle')}>
      <p className={styles.merchant}>{merchant.name}</p>
      <h2 className={styles.title}>{link.title}</h2>
      <p className={styles.price}>
        <LinkPrice link={link} />
      </p>
      <QrCode content={link.url} label={t('shareLink.qr', { name: link.title })} />
      <ul className={styles.invitations}>
        {invitations.map(({ lang, text }) => (
          <li key={lang} lang={lang}>
            {text}
          </li>
        ))}
      </ul>
    </article>
  );
}
