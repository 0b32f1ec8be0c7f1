import { isSettingKind, type OrderKind } from '@hengfu/contract/approval-rules';
import type { ApprovalRow, ApprovalDetail as Detail, Exclusion } from '@hengfu/contract/approvals';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { detailSkeleton } from '@hengfu/ui/list/list-states.tsx';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { Figure, Figures } from '@hengfu/ui/page/figure-card.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useLive } from '../../platform/live.ts';
import { useUser } from '../../platform/session-store.ts';
import { AuditLink } from '../../shared/audit-link.tsx';
import { Failure } from '../../shared/failure.tsx';
import { ApprovalStateTag } from '../../shared/names/approval-state.tsx';
import { batchTarget } from '../../shared/payments/batch-target.ts';
import { approvalDetailKey, approvalOptions } from './approvals.api.ts';
import styles from './approvals.module.css';
import { BatchRows } from './batch-rows.tsx';
import { AccessChangeSection, RoleChange, RulesChange, TeamChange } from './changes.tsx';
import { Decide } from './deciding/decide.tsx';
import { Marks } from './marks.tsx';

/** Shows one request: the order, what to check, who has decided, and the buttons to decide. */
export function ApprovalDetail({
  requestNo,
  row,
}: {
  requestNo: string;
  row: ApprovalRow | undefined;
}): ReactElement {
  const { data, error, refetch } = useQuery(approvalOptions(requestNo));
  useLive(['approvals'], approvalDetailKey);
  const known = data ?? row;
  if (!known && !error) return detailSkeleton;
  return (
    <>
      {error && <Failure error={error} isStale={known !== undefined} onRetry={() => void refetch()} />}
      {known && <Head of={known} />}
      {data?.change && <RulesChange of={data.change} />}
      {data?.team && <TeamChange of={data.team} />}
      {data?.access && <AccessChangeSection of={data.access} />}
      {data?.role && <RoleChange of={data.role} />}
      {data && data.state === 'waiting' && data.subject_no !== null && <Marks of={data} />}
      {data && <Deciding of={data} />}
      {known && <Facts of={known} reason={data?.reason ?? null} />}
      {data && <Decisions of={data} />}
    </>
  );
}

/** The rows of a batch, of which the user can exclude some, and the buttons to decide. */
function Deciding({ of }: { of: Detail }): ReactElement {
  const [excluded, setExcluded] = useState<readonly Exclusion[]>([]);
  return (
    <>
      {of.kind === 'batch' && <BatchRows of={of} excluded={excluded} onChange={setExcluded} />}
      <Decide of={of} excluded={excluded} />
    </>
  );
}

function Head({ of }: { of: ApprovalRow }): ReactElement {
  const t = useT();
  const { amount, currency, kind, approvals, needed } = of;
  const count = t('approvals.approvalsCount', { count: approvals, needed });
  return (
    <Figures>
      <Figure
        label={t(amount === null ? 'approvals.kindLabel' : 'approvals.amount')}
        value={amount === null ? t(`approvals.kinds.${kind}`) : <Money amount={amount} currency={currency} />}
        size="lead"
        note={<ApprovalStateTag state={of.state} />}
      />
      <Figure label={t('approvals.approvalsOf')} value={count} />
    </Figures>
  );
}

const orderPages = {
  payout: '/behalfPay/transfers',
  withdrawal: '/withdrawal/record',
  refund: '/collection/refunds',
} as const;

function OrderLink({ kind, orderNo }: { kind: OrderKind; orderNo: string }): ReactElement {
  const user = useUser();
  if (kind === 'batch') return <Link {...batchTarget(user, orderNo)}>{orderNo}</Link>;
  // The version before asked for the refund of a whole order, by the order's number.
  const isOrder = kind === 'refund' && !orderNo.includes('-R');
  return (
    <Link to={isOrder ? '/collection/payments' : orderPages[kind]} search={{ open: orderNo }}>
      {orderNo}
    </Link>
  );
}

function Facts({ of, reason }: { of: ApprovalRow; reason: string | null }): ReactElement {
  const t = useT();
  const { kind, subject_no } = of;
  const kindText = t(`approvals.kinds.${kind}`);
  // The change of the access key or of the whitelist is shown in full above.
  const target = kind === 'access' ? null : of.target;
  const order = kind !== 'rules' && !isSettingKind(kind) && subject_no !== null && (
    <OrderLink kind={kind} orderNo={subject_no} />
  );
  return (
    <Section title={subject_no === null ? kindText : t('approvals.order', { value: kindText })}>
      <Fields
        fields={[
          ...(order ? [{ label: t('approvals.subject_no'), value: order, copy: subject_no }] : []),
          ...(target === null
            ? []
            : [
                {
                  label: t(kind === 'refund' ? 'collections.out_trade_no' : 'approvals.target'),
                  value: target,
                  isWide: true,
                },
              ]),
          { label: t('approvals.requestedBy'), value: of.requestedBy },
          { label: t('approvals.createdAt'), value: <TimeText at={of.createdAt} style="full" /> },
          of.endedAt === null
            ? { label: t('approvals.expiresAt'), value: <TimeText at={of.expiresAt} style="full" /> }
            : { label: t('approvals.endedAt'), value: <TimeText at={of.endedAt} style="full" /> },
          ...(reason === null ? [] : [{ label: t('approvals.reason'), value: reason, isWide: true }]),
        ]}
      />
      <AuditLink subject={subject_no ?? of.request_no} />
    </Section>
  );
}

function Decisions({ of }: { of: Detail }): ReactElement {
  const t = useT();
  return (
    <Section title={t('approvals.decisions')}>
      {of.decisions.length === 0 && <p className={styles.note}>{t('approvals.noDecisions')}</p>}
      <ul className={styles.decisions}>
        {of.decisions.map(({ name, verdict, at }) => (
          <li key={`${at} ${verdict} ${name}`}>
            <span>{t(`approvals.${verdict}By`, { name })}</span>
            <TimeText at={at} style="minute" />
          </li>
        ))}
      </ul>
    </Section>
  );
}
