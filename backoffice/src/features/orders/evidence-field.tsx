import {
  type EvidenceFile,
  evidenceEndpoints,
  evidenceLimits,
  evidenceTypes,
} from '@hengfu/contract/staff/evidence';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { FileButton } from '@hengfu/ui/form/file-drop.tsx';
import type { FormState } from '@hengfu/ui/form/form-state.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useId, useState } from 'react';
import { messageOf } from '../../platform/failures.ts';
import { call } from '../../platform/http.ts';
import styles from './orders.module.css';

interface EvidenceFieldProps {
  form: FormState;
  tradeNo: string;
}

/** A field for the files that show an outcome. Each is uploaded when it is chosen; the form sends their IDs. */
export function EvidenceField({ form, tradeNo }: EvidenceFieldProps): ReactElement {
  const t = useT();
  const id = useId();
  const [files, setFiles] = useState<readonly EvidenceFile[]>([]);
  const upload = useMutation({
    mutationFn: (file: File) =>
      call(evidenceEndpoints.upload, {
        params: { trade_no: tradeNo },
        query: { name: file.name.slice(-evidenceLimits.nameLength) },
        file,
      }),
    onSuccess: ({ data }) => {
      form.forget('evidence');
      setFiles((known) => [...known, data]);
    },
  });
  const choose = (file: File | undefined) => file && !upload.isPending && upload.mutate(file);
  const failure = upload.error && messageOf(upload.error);
  const fault = failure ?? form.faults.evidence;
  // Nothing is asked while a file is on its way: it would be missing from the request.
  const ids = upload.isPending ? [] : files.map((file) => file.id);
  return (
    <fieldset className={styles.files} aria-describedby={`${id}-text`}>
      <legend>{t('officeOrders.evidence')}</legend>
      <input type="hidden" name="evidence" value={ids.join(',')} />
      {files.map((file) => (
        <div key={file.id} className={styles.line}>
          <span className={styles.file}>{file.name}</span>
          <Button
            aria-label={t('officeOrders.removeFile', { name: file.name })}
            onClick={() => setFiles((known) => known.filter((each) => each !== file))}
          >
            {t('officeOrders.remove')}
          </Button>
        </div>
      ))}
      {files.length < evidenceLimits.files && (
        <div>
          <FileButton accept={evidenceTypes.join(',')} look="outline" onFile={choose}>
            {t(upload.isPending ? 'officeOrders.uploading' : 'officeOrders.addFile')}
          </FileButton>
        </div>
      )}
      <p id={`${id}-text`} className={fault ? styles.fault : styles.at} role={fault ? 'alert' : undefined}>
        {fault ?? t('officeOrders.evidenceHint')}
      </p>
    </fieldset>
  );
}
