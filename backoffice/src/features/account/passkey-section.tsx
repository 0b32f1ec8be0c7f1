import { addressForPasskeys, canHavePasskeys } from '@hengfu/client/webauthn.ts';
import type { Passkey } from '@hengfu/contract/passkeys';
import { staffPasskeyEndpoints } from '@hengfu/contract/staff/passkeys';
import { staffSessionEndpoints } from '@hengfu/contract/staff/session';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Filled } from '@hengfu/ui/values/filled.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { reactToFailure } from '../../platform/failures.ts';
import { call } from '../../platform/http.ts';
import { reading } from '../../platform/reading.ts';
import { useRefresh } from '../../platform/refresh.ts';
import { setUser } from '../../platform/session-store.ts';
import { Failure } from '../../shared/failure.tsx';
import table from '../../shared/table.module.css';
import { TableBox } from '../../shared/table-box.tsx';
import { AddDialog, RemoveDialog } from './passkey-dialogs.tsx';

/** The person's passkeys: list, add, remove. */
export function PasskeySection(): ReactElement {
  const t = useT();
  const { data, error, refetch } = useQuery(reading(staffPasskeyEndpoints.list));
  const [open, setOpen] = useState<'add' | Passkey>();
  const refresh = useRefresh(staffPasskeyEndpoints.list.path, staffSessionEndpoints.sessions.path);
  const close = () => setOpen(undefined);
  const done = (text: string) => () => {
    toast('success', text, 'passkeys');
    close();
    refresh();
    // The person's second factors are others now.
    call(staffSessionEndpoints.user).then(({ data: user }) => setUser(user), reactToFailure);
  };
  const canAdd = canHavePasskeys();
  return (
    <Section
      title={t('passkeys.title')}
      isCard
      extra={canAdd && <Button onClick={() => setOpen('add')}>{t('passkeys.add')}</Button>}
    >
      <p className={table.note}>{t('passkeys.intro')}</p>
      {!canAdd && (
        <Notice tone="calm">
          {t('passkeys.notHere')}
          <br />
          <Filled phrase={(address) => t('passkeys.openAt', { address })}>
            <a href={`${addressForPasskeys()}/account`}>{addressForPasskeys()}</a>
          </Filled>
        </Notice>
      )}
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data && data.length > 0 && <Table keys={data} onRemove={setOpen} />}
      {open === 'add' && <AddDialog onDone={done(t('passkeys.added'))} onClose={close} />}
      {open !== undefined && open !== 'add' && (
        <RemoveDialog passkey={open} onDone={done(t('passkeys.removed'))} onClose={close} />
      )}
    </Section>
  );
}

interface TableProps {
  keys: readonly Passkey[];
  onRemove: (key: Passkey) => void;
}

function Table({ keys, onRemove }: TableProps): ReactElement {
  const t = useT();
  return (
    <TableBox label={t('passkeys.title')}>
      <thead>
        <tr>
          <th>{t('passkeys.name')}</th>
          <th>{t('office.added')}</th>
          <th>{t('office.lastUsed')}</th>
          <th>
            <span className="visually-hidden">{t('passkeys.remove')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id}>
            <td className={table.breaking}>{key.name}</td>
            <td>
              <TimeText at={key.createdAt} style="minute" />
            </td>
            <td>
              <TimeText at={key.lastUsedAt} style="minute" />
            </td>
            <td data-number>
              <Button
                aria-label={t('passkeys.removeNamed', { name: key.name })}
                onClick={() => onRemove(key)}
              >
                {t('passkeys.remove')}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}
