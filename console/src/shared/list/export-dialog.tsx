import type { BodyInput } from '@hengfu/contract/endpoint';
import { type ExportList, exportColumns } from '@hengfu/contract/export-columns';
import {
  type ExportPeriod,
  exportPeriods,
  exportScheduleEndpoints,
  scheduledLists,
} from '@hengfu/contract/export-schedules';
import { exportEndpoints, exportFormats } from '@hengfu/contract/exports';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { RadioGroup } from '@hengfu/ui/controls/radio.tsx';
import { Select } from '@hengfu/ui/controls/select.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { languages, useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { languageNames } from '@hengfu/ui/language/languages.ts';
import { Combobox } from '@hengfu/ui/overlays/combobox.tsx';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactElement, useId, useState } from 'react';
import { call } from '../../platform/http.ts';
import { useUser } from '../../platform/session-store.ts';
import styles from './export-dialog.module.css';

interface ExportDialogProps {
  list: ExportList;
  /** The list's filters, by the names of its query parameters. */
  filters: Readonly<Record<string, string>>;
  /** Keys of the shown columns, in order; empty means all. */
  columns: readonly string[];
  onClose: () => void;
}

/** Asks for the format of an export, and submits or schedules it. */
export function ExportDialog({ list, filters, columns, onClose }: ExportDialogProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { zone } = useUser();
  const navigate = useNavigate();
  const [every, setEvery] = useState<ExportPeriod | ''>('');
  const scheduledList = scheduledLists.find((candidate) => candidate === list);
  const listName = t(`exports.lists.${list}`);
  const defaultName = every === '' ? listName : `${listName} · ${t(`exports.periods.${every}`)}`;
  const create = useAction({
    mutationFn: async (choices: Record<string, string>) => {
      const known = new Set(exportColumns[list].map(({ key }) => key));
      const body = { list, filters: { ...filters }, columns: columns.filter((key) => known.has(key)) };
      const { every, name, ...format } = choices;
      const order = { ...body, ...format } as BodyInput<typeof exportEndpoints.create>;
      const period = exportPeriods.find((candidate) => candidate === every);
      if (period && scheduledList) {
        const schedule = { ...order, list: scheduledList, every: period, name: name?.trim() || defaultName };
        await call(exportScheduleEndpoints.create, { body: schedule });
      } else await call(exportEndpoints.create, { body: order });
    },
    onSuccess: (_reply, { every }) => {
      toast('success', t(every ? 'exports.scheduled' : 'exports.submitted'), 'exports');
      onClose();
      void navigate({ to: '/lineExport' });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const texts = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]);
    if (!create.isPending) create.mutate(Object.fromEntries(texts));
  };
  return (
    <Dialog title={t('exports.dialogTitle')} onClose={onClose}>
      <form className={styles.form} onSubmit={submit} aria-busy={create.isPending}>
        <p>{t('exports.dialogIntro')}</p>
        <RadioGroup
          name="format"
          label={t('exports.format')}
          choices={exportFormats.map((value) => ({ value, label: t(`exports.formats.${value}`) }))}
          defaultValue={exportFormats[0]}
          isRow
          hint={t('exports.csvHint')}
        />
        <Choice name="language" label={t('exports.language')} value={language}>
          {languages.map((value) => ({ value, text: languageNames[value] }))}
        </Choice>
        <ZoneChoice label={t('exports.zone')} zone={zone} />
        {scheduledList && (
          <>
            <Choice
              name="every"
              label={t('exports.every')}
              value=""
              onChange={(value) => setEvery(exportPeriods.find((period) => period === value) ?? '')}
            >
              {[
                { value: '', text: t('exports.once') },
                ...exportPeriods.map((period) => ({ value: period, text: t(`exports.periods.${period}`) })),
              ]}
            </Choice>
            {every !== '' && <NameField key={every} value={defaultName} />}
            <p>{t('exports.periodHint')}</p>
          </>
        )}
        <div className={styles.buttons}>
          <Button type="submit" look="primary" aria-disabled={create.isPending}>
            {t('exports.submit')}
          </Button>
          <Button onClick={onClose}>{t('profile.cancel')}</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The zone of the file's times. */
function ZoneChoice({ label, zone }: { label: string; zone: string }): ReactElement {
  const id = useId();
  const [chosen, setChosen] = useState(zone);
  const zones = [...new Set([zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
  return (
    <div className={styles.choice}>
      <label htmlFor={id}>{label}</label>
      <input type="hidden" name="zone" value={chosen} />
      <Combobox
        id={id}
        label={label}
        value={chosen}
        placeholder={zone}
        options={zones.map((value) => ({ value, label: value }))}
        onChange={setChosen}
      />
    </div>
  );
}

/** The field for the name of a scheduled export. */
function NameField({ value }: { value: string }): ReactElement {
  const t = useT();
  const id = useId();
  return (
    <div className={styles.choice}>
      <label htmlFor={id}>{t('exports.name')}</label>
      <input
        id={id}
        name="name"
        type="text"
        autoComplete="off"
        maxLength={60}
        placeholder={value}
        defaultValue={value}
      />
    </div>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  value: string;
  onChange?: (value: string) => void;
  children: readonly { value: string; text: string }[];
}

function Choice({ name, label, value, onChange, children }: ChoiceProps): ReactElement {
  const id = useId();
  return (
    <div className={styles.choice}>
      <label htmlFor={id}>{label}</label>
      <Select
        look="field"
        id={id}
        name={name}
        defaultValue={value}
        onChange={(event) => onChange?.(event.target.value)}
      >
        {children.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </Select>
    </div>
  );
}
