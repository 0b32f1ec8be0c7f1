import { announcementKinds } from '@hengfu/contract/announcements';
import {
  announcementFields,
  type StaffAnnouncement,
  staffAnnouncementEndpoints,
} from '@hengfu/contract/staff/announcements';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form, LinesField, SelectField, TextField } from '@hengfu/ui/form/form.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { nothing } from '@hengfu/ui/language/format.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { type StatusLook, StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { reactToFailure } from '../../../platform/failures.ts';
import { call } from '../../../platform/http.ts';
import { useLive } from '../../../platform/live.ts';
import { reading } from '../../../platform/reading.ts';
import { useRefresh } from '../../../platform/refresh.ts';
import { useHasPerm } from '../../../platform/session.ts';
import { Failure } from '../../../shared/failure.tsx';
import table from '../../../shared/table.module.css';
import { useCallForm } from '../../../shared/use-call-form.ts';
import styles from '../service.module.css';
import { localTimeOf } from './local-time.ts';

const looks: Readonly<Record<StaffAnnouncement['state'], StatusLook>> = {
  planned: { label: 'officeAnnouncements.states.planned', tone: 'waiting', icon: 'circleClock' },
  shown: { label: 'officeAnnouncements.states.shown', tone: 'good', icon: 'circleCheck' },
  over: { label: 'officeAnnouncements.states.over', tone: 'calm', icon: 'circle' },
};

/** The announcements to merchants, newest first. */
export function AnnouncementsPart(): ReactElement {
  const t = useT();
  const canWrite = useHasPerm('announcements.write');
  const [isAdding, setAdding] = useState(false);
  const { data, error, refetch } = useQuery(reading(staffAnnouncementEndpoints.list));
  useLive(['service'], [staffAnnouncementEndpoints.list.path]);
  return (
    <>
      <p className={table.note}>{t('officeAnnouncements.intro')}</p>
      {canWrite && (
        <div className={styles.buttons}>
          <Button look="primary" onClick={() => setAdding(true)}>
            {t('officeAnnouncements.add')}
          </Button>
        </div>
      )}
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <p>{t('officeAnnouncements.none')}</p>}
      {data?.map((each) => (
        <Card key={each.id} announcement={each} canWrite={canWrite} />
      ))}
      {isAdding && <WriteDialog onClose={() => setAdding(false)} />}
    </>
  );
}

interface CardProps {
  announcement: StaffAnnouncement;
  canWrite: boolean;
}

function Card({ announcement, canWrite }: CardProps): ReactElement {
  const t = useT();
  const [isChanging, setChanging] = useState(false);
  const { id, kind, state, text, startsAt, endsAt, endedAt, merchants } = announcement;
  const refresh = useRefresh(staffAnnouncementEndpoints.list.path);
  const end = useAction({
    mutationFn: () => call(staffAnnouncementEndpoints.end, { params: { id } }),
    onSuccess: () => {
      toast('success', t('officeAnnouncements.ended'));
      refresh();
    },
    onError: reactToFailure,
  });
  const until = endedAt ?? endsAt;
  return (
    <Section title={t(`officeAnnouncements.kinds.${kind}`)} extra={<StatusTag look={looks[state]} />} isCard>
      <div className={styles.announcement}>
        <div>
          {Object.entries(text).map(([language, each]) => (
            <p key={language} className={styles.text} lang={language}>
              {each}
            </p>
          ))}
        </div>
        <Fields
          fields={[
            { label: t('officeAnnouncements.startsAt'), value: <TimeText at={startsAt} style="minute" /> },
            {
              label: t('officeAnnouncements.endsAt'),
              value: until ? <TimeText at={until} style="minute" /> : nothing,
            },
            {
              label: t('officeAnnouncements.merchants'),
              value: merchants?.join(', ') ?? t('officeAnnouncements.all'),
            },
          ]}
        />
        {canWrite && state !== 'over' && (
          <div className={styles.buttons}>
            <Button onClick={() => setChanging(true)}>{t('officeAnnouncements.change')}</Button>
            <Button aria-disabled={end.isPending} onClick={() => end.mutate()}>
              {t('officeAnnouncements.end')}
            </Button>
          </div>
        )}
      </div>
      {isChanging && <WriteDialog announcement={announcement} onClose={() => setChanging(false)} />}
    </Section>
  );
}

