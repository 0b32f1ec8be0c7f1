import { type RequestFact, type StaffRequest, staffRequestEndpoints } from '@hengfu/contract/staff/requests';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { reactToFailure } from '../../platform/failures.ts';
import { call } from '../../platform/http.ts';
import { useLive } from '../../platform/live.ts';
import { reading } from '../../platform/reading.ts';
import { useRefresh } from '../../platform/refresh.ts';
import { CloseButton } from '../../shared/close-button.tsx';
import { Evidence } from '../../shared/evidence.tsx';
import { Failure } from '../../shared/failure.tsx';
import { ProofField } from '../../shared/proof-field.tsx';
import { TableBox } from '../../shared/table-box.tsx';
import { useCallForm, useProofForm } from '../../shared/use-call-form.ts';
import { useFactText, useSubjectText } from './fact-text.ts';
import { requestLooks } from './request-looks.ts';
import styles from './requests.module.css';

/** One request, with what it changes, for the second person. */
export function RequestDialog({ id, onClose }: { id: string; onClose: () => void }): ReactElement {
  const t = useT();
  const { get } = staffRequestEndpoints;
  const { data, error, refetch } = useQuery(reading(get, { params: { request_id: id } }));
  useLive(['staffRequests'], [get.path, id]);
  return (
    <Dialog
      title={data ? t(`officeRequests.kinds.${data.kind}`) : t('officeRequests.title')}
      isWide={data?.kind === 'payoutOutcome'}
      onClose={onClose}
    >
      <div className={styles.parts}>
        {error && <Failure error={error} onRetry={() => void refetch()} />}
        {data && (
          <>
            <Claim request={data} />
            <Decision request={data} onClose={onClose} />
          </>
        )}
        <CloseButton onClose={onClose} />
      </div>
    </Dialog>
  );
}

/** The facts of a request, beside the files that show them. */
function Claim({ request }: { request: StaffRequest }): ReactElement {
  const facts = (
    <>
      <About request={request} />
      <Facts facts={request.facts} />
    </>
  );
  if (request.kind !== 'payoutOutcome') return facts;
  return (
    <div className={styles.beside}>
      <Evidence tradeNo={request.subject} requestId={request.id} />
      <div className={styles.parts}>{facts}</div>
    </div>
  );
}

function About({ request }: { request: StaffRequest }): ReactElement {
  const t = useT();
  const subjectOf = useSubjectText();
  const { state, endedAt, endedBy } = request;
  return (
    <Fields
      isNarrow
      fields={[
        { label: t('officeRequests.state'), value: <StatusTag look={requestLooks[state]} /> },
        { label: t('office.subject'), value: subjectOf(request), copy: request.subject },
        ...(request.merchant ? [{ label: t('office.merchant'), value: request.merchant.name }] : []),
        {
          label: t('officeRequests.requestedBy'),
          value: withEmail(request.requestedBy, request.requestedByEmail),
        },
        { label: t('officeRequests.createdAt'), value: <TimeText at={request.createdAt} /> },
        ...(request.reason ? [{ label: t('officeRequests.reason'), value: request.reason }] : []),
        ...(endedAt === null
          ? [{ label: t('officeRequests.expiresAt'), value: <TimeText at={request.expiresAt} /> }]
          : [
              { label: t('officeRequests.endedBy'), value: withEmail(endedBy, request.endedByEmail) },
              { label: t('officeRequests.endedAt'), value: <TimeText at={endedAt} /> },
            ]),
        ...(request.endReason ? [{ label: t('officeRequests.endReason'), value: request.endReason }] : []),
      ]}
    />
  );
}

/** Names a person with the email address, because names can be like each other. Operators have none. */
function withEmail(name: string | null, email: string | null): string | null {
  return name === null || email === null ? name : `${name} <${email}>`;
}

function Facts({ facts }: { facts: readonly RequestFact[] }): ReactElement | null {
  const t = useT();
  const textOf = useFactText();
  if (facts.length === 0) return null;
  const hasBefore = facts.some(({ before }) => before !== null);
  return (
    <TableBox label={t('officeRequests.facts')}>
      <thead>
        <tr>
          <th>{t('officeRequests.fact')}</th>
          {hasBefore && <th>{t('officeRequests.before')}</th>}
          <th>{hasBefore ? t('officeRequests.after') : t('officeRequests.value')}</th>
        </tr>
      </thead>
      <tbody>
        {facts.map(({ name, before, after }) => (
          <tr key={name}>
            <td>{t(`officeRequests.names.${name}`)}</td>
            {hasBefore && <td className={styles.value}>{textOf(name, before)}</td>}
            <td className={styles.value}>{textOf(name, after)}</td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}

interface DecisionProps {
  request: StaffRequest;
  onClose: () => void;
}

/** The ways to end a request that the person has: approve and refuse another's, withdraw one's own. */
function Decision({ request, onClose }: DecisionProps): ReactElement | null {
  const t = useT();
  if (request.state !== 'waiting') return null;
  if (request.isOwn) return <Withdraw request={request} onClose={onClose} />;
  if (!request.mayDecide) return <Notice tone="calm">{t('officeRequests.notYours')}</Notice>;
  return (
    <>
      <ApproveForm request={request} onClose={onClose} />
      <RefuseForm request={request} onClose={onClose} />
    </>
  );
}

function useDone(text: string, onClose: () => void): () => void {
  const refresh = useRefresh(staffRequestEndpoints.list.path, staffRequestEndpoints.get.path);
  return () => {
    toast('success', text);
    refresh();
    onClose();
  };
}

function ApproveForm({ request: { id }, onClose }: DecisionProps): ReactElement {
  const t = useT();
  const onDone = useDone(t('officeRequests.approved'), onClose);
  const form = useProofForm(staffRequestEndpoints.approve, onDone, { request_id: id });
  return (
    <Form state={form} action={t('officeRequests.approve')}>
      <ProofField form={form} />
    </Form>
  );
}

function RefuseForm({ request: { id }, onClose }: DecisionProps): ReactElement {
  const t = useT();
  const onDone = useDone(t('officeRequests.refused'), onClose);
  const form = useCallForm(staffRequestEndpoints.refuse, onDone, { request_id: id });
  return (
    <Form state={form} action={t('officeRequests.refuse')} look="outline">
      <TextField
        form={form}
        name="reason"
        label={t('officeRequests.endReason')}
        maxLength={300}
        autoComplete="off"
      />
    </Form>
  );
}

function Withdraw({ request: { id }, onClose }: DecisionProps): ReactElement {
  const t = useT();
  const onDone = useDone(t('officeRequests.withdrawn'), onClose);
  const { mutate, isPending } = useAction({
    mutationFn: () => call(staffRequestEndpoints.withdraw, { params: { request_id: id } }),
    onSuccess: onDone,
    onError: reactToFailure,
  });
  return (
    <>
      <Notice tone="calm">{t('officeRequests.own')}</Notice>
      <Button onClick={() => mutate(undefined)} aria-disabled={isPending}>
        {t('officeRequests.withdraw')}
      </Button>
    </>
  );
}
