import type { ContactWay } from '@hengfu/contract/contact';
import { CopyButton } from '@hengfu/ui/controls/copy-button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { Page } from '@hengfu/ui/page/page.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { queryClient } from '../../platform/query-client.ts';
import { useUser } from '../../platform/session-store.ts';
import { Failure } from '../../shared/failure.tsx';
import { Loading } from '../../shared/loading.tsx';
import { contactOptions } from './contact.api.ts';
import { linkOf } from './contact.rules.ts';
import styles from './contact-page.module.css';

/** Prefetches the page's data. */
export const prefetch = (): void => void queryClient.prefetchQuery(contactOptions);

/** Shows how to reach the support team, and what to tell them. */
export function ContactPage(): ReactElement {
  const t = useT();
  const user = useUser();
  const { data, error, refetch } = useQuery(contactOptions);
  return (
    <Page title={t('contact.title')} intro={t('contact.intro')}>
      {error && <Failure error={error} isStale={data !== undefined} onRetry={() => void refetch()} />}
      {data?.length === 0 && <Notice tone="calm">{t('contact.empty')}</Notice>}
      {!data && !error && <Loading />}
      {data && data.length > 0 && (
        <ul className={styles.ways}>
          {data.map((way) => (
            <Way key={`${way.kind} ${way.value}`} {...way} />
          ))}
        </ul>
      )}
      <Section isCard title={t('contact.yours')}>
        <Fields
          fields={[
            {
              label: t('contact.merchant'),
              value: `${user.merchant.name} · ${user.merchant.code}`,
              copy: user.merchant.code,
            },
            { label: t('contact.signedInAs'), value: user.email, copy: user.email },
          ]}
        />
        <p className={styles.warning}>{t('contact.neverAsk')}</p>
      </Section>
      <p>
        {t('contact.trouble')} <Link to="/statusPages">{t('contact.toStatus')}</Link>
      </p>
    </Page>
  );
}

function Way({ kind, value, note }: ContactWay): ReactElement {
  const t = useT();
  const link = linkOf({ kind, value });
  const isExternal = link?.startsWith('https:');
  return (
    <li>
      <h2>{t(`contact.kind.${kind}`)}</h2>
      <p className={styles.value}>
        {link ? (
          <a href={link} {...(isExternal && { target: '_blank', rel: 'noreferrer' })}>
            {value}
          </a>
        ) : (
          <span>{value}</span>
        )}
        <CopyButton text={value} name={t(`contact.kind.${kind}`)} />
      </p>
      {note && <p className={styles.note}>{note}</p>}
    </li>
  );
}
