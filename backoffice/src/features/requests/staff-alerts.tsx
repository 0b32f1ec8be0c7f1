import { staffRequestEndpoints } from '@hengfu/contract/staff/requests';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { maxNotices, NoticeStack } from '@hengfu/ui/controls/notice-stack.tsx';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { withChannelNames } from '@hengfu/ui/orders/channel-name.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useState } from 'react';
import { reactToFailure } from '../../platform/failures.ts';
import { call } from '../../platform/http.ts';
import { useLive } from '../../platform/live.ts';
import { reading } from '../../platform/reading.ts';
import { useRefresh } from '../../platform/refresh.ts';
import { withoutMark } from '../../shared/fact-words.ts';
import { type JoinedAlert, joinAlerts } from './joined-alerts.ts';
import styles from './requests.module.css';

const laterMs = 1000;
const operatorMark = 'operator:';

/** Shows the actions that operators took, or tried to take, without a second person, until the reader confirms each. Equal ones are one. */
export function StaffAlerts(): ReactElement | null {
  const t = useT();
  const { path } = staffRequestEndpoints.alerts;
  // After the page's own data.
  const [isLater, setIsLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLater(true), laterMs);
    return () => clearTimeout(timer);
  }, []);
  const { data = [] } = useQuery({ ...reading(staffRequestEndpoints.alerts), enabled: isLater });
  useLive(['staffRequests'], [path]);
  if (data.length === 0) return null;
  const alerts = joinAlerts(data);
  const foldedActions = alerts.slice(maxNotices).filter(({ isRefused }) => !isRefused).length;
  return (
    <div className={styles.alerts}>
      <NoticeStack
        notices={alerts.map((alert) => <AlertNotice key={alert.ids.at(-1)} alert={alert} />)}
        folded={
          foldedActions > 0 ? (
            <Notice tone="bad">{t('officeRequests.alertsFolded', { count: foldedActions })}</Notice>
          ) : undefined
        }
      />
    </div>
  );
}

function AlertNotice({
  alert: { ids, kind, actor, subject, reason, at, isRefused },
}: {
  alert: JoinedAlert;
}): ReactElement {
  const t = useT();
  const operator = actor.startsWith(operatorMark) && actor.slice(operatorMark.length);
  const who = operator ? t('officeService.operator', { name: operator }) : actor;
  const refresh = useRefresh(staffRequestEndpoints.alerts.path);
  const { mutate, isPending } = useAction({
    mutationFn: async () => {
      for (const id of ids) await call(staffRequestEndpoints.readAlert, { params: { alert_id: id } });
    },
    onSettled: refresh,
    onError: reactToFailure,
  });
  return (
    <Notice
      tone={isRefused ? 'waiting' : 'bad'}
      action={
        <Button onClick={() => mutate(undefined)} aria-disabled={isPending}>
          {t('officeRequests.gotIt')}
        </Button>
      }
    >
      <p>
        {t(isRefused ? 'officeRequests.alertRefused' : 'officeRequests.alert', {
          actor: who,
          kind: t(`officeRequests.kinds.${kind}`),
          subject: kind === 'announcement' ? withoutMark(subject) : withChannelNames(subject, t),
          reason,
        })}
      </p>
      <p className={styles.time}>
        <TimeText at={at} style="minute" />
        {ids.length > 1 && ` · ${t('officeRequests.alertTimes', { count: ids.length })}`}
      </p>
    </Notice>
  );
}
