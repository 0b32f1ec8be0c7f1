import type { AccessKeyRow } from '@hengfu/contract/access-keys';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Page } from '@hengfu/ui/page/page.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useLive } from '../../../platform/live.ts';
import { queryClient } from '../../../platform/query-client.ts';
import { HasPerm } from '../../../platform/session-store.ts';
import { AccessApproval } from '../../../shared/access/access-approval.tsx';
import { accessRequestsOptions, useAccessApproval } from '../../../shared/access/access-requests.api.ts';
import { ShownSecret } from '../../../shared/access/shown-secret.tsx';
import { Failure } from '../../../shared/failure.tsx';
import { Loading } from '../../../shared/loading.tsx';
import { NeedsTwoFactor } from '../../../shared/payments/needs-two-factor.tsx';
import type { ShownKey } from '../access-key.api.ts';
import { accessKeyOptions } from '../access-key.api.ts';
import { KeyButtons, type KeyTask } from './key-buttons.tsx';
import { EndedKeys, KeyCard } from './key-card.tsx';
import { EndDialog, RevealDialog, SucceedDialog } from './key-dialogs.tsx';
import { KeyFormDialog } from './key-form-dialog.tsx';
import { isLive } from './key-looks.ts';
import { keysOptions } from './keys.api.ts';
import styles from './keys.module.css';

/** Prefetches the page's data. */
export const prefetch = (): void => {
  void queryClient.prefetchQuery(keysOptions);
  void queryClient.prefetchQuery(accessRequestsOptions);
};

/** An open dialog: for a new key, or for one of the keys. */
type OpenDialog = { task: 'add' } | { task: KeyTask; of: AccessKeyRow };

/** Settings → All access keys. */
export function AccessKeysPage(): ReactElement {
  const t = useT();
  const { data, error, refetch } = useQuery(keysOptions);
  const [shown, setShown] = useState<ShownKey & { isNew: boolean }>();
  const [open, setOpen] = useState<OpenDialog>();
  const { needsApproval, waiting } = useAccessApproval('key');
  const isHeld = needsApproval && waiting !== undefined;
  // An approval makes a key, or changes one.
  useLive(['approvals'], keysOptions.queryKey);
  const refresh = useRefresh();
  const live = data?.filter(isLive) ?? [];
  const ended = data?.filter((key) => !isLive(key)) ?? [];
  const done = (reply: Reply) => {
    setOpen(undefined);
    refresh();
    if (reply === '') toast('success', t('profile.saved'), 'access-keys');
    else if ('request_no' in reply.data) toast('success', t('approvals.asked'), 'access-keys');
    else {
      toast('success', t('accessKey.made'), 'access-keys');
      setShown({ ...reply.data, isNew: true });
    }
  };
  const card = (of: AccessKeyRow) => (
    <KeyCard key={of.keyId} of={of}>
      {shown?.keyId === of.keyId && <Secret of={shown} onHide={() => setShown(undefined)} />}
      <HasPerm any={['access.manage']}>
        <KeyButtons
          of={of}
          isHeld={isHeld}
          onChoose={(task) => setOpen({ task, of })}
          onTurned={(reply) => (reply === '' ? refresh() : done(reply))}
        />
      </HasPerm>
    </KeyCard>
  );
  return (
    <Page title={t('accessKeys.title')} intro={t('accessKeys.intro')}>
      {error && <Failure error={error} isStale={data !== undefined} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Loading />}
      <AccessApproval setting="key" />
      <Notice tone="calm">{t('accessKeys.whitelistHint')}</Notice>
      <HasPerm any={['access.manage']}>
        <NeedsTwoFactor>
          {!isHeld && (
            <p className={styles.buttons}>
              <Button look="primary" onClick={() => setOpen({ task: 'add' })}>
                {t('accessKeys.add')}
              </Button>
            </p>
          )}
        </NeedsTwoFactor>
      </HasPerm>
      {data && live.length === 0 && <p className={styles.hint}>{t('accessKeys.empty')}</p>}
      {live.map(card)}
      {ended.length > 0 && <EndedKeys of={ended} />}
      {open && (
        <TaskDialog
          open={open}
          needsApproval={needsApproval}
          onClose={() => setOpen(undefined)}
          onDone={done}
          onRevealed={(key) => {
            setOpen(undefined);
            setShown({ ...key, isNew: false });
          }}
          onEnded={() => {
            setOpen(undefined);
            toast('success', t('accessKeys.ended'), 'access-keys');
            refresh();
          }}
        />
      )}
    </Page>
  );
}

/** The reply to a change: '' if it was made at once. */
type Reply = '' | { data: ShownKey | { request_no: string } };

interface TaskDialogProps {
  open: OpenDialog;
  needsApproval: boolean;
  onClose: () => void;
  onDone: (reply: Reply) => void;
  onRevealed: (key: ShownKey) => void;
  onEnded: () => void;
}

function TaskDialog({
  open,
  needsApproval,
  onClose,
  onDone,
  onRevealed,
  onEnded,
}: TaskDialogProps): ReactElement {
  if (open.task === 'add')
    return <KeyFormDialog needsApproval={needsApproval} onDone={onDone} onClose={onClose} />;
  const { task, of } = open;
  switch (task) {
    case 'edit':
      return <KeyFormDialog of={of} needsApproval={needsApproval} onDone={onDone} onClose={onClose} />;
    case 'reveal':
      return <RevealDialog of={of} onDone={onRevealed} onClose={onClose} />;
    case 'succeed':
      return (
        <SucceedDialog
          of={of}
          needsApproval={needsApproval}
          onDone={(data) => onDone({ data })}
          onClose={onClose}
        />
      );
    case 'end':
      return <EndDialog of={of} onDone={onEnded} onClose={onClose} />;
  }
}

function Secret({
  of: { isNew, ...key },
  onHide,
}: {
  of: ShownKey & { isNew: boolean };
  onHide: () => void;
}) {
  return <ShownSecret {...key} {...(isNew && { news: 'accessKeys.isReady' })} onHide={onHide} />;
}

/** Reads the keys and the requests for approval again, here and on the page of the single key. */
function useRefresh(): () => void {
  const client = useQueryClient();
  return () => {
    for (const { queryKey } of [keysOptions, accessKeyOptions, accessRequestsOptions])
      void client.invalidateQueries({ queryKey });
  };
}
