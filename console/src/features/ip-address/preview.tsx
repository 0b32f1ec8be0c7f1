import type { IpPreview } from '@hengfu/contract/ip-address';
import type { ReactElement } from 'react';
import { formatCount } from '../../platform/format.ts';
import { useLanguage, useT } from '../../platform/i18n.ts';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
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
