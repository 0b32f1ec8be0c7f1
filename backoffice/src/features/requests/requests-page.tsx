import {
  type StaffRequest,
  type StaffRequestState,
  staffRequestEndpoints,
  staffRequestStates,
} from '@hengfu/contract/staff/requests';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Page } from '@hengfu/ui/page/page.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { call } from '../../platform/http.ts';
import { useLive } from '../../platform/live.ts';
import { Failure } from '../../shared/failure.tsx';
import table from '../../shared/table.module.css';
import { TableBox } from '../../shared/table-box.tsx';
import { useSubjectText } from './fact-text.ts';
import { RequestDialog } from './request-dialog.tsx';
import { requestLooks } from './request-looks.ts';
import styles from './requests.module.css';

const pageSize = 50;

interface RequestsProps {
  state: StaffRequestState;
  /** The ID of the request that is open, if one is. */
  opened: string | undefined;
  show: (search: { state: StaffRequestState; request?: string | undefined }) => void;
}

/** Requests that a second person decides, by their state, newest first. */
export function RequestsPage({ state, opened, show }: RequestsProps): ReactElement {
  const t = useT();
  const { list } = staffRequestEndpoints;
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [list.path, state],
    queryFn: async ({ pageParam, signal }) =>
      (await call(list, { query: { state, ...(pageParam && { before: pageParam }) }, signal })).data,
    initialPageParam: '',
    getNextPageParam: (page: StaffRequest[]) => (page.length < pageSize ? undefined : page.at(-1)?.id),
  });
  useLive(['staffRequests'], [list.path]);
  const requests = data?.pages.flat() ?? [];
  return (
    <Page title={t('officeRequests.title')} intro={t('officeRequests.intro')}>
      <Section title={t('officeRequests.title')} isCard isTitleHidden>
        <fieldset className={styles.states}>
          <legend className="visually-hidden">{t('officeRequests.state')}</legend>
          {staffRequestStates.map((each) => (
            <Button
              key={each}
              look={each === state ? 'primary' : 'outline'}
              aria-pressed={each === state}
              onClick={() => show({ state: each })}
            >
              {t(`approvals.states.${each}`)}
            </Button>
          ))}
        </fieldset>
        {error && <Failure error={error} onRetry={() => void refetch()} />}
        {data && requests.length === 0 && <p className={table.note}>{t('officeRequests.empty')}</p>}
        {requests.length > 0 && (
          <RequestTable requests={requests} onOpened={(request) => show({ state, request })} />
        )}
        {hasNextPage && (
          <Button onClick={() => void fetchNextPage()} aria-disabled={isFetchingNextPage}>
            {t('office.more')}
          </Button>
        )}
      </Section>
      {opened !== undefined && <RequestDialog key={opened} id={opened} onClose={() => show({ state })} />}
    </Page>
  );
}

interface RequestTableProps {
  requests: readonly StaffRequest[];
  onOpened: (id: string) => void;
}

function RequestTable({ requests, onOpened }: RequestTableProps): ReactElement {
  const t = useT();
  return (
    <TableBox label={t('officeRequests.title')}>
      <thead>
        <tr>
          <th>{t('officeRequests.kind')}</th>
          <th>{t('office.subject')}</th>
          <th>{t('office.merchant')}</th>
          <th>{t('officeRequests.requestedBy')}</th>
          <th>{t('officeRequests.createdAt')}</th>
          <th>{t('officeRequests.state')}</th>
        </tr>
      </thead>
      <tbody>
        {requests.map((request) => (
          <RequestRow key={request.id} request={request} onOpened={onOpened} />
        ))}
      </tbody>
    </TableBox>
  );
}

interface RequestRowProps {
  request: StaffRequest;
  onOpened: (id: string) => void;
}

function RequestRow({ request, onOpened }: RequestRowProps): ReactElement {
  const t = useT();
  const subjectOf = useSubjectText();
  const { id, kind, merchant, requestedBy, createdAt, state } = request;
  return (
    <tr>
      <td>
        <Button look="quiet" onClick={() => onOpened(id)}>
          {t(`officeRequests.kinds.${kind}`)}
        </Button>
      </td>
      <td>{subjectOf(request)}</td>
      <td>{merchant?.name}</td>
      <td>{requestedBy}</td>
      <td>
        <TimeText at={createdAt} style="minute" />
      </td>
      <td>
        <StatusTag look={requestLooks[state]} />
      </td>
    </tr>
  );
}
