import { type ChannelCode, channelCodes } from '@hengfu/contract/channels';
import { reconciliationEndpoints } from '@hengfu/contract/staff/reconciliation';
import type { StatementFormat } from '@hengfu/contract/staff/statement-days';
import type { CsvColumns } from '@hengfu/contract/staff/statement-mapping';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { Select } from '@hengfu/ui/controls/select.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { FileButton } from '@hengfu/ui/form/file-drop.tsx';
import { formatDay } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { DateField } from '@hengfu/ui/overlays/date-field.tsx';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { FieldGrid } from '@hengfu/ui/page/apply-layout.tsx';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useId, useState } from 'react';
import { messageOf } from '../../../platform/failures.ts';
import { call } from '../../../platform/http.ts';
import { reading } from '../../../platform/reading.ts';
import styles from '../reconciliation.module.css';
import { daysOf } from './csv-preview.ts';
import { MappingForm } from './mapping-form.tsx';
import { packed } from './packed.ts';

interface UploadDialogProps {
  /** The channel that is chosen at first, if any. */
  channel: ChannelCode | '';
  onClose: () => void;
}

/** Takes the statement of a day: the file, and how the channel's files are read, which is saved for the next one. */
export function UploadDialog({ channel: first, onClose }: UploadDialogProps): ReactElement {
  const t = useT();
  const [channel, setChannel] = useState<ChannelCode>(first === '' ? channelCodes[0] : first);
  const [day, setDay] = useState(() => localDay(-1));
  const [file, setFile] = useState<File>();
  const [isEditing, setEditing] = useState(false);
  const format = file && /\.xml(\.gz)?$/i.test(file.name) ? 'camt053' : 'csv';
  const mapping = useQuery(reading(reconciliationEndpoints.mapping, { params: { channel } }));
  const isMapped = mapping.data != null && (format !== 'csv' || mapping.data.csv !== null);
  const upload = useUpload({ channel, day, format }, onClose);
  const isMappingShown = file !== undefined && mapping.isSuccess && (isEditing || !isMapped);
  const canUpload = file !== undefined && mapping.isSuccess && !isMappingShown;
  return (
    <Dialog title={t('officeReconciliation.uploadTitle')} isWide onClose={onClose}>
      <div className={styles.form}>
        <FieldGrid>
          <ChannelField
            channel={channel}
            onChosen={(chosen) => {
              setChannel(chosen);
              setEditing(false);
            }}
          />
          <DayField day={day} onChosen={setDay} />
        </FieldGrid>
        <div className={styles.tools}>
          <FileButton accept=".csv,.txt,.xml,.gz" look="outline" onFile={setFile}>
            {t('officeReconciliation.chooseFile')}
          </FileButton>
          {file && (
            <span>
              {file.name} · {t(`officeReconciliation.formats.${format}`)}
            </span>
          )}
        </div>
        {isMappingShown && (
          <MappingForm
            key={`${channel} ${format}`}
            channel={channel}
            saved={mapping.data ?? null}
            file={file}
            format={format}
            onSaved={() => setEditing(false)}
            onCancel={isEditing && isMapped ? () => setEditing(false) : onClose}
          />
        )}
        {canUpload && format === 'csv' && mapping.data?.csv && (
          <DayWarning file={file} day={day} columns={mapping.data.csv} />
        )}
        {upload.error && <Notice tone="bad">{messageOf(upload.error)}</Notice>}
        {!isMappingShown && (
          <div className={styles.actions}>
            {canUpload && (
              <>
                <Button
                  look="primary"
                  aria-disabled={upload.isPending}
                  onClick={() => !upload.isPending && upload.mutate(file)}
                >
                  {upload.isPending ? t('officeReconciliation.uploading') : t('officeReconciliation.upload')}
                </Button>
                <Button onClick={() => setEditing(true)}>{t('officeReconciliation.editMapping')}</Button>
              </>
            )}
            <Button onClick={onClose}>{t('officeReconciliation.cancel')}</Button>
          </div>
        )}
      </div>
    </Dialog>
  );
}

interface Target {
  channel: ChannelCode;
  day: string;
  format: StatementFormat;
}

/** Uploads a file, and then shows its day. */
function useUpload({ channel, day, format }: Target, onClose: () => void) {
  const t = useT();
  const navigate = useNavigate();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (chosen: File) =>
      call(reconciliationEndpoints.upload, {
        params: { channel, day },
        query: { format, name: chosen.name.slice(-200) },
        file: await packed(chosen),
      }),
    onSuccess: () => {
      toast('success', t('officeReconciliation.uploaded'));
      void client.invalidateQueries({ queryKey: [reconciliationEndpoints.days.path] });
      onClose();
      void navigate({ to: '/reconciliation', search: { channel, day } });
    },
  });
}

interface DayWarningProps {
  file: File;
  day: string;
  columns: CsvColumns;
}

/** Warns before a file is uploaded that seems to be that of another day. */
function DayWarning({ file, day, columns }: DayWarningProps): ReactElement | null {
  const t = useT();
  const language = useLanguage();
  const { data: days = [] } = useQuery({
    queryKey: ['statement days', file.name, file.size, file.lastModified, columns],
    queryFn: () => daysOf(file, columns),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined || (first <= day && day <= last)) return null;
  const shown = (each: string) => formatDay(each, language);
  return (
    <Notice tone="waiting">
      {first === last
        ? t('officeReconciliation.otherDay', { day: shown(day), found: shown(first) })
        : t('officeReconciliation.otherDays', { day: shown(day), first: shown(first), last: shown(last) })}
    </Notice>
  );
}

function DayField({ day, onChosen }: { day: string; onChosen: (day: string) => void }): ReactElement {
  const t = useT();
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{t('officeReconciliation.day')}</label>
      <DateField
        id={id}
        label={t('officeReconciliation.day')}
        value={day}
        today={localDay(0)}
        onChange={onChosen}
      />
    </div>
  );
}

function ChannelField({
  channel,
  onChosen,
}: {
  channel: ChannelCode;
  onChosen: (channel: ChannelCode) => void;
}): ReactElement {
  const t = useT();
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{t('officeReconciliation.channel')}</label>
      <Select
        look="field"
        id={id}
        value={channel}
        onChange={({ target }) => onChosen(channelCodes.find((code) => code === target.value) ?? channel)}
      >
        {channelCodes.map((code) => (
          <option key={code} value={code}>
            {t(`channels.${code}`)}
          </option>
        ))}
      </Select>
    </div>
  );
}

/** A day of this browser's zone: today, or so many days from it. */
function localDay(days: number): string {
  const at = new Date();
  at.setDate(at.getDate() + days);
  const parts = [at.getFullYear(), at.getMonth() + 1, at.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
