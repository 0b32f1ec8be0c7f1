import { type StaffChannel, staffChannelEndpoints } from '@hengfu/contract/staff/channels';
import { type ChannelKind, channelKinds } from '@hengfu/contract/status';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { formatCount } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { type StatusLook, StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { reactToFailure } from '../../platform/failures.ts';
import { call } from '../../platform/http.ts';
import { useLive } from '../../platform/live.ts';
import { reading } from '../../platform/reading.ts';
import { useHasPerm } from '../../platform/session.ts';
import { Failure } from '../../shared/failure.tsx';
import table from '../../shared/table.module.css';
import { TableBox } from '../../shared/table-box.tsx';
import styles from './service.module.css';

const looks = {
  open: { label: 'officeService.open', tone: 'good', icon: 'circleCheck' },
  closed: { label: 'officeService.closed', tone: 'bad', icon: 'circleCross' },
} as const satisfies Record<string, StatusLook>;

/** One use of a channel that is to be opened or closed. */
interface Chosen {
  channel: StaffChannel;
  kind: ChannelKind;
}

/** The channels: whether each is open for collections and payouts, and switches for those who may. */
export function ChannelsPart(): ReactElement {
  const t = useT();
  const language = useLanguage();
  const canSet = useHasPerm('channels.set');
  const [chosen, setChosen] = useState<Chosen>();
  const { data, error, refetch } = useQuery(reading(staffChannelEndpoints.list));
  useLive(['service'], [staffChannelEndpoints.list.path]);
  return (
    <Section title={t('officeService.channels')} isCard>
      <p className={table.note}>{t('officeService.channelsText')}</p>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data && (
        <TableBox label={t('officeService.channels')}>
          <thead>
            <tr>
              <th>{t('officeService.channel')}</th>
              <th>{t('officeService.use')}</th>
              <th>{t('officeService.state')}</th>
              <th>{t('officeService.lastHour')}</th>
              <th>{t('officeService.adapter')}</th>
              {canSet && (
                <th>
                  <span className="visually-hidden">{t('officeService.action')}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {data.flatMap((channel) =>
              channelKinds.map((kind) => {
                const { isOpen, paid, refused } = channel.uses[kind];
                const name = t(`channels.${channel.code}`);
                return (
                  <tr key={`${channel.code} ${kind}`}>
                    <td>{name}</td>
                    <td>
                      {t(kind === 'collection' ? 'officeService.collections' : 'officeService.payouts')}
                    </td>
                    <td>
                      <StatusTag look={isOpen ? looks.open : looks.closed} />
                    </td>
                    <td>
                      {t('officeService.decided', {
                        paid: formatCount(paid, language),
                        refused: formatCount(refused, language),
                      })}
                    </td>
                    <td>{channel.adapter}</td>
                    {canSet && (
                      <td data-number>
                        <Button
                          aria-label={t(isOpen ? 'officeService.closeOne' : 'officeService.openOne', {
                            channel: t(`status.kind.${kind}`, { channel: name }),
                          })}
                          onClick={() => setChosen({ channel, kind })}
                        >
                          {t(isOpen ? 'officeService.closeChannel' : 'officeService.openChannel')}
                        </Button>
                      </td>
                    )}
                  </tr>
                );
              }),
            )}
          </tbody>
        </TableBox>
      )}
      {chosen && canSet && <SetDialog chosen={chosen} onClose={() => setChosen(undefined)} />}
    </Section>
  );
}

/** Asks before all merchants are concerned. */
function SetDialog({ chosen, onClose }: { chosen: Chosen; onClose: () => void }): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const { channel, kind } = chosen;
  const { isOpen } = channel.uses[kind];
  const set = useMutation({
    mutationFn: () =>
      call(staffChannelEndpoints.set, { params: { code: channel.code, kind }, body: { isOpen: !isOpen } }),
    onSuccess: () => {
      toast('success', t('officeService.changed'));
      onClose();
      return client.invalidateQueries({ queryKey: [staffChannelEndpoints.list.path] });
    },
    onError: reactToFailure,
  });
  const name = t(`status.kind.${kind}`, { channel: t(`channels.${channel.code}`) });
  return (
    <Dialog
      title={t(isOpen ? 'officeService.closeTitle' : 'officeService.openTitle', { channel: name })}
      onClose={onClose}
    >
      <p>{t(isOpen ? 'officeService.closeText' : 'officeService.openText')}</p>
      <div className={styles.buttons}>
        <Button
          look={isOpen ? 'danger' : 'primary'}
          onClick={() => set.mutate()}
          aria-disabled={set.isPending}
        >
          {t(isOpen ? 'officeService.closeChannel' : 'officeService.openChannel')}
        </Button>
        <Button onClick={onClose}>{t('officeService.cancel')}</Button>
      </div>
    </Dialog>
  );
}
