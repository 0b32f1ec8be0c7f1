import type { PhraseKey } from '@hengfu/phrases/phrases';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { SavedForm } from '@hengfu/ui/form/saved-form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Page } from '@hengfu/ui/page/page.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useLive } from '../../platform/live.ts';
import { queryClient } from '../../platform/query-client.ts';
import { HasPerm } from '../../platform/session-store.ts';
import { AccessApproval } from '../../shared/access/access-approval.tsx';
import { accessRequestsOptions, useAccessApproval } from '../../shared/access/access-requests.api.ts';
import { ShownSecret } from '../../shared/access/shown-secret.tsx';
import { Failure } from '../../shared/failure.tsx';
import { Loading } from '../../shared/loading.tsx';
import { NeedsTwoFactor } from '../../shared/payments/needs-two-factor.tsx';
import { accessKeyOptions, type ShownKey } from './access-key.api.ts';
import styles from './access-key.module.css';
import { KeyFacts } from './key-facts.tsx';
import { KeySettings, settingsOf } from './key-settings.tsx';
import { RegenerateDialog } from './regenerate-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';

/** Prefetches the page's data. */
export const prefetch = (): void => {
  void queryClient.prefetchQuery(accessKeyOptions);
  void queryClient.prefetchQuery(accessRequestsOptions);
};

/** Settings → Access key. */
export function AccessKeyPage(): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const { data, dataUpdatedAt, error, refetch } = useQuery(accessKeyOptions);
  const [openDialog, setOpenDialog] = useState<'secret' | 'regenerate'>();
  const [shown, setShown] = useState<ShownKey & { news?: PhraseKey }>();
  const { needsApproval, waiting } = useAccessApproval('key');
  // Approvals and colleagues make the key, or change it.
  useLive(['approvals'], accessKeyOptions.queryKey);
  const close = () => setOpenDialog(undefined);
  return (
    <Page title={t('accessKey.title')} intro={t('accessKey.intro')}>
      {error && <Failure error={error} isStale={data !== undefined} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Loading />}
      <AccessApproval setting="key" />
      {data !== undefined && (
        <Section isCard isTitleHidden title={t('accessKey.title')}>
          <div className={styles.parts}>
            {data ? <KeyFacts accessKey={data} /> : <Notice tone="calm">{t('accessKey.none')}</Notice>}
            {shown && <ShownSecret {...shown} onHide={() => setShown(undefined)} />}
            <HasPerm any={['access.manage']}>
              <NeedsTwoFactor>
                <p className={styles.buttons}>
                  {data && !shown && (
                    <Button onClick={() => setOpenDialog('secret')}>{t('accessKey.reveal')}</Button>
                  )}
                  {!(needsApproval && waiting) && (
                    <Button onClick={() => setOpenDialog('regenerate')}>
                      {t(data ? 'accessKey.regenerate' : 'accessKey.make')}
                    </Button>
                  )}
                </p>
              </NeedsTwoFactor>
            </HasPerm>
          </div>
        </Section>
      )}
      {data && (
        <HasPerm any={['access.manage']}>
          <SavedForm saved={settingsOf(data)} readAt={dataUpdatedAt}>
            {(drawn) => <KeySettings {...drawn} />}
          </SavedForm>
        </HasPerm>
      )}
      {openDialog === 'secret' && (
        <SecretDialog
          onClose={close}
          onShown={(key) => {
            setShown(key);
            close();
          }}
        />
      )}
      {openDialog === 'regenerate' && (
        <RegenerateDialog
          isFirst={!data}
          needsApproval={needsApproval}
          onAsked={() => {
            toast('success', t('approvals.asked'), 'access-key');
            close();
            void client.invalidateQueries({ queryKey: accessRequestsOptions.queryKey });
          }}
          onClose={close}
          onMade={(key) => {
            toast('success', t(data ? 'accessKey.regenerated' : 'accessKey.made'), 'access-key');
            setShown({ ...key, news: data ? 'accessKey.newKey' : 'accessKey.firstKey' });
            close();
            void client.invalidateQueries({ queryKey: accessKeyOptions.queryKey });
          }}
        />
      )}
    </Page>
  );
}
