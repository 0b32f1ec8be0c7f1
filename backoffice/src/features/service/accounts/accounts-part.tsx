import { type StaffAccount, staffAccountEndpoints } from '@hengfu/contract/staff/accounts';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { type StatusLook, StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useLive } from '../../../platform/live.ts';
import { reading } from '../../../platform/reading.ts';
import { useHasPerm, useUser } from '../../../platform/session.ts';
import { Failure } from '../../../shared/failure.tsx';
import table from '../../../shared/table.module.css';
import { TableBox } from '../../../shared/table-box.tsx';
import styles from '../service.module.css';
import { AccountActions, AddDialog } from './account-actions.tsx';

const looks = {
  active: { label: 'officeService.active', tone: 'good', icon: 'circleCheck' },
  disabled: { label: 'officeService.disabled', tone: 'calm', icon: 'circleCross' },
  bound: { label: 'officeService.factorOn', tone: 'good', icon: 'circleCheck' },
  unbound: { label: 'officeService.factorOff', tone: 'waiting', icon: 'alert' },
} as const satisfies Record<string, StatusLook>;

/** The people who can sign in to the back office. */
export function AccountsPart(): ReactElement {
  const t = useT();
  const canManage = useHasPerm('staff.manage');
  const [isAdding, setAdding] = useState(false);
  const { data, error, refetch } = useQuery(reading(staffAccountEndpoints.list));
  useLive(['staffRequests'], [staffAccountEndpoints.list.path]);
  return (
    <Section
      title={t('officeService.accounts')}
      extra={canManage && <Button onClick={() => setAdding(true)}>{t('officeService.addPerson')}</Button>}
      isCard
    >
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
      <p className={table.note}>{t('officeService.accountsText')}</p>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data && (
        <TableBox label={t('officeService.accounts')}>
          <thead>
            <tr>
              <th>{t('officeService.name')}</th>
              <th>{t('officeService.email')}</th>
              <th>{t('officeService.roles')}</th>
              <th>{t('officeService.factor')}</th>
              <th>{t('officeService.lastSignIn')}</th>
              <th>{t('officeService.state')}</th>
              {canManage && (
                <th>
                  <span className="visually-hidden">{t('officeService.action')}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {data.map((account) => (
              <AccountRow key={account.id} account={account} canManage={canManage} />
            ))}
          </tbody>
        </TableBox>
      )}
    </Section>
  );
}

function AccountRow({ account, canManage }: { account: StaffAccount; canManage: boolean }): ReactElement {
  const t = useT();
  const { id } = useUser();
  const { name, email, roles, hasFactor, lastSignInAt, disabledAt } = account;
  return (
    <tr>
      <td>
        {name}
        {account.id === id && <span className={styles.muted}> · {t('officeService.you')}</span>}
      </td>
      <td>{email}</td>
      <td>{roles.map((role) => t(`officeService.role.${role}`)).join(', ')}</td>
      <td>
        <StatusTag look={hasFactor ? looks.bound : looks.unbound} />
      </td>
      <td>
        {lastSignInAt === null ? (
          t('officeService.neverSignedIn')
        ) : (
          <TimeText at={lastSignInAt} style="minute" />
        )}
      </td>
      <td>
        <StatusTag look={disabledAt === null ? looks.active : looks.disabled} />
      </td>
      {canManage && <td data-number>{account.id !== id && <AccountActions account={account} />}</td>}
    </tr>
  );
}
