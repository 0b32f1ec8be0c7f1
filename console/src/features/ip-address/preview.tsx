import type { IpPreview } from '@hengfu/contract/ip-address';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { formatCount } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import type { ReactElement } from 'react';
import styles from './preview.module.css';

/** Shows whether a list allows the reader's own address and the calls of the last seven days. */
export function Preview({ yours, calls }: IpPreview): ReactElement {
  const t = useT();
  const language = useLanguage();
  return (
    <Section isCard title={t('ipAddress.calls')}>
      <div className={styles.parts}>
        <Notice tone={yours.isAllowed ? 'good' : 'waiting'}>
          {t(yours.isAllowed ? 'ipAddress.yoursIn' : 'ipAddress.yoursOut', { address: yours.address })}
        </Notice>
        {calls.length === 0 ? (
          <p>{t('ipAddress.noCalls')}</p>
        ) : (
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{t('ipAddress.address')}</th>
                <th scope="col">{t('ipAddress.count')}</th>
                <th scope="col">{t('ipAddress.outcome')}</th>
              </tr>
            </thead>
            <tbody>
              {calls.map(({ address, count, isAllowed }) => (
                <tr key={address} data-refused={!isAllowed}>
                  <td>{address}</td>
                  <td>{formatCount(count, language)}</td>
                  <td>{t(isAllowed ? 'ipAddress.allowed' : 'ipAddress.refused')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Section>
  );
}
