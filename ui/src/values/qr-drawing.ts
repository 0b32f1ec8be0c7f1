import { encode } from 'uqr';

/** White border that scanners need, in modules (ISO/IEC 18004, 5.3.8). */
const quietZone = 4;

/** A QR code as an SVG path in a square of `size` modules. */
export interface QrDrawing {
  size: number;
  path: string;
}

/** Draws a QR code: one rectangle per horizontal run of dark modules. */
export function drawQr(content: string): QrDrawing {
  const { data, size } = encode(content, { ecc: 'M', border: quietZone });
  const runs = data.flatMap((row, y) =>
    [
      ...row
        .map((isDark) => (isDark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`),
  );
  return { size, path: runs.join('') };
}
