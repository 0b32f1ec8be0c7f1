import { passkeyEndpoints } from '@hengfu/contract/passkeys';
import { sessionEndpoints } from '@hengfu/contract/session';
import { twoFactorEndpoints } from '@hengfu/contract/two-factor';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { formatInstant } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Filled } from '@hengfu/ui/values/filled.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useRef, useState } from 'react';
import { reactToFailure } from '../../platform/failures.ts';
import { call } from '../../platform/http.ts';
import { addressForPasskeys, canHavePasskeys } from '../../platform/passkeys.ts';
import { setSessionUser, useUser } from '../../platform/session-store.ts';
import { Failure } from '../../shared/failure.tsx';
import { CodeList } from './code-list.tsx';
import { NewPasskeyDialog } from './passkey-dialog.tsx';
import { passkeysOptions, securityEventsKey } from './two-factor.api.ts';
import styles from './two-factor.module.css';

/** The passkeys of the signed-in user: list, add, remove. */
export function PasskeySection(): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(passkeysOptions);
  const [isAdding, setAdding] = useState(false);
  const { factors } = useUser();
  const [fresh, setFresh] = useState<readonly string[]>();
  const refresh = async () => {
    void client.invalidateQueries({ queryKey: passkeysOptions.queryKey });
    void client.invalidateQueries({ queryKey: securityEventsKey });
    setSessionUser((await call(sessionEndpoints.user)).data);
  };
  /** The first factor brings recovery codes along, which nobody has saved yet. */
  const showFresh = async (isFirst: boolean) => {
    if (isFirst) setFresh(await call(twoFactorEndpoints.recoveryCodes));
  };
  const remove = useAction({
    mutationFn: (id: string) => call(passkeyEndpoints.remove, { params: { passkey_id: id } }),
    onSuccess: async () => {
      toast('success', t('passkeys.removed'), 'passkeys');
      await refresh();
      // The button that had the focus goes with its row.
      addButton.current?.focus();
    },
  });
  const canAdd = canHavePasskeys();
  const addButton = useRef<HTMLButtonElement>(null);
  return (
    <Section isCard title={t('passkeys.title')}>
      <div className={styles.parts}>
        <p>{t('passkeys.intro')}</p>
        {error && <Failure error={error} isStale={data !== undefined} onRetry={() => void refetch()} />}
        <ul className={styles.rows}>
          {data?.map((key) => (
            <Passkey key={key.id} {...key} onRemove={() => remove.mutate(key.id)} />
          ))}
        </ul>
        {fresh && (
          <CodeList codes={fresh}>
            <Button look="primary" onClick={() => setFresh(undefined)}>
              {t('twoFactor.goOn')}
            </Button>
          </CodeList>
        )}
        {canAdd && (
          <Button ref={addButton} onClick={() => setAdding(true)}>
            {t('passkeys.add')}
          </Button>
        )}
        {!canAdd && (
          <Notice tone="calm">
            {t('passkeys.notHere')}
            <br />
            <Filled phrase={(address) => t('passkeys.openAt', { address })}>
              <a href={`${addressForPasskeys()}/setting/accountSecurity`}>{addressForPasskeys()}</a>
            </Filled>
          </Notice>
        )}
      </div>
      {isAdding && (
        <NewPasskeyDialog
          onClose={() => setAdding(false)}
          onAdded={() => {
            toast('success', t('passkeys.added'), 'passkeys');
            setAdding(false);
            const isFirst = factors.length === 0;
            void refresh()
              .then(() => showFresh(isFirst))
              .catch(reactToFailure);
          }}
        />
      )}
    </Section>
  );
}

interface PasskeyProps {
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
  onRemove: () => void;
}

function Passkey({ name, createdAt, lastUsedAt, onRemove }: PasskeyProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { zone } = useUser();
  const time = (instant: string) => formatInstant(instant, zone, language, 'full');
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <p>
          {t('profile.since', { time: time(createdAt) })} ·{' '}
          {lastUsedAt ? t('passkeys.lastUsed', { time: time(lastUsedAt) }) : t('passkeys.neverUsed')}
        </p>
      </div>
      <Button aria-label={t('passkeys.removeNamed', { name })} onClick={onRemove}>
        {t('passkeys.remove')}
      </Button>
    </li>
  );
}
