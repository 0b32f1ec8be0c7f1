import { staffIncidentEndpoints } from '@hengfu/contract/staff/incidents';
import { incidentImpacts, incidentStages, statusComponents } from '@hengfu/contract/status';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form, LinesField, SelectField, TextField } from '@hengfu/ui/form/form.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { useCallForm } from '../../../shared/use-call-form.ts';
import { nameOf } from './component-name.ts';

interface DialogProps {
  onClose: () => void;
}

/** Reports an incident to all merchants. */
export function ReportDialog({ onClose }: DialogProps): ReactElement {
  const t = useT();
  const form = useCallForm(staffIncidentEndpoints.open, useDone(onClose));
  return (
    <IncidentDialog title={t('officeService.report')} form={form} onClose={onClose}>
      <SelectField form={form} name="impact" label={t('officeService.impact')}>
        {incidentImpacts.map((impact) => (
          <option key={impact} value={impact}>
            {t(`status.state.${impact}`)}
          </option>
        ))}
      </SelectField>
      <SelectField form={form} name="component" label={t('officeService.component')}>
        <option value="">{t('officeService.noComponent')}</option>
        {statusComponents.map((component) => (
          <option key={component} value={component}>
            {nameOf(component, t)}
          </option>
        ))}
      </SelectField>
      <TextField form={form} name="title" label={t('officeService.incidentTitle')} maxLength={120} />
      <TextField
        form={form}
        name="titleZhCn"
        label={t('officeService.incidentTitleZhCn')}
        hint={t('officeService.optional')}
        maxLength={120}
      />
      <TextField
        form={form}
        name="titleVi"
        label={t('officeService.incidentTitleVi')}
        hint={t('officeService.optional')}
        maxLength={120}
      />
      <TextFields form={form} />
    </IncidentDialog>
  );
}

/** Posts an update to an incident. */
export function UpdateDialog({ id, onClose }: DialogProps & { id: string }): ReactElement {
  const t = useT();
  const form = useCallForm(staffIncidentEndpoints.update, useDone(onClose), { id });
  return (
    <IncidentDialog title={t('officeService.update')} form={form} onClose={onClose}>
      <SelectField form={form} name="stage" label={t('officeService.stage')}>
        <option value="">{t('officeService.note')}</option>
        {incidentStages.map((stage) => (
          <option key={stage} value={stage}>
            {t(`status.incidents.stage.${stage}`)}
          </option>
        ))}
      </SelectField>
      <TextFields form={form} />
    </IncidentDialog>
  );
}

/** Resolves an incident with a last update. */
export function ResolveDialog({ id, onClose }: DialogProps & { id: string }): ReactElement {
  const t = useT();
  const form = useCallForm(staffIncidentEndpoints.resolve, useDone(onClose), { id });
  return (
    <IncidentDialog title={t('officeService.resolve')} form={form} onClose={onClose}>
      <TextFields form={form} />
    </IncidentDialog>
  );
}

interface IncidentDialogProps extends DialogProps {
  /** Also the label of the button. */
  title: string;
  form: FormState;
  children: ReactNode;
}

function IncidentDialog({ title, form, onClose, children }: IncidentDialogProps): ReactElement {
  const t = useT();
  return (
    <Dialog title={title} isWide onClose={onClose}>
      <Form
        state={form}
        action={title}
        extra={<Button onClick={onClose}>{t('officeService.cancel')}</Button>}
      >
        {children}
      </Form>
    </Dialog>
  );
}

/** The text of an update, in each language. */
function TextFields({ form }: { form: FormState }): ReactElement {
  const t = useT();
  const optional = t('officeService.optional');
  return (
    <>
      <LinesField form={form} name="text" label={t('officeService.text')} rows={3} maxLength={1000} />
      <LinesField
        form={form}
        name="textZhCn"
        label={t('officeService.textZhCn')}
        hint={optional}
        rows={3}
        maxLength={1000}
      />
      <LinesField
        form={form}
        name="textVi"
        label={t('officeService.textVi')}
        hint={optional}
        rows={3}
        maxLength={1000}
      />
    </>
  );
}

/** Returns a function that closes a dialog, and asks again for the incidents. */
function useDone(onClose: () => void): () => void {
  const t = useT();
  const client = useQueryClient();
  return () => {
    toast('success', t('officeService.changed'));
    onClose();
    void client.invalidateQueries({ queryKey: [staffIncidentEndpoints.list.path] });
  };
}