interface WriteDialogProps {
  /** The announcement that is changed; absent for a new one. */
  announcement?: StaffAnnouncement;
  onClose: () => void;
}

/** Writes a new announcement, or changes one. */
function WriteDialog({ announcement, onClose }: WriteDialogProps): ReactElement {
  const t = useT();
  const onDone = () => {
    toast('success', t('officeRequests.asked'));
    onClose();
  };
  const adding = useCallForm(staffAnnouncementEndpoints.add, onDone, undefined, announcementFields);
  const changing = useCallForm(
    staffAnnouncementEndpoints.change,
    onDone,
    { id: announcement?.id ?? '' },
    announcementFields,
  );
  const form = announcement ? changing : adding;
  const title = t(announcement ? 'officeAnnouncements.change' : 'officeAnnouncements.add');
  return (
    <Dialog title={title} isWide onClose={onClose}>
      <Form
        state={form}
        action={t('officeRequests.ask')}
        extra={<Button onClick={onClose}>{t('officeService.cancel')}</Button>}
      >
        <p>{t('officeService.twoPeople')}</p>
        {announcement && <p className={table.note}>{t('officeAnnouncements.changeText')}</p>}
        <SelectField
          form={form}
          name="kind"
          label={t('officeAnnouncements.kind')}
          defaultValue={announcement?.kind ?? 'information'}
        >
          {announcementKinds.map((kind) => (
            <option key={kind} value={kind}>
              {t(`officeAnnouncements.kinds.${kind}`)}
            </option>
          ))}
        </SelectField>
        {textFields.map(({ name, language }) => (
          <LinesField
            key={name}
            form={form}
            name={name}
            label={t(`officeAnnouncements.${name}`)}
            hint={language === 'en' ? undefined : t('officeService.optional')}
            defaultValue={announcement?.text[language] ?? ''}
            rows={2}
            maxLength={500}
          />
        ))}
        <WhenAndWhom form={form} announcement={announcement} />
      </Form>
    </Dialog>
  );
}

const textFields = [
  { name: 'text', language: 'en' },
  { name: 'textZhCn', language: 'zh-cn' },
  { name: 'textVi', language: 'vi' },
] as const;

/** The fields for when an announcement is shown, to whom, and why. */
function WhenAndWhom({
  form,
  announcement,
}: {
  form: FormState;
  announcement: StaffAnnouncement | undefined;
}): ReactElement {
  const t = useT();
  return (
    <>
      <TextField
        form={form}
        name="startsAt"
        type="datetime-local"
        label={t('officeAnnouncements.startsAt')}
        hint={t('officeAnnouncements.startsHint')}
        defaultValue={announcement && localTimeOf(announcement.startsAt)}
      />
      <TextField
        form={form}
        name="endsAt"
        type="datetime-local"
        label={t('officeAnnouncements.endsAt')}
        hint={t('officeAnnouncements.endsHint')}
        defaultValue={announcement?.endsAt ? localTimeOf(announcement.endsAt) : ''}
      />
      <TextField
        form={form}
        name="merchants"
        label={t('officeAnnouncements.merchants')}
        hint={t('officeAnnouncements.merchantsHint')}
        defaultValue={announcement?.merchants?.join(' ')}
        autoComplete="off"
        spellCheck={false}
      />
      <TextField
        form={form}
        name="reason"
        label={t('officeRequests.reason')}
        maxLength={300}
        autoComplete="off"
      />
    </>
  );
}
