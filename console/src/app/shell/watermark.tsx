import { usePreferences } from '@hengfu/ui/theme/preferences.ts';
import { useEffect, useRef } from 'react';
import { useUser } from '../../platform/session-store.ts';
import styles from './watermark.module.css';

/** Size of one repetition, in CSS pixels. */
const tile = { width: 280, height: 180 };

/** Repeats a text across the whole page, so that a screenshot shows whose screen it was. */
export function Watermark() {
  const isOn = usePreferences(({ watermark }) => watermark);
  const content = usePreferences(({ watermarkContent }) => watermarkContent.trim());
  const { name, email } = useUser();
  const ref = useRef<HTMLDivElement>(null);
  const text = content === '' ? `${name} ${email}` : content;
  useEffect(() => {
    if (ref.current) ref.current.style.backgroundImage = `url(${tileWith(text)})`;
  });
  return isOn && <div ref={ref} className={styles.watermark} aria-hidden="true" data-text={text} />;
}

/** Draws the text at a slant, squeezed to fit the tile, and returns it as a data URL. */
function tileWith(text: string): string {
  const canvas = document.createElement('canvas');
  const scale = devicePixelRatio;
  canvas.width = tile.width * scale;
  canvas.height = tile.height * scale;
  const context = canvas.getContext('2d');
  if (!context) return '';
  context.scale(scale, scale);
  context.translate(tile.width / 2, tile.height / 2);
  context.rotate(-Math.PI / 9);
  context.font = `14px ${getComputedStyle(document.body).fontFamily}`;
  context.fillStyle = '#808a9a';
  context.textAlign = 'center';
  context.fillText(text, 0, 0, tile.width * 0.9);
  return canvas.toDataURL();
}
