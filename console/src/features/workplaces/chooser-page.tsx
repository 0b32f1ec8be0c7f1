import { ApiError } from '@hengfu/client/api-error.ts';
import type { Workplace } from '@hengfu/contract/workplaces';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { LanguageSelect } from '@hengfu/ui/controls/language-select.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect } from 'react';
import { useDocumentTitle } from '../../platform/document-title.ts';
import { queryClient } from '../../platform/query-client.ts';
import { Failure } from '../../shared/failure.tsx';
import { Loading } from '../../shared/loading.tsx';
import styles from './chooser-page.module.css';
import { enterMerchant, workplacesQuery } from './workplaces.api.ts';

interface ChooserPageProps {
  /** The address that the person asked for, at the merchant that was used last. */
  target: string;
  /** Ends the session and opens the sign-in page. */
  onSignOut: () => Promise<void>;
}

/** The page on which a person who works for several merchants chooses one: after sign-in, or in place of binding a factor. */
export function ChooserPage(props: ChooserPageProps): ReactElement {
  return (
    <QueryClientProvider client={queryClient}>
      <Chooser {...props} />
    </QueryClientProvider>
  );
}

function Chooser({ target, onSignOut }: ChooserPageProps): ReactElement {
  const t = useT();
  useDocumentTitle(t('workplaces.title'));
  const { data, error, refetch } = useQuery(workplacesQuery);
  // Alone on its page, without the frame that would ask to sign in again.
  const hasEnded = error instanceof ApiError && error.status === 401;
  useEffect(() => {
    if (hasEnded) location.assign('/login');
  }, [hasEnded]);
  const signOut = useAction({ mutationFn: onSignOut });
  const enter = useAction({
    // An address belongs to the merchant where it was open.
    mutationFn: ({ code, isLastUsed }: Workplace) => enterMerchant(code, isLastUsed ? target : '/'),
    onError: () => refetch(),
  });
  return (
    <main className={styles.page}>
      <header className={styles.head}>
        <LanguageSelect />
        <Button
          look="quiet"
          icon="signOut"
          aria-disabled={signOut.isPending}
          onClick={() => !signOut.isPending && signOut.mutate()}
        >
          {t('session.signOut')}
        </Button>
      </header>
      <h1>{t('workplaces.title')}</h1>
      <p className={styles.text}>{t('workplaces.text')}</p>
      {error && <Failure error={error} isStale={data !== undefined} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data && !data.some(({ isAvailable }) => isAvailable) && (
        <Notice tone="bad">{t('workplaces.none')}</Notice>
      )}
      <ul className={styles.list}>
        {data?.map((workplace) => (
          <Choice
            key={workplace.code}
            workplace={workplace}
            isBusy={enter.isPending || enter.isSuccess}
            onChosen={() => enter.mutate(workplace)}
          />
        ))}
      </ul>
    </main>
  );
}

interface ChoiceProps {
  workplace: Workplace;
  isBusy: boolean;
  onChosen: () => void;
}

function Choice({ workplace, isBusy, onChosen }: ChoiceProps): ReactElement {
  const t = useT();
  const { code, name, isLastUsed, isAvailable } = workplace;
  return (
    <li>
      <button
        type="button"
        className={styles.choice}
        aria-disabled={!isAvailable || isBusy}
        onClick={() => isAvailable && !isBusy && onChosen()}
      >
        <span className={styles.icon}>
          <Icon name="merchant" size={20} />
        </span>
        <span className={styles.name}>
          <span>{name}</span>
          <span className={styles.code}>{isAvailable ? code : t('workplaces.unavailable')}</span>
        </span>
        {isAvailable && isLastUsed && <span className={styles.last}>{t('workplaces.last')}</span>}
        {isAvailable && <Icon name="chevronRight" size={16} />}
      </button>
    </li>
  );
}
