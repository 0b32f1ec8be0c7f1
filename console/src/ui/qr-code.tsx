import { useMemo } from 'react';
import { encode } from 'uqr';

/** Modules of white around the code that scanners need (ISO/IEC 18004, 5.3.8). */
const quietZone = 4;

/** A QR code, black on white in the dark theme too: scanners read nothing else for certain. */
export function QrCode({ content, label }: { content: string; label: string }) {
  const { size, path } = useMemo(() => drawing(content), [content]);
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** One stroke for each run of dark modules in a row. */
function drawing(content: string): { size: number; path: string } {
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
