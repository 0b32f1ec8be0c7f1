import type { PhraseKey } from '@hengfu/phrases/phrases';
import { usePageSearch } from '@hengfu/ui/browser/page-place.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Page } from '@hengfu/ui/page/page.tsx';
import { PartLinks } from '@hengfu/ui/page/part-links.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { queryClient } from '../../platform/query-client.ts';
import { hasPerm, useUser } from '../../platform/session-store.ts';
import { Failure } from '../../shared/failure.tsx';
import { Loading } from '../../shared/loading.tsx';
import type { KnownNumbers } from './compose-call.ts';
import { KeyChoice } from './key-choice.tsx';
import { documentPath, type Operation, operationsOptions } from './open-document.ts';
import { OperationPart } from './operation-part.tsx';
import { TestModeNotice } from './test-mode-notice.tsx';

/** Prefetches the OpenAPI document. */
export const prefetch = (): void => void queryClient.prefetchQuery(operationsOptions);

/** The groups in their order on the page. One that is added to the document shows its own name, at the end. */
const groupNames: Readonly<Record<string, PhraseKey>> = {
  collections: 'testCalls.groups.collections',
  refunds: 'testCalls.groups.refunds',
  payouts: 'testCalls.groups.payouts',
  balance: 'testCalls.groups.balance',
  settlements: 'testCalls.groups.settlements',
};

function grouped(operations: readonly Operation[]): [string, Operation[]][] {
  const groups = Map.groupBy(operations, ({ group }) => group);
  const names = new Set([...Object.keys(groupNames), ...groups.keys()]);
  return [...names].flatMap((name) => {
    const found = groups.get(name);
    return found ? [[name, found]] : [];
  });
}

/** Developers → API reference: the calls of the Open API, which people can send in test mode. */
export function ReferencePage(): ReactElement {
  const t = useT();
  const user = useUser();
  const { data: operations = [], error, isPending, refetch } = useQuery(operationsOptions);
  const { call: openId } = usePageSearch();
  const [keyId, setKeyId] = useState<string>();
  const [known, setKnown] = useState<KnownNumbers>({});
  const maySend = hasPerm(user, 'access.manage');
  const isTest = user.merchant.mode === 'test';
  return (
    <Page title={t('testCalls.title')} intro={t('testCalls.intro')}>
      <PartLinks label={t('testCalls.documents')}>
        <a href="/docs/quickstart">{t('testCalls.quickstart')}</a>
        <a href="/docs/open-api">{t('testCalls.guide')}</a>
        <a href={documentPath}>{t('testCalls.document')}</a>
      </PartLinks>
      {maySend && !isTest && <TestModeNotice />}
      {maySend && isTest && <KeyChoice keyId={keyId} onChange={setKeyId} />}
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      {grouped(operations).map(([group, ofGroup]) => (
        <Section key={group} title={groupNames[group] ? t(groupNames[group]) : group} isCard>
          {ofGroup.map((operation) => (
            <OperationPart
              key={operation.id}
              operation={operation}
              isOpen={operation.id === openId}
              keyId={maySend && isTest ? keyId : undefined}
              known={known}
              onKnown={(found) => setKnown((before) => ({ ...before, ...found }))}
            />
          ))}
        </Section>
      ))}
    </Page>
  );
}
