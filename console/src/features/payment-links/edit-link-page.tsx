import type { PaymentLinkDetail } from '@hengfu/contract/payment-links';
import { usePageSearch } from '@hengfu/ui/browser/page-place.ts';
import { Button, buttonClass } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Done } from '@hengfu/ui/page/done.tsx';
import { Page } from '@hengfu/ui/page/page.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { Failure } from '../../shared/failure.tsx';
import { ShareLink } from '../../shared/link/share-link.tsx';
import { Loading } from '../../shared/loading.tsx';
import { LinkForm } from './link-form.tsx';
import { linkDetailKey, linkOptions } from './payment-links.api.ts';

/** Receive money → Payment links → a new link, or one to change, which the address names. */
export function EditLinkPage(): ReactElement {
  const { link } = usePageSearch();
  return link === undefined ? <NewLink /> : <ChangedLink key={link} linkNo={link} />;
}

function NewLink(): ReactElement {
  const t = useT();
  const [made, setMade] = useState<PaymentLinkDetail>();
  return (
    <Page title={t('paymentLinks.create')} intro={t('paymentLinks.intro')}>
      {made ? (
        <Made link={made} onAgain={() => setMade(undefined)} />
      ) : (
        <Section isCard isTitleHidden title={t('paymentLinks.create')}>
          <LinkForm onDone={setMade} />
        </Section>
      )}
    </Page>
  );
}

function Made({ link, onAgain }: { link: PaymentLinkDetail; onAgain: () => void }): ReactElement {
  const t = useT();
  const ways = (
    <>
      <Link to="/collection/links" search={{ open: link.link_no }} className={buttonClass('primary')}>
        {t('paymentLinks.follow')}
      </Link>
      <Button onClick={onAgain}>{t('paymentLinks.another')}</Button>
    </>
  );
  return (
    <>
      <Done actions={ways}>{t('paymentLinks.created')}</Done>
      <Section isCard title={t('paymentLinks.share')}>
        <ShareLink url={link.url} name={link.title} fileName={link.link_no} />
      </Section>
    </>
  );
}

function ChangedLink({ linkNo }: { linkNo: string }): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const navigate = useNavigate();
  // Read anew: a form that began with an older link could not be saved.
  const options = { ...linkOptions(linkNo), staleTime: 0 };
  const { data, error, refetch, isFetchedAfterMount } = useQuery(options);
  const link = isFetchedAfterMount ? data : undefined;
  return (
    <Page title={t('paymentLinks.edit')}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!link && !error && <Loading />}
      {link && (
        <Section isCard isTitleHidden title={t('paymentLinks.edit')}>
          <LinkForm
            link={link}
            onDone={() => {
              toast('success', t('paymentLinks.saved'));
              void client.invalidateQueries({ queryKey: linkDetailKey });
              void navigate({ to: '/collection/links', search: { open: linkNo } });
            }}
          />
        </Section>
      )}
    </Page>
  );
}
