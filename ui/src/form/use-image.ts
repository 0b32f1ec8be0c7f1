import { maxImageBytes } from '@hengfu/contract/images';
import { useEffect, useEffectEvent, useState } from 'react';

/** An image chosen by the user. */
export interface ChosenImage {
  name: string;
  base64: string;
  /** Data URL, for a preview. */
  url: string;
}

/** Detects the type of an image by its first bytes; undefined if it is none that is accepted. */
export type TypeOf = (bytes: Uint8Array) => string | undefined;

/**
 * An image to upload: chosen, dropped, or pasted anywhere on the page. Only accepted types within the size limit. `onChange` gets
 * the image, or why there is none.
 */
export function useImage(typeOf: TypeOf, onChange: (image: ChosenImage | 'refused' | 'removed') => void) {
  const [image, setImage] = useState<ChosenImage>();
  const [isRefused, setRefused] = useState(false);
  const choose = async (file: File | undefined) => {
    if (!file) return;
    const chosen = await read(file, typeOf);
    setImage(chosen);
    setRefused(chosen === undefined);
    onChange(chosen ?? 'refused');
  };
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const [file] = event.clipboardData?.files ?? [];
    if (!file) return;
    event.preventDefault();
    void choose(file);
  });
  useEffect(() => {
    const listen = (event: ClipboardEvent) => onPaste(event);
    document.addEventListener('paste', listen);
    return () => document.removeEventListener('paste', listen);
  }, []);
  const remove = () => {
    setImage(undefined);
    setRefused(false);
    onChange('removed');
  };
  return { image, isRefused, choose, remove };
}

async function read(file: File, typeOf: TypeOf): Promise<ChosenImage | undefined> {
  if (file.size > maxImageBytes) return undefined;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const type = typeOf(bytes);
  if (!type) return undefined;
  const url = await dataUrl(new Blob([bytes], { type }));
  return { name: file.name, base64: url.slice(url.indexOf(',') + 1), url };
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('could not read the image'));
    reader.readAsDataURL(blob);
  });
}
