import { approvalEndpoints, maxApprovedAtOnce } from '@hengfu/contract/approvals';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { call } from '../../../platform/http.ts';
import { listKey } from '../../../platform/query-client.ts';
import { HasPerm } from '../../../platform/session-store.ts';
import { ApproveForm } from './approve-form.tsx';

/** Approves the marked requests with one password. Those with something to check are left waiting. */
export function ApproveMany({ requestNos }: { requestNos: readonly string[] }): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const count = requestNos.length;
  const close = () => setAsking(false);
  return (
    <HasPerm any={['approvals.decide']}>
      <Button disabled={count > maxApprovedAtOnce} onClick={() => setAsking(true)}>
        {t('approvals.approveMany', { count })}
      </Button>
      {isAsking && (
        <ApproveForm
          title={t('approvals.approveManyTitle', { count })}
          hint={t('approvals.approveManyHint')}
          send={(proof) =>
            call(approvalEndpoints.approveMany, { body: { request_nos: [...requestNos], ...proof } })
          }
          onDone={({ data }) => {
            const approved = data.filter(({ isApproved }) => isApproved).length;
            const failed = data.length - approved;
            const text = t('approvals.approvedMany', { count: approved, failed });
            toast(failed === 0 ? 'success' : 'warning', text, 'approvals');
            close();
            void client.invalidateQueries({ queryKey: listKey(approvalEndpoints.list) });
          }}
          onClose={close}
        />
      )}
    </HasPerm>
  );
}
