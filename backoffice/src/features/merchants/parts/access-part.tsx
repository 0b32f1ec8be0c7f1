import { staffMerchantEndpoints } from '@hengfu/contract/staff/merchants';
import { nothing } from '@hengfu/ui/language/format.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Count } from '@hengfu/ui/values/count.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { reading } from '../../../platform/reading.ts';
import { Failure } from '../../../shared/failure.tsx';
import table from '../../../shared/table.module.css';
import { TableBox } from '../../../shared/table-box.tsx';
import styles from '../merchants.module.css';

/** How the systems of a merchant may call: keys without secrets, the whitelist, and who called lately. */
export function AccessPart({ code }: { code: string }): ReactElement {
  const t = useT();
  const { data, error, refetch } = useQuery(reading(staffMerchantEndpoints.access, { params: { code } }));
  return (
    <>
      {error && <Failure error={error} isStale={data !== undefined} onRetry={() => void refetch()} />}
      <Section title={t('officeMerchants.keys')} isCard>
        {data?.keys.length === 0 && <p className={table.note}>{t('officeMerchants.noKeys')}</p>}
        {data && data.keys.length > 0 && (
          <TableBox label={t('officeMerchants.keys')}>
            <thead>
              <tr>
                <th>{t('officeMerchants.key')}</th>
                <th>{t('officeMerchants.keyName')}</th>
                <th>{t('officeMerchants.keyScopes')}</th>
                <th>{t('officeMerchants.state')}</th>
                <th>{t('officeMerchants.keyNote')}</th>
                <th>{t('officeMerchants.createdAt')}</th>
                <th>{t('officeMerchants.until')}</th>
              </tr>
            </thead>
            <tbody>
              {data.keys.map(({ keyId, name, scopes, state, note, createdAt, until }) => (
                <tr key={keyId}>
                  <td>{keyId}</td>
                  <td>{name ?? nothing}</td>
                  <td>
                    {scopes.map((scope) => t(`officeMerchants.keyScope.${scope}`)).join(t('ui.listComma'))}
                  </td>
                  <td>{t(`officeMerchants.keyStates.${state}`)}</td>
                  <td>{note ?? nothing}</td>
                  <td>
                    <TimeText at={createdAt} />
                  </td>
                  <td>{until ? <TimeText at={until} /> : nothing}</td>
                </tr>
              ))}
            </tbody>
          </TableBox>
        )}
      </Section>
      <Section title={t('officeMerchants.whitelist')} isCard>
        {data?.whitelist.length === 0 && <p className={table.note}>{t('officeMerchants.emptyWhitelist')}</p>}
        <ul className={styles.list}>
          {data?.whitelist.map((block) => (
            <li key={block}>{block}</li>
          ))}
        </ul>
      </Section>
      <Section title={t('officeMerchants.callers')} isCard>
        {data?.callers.length === 0 && <p className={table.note}>{t('officeMerchants.noCallers')}</p>}
        {data && data.callers.length > 0 && (
          <TableBox label={t('officeMerchants.callers')}>
            <thead>
              <tr>
                <th>{t('officeMerchants.address')}</th>
                <th data-number>{t('officeMerchants.calls')}</th>
                <th data-number>{t('officeMerchants.lastDay')}</th>
              </tr>
            </thead>
            <tbody>
              {data.callers.map(({ address, calls, lastDay }) => (
                <tr key={address}>
                  <td>{address}</td>
                  <td data-number>
                    <Count of={Number(calls)} />
                  </td>
                  <td data-number>{lastDay}</td>
                </tr>
              ))}
            </tbody>
          </TableBox>
        )}
      </Section>
    </>
  );
}
