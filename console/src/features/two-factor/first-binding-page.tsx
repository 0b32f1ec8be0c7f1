import { Button } from '@hengfu/ui/controls/button.tsx';
import { LanguageSelect } from '@hengfu/ui/controls/language-select.tsx';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Page } from '@hengfu/ui/page/page.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { queryClient } from '../../platform/query-client.ts';
import styles from './first-binding-page.module.css';
import { FirstBindingSteps } from './first-binding-steps.tsx';

interface FirstBindingPageProps {
  onDone: () => void;
  /** Opens the choice of another merchant; absent for a person who works for one only. */
  onOtherMerchant: (() => void) | undefined;
  /** Ends the session and opens the sign-in page. */
  onSignOut: () => Promise<void>;
}

/** The page on which a user who must have a second factor binds one. The caller navigates on in `onDone`. */
export function FirstBindingPage({
  onDone,
  onOtherMerchant,
  onSignOut,
}: FirstBindingPageProps): ReactElement {
  const t = useT();
  return (
    <QueryClientProvider client={queryClient}>
      <header className={styles.head}>
        <LanguageSelect />
        {onOtherMerchant && (
          <Button look="quiet" icon="merchant" onClick={onOtherMerchant}>
            {t('workplaces.other')}
          </Button>
        )}
        <SignOut onSignOut={onSignOut} />
      </header>
      <main className={styles.page}>
        <Steps onDone={onDone} />
      </main>
    </QueryClientProvider>
  );
}

function SignOut({ onSignOut }: Pick<FirstBindingPageProps, 'onSignOut'>): ReactElement {
  const t = useT();
  const { mutate, isPending } = useAction({ mutationFn: onSignOut });
  return (
    <Button look="quiet" icon="signOut" aria-disabled={isPending} onClick={() => !isPending && mutate()}>
      {t('session.signOut')}
    </Button>
  );
}

function Steps({ onDone }: Pick<FirstBindingPageProps, 'onDone'>): ReactElement {
  const t = useT();
  return (
    <Page title={t('twoFactor.requiredTitle')} intro={t('twoFactor.requiredText')}>
      <FirstBindingSteps onDone={onDone} />
    </Page>
  );
}
