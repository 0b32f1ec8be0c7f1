import { maxBatchRows } from '@hengfu/contract/payout-batch-rows';
import { usePageSearch } from '@hengfu/ui/browser/page-place.ts';
import { formatCount } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Page } from '@hengfu/ui/page/page.tsx';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { Failure } from '../../shared/failure.tsx';
import { Loading } from '../../shared/loading.tsx';
import { NoChannel } from '../../shared/payments/no-channel.tsx';
import { PayoutModes } from '../../shared/payments/payout-modes.tsx';
import { type Draft, startDraft, useDraft } from './editor/batch-draft.ts';
import { BatchEditor } from './editor/batch-editor.tsx';
import { BatchStart } from './editor/batch-start.tsx';
import { DraftQuestion } from './editor/draft-question.tsx';
import { channelOptions, failedOptions } from './payout-batch-check.api.ts';

/** Send money → Send money apply, batch mode. `recent` lists earlier batches. */
export function PayoutBatchPage({ recent }: { recent: ReactNode }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { data: channels, error, refetch } = useQuery(channelOptions);
  const draft = useDraft();
  const { mend }: { mend?: string } = usePageSearch();
  const [first, ...more] = channels ?? [];
  const isOpen = channels?.some(({ code }) => code === draft?.channel) === true;
  return (
    <Page
      title={t('payouts.applyTitle')}
      intro={t('payoutBatches.intro', { max: formatCount(maxBatchRows, language) })}
    >
      <PayoutModes />
      {error && <Failure error={error} isStale={channels !== undefined} onRetry={() => void refetch()} />}
      {channels === undefined && !error && <Loading />}
      {channels?.length === 0 && <NoChannel />}
      {draft && isOpen && !mend && <BatchEditor draft={draft} />}
      {mend && <Mend batchNo={mend} draft={draft} />}
      {first && !mend && !(draft && isOpen) && <BatchStart channels={[first, ...more]} />}
      {!mend && !(draft && isOpen) && recent}
    </Page>
  );
}

/** Turns a batch's failed rows into a draft, and opens it. Asks first if it would replace another one. */
function Mend({ batchNo, draft }: { batchNo: string; draft: Draft | undefined }): ReactElement | null {
  const t = useT();
  const language = useLanguage();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const { data, error, refetch } = useQuery(failedOptions(batchNo));
  const open = () => void navigate({ to: '/behalfPay/apply', search: { mode: 'batch' }, replace: true });
  const begin = ({ channel, rows }: NonNullable<typeof data>) => {
    startDraft(
      { name: t('payoutBatches.mended', { batch_no: batchNo }), channel, named: [], columns: [] },
      rows.map(({ row: fields, ...row }) => ({ ...row, fields })),
    );
    open();
  };
  const beginOrAsk = useEffectEvent((failed: NonNullable<typeof data>) =>
    draft ? setAsking(true) : begin(failed),
  );
  useEffect(() => {
    if (data) beginOrAsk(data);
  }, [data]);
  if (draft && data && isAsking)
    return (
      <DraftQuestion
        title={t('payoutBatches.replaceTitle')}
        lose={t('payoutBatches.replace')}
        onLose={() => begin(data)}
        keep={t('payoutBatches.keep')}
        onKeep={open}
      >
        {t('payoutBatches.replaceText', {
          name: draft.name,
          count: formatCount(draft.rows.length, language),
          batch_no: batchNo,
        })}
      </DraftQuestion>
    );
  return error && <Failure error={error} onRetry={() => void refetch()} />;
}
