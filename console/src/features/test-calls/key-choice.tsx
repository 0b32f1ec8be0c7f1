import { accessKeysEndpoints } from '@hengfu/contract/access-keys';
import { buttonClass } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { Select } from '@hengfu/ui/controls/select.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useEffect, useId } from 'react';
import { useLive } from '../../platform/live.ts';
import { reading } from '../../platform/reading.ts';
import { Failure } from '../../shared/failure.tsx';
import styles from './test-calls.module.css';

const keysOptions = reading(accessKeysEndpoints.list);

interface KeyChoiceProps {
  keyId: string | undefined;
  onChange: (keyId: string | undefined) => void;
}

/** Chooses the test key that signs; the first active one at the beginning. */
export function KeyChoice({ keyId, onChange }: KeyChoiceProps): ReactElement | null {
  const t = useT();
  const id = useId();
  const { data, error, refetch } = useQuery(keysOptions);
  // An approval can add a key.
  useLive(['approvals'], keysOptions.queryKey);
  const active = data?.filter(({ state }) => state === 'active') ?? [];
  const chosen = active.find((key) => key.keyId === keyId) ?? active[0];
  useEffect(() => onChange(chosen?.keyId), [chosen?.keyId, onChange]);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const keysLink = (
    <Link to="/setting/keys" className={buttonClass('primary')}>
      {t('shell.menu.accessKeys')}
    </Link>
  );
  if (!chosen)
    return (
      <Notice tone="waiting" action={keysLink}>
        {t('testCalls.noKey')}
      </Notice>
    );
  return (
    <div className={styles.key}>
      <label htmlFor={id}>{t('testCalls.key')}</label>
      <Select
        id={id}
        look="field"
        value={chosen.keyId}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => onChange(target.value)}
      >
        {active.map((key) => (
          <option key={key.keyId} value={key.keyId}>
            {key.name === null ? key.keyId : `${key.name} · ${key.keyId}`}
          </option>
        ))}
      </Select>
      <p id={`${id}-hint`} className={styles.muted}>
        {t('testCalls.keyHint')}
      </p>
    </div>
  );
}
