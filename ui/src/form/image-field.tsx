import { imageTypeOf, imageTypes } from '@hengfu/contract/images';
import { type ReactElement, useId } from 'react';
import { Button } from '../controls/button.tsx';
import { useT } from '../language/i18n.ts';
import { FileButton, useFileDrop } from './file-drop.tsx';
import type { FormState } from './form-state.ts';
import styles from './image-field.module.css';
import { type TypeOf, useImage } from './use-image.ts';

interface ImageFieldProps {
  form: FormState;
  /** Field name in the call's body, which holds the image in Base64. */
  name: string;
  label: string;
  hint: string;
  /** Error for a file that is not an acceptable image. */
  refusal: string;
  /** Accepted types, and how they are recognized. PNG and JPEG if absent. */
  accepted?: { types: readonly string[]; typeOf: TypeOf };
  /** URL of the image that is stored already, shown until another one is chosen. */
  stored?: string | null;
  /** Called with the URL of the image on screen whenever it changes; undefined if there is none. */
  onShown?: (url: string | undefined) => void;
}

const screenshots = { types: imageTypes, typeOf: imageTypeOf };

/** A field for one image, chosen, dropped or pasted, with a preview. */
export function ImageField({
  form,
  name,
  label,
  hint,
  refusal,
  accepted = screenshots,
  stored = null,
  onShown,
}: ImageFieldProps): ReactElement {
  const t = useT();
  const id = useId();
  const { image, isRefused, choose, remove } = useImage(accepted.typeOf, (change) => {
    form.forget(name);
    if (change === 'removed') onShown?.(undefined);
    else onShown?.(change === 'refused' ? (stored ?? undefined) : change.url);
  });
  const url = image?.url ?? stored;
  const { isOver, target } = useFileDrop((file) => void choose(file));
  const fault = isRefused ? refusal : form.faults[name];
  return (
    <fieldset className={styles.field} aria-describedby={`${id}-text`} {...target}>
      <legend className={styles.label}>{label}</legend>
      <input type="hidden" name={name} value={image?.base64 ?? ''} />
      <div className={styles.drop} data-over={isOver} data-invalid={fault !== undefined}>
        {url !== null && <img className={styles.preview} src={url} alt={t('ui.imagePreview')} />}
        {image && <span className={styles.name}>{image.name}</span>}
        <div className={styles.choose}>
          <FileButton accept={accepted.types.join(',')} look="outline" onFile={(file) => void choose(file)}>
            {t('ui.chooseImage')}
          </FileButton>
          {url !== null ? <Button onClick={remove}>{t('ui.removeImage')}</Button> : t('ui.dropImage')}
        </div>
      </div>
      <p id={`${id}-text`} className={fault ? styles.fault : styles.hint} role={fault ? 'alert' : undefined}>
        {fault ?? hint}
      </p>
    </fieldset>
  );
}
