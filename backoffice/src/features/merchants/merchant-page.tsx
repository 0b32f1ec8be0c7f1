import type { ReplyOf } from '@hengfu/contract/endpoint';
import { merchantSuspensionEndpoints } from '@hengfu/contract/staff/merchant-suspension';
import { staffMerchantEndpoints } from '@hengfu/contract/staff/merchants';
import { Button, buttonClass } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Page } from '@hengfu/ui/page/page.tsx';
import { PartLinks } from '@hengfu/ui/page/part-links.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useLive } from '../../platform/live.ts';
import { reading } from '../../platform/reading.ts';
import { useHasPerm } from '../../platform/session.ts';
import { Failure } from '../../shared/failure.tsx';
import { AskDialog } from './ask-dialog.tsx';
import { merchantLooks } from './merchant-looks.ts';
import styles from './merchants.module.css';
import { AccessPart } from './parts/access-part.tsx';
import { ActionsPart } from './parts/actions-part.tsx';
import { NotesPart } from './parts/notes-part.tsx';
import { OverviewPart } from './parts/overview-part.tsx';
import { PeoplePart } from './parts/people-part.tsx';
import { SuspendDialog } from './suspend-dialog.tsx';
import { TermsPart } from './terms/terms-part.tsx';

type Merchant = ReplyOf<typeof staffMerchantEndpoints.get>['data'];

/** The parts of a merchant, each of which has an address. */
export const merchantParts = ['overview', 'people', 'access', 'terms', 'notes', 'actions'] as const;
export type MerchantPart = (typeof merchantParts)[number];

const contents = {
  people: PeoplePart,
  access: AccessPart,
  terms: TermsPart,
  notes: NotesPart,
  actions: ActionsPart,
} as const satisfies Partial<
  Record<MerchantPart, (props: { code: string; isTest: boolean }) => ReactElement>
>;

/** One merchant: its state, and one part of what is known about it. */
export function MerchantPage({ code, part }: { code: string; part: MerchantPart }): ReactElement {
  const t = useT();
  const params = { code };
  const [isChanging, setIsChanging] = useState(false);
  const { data, error, refetch } = useQuery(reading(staffMerchantEndpoints.get, { params }));
  useLive(
    ['merchants'],
    [staffMerchantEndpoints.get.path, code],
    [staffMerchantEndpoints.notes.path, code],
    [staffMerchantEndpoints.actions.path, code],
  );
  // Approved requests change the parts.
  useLive(
    ['staffRequests'],
    [staffMerchantEndpoints.terms.path, code],
    [staffMerchantEndpoints.people.path, code],
    [staffMerchantEndpoints.actions.path, code],
  );
  // Without this condition, a failed re-read would take away what is typed in a part.
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  const Content = part === 'overview' ? undefined : contents[part];
  // A test merchant has the state and the terms of its live one.
  const isTest = data?.mode === 'test';
  const state = data && <MerchantHead merchant={data} isTest={isTest} onChange={() => setIsChanging(true)} />;
  return (
    <Page title={data?.name ?? code} intro={state}>
      {error && <Failure error={error} isStale onRetry={() => void refetch()} />}
      {data?.suspension && (
        <Notice tone="bad">
          {t('officeMerchants.suspendedBy', {
            name: data.suspension.by,
            reason: data.suspension.reason,
          })}{' '}
          <TimeText at={data.suspension.at} />
        </Notice>
      )}
      <PartLinks label={t('officeMerchants.parts')}>
        {merchantParts.map((each) => (
          <Link
            key={each}
            to="/merchants/$code"
            params={params}
            search={each === 'overview' ? {} : { part: each }}
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {t(`officeMerchants.tabs.${each}`)}
          </Link>
        ))}
      </PartLinks>
      {Content ? <Content code={code} isTest={isTest} /> : data && <OverviewPart merchant={data} />}
      {isChanging && data?.state === 'active' && (
        <SuspendDialog code={code} name={data.name} onClose={() => setIsChanging(false)} />
      )}
      {isChanging && data?.state === 'suspended' && (
        <AskDialog
          endpoint={merchantSuspensionEndpoints.reactivate}
          code={code}
          title={t('officeMerchants.reactivateTitle', { name: data.name })}
          text={t('officeMerchants.reactivateText')}
          onClose={() => setIsChanging(false)}
        />
      )}
    </Page>
  );
}

interface MerchantHeadProps {
  merchant: Merchant;
  isTest: boolean;
  /** Opens the dialog that suspends or reactivates it. */
  onChange: () => void;
}

/** A merchant's code and state, and what can be done with it as a whole. */
function MerchantHead({ merchant: { code, state }, isTest, onChange }: MerchantHeadProps): ReactElement {
  const t = useT();
  const maySee = useHasPerm('merchants.see');
  const maySuspend = useHasPerm('merchants.suspend');
  return (
    <span className={styles.head}>
      {code}
      <StatusTag look={merchantLooks[state]} />
      {maySee && (
        <Link
          to="/merchants/$code/view/$page"
          params={{ code, page: 'dashboard' }}
          className={buttonClass('outline')}
        >
          {t('officeLooks.see')}
        </Link>
      )}
      {maySuspend && !isTest && (
        <Button onClick={onChange}>
          {t(state === 'active' ? 'officeMerchants.suspend' : 'officeMerchants.reactivate')}
        </Button>
      )}
    </span>
  );
}
