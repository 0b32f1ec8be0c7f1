import { imageTypes } from '@hengfu/contract/images';
import { type ReactElement, useId } from 'react';
import { Button } from '../controls/button.tsx';
import { useT } from '../language/i18n.ts';
import { FileButton, useFileDrop } from './file-drop.tsx';
import type { FormState } from './form-state.ts';
import styles from './image-field.module.css';
import { useImage } from './use-image.ts';

interface ImageFieldProps {
  form: FormState;
  /** Field name in the call's body, which holds the image in Base64. */
  name: string;
  label: string;
  hint: string;
  /** Error for a file that is not an acceptable image. */
  refusal: string;
}

/** A field for one image, chosen, dropped or pasted, with a preview. */
export function ImageField({ form, name, label, hint, refusal }: ImageFieldProps): ReactElement {
  const t = useT();
  const id = useId();
  const { image, isRefused, choose, remove } = useImage(() => form.forget(name));
  const { isOver, target } = useFileDrop((file) => void choose(file));
  const fault = isRefused ? refusal : form.faults[name];
  return (
    <fieldset className={styles.field} aria-describedby={`${id}-text`} {...target}>
      <legend className={styles.label}>{label}</legend>
      <input type="hidden" name={name} value={image?.base64 ?? ''} />
      <div className={styles.drop} data-over={isOver} data-invalid={fault !== undefined}>
        {image && <img className={styles.preview} src={image.url} alt={t('ui.imagePreview')} />}
        {image && <span className={styles.name}>{image.name}</span>}
        <div className={styles.choose}>
          <FileButton accept={imageTypes.join(',')} look="outline" onFile={(file) => void choose(file)}>
            {t('ui.chooseImage')}
          </FileButton>
          {image ? <Button onClick={remove}>{t('ui.removeImage')}</Button> : t('ui.dropImage')}
        </div>
      </div>
      <p id={`${id}-text`} className={fault ? styles.fault : styles.hint} role={fault ? 'alert' : undefined}>
        {fault ?? hint}
      </p>
    </fieldset>
  );
}
